#include "text/label.h"

#include <string.h>

const char *label_after_space(const char *label) {
    size_t length = strlen(LABEL_SPACE);
    return strncmp(label, LABEL_SPACE, length) == 0 ? label + length : NULL;
}

const char *label_bare(const char *label) {
    const char *after = label_after_space(label);
    return after && *after ? after : label;
}

bool label_is_padding(const char *label) {
    return label && strcmp(label, "<pad>") == 0;
}

bool label_is(const char *label, const char *typed) {
    const char *after = label_after_space(label);
    return strcmp(label, typed) == 0 || (after && strcmp(after, typed) == 0);
}
