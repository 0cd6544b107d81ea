/* version.h - which glassbox this is. */
#pragma once

extern const char *const glassbox_version;
