#include "lesson/lesson.h"

#include <stdlib.h>
#include <string.h>

#include "base/builder.h"
#include "base/language.h"
#include "walk/depth.h"

enum { HEAD_NEEDED = 5, HEAD_KEYS = 7 }; /* the first ones are required */
static const char *const head_keys[] = {"title", "language", "minutes", "needs",
                                        "model", "depth",    "files",   NULL};

/* Split a list at commas and spaces. Return the number of words, with a finding if
 * there are more than `max`. */
static int cut_list(const Item *item, const char **word, int max, Findings *findings) {
    static const char between[] = ", \t\r";
    int count = 0;
    const char *c = item->value + strspn(item->value, between);
    for (; *c && count < max; c += strspn(c, between)) {
        size_t length = strcspn(c, between);
        word[count++] = arena_copy(findings->arena, c, length);
        c += length;
    }
    if (*c)
        findings_add(findings, item->line, N_("the list has more than %d names"), max);
    return count;
}

/* Return true for a plain name that starts with a letter or digit: no folder, not
 * hidden. */
static bool is_plain_name(const char *name) {
    return *name && *name != '.' && !strpbrk(name, "/\\~$`*?\"'<>|");
}

static void take_value(Lesson *lesson, const Item *item) {
    Findings *findings = &lesson->findings;
    const char *key = item->key;
    const char *value = item->value;
    int line = item->line;
    char *end;
    if (strcmp(key, "title") == 0) {
        lesson->title = value;
    } else if (strcmp(key, "language") == 0) { /* it becomes part of file names */
        if (strcmp(value, "en") == 0 || strcmp(value, "ko") == 0)
            lesson->language = value;
        else
            findings_add(findings, line, N_("language is '%s'; expected en or ko"),
                         value);
    } else if (strcmp(key, "minutes") == 0) {
        long minutes = strtol(value, &end, 10);
        if (!*end && minutes >= 1 && minutes <= 600)
            lesson->minutes = (int)minutes;
        else
            findings_add(findings, line,
                         N_("minutes is '%s'; expected a whole number from 1 to 600"),
                         value);
    } else if (strcmp(key, "model") == 0) { /* not a path: lessons are not trusted */
        lesson->model_line = line;
        if (!strpbrk(value, "/\\~") && *value != '.')
            lesson->model = value;
        else
            findings_add(findings, line,
                         N_("model is '%s'; expected the name of a model that comes "
                            "with the program"),
                         value);
    } else if (strcmp(key, "depth") == 0) {
        int depth = 0;
        while (depths[depth] && strcmp(depths[depth], value) != 0) depth++;
        if (depths[depth])
            lesson->depth = depth;
        else
            findings_add(findings, line,
                         N_("depth is '%s'; expected numbers, steps, path or boxes"),
                         value);
    } else if (strcmp(key, "needs") == 0) {
        const char *word[NEEDS_MAX];
        int count = cut_list(item, word, NEEDS_MAX, findings);
        lesson->needs_line = line;
        for (int w = 0; w < count; w++) {
            long number = strtol(word[w], &end, 10);
            if (!*end && number >= 0 && number < 1000)
                lesson->need[lesson->needs++] = (int)number;
            else if (strcmp(word[w], "none") != 0)
                findings_add(findings, line,
                             N_("needs has '%s'; expected numbers of lessons, or none"),
                             word[w]);
        }
    } else {
        const char *word[FILES_MAX];
        int count = cut_list(item, word, FILES_MAX, findings);
        lesson->files_line = line;
        for (int w = 0; w < count; w++)
            if (is_plain_name(word[w]))
                lesson->file[lesson->files++] = word[w];
            else
                findings_add(findings, line,
                             N_("files has '%s'; expected plain names of files in "
                                "lessons/files"),
                             word[w]);
    }
}

/* Read the lines between the two --- at the top, and advance `text`. Return the number
 * of the next line. Missing keys get defaults. */
