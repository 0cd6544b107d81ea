#include "lesson/progress.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/state.h"
#include "text/unicode.h"

const char *progress_text(const char *text, Arena *arena) {
    Clean clean = unicode_clean(text, strlen(text), arena);
    size_t length = (size_t)clean.length;
    if (length <= PROGRESS_TEXT_MAX) return clean.text;
    length = PROGRESS_TEXT_MAX;
    /* Between letters, not within one of several bytes. */
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
        if (answer->number >= 0) continue; /* the same block, a second time */
        answer->number = step->number;
        answer->ask = progress_text(step->question->ask, arena);
    }
    return has_changed;
}

static void forget_one(LessonProgress *progress) {
    int a = 0;
    while (progress->answer[a].number >= 0) a++;
    progress->answers--;
    memmove(&progress->answer[a], &progress->answer[a + 1],
            (size_t)(progress->answers - a) * sizeof *progress->answer);
}

ProgressAnswer *progress_answer(LessonProgress *progress, const char *id) {
    Arena *arena = progress->arena;
    for (int a = 0; a < progress->answers; a++)
        if (strcmp(progress->answer[a].id, id) == 0) return &progress->answer[a];
    if (progress->answers == PROGRESS_ANSWERS_MAX) forget_one(progress);
    ARENA_GROW(arena, progress->answer, progress->answers, progress->capacity);
    progress->answer[progress->answers] = (ProgressAnswer){
        .id = progress_text(id, arena), .number = -1, .ask = "", .last = ""};
    return &progress->answer[progress->answers++];
}

/* A right answer counts more than others, then more tries do. */
static bool knows_more(const ProgressAnswer *one, const ProgressAnswer *other) {
    if (one->right != other->right) return one->right;
    if (one->tries != other->tries) return one->tries > other->tries;
    return (one->shown || one->skipped) && !(other->shown || other->skipped);
}

static int limited(int count) {
    return count < PROGRESS_COUNT_MAX ? count : PROGRESS_COUNT_MAX;
}

void progress_merge(LessonProgress *progress, const LessonProgress *other,
                    bool goes_on) {
    bool is_same = strcmp(progress->digest, other->digest) == 0;
    for (int a = 0; a < other->answers; a++) {
        const ProgressAnswer *theirs = &other->answer[a];
        ProgressAnswer *ours = progress_answer(progress, theirs->id);
        /* Both programs tried: the file has theirs, and gets what came here since. */
        int tries = limited(theirs->tries + ours->tries - ours->kept_tries);
        int hints = limited(theirs->hints + ours->hints - ours->kept_hints);
        if (knows_more(theirs, ours)) {
            const ProgressAnswer before = *ours;
            *ours = *theirs;
            ours->id = before.id;
            ours->number = before.number;
            ours->ask = before.number < 0 ? progress_text(theirs->ask, progress->arena)
                                          : before.ask;
            ours->last = progress_text(theirs->last, progress->arena);
        }
        ours->tries = tries;
        ours->hints = hints;
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

bool progress_folder(Arena *arena, const char **folder, Error *error) {
    return state_folder("lessons", arena, folder, error);
}

/* A part of the name of a file. */
static const char *plain(const char *text, Arena *arena) {
    char *name = arena_print(arena, "%s", text);
    for (char *c = name; *c; c++)
        if (*c == '/' || iscntrl((unsigned char)*c)) *c = '-';
    return name;
}

const char *progress_path(const char *folder, const char *lesson, const char *language,
                          Arena *arena) {
    return file_join(
        arena, folder,
        arena_print(arena, "%s.%s.json", plain(lesson, arena), plain(language, arena)));
}

/* False, with errno, where it cannot be, or `to` exists. Not every file system can look
 * and rename at once. */
static bool rename_to_new(const char *from, const char *to) {
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return true;
    if (errno != EINVAL && errno != ENOSYS) return false;
    if (!file_exists(to)) return rename(from, to) == 0;
    errno = EEXIST;
    return false;
}

bool progress_set_aside(const char *path, const char *ending, Arena *arena,
                        const char **kept, Error *error) {
    enum { NAMES_MAX = 10000 };
    *kept = arena_print(arena, "%s.%s", path, ending);
    for (int n = 2; !rename_to_new(path, *kept); n++) {
        if (errno != EEXIST || n > NAMES_MAX)
            return fail(error, "cannot rename %s to %s: %s", path, *kept,
                        error_reason(errno));
        *kept = arena_print(arena, "%s.%s-%d", path, ending, n);
    }
    return true;
}
