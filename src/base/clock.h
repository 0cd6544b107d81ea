/* clock.h - how much time goes by. */
#pragma once

/* Seconds since some moment, never going back. */
double clock_seconds(void);