static int read_head(Lesson *lesson, Bytes *text) {
    Findings *findings = &lesson->findings;
    Arena *arena = findings->arena;
    Bytes rest = *text = file_without_mark(*text);
    bool seen[HEAD_KEYS] = {false};
    int number = 1;
    lesson->depth = DEPTH_STEPS;
    lesson->title = lesson->name;
    lesson->language = "en";
    lesson->minutes = 10;
    lesson->needs_line = lesson->model_line = lesson->files_line = 1;
    bool open = rest.size && strcmp(file_line(&rest, arena), "---") == 0;
    while (open && rest.size) {
        const char *line = file_line(&rest, arena);
        const char *nearest;
        Item item;
        number++;
        open = strcmp(line, "---") != 0;
        if (!open || !line[strspn(line, " \t\r")]) continue;
        item_read(line, number, &item, arena);
        int key = item_key(&item, head_keys, &nearest, arena);
        if (key < 0)
            findings_add(findings, number, N_("a lesson has no '%s'%s"), item.key,
                         nearest);
        else if (seen[key])
            findings_add(findings, number, N_("%s is there twice"), item.key);
        else if (*item.value)
            take_value(lesson, &item);
        else
            findings_add(findings, number, N_("nothing follows %s:"), item.key);
        if (key >= 0) seen[key] = true;
    }
    if (number == 1 || open) {
        findings_add(findings, 1,
                     N_("a lesson starts with --- and lines such as title: One "
                        "query, step by step, up to another ---"));
        return 1;
    }
    for (int k = 0; k < HEAD_NEEDED; k++)
        if (!seen[k])
            findings_add(findings, 1, N_("the lines between --- and --- have no %s:"),
                         head_keys[k]);
    *text = rest;
    return number + 1;
}

static LessonStep *add_step(Lesson *lesson, StepKind kind, int line) {
    Arena *arena = lesson->findings.arena;
    ARENA_GROW(arena, lesson->step, lesson->steps, lesson->capacity);
    lesson->step[lesson->steps] = (LessonStep){.kind = kind, .line = line};
    return &lesson->step[lesson->steps++];
}

static bool is_short(Lesson *lesson, const char *typed, int line) {
    return strlen(typed) <= LESSON_LINE_MAX ||
           findings_add(&lesson->findings, line, N_("the line has more than %d bytes"),
                        LESSON_LINE_MAX);
}

/* Add "> :heat weights" and the output that follows, up to the next such line. */
static void add_typed_lines(Lesson *lesson, const Passage *part) {
    Arena *arena = lesson->findings.arena;
    Bytes text = {part->text, strlen(part->text)};
    Builder expected = {.arena = arena};
    bool is_open = false; /* a line was typed, and its output follows */
    bool is_begun = false;
    for (int line = part->line + 1;; line++) {
        const char *words = text.size ? file_line(&text, arena) : NULL;
        bool is_typed = words && words[0] == '>' && (!words[1] || words[1] == ' ');
        if ((is_typed || !words) && expected.count) {
            lesson->step[lesson->steps - 1].typed.expected = builder_text(&expected);
            expected = (Builder){.arena = arena};
        }
        if (!words) return;
        if (is_typed) {
            const char *typed = words + 1 + (words[1] == ' ');
            is_begun = true;
            is_open = is_short(lesson, typed, line);
            if (is_open)
                add_step(lesson, STEP_TYPED, line)->typed =
                    (TypedLine){line, typed, "", line + 1};
        } else if (is_open) {
            build(&expected, "%s\n", words);
        } else if (!is_begun && words[strspn(words, " \t\r")]) {
            findings_add(&lesson->findings, line,
                         N_("a block of commands starts with a line to type: > :heat "
                            "weights"));
            is_begun = true;
        }
    }
}

