/* label.h - how a token is displayed: the space before a word becomes a dot, "·friend",
 * since on an axis it would be invisible. */
#pragma once

#include <stdbool.h>

#define LABEL_SPACE "·"

/* Return the text after the dot; NULL if the label does not start with one. */
const char *label_after_space(const char *label);

/* Return the label without the dot. A token that is only a space keeps it. */
const char *label_bare(const char *label);

/* Is it the padding of a shorter sentence in a batch? False for NULL, a missing
 * label. */
bool label_is_padding(const char *label);

/* Does `typed` name the label? The dot may be omitted. */
bool label_is(const char *label, const char *typed);
