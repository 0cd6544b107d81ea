#include <string.h>

#include "base/builder.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/language.h"
#include "lesson/progress.h"

static const char format[] = "glassbox progress ";
static const char version[] = "1";

/* Larger than any file that is written here. */
enum { BYTES_MAX = 1 << 24 };

/* A file that is being read. */
typedef struct {
    const char *path;
    Arena *arena; /* of what is kept of it */
    Error *error;
} Reading;

static bool refuse(const Reading *reading, const char *found) {
    return fail(
        reading->error,
        "%s is no progress in a lesson: %s; rename or remove it, and the lesson "
        "begins anew",
        reading->path, found);
}

/* The member of that name and type. */
static const Json *member(const Reading *reading, const Json *object, const char *name,
                          JsonType type) {
    const Json *found = json_find(object, name);
    if (found && found->type == type) return found;
    const Json example = {.type = type};
    const char *expected =
        type == JSON_WHOLE ? said("a whole number") : json_type_name(&example);
    if (found)
        refuse(reading, say(reading->arena, "its \"%s\" is %s, not %s", name,
                            json_type_name(found), expected));
    else
        refuse(reading, say(reading->arena, "it has no \"%s\"", name));
    return NULL;
}

static bool read_text(const Reading *reading, const Json *object, const char *name,
                      const char **text) {
    const Json *found = member(reading, object, name, JSON_TEXT);
    if (!found) return false;
    size_t length = strlen(found->text);
    if (length > PROGRESS_TEXT_MAX)
        return refuse(reading, say(reading->arena, "its \"%s\" has more than %d bytes",
                                   name, PROGRESS_TEXT_MAX));
    *text = arena_copy(reading->arena, found->text, length);
    return true;
}

static bool read_count(const Reading *reading, const Json *object, const char *name,
                       int least, int most, int *count) {
    const Json *found = member(reading, object, name, JSON_WHOLE);
    if (!found) return false;
    if (found->whole < least || found->whole > most)
        return refuse(reading, say(reading->arena,
                                   "its \"%s\" is %lld, not a number from %d to %d",
                                   name, found->whole, least, most));
    *count = (int)found->whole;
    return true;
}

static bool read_truth(const Reading *reading, const Json *object, const char *name,
                       bool *truth) {
    const Json *found = member(reading, object, name, JSON_TRUTH);
    if (found) *truth = found->number != 0;
    return found != NULL;
}

static bool read_answer(const Reading *reading, const Json *object, int questions,
                        ProgressAnswer *answer) {
    return read_text(reading, object, "id", &answer->id) &&
           read_count(reading, object, "number", -1, questions - 1, &answer->number) &&
           read_text(reading, object, "ask", &answer->ask) &&
           read_truth(reading, object, "right", &answer->right) &&
           read_count(reading, object, "tries", 0, PROGRESS_COUNT_MAX,
                      &answer->tries) &&
           read_count(reading, object, "hints", 0, PROGRESS_COUNT_MAX,
                      &answer->hints) &&
           read_truth(reading, object, "shown", &answer->shown) &&
           read_truth(reading, object, "skipped", &answer->skipped) &&
           read_text(reading, object, "last", &answer->last);
}

/* Has one that was read before the last one its id or, where it counts, its number? */
static bool is_twice(const LessonProgress *progress) {
    const ProgressAnswer *last = &progress->answer[progress->answers - 1];
    for (const ProgressAnswer *answer = progress->answer; answer < last; answer++)
        if (strcmp(answer->id, last->id) == 0 ||
            (answer->number >= 0 && answer->number == last->number))
            return true;
    return false;
}

static bool read_answers(const Reading *reading, const Json *root,
                         LessonProgress *progress) {
    const Json *list = member(reading, root, "answers", JSON_LIST);
    if (!list) return false;
    if (list->count > PROGRESS_ANSWERS_MAX)
        return refuse(reading, say(reading->arena, "it has more than %d answers",
                                   PROGRESS_ANSWERS_MAX));
    progress->answer = ARENA_ARRAY(reading->arena, ProgressAnswer, list->count);
    progress->capacity = list->count;
    for (int a = 0; a < list->count; a++) {
        ProgressAnswer *answer = &progress->answer[progress->answers++];
        if (!read_answer(reading, &list->child[a], progress->questions, answer))
            return false;
        if (is_twice(progress))
            return refuse(reading, say(reading->arena,
                                       "two of its answers belong to one question"));
    }
    return true;
}

static bool check_format(const Reading *reading, const Json *root) {
    const char *name = "";
    if (!read_text(reading, root, "format", &name)) return false;
    size_t length = strlen(format);
    if (strncmp(name, format, length) != 0)
        return refuse(reading, say(reading->arena, "its format is '%s'", name));
    if (strcmp(name + length, version) == 0) return true;
    return fail(reading->error,
                "%s has the format '%s', and this glassbox knows '%s%s' alone: use the "
                "one that wrote it, or rename the file, and the lesson begins anew",
                reading->path, name, format, version);
}