static void add_figure(Lesson *lesson, const Passage *part, const char *file) {
    Arena *arena = lesson->findings.arena;
    Bytes text = {part->text, strlen(part->text)};
    const char *typed = file_line(&text, arena);
    if (!is_plain_name(file) || strpbrk(file, " \t\n") || strlen(file) >= 100 ||
        !strchr(file, '.'))
        findings_add(&lesson->findings, part->line,
                     N_("after \"figure\" there is '%s'; expected the name of a "
                        "picture, such as heads.png"),
                     file);
    else if (strncmp(typed, ":draw", strlen(":draw")) != 0 || strstr(typed, " -o"))
        findings_add(&lesson->findings, part->line + 1,
                     N_("a figure is one line, a :draw without -o; its name goes "
                        "after \"figure\""));
    else if (text.bytes[strspn(text.bytes, " \t\r\n")])
        findings_add(&lesson->findings, part->line + 2,
                     N_("a figure is one line, with nothing below it"));
    else if (is_short(lesson, typed, part->line + 1)) {
        LessonStep *step = add_step(lesson, STEP_FIGURE, part->line);
        step->file = file;
        step->typed = (TypedLine){
            part->line + 1,
            arena_print(arena, "%s -o %s --force", typed, file),
            "...\n",
            part->line + 2,
        };
    }
}

/* Add a block of the kind named after the fence. */
static void add_code(Lesson *lesson, const Passage *part) {
    enum { GLASSBOX, FIGURE, PREDICT, QUESTION };
    static const char *const kinds[] = {"glassbox", "figure", "predict", "question",
                                        "text",     "",       NULL};
    Arena *arena = lesson->findings.arena;
    size_t length = strcspn(part->info, " \t");
    const Item item = {.key = arena_copy(arena, part->info, length)};
    const char *rest = part->info + length + strspn(part->info + length, " \t");
    const char *nearest;
    int kind = item_key(&item, kinds, &nearest, arena);
    bool predicts = kind == PREDICT;
    if (kind < 0) {
        findings_add(&lesson->findings, part->line, N_("there is no block '%s'%s"),
                     item.key, nearest);
    } else if (kind == GLASSBOX) {
        add_typed_lines(lesson, part);
    } else if (kind == FIGURE) {
        add_figure(lesson, part, rest);
    } else if (predicts || kind == QUESTION) {
        Quiz *question = ARENA_ARRAY(arena, Quiz, 1);
        if (!question_read(question, part->text, part->line + 1, &lesson->findings))
            return;
        question->predicts = predicts;
        LessonStep *step = add_step(lesson, STEP_QUESTION, part->line);
        step->question = question;
        step->number = predicts ? lesson->predictions++ : lesson->questions++;
    } else {
        add_step(lesson, STEP_WORDS, part->line)->part = part;
    }
}

/* Set the name (the path without folder and extension) and the number at its start. */
static void name_lesson(Lesson *lesson, const char *path, Arena *arena) {
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    size_t length = strlen(name);
    if (length > 3 && strcmp(name + length - 3, ".md") == 0) length -= 3;
    *lesson = (Lesson){.path = arena_copy(arena, path, strlen(path)),
                       .name = arena_copy(arena, name, length),
                       .number = -1,
                       .findings = {.arena = arena}};
    char *end;
    long number = strtol(name, &end, 10);
    if (end != name && number >= 0 && number < 1000) lesson->number = (int)number;
}

/* A line that starts or ends a block; `count` is 0 for other lines. */
typedef struct {
    char mark; /* ` or ~ */
    size_t count;
    bool is_bare; /* only marks on the line */
} Fence;

static Fence fence_of(const char *line) {
    size_t blanks = strspn(line, " ");
    const char *begin = line + blanks;
    if (blanks > 3 || (*begin != '`' && *begin != '~')) return (Fence){0};
    size_t count = strspn(begin, *begin == '`' ? "`" : "~");
    const char *after = begin + count;
    /* A backtick after ``` would be inline code. */
    if (count < 3 || (*begin == '`' && strchr(after, '`'))) return (Fence){0};
    return (Fence){*begin, count, !after[strspn(after, " \t\r")]};
}

