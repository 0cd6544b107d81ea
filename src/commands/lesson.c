#include <string.h>

#include "base/language.h"
#include "commands/commands.h"
#include "player/lessons.h"
#include "player/line.h"
#include "player/player.h"

static const Flag flags_lesson[] = {
    {"csv", 0, NULL, N_("a report for a spreadsheet")},
    {"answers", 0, "FILE",
     N_("the lines that a student types, in order; an empty one is Enter")},
    {0},
};

/* List the questions that were not correct at the first try, of all lessons that were
 * started, in all languages and from all files. */
static bool review(Session *session, const Arguments *arguments, Error *error) {
    (void)arguments;
    Page *page = &session->page;
    int lessons;
    bool any = false;
    const LessonProgress *kept =
        lessons_all_progress(&session->scratch, &lessons, error);
    if (!kept) return false;
    for (int l = 0; l < lessons; l++) {
        const char *title = session_safe(session, kept[l].title);
        for (int a = 0; a < kept[l].answers; a++) {
            const ProgressAnswer *answer = &kept[l].answer[a];
            bool was_met = answer->tries || answer->shown || answer->skipped;
            bool is_easy = answer->right && answer->tries == 1 && !answer->hints;
            if (answer->number < 0 || is_easy || !was_met) continue;
            if (title) page_section(page, title);
            title = NULL; /* only once */
            any = true;
            page_say(page,
                     (Block){.kind = BLOCK_ITEM,
                             .item = {1, "-", session_safe(session, answer->ask)}});
            page_note(page,
                      answer->right ? N_("right at try %d, with %d hints")
                                    : N_("not yet right: tries %d, hints %d"),
                      answer->tries, answer->hints);
        }
    }
    if (!any) page_note(page, "every question so far was right at the first try");
    return true;
}

static bool list_lessons(Session *session, Error *error) {
    Page *page = &session->page;
    LessonList list;
    Arena *arena = &session->scratch;
    bool done = lessons_list(&list, arena, error);
    ListItem *item = ARENA_ARRAY(arena, ListItem, list.count);
    const Lesson *begun = NULL; /* the last unfinished lesson */
    for (int l = 0; l < list.count; l++) {
        const Lesson *lesson = &list.lesson[l];
        const LessonProgress *kept = lessons_progress(lesson, arena);
        ProgressScore score = kept ? progress_score(kept) : (ProgressScore){0};
        if (kept && !kept->done) begun = lesson;
        const char *minutes = trf(arena, "%d minutes", lesson->minutes);
        item[l] = (ListItem){
            .number = lesson->number,
            .name = session_safe(session, lesson->title),
            .text = !kept        ? minutes
                    : kept->done ? trf(arena, "%s, finished: %d of %d right", minutes,
                                       score.right, score.all)
                                 : trf(arena, "%s, started", minutes),
        };
    }
    page_list(page, LIST_LESSONS, item, list.count);
    page_gap(page);
    if (begun)
        page_hint(page, N_("continue where you stopped with"),
                  arena_print(arena, ":lesson %d", begun->number));
    page_hint(page, N_("start one by its number, or with a file of your own"),
              ":lesson 0");
    return done;
}

/* Tasks for authors and teachers of lessons, and the flags that each one takes. */
enum { TASK_FLAGS = 3 };
static const struct {
    const char *name;
    bool (*run)(Session *session, const Arguments *arguments, Error *error);
    const char *flag[TASK_FLAGS];
} tasks[] = {
    {"check", lesson_check, {0}},
    {"page", lesson_page, {"output", "force"}},
    {"report", lesson_report, {"csv", "output", "force"}},
    {"review", review, {0}},
    {"run", lesson_run, {"answers"}},
};
enum { TASKS = sizeof tasks / sizeof *tasks };

static bool takes(int task, const char *flag) {
    for (int f = 0; task < TASKS && f < TASK_FLAGS; f++)
        if (tasks[task].flag[f] && strcmp(tasks[task].flag[f], flag) == 0) return true;
    return false;
}

static bool run_lesson(Session *session, const Arguments *arguments, Error *error) {
    int task = arguments->words ? 0 : TASKS;
    while (task < TASKS && strcmp(tasks[task].name, arguments->word[0]) != 0) task++;
    for (int t = 0; t < TASKS; t++)
        for (int f = 0; f < TASK_FLAGS; f++) {
            const char *flag = tasks[t].flag[f];
            if (flag && arguments_flag(arguments, flag) && !takes(task, flag))
                return fail_usage(error, "--%s is for lesson %s", flag, tasks[t].name);
        }
    if (task < TASKS) return tasks[task].run(session, arguments, error);
    if (arguments->words == 0) return list_lessons(session, error);
    if (arguments->words > 1)
        return fail_usage(error, "one lesson at a time; give its number or its file");
    const char *path = lessons_find(arguments->word[0], &session->scratch, error);
    if (!path || !player_begin(session, path, NULL, error)) return false;
    /* From a shell, start a prompt. */
    if (!session->input.by_line) session->input.failed = !line_loop(session);
    return true;
}

const Command command_lesson = {
    .name = "lesson",
    .group = GROUP_LESSONS,
    .is_first = true,
    .arguments = "[NUMBER | FILE | review | check | page | run | report ...]",
    .summary = N_("list the lessons, or start one"),
    .details =
        N_("In a lesson, Enter continues, and your line is the answer to a question. "
           "Try any command at any time: the lesson finds its way back "
           "automatically, also tomorrow. lesson review lists the questions to look "
           "at again. For writers and teachers: lesson check runs all blocks and "
           "reports, line by line, what is wrong; lesson page writes a lesson, with "
           "the output of its lines, as an HTML page; lesson run plays one "
           "automatically, with wrong answers, hints and right ones, or with the "
           "lines of a file; lesson report collects the progress of a class (a "
           "folder for each student) as a table, with --csv for a spreadsheet and "
           "with -o as a figure."),
    .example = ":lesson",
    .words = {0, WORDS_MAX},
    .flags = {flags_output, flags_lesson},
    .choice = CHOICE_FILE,
    .run = run_lesson,
};

const Command command_hint = {
    .name = "hint",
    .group = GROUP_LESSONS,
    .summary = N_("give a hint for the question"),
    .details = N_("One at a time; they cost nothing."),
    .example = ":hint",
    .only_prompt = true,
    .run = player_hint,
};

const Command command_answer = {
    .name = "answer",
    .group = GROUP_LESSONS,
    .summary = N_("show the answer and continue"),
    .details = N_("It does not count as right, and it is listed by lesson review."),
    .example = ":answer",
    .only_prompt = true,
    .run = player_answer,
};

const Command command_skip = {
    .name = "skip",
    .group = GROUP_LESSONS,
    .summary = N_("skip the question and continue"),
    .details = N_(":back returns to it."),
    .example = ":skip",
    .only_prompt = true,
    .run = player_skip,
};

const Command command_where = {
    .name = "where",
    .group = GROUP_LESSONS,
    .summary = N_("show your place in the lesson"),
    .details = N_("Its number, its step, and how many questions are right."),
    .example = ":where",
    .only_prompt = true,
    .run = player_where,
};

const Command command_stop = {
    .name = "stop",
    .group = GROUP_LESSONS,
    .summary = N_("leave the lesson"),
    .details = N_("Your progress is kept; :lesson with the number continues from "
                  "there."),
    .example = ":stop",
    .only_prompt = true,
    .run = player_stop,
};
