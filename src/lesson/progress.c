#include "lesson/progress.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/builder.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/language.h"
#include "base/system.h"
#include "text/unicode.h"

const char *progress_text(const char *text, Arena *arena) {
    Clean clean = unicode_clean(text, strlen(text), arena);
    size_t length = (size_t)clean.length;
    if (length <= PROGRESS_TEXT_MAX) return clean.text;
    length = PROGRESS_TEXT_MAX;
    /* Do not cut inside a multi-byte letter. */
    while (((unsigned char)clean.text[length] & 0xc0) == 0x80) length--;
    return arena_copy(arena, clean.text, length);
}

LessonProgress progress_begin(const Lesson *lesson, Arena *arena) {
    LessonProgress progress = {.lesson = progress_text(lesson->name, arena),
                               .language = progress_text(lesson->language, arena),
                               .digest = "",
                               .changed = "",
                               .arena = arena};
    progress_follow(&progress, lesson);
    return progress;
}

bool progress_follow(LessonProgress *progress, const Lesson *lesson) {
    Arena *arena = progress->arena;
    const char *digest = progress_text(lesson->digest, arena);
    bool has_changed = strcmp(progress->digest, digest) != 0;
    progress->title = progress_text(lesson->title, arena);
    progress->digest = digest;
    progress->steps = lesson->steps;
    progress->questions = lesson->questions;
    if (progress->step > progress->steps) progress->step = progress->steps;
    for (int a = 0; a < progress->answers; a++) progress->answer[a].number = -1;
    for (int s = 0; s < lesson->steps; s++) {
        const LessonStep *step = &lesson->step[s];
        if (step->kind != STEP_QUESTION || step->question->predicts) continue;
        ProgressAnswer *answer = progress_answer(progress, step->question->id);
        if (answer->number >= 0) continue; /* a second block with the same id */
        answer->number = step->number;
        answer->ask = progress_text(step->question->ask, arena);
    }
    return has_changed;
}

ProgressAnswer *progress_answer(LessonProgress *progress, const char *id) {
    Arena *arena = progress->arena;
    ProgressAnswer *answer = progress->answer;
    for (int a = 0; a < progress->answers; a++)
        if (strcmp(answer[a].id, id) == 0) return &answer[a];
    if (progress->answers == PROGRESS_ANSWERS_MAX) {
        int a = 0; /* the first answer that does not count */
        while (answer[a].number >= 0) a++;
        progress->answers--;
        memmove(&answer[a], &answer[a + 1],
                (size_t)(progress->answers - a) * sizeof *answer);
    }
    ARENA_GROW(arena, progress->answer, progress->answers, progress->capacity);
    progress->answer[progress->answers] = (ProgressAnswer){
        .id = progress_text(id, arena), .number = -1, .ask = "", .last = ""};
    return &progress->answer[progress->answers++];
}

/* Prefer a correct answer, then more tries. */
static bool knows_more(const ProgressAnswer *one, const ProgressAnswer *other) {
    if (one->right != other->right) return one->right;
    if (one->tries != other->tries) return one->tries > other->tries;
    return (one->shown || one->skipped) && !(other->shown || other->skipped);
}

void progress_merge(LessonProgress *progress, const LessonProgress *other,
                    bool goes_on) {
    bool is_same = strcmp(progress->digest, other->digest) == 0;
    for (int a = 0; a < other->answers; a++) {
        const ProgressAnswer *theirs = &other->answer[a];
        ProgressAnswer *ours = progress_answer(progress, theirs->id);
        /* Both programs counted: the file has the other's tries; add ours since the
         * last save. */
        int tries = theirs->tries + ours->tries - ours->kept_tries;
        int hints = theirs->hints + ours->hints - ours->kept_hints;
        if (knows_more(theirs, ours)) {
            const ProgressAnswer before = *ours;
            *ours = *theirs;
            ours->id = before.id;
            ours->number = before.number;
            ours->ask = before.number < 0 ? progress_text(theirs->ask, progress->arena)
                                          : before.ask;
            ours->last = progress_text(theirs->last, progress->arena);
        }
        ours->tries = tries < PROGRESS_COUNT_MAX ? tries : PROGRESS_COUNT_MAX;
        ours->hints = hints < PROGRESS_COUNT_MAX ? hints : PROGRESS_COUNT_MAX;
        ours->kept_tries = theirs->tries;
        ours->kept_hints = theirs->hints;
    }
    progress->done = progress->done || other->done;
    if (is_same && goes_on && other->step > progress->step)
        progress->step = other->step;
}

double progress_share(const ProgressAnswer *answer) {
    if (answer->shown) return 0;
    if (answer->right) return answer->tries > 1 ? 0.5 : 1;
    return answer->tries ? 0 : NAN;
}

ProgressScore progress_score(const LessonProgress *progress) {
    ProgressScore score = {.all = progress->questions};
    for (int a = 0; a < progress->answers; a++) {
        const ProgressAnswer *answer = &progress->answer[a];
        double share = progress_share(answer);
        if (answer->number < 0 || isnan(share)) continue;
        score.answered++;
        score.right += share > 0;
        score.first += share >= 1;
    }
    return score;
}

