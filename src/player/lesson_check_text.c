#include "player/lesson_check_text.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/language.h"

/* The folder that the lesson stands in. */
static const char *folder_of(const Lesson *lesson) {
    const char *slash = strrchr(lesson->path, '/');
    return slash ? arena_copy(lesson->findings.arena, lesson->path,
                              (size_t)(slash - lesson->path))
                 : ".";
}

/* Links lead to lessons beside this one. */
static void check_links(Lesson *lesson, const Words *words, int line) {
    Arena *arena = lesson->findings.arena;
    for (int s = 0; s < words->count; s++) {
        const Span *span = &words->span[s];
        if (!span->target) continue;
        const char *file = arena_copy(arena, span->target, strcspn(span->target, "#"));
        bool leaves = strchr(file, ':') || *file == '/';
        if (leaves ||
            (*file && !file_exists(file_join(arena, folder_of(lesson), file))))
            findings_add(&lesson->findings, line,
                         N_("the link leads to %s, and there is no such lesson"),
                         span->target);
    }
}

/* `encoder.0.self_attention.weights[head=1]`: code that looks like an address is one.
 */
static bool looks_like_address(const char *code) {
    return (strncmp(code, "encoder.", 8) == 0 || strncmp(code, "decoder.", 8) == 0 ||
            strncmp(code, "model.", 6) == 0) &&
           strchr(code, '[') && !strstr(code, "...") && !strstr(code, "…");
}

static void check_addresses(Session *session, Lesson *lesson, const Words *words,
                            int line) {
    Record record = session_record(session);
    for (int s = 0; session->run->is_made && s < words->count; s++) {
        const char *code = words->span[s].text;
        Slice slice;
        Error error;
        if (words->span[s].kind == SPAN_CODE && looks_like_address(code) &&
            !record_slice(&record, code, lesson->findings.arena, &slice, &error))
            findings_add(&lesson->findings, line, "%s", error.message);
    }
}

static void check_some(Session *session, Lesson *lesson, const Words *words, int line) {
    check_links(lesson, words, line);
    check_addresses(session, lesson, words, line);
}

void lesson_check_words(Session *session, Lesson *lesson, const Passage *part) {
    check_some(session, lesson, &part->words, part->line);
    for (int c = 0; c < part->cells; c++)
        check_some(session, lesson, &part->cell[c], part->line);
}

/* Does the name of a file begin with the number: "03-positions.md"? */
static bool is_numbered(const char *name, int number) {
    char *end;
    long found = strtol(name, &end, 10);
    return end != name && *end == '-' && found == number &&
           file_has_ending(name, ".md");
}

static bool is_beside(const Lesson *lesson, int number) {
    DIR *all = opendir(folder_of(lesson));
    bool found = false;
    for (const struct dirent *entry; all && !found && (entry = readdir(all));)
        found = is_numbered(entry->d_name, number);
    if (all) closedir(all);
    return found;
}

void lesson_check_needs(Lesson *lesson) {
    for (int n = 0; n < lesson->needs; n++)
        if (!is_beside(lesson, lesson->need[n]))
            findings_add(&lesson->findings, lesson->needs_line,
                         N_("it needs lesson %d, and there is none beside it"),
                         lesson->need[n]);
}

/* Is something shown behind the step, before the next question? Words may stand there.
 */
static bool shows_next(const Lesson *lesson, int step) {
    int next = step + 1;
    while (next < lesson->steps && lesson->step[next].kind == STEP_WORDS) next++;
    return next < lesson->steps && lesson->step[next].kind != STEP_QUESTION;
}

void lesson_check_predictions(Lesson *lesson) {
    for (int s = 0; s < lesson->steps; s++) {
        const LessonStep *step = &lesson->step[s];
        if (step->question && step->question->predicts && !shows_next(lesson, s))
            findings_add(&lesson->findings, step->line,
                         N_("behind a prediction follows the block that shows whether "
                            "it was right"));
    }
}
