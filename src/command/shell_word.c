#include "command/shell_word.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "text/unicode.h"

/* What shows only escaped, for a shell: "$(printf '\\342\\200\\256')". */
static const char *spell(const char *text, Arena *arena) {
    char *spelled = arena_take(arena, 4 * strlen(text) + 1);
    char *to = spelled;
    for (const char *c = text; *c; c++)
        to += sprintf(to, isalnum((unsigned char)*c) ? "%c" : "\\%03o",
                      (unsigned char)*c);
    return arena_print(arena, "\"$(printf '%s')\"", spelled);
}

static bool is_plain(const char *text) {
    if (!*text) return false;
    for (; *text; text++)
        if (!isalnum((unsigned char)*text) && !strchr("-_./=:,+@%", *text))
            return false;
    return true;
}

const char *shell_word(const char *text, Arena *arena) {
    if (is_plain(text)) return text;
    if (strcmp(unicode_escape(text, strlen(text), arena), text) != 0)
        return spell(text, arena);
    char *quoted = arena_take(arena, 4 * strlen(text) + 1);
    char *to = quoted;
    for (const char *c = text; *c; c++)
        to += sprintf(to, *c == '\'' ? "'\\''" : "%c", *c);
    return arena_print(arena, "'%s'", quoted);
}
