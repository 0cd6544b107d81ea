#include "text/label.h"

#include <string.h>

const char *label_behind_space(const char *label) {
    size_t length = strlen(LABEL_SPACE);
    return strncmp(label, LABEL_SPACE, length) == 0 ? label + length : NULL;
}

const char *label_bare(const char *label) {
    const char *behind = label_behind_space(label);
    return behind && *behind ? behind : label;
}

bool label_is_padding(const char *label) {
    return label && strcmp(label, "<pad>") == 0;
}

bool label_is(const char *label, const char *typed) {
    const char *behind = label_behind_space(label);
    return strcmp(label, typed) == 0 || (behind && strcmp(behind, typed) == 0);
}
