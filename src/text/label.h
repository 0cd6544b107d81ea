/* label.h - how a token is called: the space in front of a word is shown as a dot,
 * "·friend", since on an axis it would be lost. */
#pragma once

#include <stdbool.h>

#define LABEL_SPACE "·"

/* What follows the dot; NULL: there is none in front. */
const char *label_behind_space(const char *label);

/* The label as it is said, without the dot; a space that is a token alone keeps it. */
const char *label_bare(const char *label);

/* Is it what fills up a shorter sentence of a batch? NULL, a label that is not there,
 * is none. */
bool label_is_padding(const char *label);

/* Is the label called so, where the dot need not be typed? */
bool label_is(const char *label, const char *typed);
