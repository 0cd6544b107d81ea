#include "lesson/head.h"

#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "base/nearest.h"
#include "explain/depth.h"

/* The next line of `text` without its end, which goes on behind it. */
static const char *next_line(Bytes *text, Arena *arena) {
    const char *end = memchr(text->bytes, '\n', text->size);
    size_t length = end ? (size_t)(end - text->bytes) : text->size;
    const char *line = arena_copy(arena, text->bytes, length);
    size_t used = length + (end != NULL);
    text->bytes += used;
    text->size -= used;
    return line;
}

static bool is_fence(const char *line) {
    size_t length = strcspn(line, "\r");
    return length == 3 && strncmp(line, "---", 3) == 0;
}

typedef void Take(Lesson *lesson, const char *value, int line);

static void take_title(Lesson *lesson, const char *value, int line) {
    (void)line;
    lesson->title = value;
}

static void take_language(Lesson *lesson, const char *value, int line) {
    /* Files are named by it. */
    if (strcmp(value, "en") == 0 || strcmp(value, "ko") == 0)
        lesson->language = value;
    else
        findings_add(&lesson->findings, line,
                     N_("language is '%s'; it must be en or ko"), value);
}

/* No folder: a lesson comes from anywhere. */
static void take_model(Lesson *lesson, const char *value, int line) {
    lesson->model_line = line;
    if (strpbrk(value, "/\\~") || *value == '.')
        findings_add(&lesson->findings, line,
                     N_("model is '%s'; the name of a model that comes with the "
                        "program is expected"),
                     value);
    else
        lesson->model = value;
}

static void take_minutes(Lesson *lesson, const char *value, int line) {
    char *end;
    long minutes = strtol(value, &end, 10);
    if (*end || minutes < 1 || minutes > 600)
        findings_add(&lesson->findings, line,
                     N_("minutes is '%s'; it must be a whole number from 1 to 600"),
                     value);
    else
        lesson->minutes = (int)minutes;
}

static void take_depth(Lesson *lesson, const char *value, int line) {
    for (int d = 0; depths[d]; d++)
        if (strcmp(depths[d], value) == 0) {
            lesson->depth = d;
            return;
        }
    findings_add(&lesson->findings, line,
                 N_("depth is '%s'; it must be numbers, steps or boxes"), value);
}

/* The words of a list, cut at commas and spaces; how many, with a finding where there
 * are more than `most`. */
static int cut_list(const char *value, const char **word, int most, Findings *findings,
                    int line) {
    int count = 0;
    for (const char *c = value + strspn(value, ", \t"); *c;) {
        size_t length = strcspn(c, ", \t\r");
        if (count == most) {
            findings_add(findings, line, N_("the list has more than %d names"), most);
            break;
        }
        word[count++] = arena_copy(findings->arena, c, length);
        c += length;
        c += strspn(c, ", \t\r");
    }
    return count;
}

static void take_needs(Lesson *lesson, const char *value, int line) {
    const char *word[NEEDS_MAX];
    lesson->needs_line = line;
    int count = cut_list(value, word, NEEDS_MAX, &lesson->findings, line);
    for (int w = 0; w < count; w++) {
        char *end;
        long number = strtol(word[w], &end, 10);
        if (!*end && number >= 0 && number < 1000)
            lesson->need[lesson->needs++] = (int)number;
        else if (strcmp(word[w], "none") != 0)
            findings_add(
                &lesson->findings, line,
                N_("needs names '%s'; numbers of lessons are expected, or none"),
                word[w]);
    }
}

static bool is_file_name(const char *name) {
    return *name && *name != '.' && !strpbrk(name, "/\\~$`*?\"'<>|");
}

static void take_files(Lesson *lesson, const char *value, int line) {
    const char *word[FILES_MAX];
    lesson->files_line = line;
    int count = cut_list(value, word, FILES_MAX, &lesson->findings, line);
    for (int w = 0; w < count; w++)
        if (is_file_name(word[w]))
            lesson->file[lesson->files++] = word[w];
        else
            findings_add(&lesson->findings, line,
                         N_("files names '%s'; plain names of files in lessons/files "
                            "are expected"),
                         word[w]);
}

static const struct {
    const char *key;
    Take *take;
    bool may_miss;
} keys[] = {
    {"title", take_title, false},     {"language", take_language, false},
    {"minutes", take_minutes, false}, {"needs", take_needs, false},
    {"model", take_model, false},     {"depth", take_depth, true},
    {"files", take_files, true},
};

enum { KEYS = sizeof keys / sizeof *keys };

static void take_line(Lesson *lesson, const char *line, int number, bool *seen) {
    Arena *arena = lesson->findings.arena;
    const char *colon = strchr(line, ':');
    if (!colon) colon = line + strlen(line);
    const char *key = arena_copy(arena, line, (size_t)(colon - line));
    Nearest nearest = {.word = key};
    if (!line[strspn(line, " \t\r")]) return;
    for (int k = 0; k < KEYS; k++) {
        nearest_offer(&nearest, keys[k].key);
        if (strcmp(keys[k].key, key) != 0) continue;
        const char *value = colon + (*colon == ':');
        value += strspn(value, " \t");
        size_t length = strlen(value);
        while (length && strchr(" \t\r", value[length - 1])) length--;
        if (seen[k])
            findings_add(&lesson->findings, number, N_("%s stands there twice"), key);
        else if (length)
            keys[k].take(lesson, arena_copy(arena, value, length), number);
        else
            findings_add(&lesson->findings, number, N_("behind %s: stands nothing"),
                         key);
        seen[k] = true;
        return;
    }
    findings_add(&lesson->findings, number, N_("a lesson has no '%s'%s"), key,
                 nearest_question(&nearest, arena));
}

static void find_missing(Lesson *lesson, const bool *seen) {
    for (int k = 0; k < KEYS; k++)
        if (!seen[k] && !keys[k].may_miss)
            findings_add(&lesson->findings, 1,
                         N_("the lines between --- and --- have no "
                            "%s:"),
                         keys[k].key);
}

int lesson_take_head(Lesson *lesson, Bytes *text) {
    Arena *arena = lesson->findings.arena;
    Bytes rest = *text;
    bool seen[KEYS] = {false};
    int number = 1;
    lesson->depth = DEPTH_STEPS;
    lesson->title = lesson->name;
    lesson->language = "en";
    lesson->minutes = 10;
    lesson->needs_line = lesson->model_line = lesson->files_line = 1;
    bool open = rest.size && is_fence(next_line(&rest, arena));
    while (open && rest.size) {
        const char *line = next_line(&rest, arena);
        number++;
        open = !is_fence(line);
        if (open) take_line(lesson, line, number, seen);
    }
    if (number == 1 || open) {
        findings_add(
            &lesson->findings, 1,
            N_("a lesson begins with --- and lines such as title: One query by "
               "hand, up to another ---"));
        return 1;
    }
    find_missing(lesson, seen);
    *text = rest;
    return number + 1;
}