/* Add a finding for each block still open where another one starts or at the end,
 * because Markdown would continue it. `line` is the first line. */
static void check_fences(Bytes text, int line, Findings *findings) {
    Fence open = {0};
    int begun = 0;
    for (;; line++) {
        bool at_end = text.size == 0;
        Fence fence = fence_of(file_line(&text, findings->arena));
        bool is_other = fence.mark == open.mark && !fence.is_bare;
        bool begins = fence.count && (!open.count || is_other);
        if (open.count && (at_end || begins))
            findings_add(findings, begun,
                         N_("the block that starts here is not closed by a line ```"));
        if (at_end) return;
        if (begins) {
            open = fence;
            begun = line;
        } else if (fence.mark == open.mark && fence.count >= open.count) {
            open = (Fence){0};
        }
    }
}

bool lesson_parse(Lesson *lesson, const char *path, Bytes text, Arena *arena,
                  Error *error) {
    name_lesson(lesson, path, arena);
    lesson->digest = digest_of(text.bytes, text.size, arena);
    int line = read_head(lesson, &text);
    Error unread;
    if (!markdown_read(&lesson->markdown, text, line, arena, &unread))
        return fail(error, "%s: %s", lesson->path, unread.message);
    int blocks = 0;
    for (int p = 0; p < lesson->markdown.count; p++) {
        const Passage *part = &lesson->markdown.part[p];
        blocks += part->kind == PASSAGE_CODE && *part->info;
        if (blocks > LESSON_BLOCKS_MAX) {
            findings_add(&lesson->findings, part->line,
                         N_("more than %d blocks; the rest is left out"),
                         LESSON_BLOCKS_MAX);
            break;
        }
        if (part->kind == PASSAGE_CODE)
            add_code(lesson, part);
        else if (part->kind != PASSAGE_RULE)
            add_step(lesson, STEP_WORDS, part->line)->part = part;
    }
    check_fences(text, line, &lesson->findings);
    findings_sort(&lesson->findings);
    return true;
}

bool lesson_read(Lesson *lesson, const char *path, Arena *arena, Error *error) {
    Bytes text;
    return file_read_regular(path, MARKDOWN_BYTES_MAX, arena, &text, error) &&
           lesson_parse(lesson, path, text, arena, error);
}

bool lesson_read_head(Lesson *lesson, const char *path, Arena *arena, Error *error) {
    Bytes text;
    name_lesson(lesson, path, arena);
    if (!file_read_regular(path, MARKDOWN_BYTES_MAX, arena, &text, error)) return false;
    read_head(lesson, &text);
    return true;
}

bool pages_opens(const Lesson *lesson, int step) {
    const LessonStep *at = &lesson->step[step];
    return at->kind == STEP_WORDS && at->part->kind == PASSAGE_HEADING;
}

int pages_end(const Lesson *lesson, int from) {
    bool has_words = false;
    for (int s = from; s < lesson->steps; s++) {
        const LessonStep *step = &lesson->step[s];
        if (has_words && pages_opens(lesson, s)) return s;
        if (step->kind != STEP_WORDS) return s + 1;
        has_words = has_words || step->part->kind != PASSAGE_HEADING;
    }
    return lesson->steps;
}

int pages_before(const Lesson *lesson, int step, int back) {
    int start = 0;
    int after = 0; /* number of pages from `start` to the step */
    for (int s = 0; s <= step && s < lesson->steps; s = pages_end(lesson, s)) after++;
    for (; after > back + 1; after--) start = pages_end(lesson, start);
    return start;
}

int pages_taken_up(const Lesson *lesson, int step) {
    int page = pages_before(lesson, step, 0);
    bool was_asked = page > 0 && lesson->step[page - 1].kind == STEP_QUESTION;
    return was_asked ? page : pages_before(lesson, step, 1);
}

int pages_stops(const Lesson *lesson, int to) {
    int stops = 0;
    for (int s = 0; s < to; s++) stops += lesson->step[s].kind != STEP_WORDS;
    return stops;
}
