#include "command/arguments.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/builder.h"
#include "base/language.h"
#include "base/options.h"
#include "text/unicode.h"

const char *arguments_flag(const Arguments *arguments, const char *name) {
    for (int f = 0; f < arguments->flags; f++)
        if (strcmp(arguments->flag[f], name) == 0) return arguments->value[f];
    return NULL;
}

bool arguments_number(const Arguments *arguments, const char *name, int min, int max,
                      int *number, Error *error) {
    const char *value = arguments_flag(arguments, name);
    if (!value) return true;
    long long read;
    if (!option_whole(value, &read) || read < min || read > max)
        return fail_usage(error, "--%s is '%s'; expected a whole number from %d to %d",
                          name, value, min, max);
    *number = (int)read;
    return true;
}

bool arguments_real(const Arguments *arguments, const char *name, Bounds bounds,
                    double *number, Error *error) {
    const char *value = arguments_flag(arguments, name);
    if (!value) return true;
    char *end;
    double read = strtod(value, &end);
    /* Reject hexadecimal digits and "nan". */
    bool is_number = *value && !value[strspn(value, "+-.0123456789eE")] && !*end;
    if (is_number && read <= bounds.max &&
        (bounds.above ? read > bounds.min : read >= bounds.min))
        return *number = read + 0.0, true;
    return fail_usage(error,
                      bounds.above
                          ? N_("--%s is '%s'; expected a number above %g, up to %g")
                          : N_("--%s is '%s'; expected a number from %g to %g"),
                      name, value, bounds.min, bounds.max);
}

bool arguments_choice(const Arguments *arguments, const char *name,
                      const char *const *names, int *choice, Error *error) {
    const char *value = arguments_flag(arguments, name);
    if (!value) return true;
    for (int c = 0; names[c]; c++)
        if (strcmp(names[c], value) == 0) return *choice = c, true;
    Arena arena = {0};
    const char *list = "";
    for (int c = 0; names[c]; c++)
        list = c == 0         ? names[c]
               : names[c + 1] ? arena_print(&arena, "%s, %s", list, names[c])
                              : trf(&arena, "%s or %s", list, names[c]);
    fail_usage(error, "--%s is '%s'; expected %s", name, value, list);
    arena_free(&arena);
    return false;
}

const char *arguments_text(const Arguments *arguments, Arena *arena) {
    Builder text = {.arena = arena};
    for (int w = 0; w < arguments->words; w++)
        build_item(&text, " ", "%s", arguments->word[w]);
    return builder_text(&text);
}

bool arguments_replace(const Arguments *arguments) {
    return arguments_flag(arguments, "force") != NULL;
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
    Builder word = {.arena = arena};
    if (strcmp(unicode_escape(text, strlen(text), arena), text) != 0) {
        build_text(&word, "\"$(printf '");
        for (const char *c = text; *c; c++)
            build(&word, isalnum((unsigned char)*c) ? "%c" : "\\%03o",
                  (unsigned char)*c);
        build_text(&word, "')\"");
    } else {
        build_text(&word, "'");
        for (const char *c = text; *c; c++)
            build(&word, *c == '\'' ? "'\\''" : "%c", *c);
        build_text(&word, "'");
    }
    return builder_text(&word);
}