const char *progress_path(const char *folder, const char *lesson, const char *language,
                          Arena *arena) {
    char *name = arena_print(arena, "%s.%s.json", lesson, language);
    for (char *c = name; *c; c++)
        if (*c == '/' || iscntrl((unsigned char)*c)) *c = '-';
    return file_join(arena, folder, name);
}

bool progress_set_aside(const char *path, const char *ending, Arena *arena,
                        const char **kept, Error *error) {
    enum { NAMES_MAX = 10000 };
    *kept = arena_print(arena, "%s.%s", path, ending);
    for (int n = 2;; n++) {
        if (system_rename_new(path, *kept)) return true;
        /* Some file systems cannot rename without replacing in one call. */
        if (errno == EINVAL || errno == ENOSYS) {
            bool exists = file_exists(*kept);
            if (!exists && rename(path, *kept) == 0) return true;
            if (exists) errno = EEXIST;
        }
        if (errno != EEXIST || n > NAMES_MAX)
            return fail(error, "cannot rename %s to %s: %s", path, *kept,
                        error_reason(errno));
        *kept = arena_print(arena, "%s.%s-%d", path, ending, n);
    }
}

static const char format[] = "glassbox progress ";
static const char version[] = "1";

/* More than any file written here. */
enum { BYTES_MAX = 1 << 24 };

/* A member of an object in the file, stored at `offset` of a struct: a text, a whole
 * number from `min` to `max`, or a bool. */
typedef struct {
    const char *before; /* the text written before it */
    const char *name;
    JsonType type;
    size_t offset;
    int min, max; /* most 0: the limit comes with the object */
} Member;

