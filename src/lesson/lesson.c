#include "lesson/lesson.h"

#include <stdlib.h>
#include <string.h>

#include "base/builder.h"
#include "base/language.h"
#include "lesson/fences.h"
#include "lesson/head.h"

/* Cut the next line off; without its end. */
static const char *cut_line(const char **text, Arena *arena) {
    size_t length = strcspn(*text, "\n");
    const char *line = arena_copy(arena, *text, length);
    *text += length + ((*text)[length] == '\n');
    return line;
}

static LessonStep *add_step(Lesson *lesson, StepKind kind, int line) {
    Arena *arena = lesson->findings.arena;
    ARENA_GROW(arena, lesson->step, lesson->steps, lesson->capacity);
    lesson->step[lesson->steps] = (LessonStep){.kind = kind, .line = line};
    return &lesson->step[lesson->steps++];
}

static bool is_typed(const char *line) {
    return line[0] == '>' && (line[1] == ' ' || line[1] == '\0');
}

static bool is_short(Lesson *lesson, const char *typed, int line) {
    if (strlen(typed) <= LESSON_LINE_MAX) return true;
    findings_add(&lesson->findings, line, N_("the line has more than %d bytes"),
                 LESSON_LINE_MAX);
    return false;
}

/* What the line that was typed last should print, now that all of it is known. */
static void end_typed(Lesson *lesson, Builder *expected) {
    if (expected->count)
        lesson->step[lesson->steps - 1].typed.expected = builder_text(expected);
    *expected = (Builder){.arena = expected->arena};
}

/* "> :heat weights" and what it prints, until the next such line. */
static void add_typed_lines(Lesson *lesson, const Passage *part) {
    Arena *arena = lesson->findings.arena;
    const char *text = part->text;
    Builder expected = {.arena = arena};
    bool is_open = false; /* a line is typed, and what it prints follows */
    bool is_begun = false;
    for (int line = part->line + 1; *text; line++) {
        const char *words = cut_line(&text, arena);
        if (is_typed(words)) {
            const char *typed = words + 1 + (words[1] == ' ');
            end_typed(lesson, &expected);
            is_begun = true;
            is_open = is_short(lesson, typed, line);
            if (is_open)
                add_step(lesson, STEP_TYPED, line)->typed =
                    (TypedLine){line, typed, "", line + 1};
        } else if (is_open) {
            build(&expected, "%s\n", words);
        } else if (!is_begun && words[strspn(words, " \t\r")]) {
            findings_add(&lesson->findings, line,
                         N_("a block of commands begins with what is typed: > :heat "
                            "weights"));
            is_begun = true;
        }
    }
    end_typed(lesson, &expected);
}

/* A plain name that begins with a letter or digit: no folder, nothing hidden. */
static bool is_plain_name(const char *name) {
    return *name && *name != '.' && !strpbrk(name, "/\\~$`*?\"'<>| \t\n") &&
           strlen(name) < 100;
}

static void add_figure(Lesson *lesson, const Passage *part, const char *file) {
    Arena *arena = lesson->findings.arena;
    const char *text = part->text;
    const char *typed = cut_line(&text, arena);
    if (!is_plain_name(file) || !strchr(file, '.'))
        findings_add(&lesson->findings, part->line,
                     N_("behind \"figure\" stands '%s'; the name of a picture is "
                        "expected, such as heads.png"),
                     file);
    else if (strncmp(typed, ":draw", strlen(":draw")) != 0 || strstr(typed, " -o"))
        findings_add(&lesson->findings, part->line + 1,
                     N_("a figure is one line, a :draw without -o: the name stands "
                        "behind \"figure\""));
    else if (text[strspn(text, " \t\r\n")])
        findings_add(&lesson->findings, part->line + 2,
                     N_("a figure is one line, and nothing stands below it"));
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

static void add_question(Lesson *lesson, const Passage *part, bool predicts) {
    Arena *arena = lesson->findings.arena;
    Quiz *question = ARENA_ARRAY(arena, Quiz, 1);
    if (!question_read(question, part->text, part->line + 1, &lesson->findings)) return;
    question->predicts = predicts;
    LessonStep *step = add_step(lesson, STEP_QUESTION, part->line);
    step->question = question;
    step->number = predicts ? lesson->predictions++ : lesson->questions++;
}

/* What a fence says that the block is. */
static void add_code(Lesson *lesson, const Passage *part) {
    Arena *arena = lesson->findings.arena;
    size_t length = strcspn(part->info, " \t");
    const char *kind = arena_copy(arena, part->info, length);
    const char *rest = part->info + length + strspn(part->info + length, " \t");
    if (strcmp(kind, "glassbox") == 0)
        add_typed_lines(lesson, part);
    else if (strcmp(kind, "figure") == 0)
        add_figure(lesson, part, rest);
    else if (strcmp(kind, "question") == 0 || strcmp(kind, "predict") == 0)
        add_question(lesson, part, *kind == 'p');
    else
        add_step(lesson, STEP_WORDS, part->line)->part = part;
}

static bool is_block(const Passage *part) {
    return part->kind == PASSAGE_CODE && *part->info;
}

static void add_steps(Lesson *lesson) {
    int blocks = 0;
    for (int p = 0; p < lesson->markdown.count; p++) {
        const Passage *part = &lesson->markdown.part[p];
        blocks += is_block(part);
        if (blocks > LESSON_BLOCKS_MAX) {
            findings_add(&lesson->findings, part->line,
                         N_("more than %d blocks; the rest is left out"),
                         LESSON_BLOCKS_MAX);
            return;
        }
        if (part->kind == PASSAGE_CODE)
            add_code(lesson, part);
        else if (part->kind != PASSAGE_RULE)
            add_step(lesson, STEP_WORDS, part->line)->part = part;
    }
}

/* Its name without folder and ending, and the number in front. */
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

static bool read_text(Lesson *lesson, const char *path, Arena *arena, Bytes *text,
                      Error *error) {
    name_lesson(lesson, path, arena);
    return file_read_regular(path, MARKDOWN_BYTES_MAX, arena, text, error);
}

bool lesson_read_head(Lesson *lesson, const char *path, Arena *arena, Error *error) {
    Bytes text;
    if (!read_text(lesson, path, arena, &text, error)) return false;
    lesson_take_head(lesson, &text);
    return true;
}

/* `lesson` has its name. */
static bool parse(Lesson *lesson, Bytes text, Arena *arena, Error *error) {
    lesson->digest = digest_of(text.bytes, text.size, arena);
    int line = lesson_take_head(lesson, &text);
    Error unread;
    if (!markdown_read(&lesson->markdown, text, line, arena, &unread))
        return fail(error, "%s: %s", lesson->path, unread.message);
    add_steps(lesson);
    fences_check(text, line, &lesson->findings);
    findings_sort(&lesson->findings);
    return true;
}

bool lesson_parse(Lesson *lesson, const char *path, Bytes text, Arena *arena,
                  Error *error) {
    name_lesson(lesson, path, arena);
    return parse(lesson, text, arena, error);
}

bool lesson_read(Lesson *lesson, const char *path, Arena *arena, Error *error) {
    Bytes text;
    return read_text(lesson, path, arena, &text, error) &&
           parse(lesson, text, arena, error);
}