static bool check_lesson(const Reading *reading, const LessonProgress *progress,
                         const Lesson *lesson) {
    const char *name = progress_text(lesson->name, reading->arena);
    const char *language = progress_text(lesson->language, reading->arena);
    if (strcmp(progress->lesson, name) == 0 &&
        strcmp(progress->language, language) == 0)
        return true;
    return fail(reading->error,
                "%s is of the lesson %s (%s), not of %s (%s): rename it, and this "
                "lesson begins anew",
                reading->path, progress->lesson, progress->language, name, language);
}

static bool read_root(const Reading *reading, const Json *root,
                      LessonProgress *progress) {
    if (root->type != JSON_MAP)
        return refuse(reading,
                      say(reading->arena, "it holds %s", json_type_name(root)));
    return check_format(reading, root) &&
           read_text(reading, root, "lesson", &progress->lesson) &&
           read_text(reading, root, "language", &progress->language) &&
           read_text(reading, root, "title", &progress->title) &&
           read_text(reading, root, "digest", &progress->digest) &&
           read_count(reading, root, "steps", 0, PROGRESS_COUNT_MAX,
                      &progress->steps) &&
           read_count(reading, root, "step", 0, progress->steps, &progress->step) &&
           read_count(reading, root, "questions", 0, LESSON_BLOCKS_MAX,
                      &progress->questions) &&
           read_truth(reading, root, "done", &progress->done) &&
           read_text(reading, root, "changed", &progress->changed) &&
           read_answers(reading, root, progress);
}

static bool read_tree(const Reading *reading, Arena *tree, const Json **root) {
    Bytes bytes;
    if (!file_read_regular(reading->path, BYTES_MAX, tree, &bytes, reading->error))
        return false;
    Error problem;
    return json_read(bytes, reading->path, tree, root, &problem) ||
           fail(reading->error, "%s; rename or remove it, and the lesson begins anew",
                problem.message);
}

static void note_kept(LessonProgress *progress) {
    for (int a = 0; a < progress->answers; a++) {
        progress->answer[a].kept_tries = progress->answer[a].tries;
        progress->answer[a].kept_hints = progress->answer[a].hints;
    }
}

bool progress_read(LessonProgress *progress, const char *path, const Lesson *lesson,
                   Arena *arena, Error *error) {
    const Reading reading = {path, arena, error};
    const Json *root;
    Arena tree = {0};
    *progress = (LessonProgress){.arena = arena};
    bool done =
        read_tree(&reading, &tree, &root) && read_root(&reading, root, progress);
    arena_free(&tree);
    note_kept(progress);
    return done && (!lesson || check_lesson(&reading, progress, lesson));
}

static const char *truth(bool truth) {
    return truth ? "true" : "false";
}

static void write_text(Builder *out, const char *name, const char *text) {
    build(out, "\"%s\": %s", name,
          json_quote(progress_text(text, out->arena), out->arena));
}

static void write_answer(Builder *out, const ProgressAnswer *answer) {
    build_text(out, "\n    {");
    write_text(out, "id", answer->id);
    build(out, ", \"number\": %d,\n     ", answer->number);
    write_text(out, "ask", answer->ask);
    build(out,
          ",\n     \"right\": %s, \"tries\": %d, \"hints\": %d, \"shown\": %s, "
          "\"skipped\": %s,\n     ",
          truth(answer->right), answer->tries, answer->hints, truth(answer->shown),
          truth(answer->skipped));
    write_text(out, "last", answer->last);
    build_text(out, "}");
}

static void write_head(Builder *out, const LessonProgress *progress) {
    const struct {
        const char *name, *text;
    } line[] = {
        {"lesson", progress->lesson},   {"language", progress->language},
        {"title", progress->title},     {"digest", progress->digest},
        {"changed", progress->changed},
    };
    build(out, "{\n  \"format\": \"%s%s\"", format, version);
    for (size_t l = 0; l < sizeof line / sizeof *line; l++) {
        build_text(out, ",\n  ");
        write_text(out, line[l].name, line[l].text);
    }
    build(out,
          ",\n  \"step\": %d,\n  \"steps\": %d,\n  \"questions\": %d,\n  \"done\": %s",
          progress->step, progress->steps, progress->questions, truth(progress->done));
}

bool progress_save(LessonProgress *progress, const char *path, Error *error) {
    Arena arena = {0};
    Builder out = {.arena = &arena};
    progress->changed = clock_date(progress->arena);
    write_head(&out, progress);
    build_text(&out, ",\n  \"answers\": [");
    for (int a = 0; a < progress->answers; a++) {
        if (a) build_text(&out, ",");
        write_answer(&out, &progress->answer[a]);
    }
    build_text(&out, "\n  ]\n}\n");
    const char *text = builder_text(&out);
    bool done = file_save(path, text, strlen(text), true, error);
    if (done) note_kept(progress);
    arena_free(&arena);
    return done;
}