#define HEAD(name, type, ...)                                                          \
    { ",\n  ", #name, type, offsetof(LessonProgress, name), __VA_ARGS__ }
static const Member head_members[] = {
    HEAD(lesson, JSON_TEXT, 0, 0),
    HEAD(language, JSON_TEXT, 0, 0),
    HEAD(title, JSON_TEXT, 0, 0),
    HEAD(digest, JSON_TEXT, 0, 0),
    HEAD(changed, JSON_TEXT, 0, 0),
    HEAD(step, JSON_WHOLE, 0, 0),
    HEAD(steps, JSON_WHOLE, 0, PROGRESS_COUNT_MAX),
    HEAD(questions, JSON_WHOLE, 0, LESSON_BLOCKS_MAX),
    HEAD(done, JSON_TRUTH, 0, 0),
    {0},
};

#define ANSWER(before, name, type, ...)                                                \
    { before, #name, type, offsetof(ProgressAnswer, name), __VA_ARGS__ }
static const Member answer_members[] = {
    ANSWER("", id, JSON_TEXT, 0, 0),
    ANSWER(", ", number, JSON_WHOLE, -1, 0),
    ANSWER(",\n     ", ask, JSON_TEXT, 0, 0),
    ANSWER(",\n     ", right, JSON_TRUTH, 0, 0),
    ANSWER(", ", tries, JSON_WHOLE, 0, PROGRESS_COUNT_MAX),
    ANSWER(", ", hints, JSON_WHOLE, 0, PROGRESS_COUNT_MAX),
    ANSWER(", ", shown, JSON_TRUTH, 0, 0),
    ANSWER(", ", skipped, JSON_TRUTH, 0, 0),
    ANSWER(",\n     ", last, JSON_TEXT, 0, 0),
    {0},
};

/* A file being read. */
typedef struct {
    const char *path;
    Arena *arena; /* of the result */
    Error *error;
} Reading;

static bool refuse(const Reading *reading, const char *found) {
    return fail(
        reading->error,
        "%s is not the progress of a lesson: %s; rename or remove it to start the "
        "lesson again",
        reading->path, found);
}

/* Return the member with that name and type. */
static const Json *find_member(const Reading *reading, const Json *object,
                               const char *name, JsonType type) {
    const Json *found = json_find(object, name);
    if (found && found->type == type) return found;
    const Json example = {.type = type};
    const char *expected =
        type == JSON_WHOLE ? tr("a whole number") : json_type_name(&example);
    refuse(reading, found ? trf(reading->arena, "its \"%s\" is %s, not %s", name,
                                json_type_name(found), expected)
                          : trf(reading->arena, "it has no \"%s\"", name));
    return NULL;
}

static bool read_text(const Reading *reading, const Json *object, const char *name,
                      const char **text) {
    const Json *found = find_member(reading, object, name, JSON_TEXT);
    if (!found) return false;
    size_t length = strlen(found->text);
    *text = arena_copy(reading->arena, found->text, length);
    return length <= PROGRESS_TEXT_MAX ||
           refuse(reading, trf(reading->arena, "its \"%s\" has more than %d bytes",
                               name, PROGRESS_TEXT_MAX));
}

static bool read_members(const Reading *reading, const Json *object,
                         const Member *member, int limit, void *owner) {
    for (; member->name; member++) {
        void *place = (char *)owner + member->offset;
        if (member->type == JSON_TEXT) {
            if (!read_text(reading, object, member->name, place)) return false;
            continue;
        }
        const Json *found = find_member(reading, object, member->name, member->type);
        int max = member->max ? member->max : limit;
        if (!found) return false;
        if (member->type == JSON_TRUTH)
            *(bool *)place = found->number != 0;
        else if (found->whole >= member->min && found->whole <= max)
            *(int *)place = (int)found->whole;
        else
            return refuse(reading, trf(reading->arena,
                                       "its \"%s\" is %lld, not a number from %d to %d",
                                       member->name, found->whole, member->min, max));
    }
    return true;
}

static bool read_root(const Reading *reading, const Json *root,
                      LessonProgress *progress) {
    Arena *arena = reading->arena;
    if (root->type != JSON_MAP)
        return refuse(reading, trf(arena, "it contains %s", json_type_name(root)));
    const char *name = "";
    size_t length = strlen(format);
    if (!read_text(reading, root, "format", &name)) return false;
    if (strncmp(name, format, length) != 0)
        return refuse(reading, trf(arena, "its format is '%s'", name));
    if (strcmp(name + length, version) != 0)
        return fail(reading->error,
                    "%s has the format '%s', but this glassbox reads only '%s%s'; "
                    "use the program that wrote it, or rename the file to start the "
                    "lesson again",
                    reading->path, name, format, version);
    const Json *steps = json_find(root, "steps");
    bool is_known = steps && steps->whole >= 0 && steps->whole <= PROGRESS_COUNT_MAX;
    if (!read_members(reading, root, head_members,
                      is_known ? (int)steps->whole : PROGRESS_COUNT_MAX, progress))
        return false;
    const Json *list = find_member(reading, root, "answers", JSON_LIST);
    if (!list) return false;
    if (list->count > PROGRESS_ANSWERS_MAX)
        return refuse(reading,
                      trf(arena, "it has more than %d answers", PROGRESS_ANSWERS_MAX));
    progress->answer = ARENA_ARRAY(arena, ProgressAnswer, list->count);
    progress->capacity = list->count;
    for (int a = 0; a < list->count; a++) {
        ProgressAnswer *last = &progress->answer[progress->answers++];
        if (!read_members(reading, &list->child[a], answer_members,
                          progress->questions - 1, last))
            return false;
        for (const ProgressAnswer *other = progress->answer; other < last; other++)
            if (strcmp(other->id, last->id) == 0 ||
                (other->number >= 0 && other->number == last->number))
                return refuse(reading,
                              trf(arena, "two of its answers are for one question"));
    }
    return true;
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
    Bytes bytes;
    Error problem;
    Arena tree = {0};
    *progress = (LessonProgress){.arena = arena};
    bool done = file_read_regular(path, BYTES_MAX, &tree, &bytes, error) &&
                (json_read(bytes, path, &tree, &root, &problem) ||
                 fail(error, "%s; rename or remove it to start the lesson again",
                      problem.message)) &&
                read_root(&reading, root, progress);
    arena_free(&tree);
    note_kept(progress);
    if (!done || !lesson) return done;
    const char *name = progress_text(lesson->name, arena);
    const char *language = progress_text(lesson->language, arena);
    return (strcmp(progress->lesson, name) == 0 &&
            strcmp(progress->language, language) == 0) ||
           fail(error,
                "%s belongs to the lesson %s (%s), not to %s (%s); rename it to start "
                "this lesson again",
                path, progress->lesson, progress->language, name, language);
}

static void write_members(Builder *out, const Member *member, const void *owner) {
    for (; member->name; member++) {
        const void *place = (const char *)owner + member->offset;
        build(out, "%s\"%s\": ", member->before, member->name);
        if (member->type == JSON_TEXT)
            build_text(
                out, json_quote(progress_text(*(const char *const *)place, out->arena),
                                out->arena));
        else if (member->type == JSON_TRUTH)
            build_text(out, *(const bool *)place ? "true" : "false");
        else
            build(out, "%d", *(const int *)place);
    }
}

bool progress_save(LessonProgress *progress, const char *path, Error *error) {
    Arena arena = {0};
    Builder out = {.arena = &arena};
    progress->changed = clock_date(progress->arena);
    build(&out, "{\n  \"format\": \"%s%s\"", format, version);
    write_members(&out, head_members, progress);
    build_text(&out, ",\n  \"answers\": [");
    for (int a = 0; a < progress->answers; a++) {
        build(&out, "%s\n    {", a ? "," : "");
        write_members(&out, answer_members, &progress->answer[a]);
        build_text(&out, "}");
    }
    build_text(&out, "\n  ]\n}\n");
    const char *text = builder_text(&out);
    bool done = file_save_private(path, text, strlen(text), error);
    if (done) note_kept(progress);
    arena_free(&arena);
    return done;
}
