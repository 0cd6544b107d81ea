#include <string.h>

#include "base/language.h"
#include "commands/commands.h"
#include "player/lesson_tasks.h"
#include "player/lessons.h"
#include "player/line.h"
#include "player/player.h"
#include "player/player_progress.h"

static const Flag flags_lesson[] = {
    {"csv", 0, NULL, N_("a report for a spreadsheet")},
    {"answers", 0, "FILE",
     N_("the lines that a student types, one after the other; an empty one is Enter")},
    {0},
};

/* How long it takes, and how far the person is in it. */
static const char *tell_lesson(const Lesson *lesson, Arena *arena) {
    const LessonProgress *kept = player_progress_of(lesson, arena);
    const char *minutes = say(arena, "%d minutes", lesson->minutes);
    if (!kept) return minutes;
    ProgressScore score = progress_score(kept);
    return kept->done
               ? say(arena, "%s, done: %d of %d right", minutes, score.right, score.all)
               : say(arena, "%s, begun", minutes);
}

/* Those that were not right at the first try; how many. */
static int list_missed(Session *session, const LessonProgress *kept) {
    Page *page = &session->page;
    int count = 0;
    for (int a = 0; a < kept->answers; a++) {
        const ProgressAnswer *answer = &kept->answer[a];
        bool was_met = answer->tries || answer->shown || answer->skipped;
        bool is_easy = answer->right && answer->tries == 1 && !answer->hints;
        if (answer->number < 0 || is_easy || !was_met) continue;
        if (count++ == 0) page_section(page, session_safe(session, kept->title));
        page_say(page, (Block){.kind = BLOCK_ITEM,
                               .item = {1, "-", session_safe(session, answer->ask)}});
        if (answer->right)
            page_note(page, "right at try %d, with %d hints", answer->tries,
                      answer->hints);
        else
            page_note(page, "still open: tries %d, hints %d", answer->tries,
                      answer->hints);
    }
    return count;
}

/* Of all lessons that were begun, in every language and from every file. */
static bool review(Session *session, const Arguments *arguments, Error *error) {
    (void)arguments;
    const LessonProgress *kept;
    int lessons;
    int count = 0;
    if (!player_progress_all(&session->scratch, &kept, &lessons, error)) return false;
    for (int l = 0; l < lessons; l++) count += list_missed(session, &kept[l]);
    if (count == 0)
        page_note(&session->page, "every question you met was right at the first try");
    return true;
}

static bool list_lessons(Session *session, Error *error) {
    Page *page = &session->page;
    LessonList list;
    bool done = lessons_list(&list, &session->scratch, error);
    ListItem *item = ARENA_ARRAY(&session->scratch, ListItem, list.count);
    for (int l = 0; l < list.count; l++)
        item[l] = (ListItem){
            .number = list.lesson[l].number,
            .name = session_safe(session, list.lesson[l].title),
            .text = tell_lesson(&list.lesson[l], &session->scratch),
        };
    page_list(page, LIST_LESSONS, item, list.count);
    page_gap(page);
    page_hint(page, N_("begin one by its number, or with a file of your own"),
              ":lesson 0");
    return done;
}

enum { TASK_FLAGS = 3 };

/* What is done with lessons, above all for those who write and teach them. */
typedef struct {
    const char *name;
    bool (*run)(Session *session, const Arguments *arguments, Error *error);
    const char *flag[TASK_FLAGS]; /* of the command's own, those that it takes */
} Task;

static const Task tasks[] = {
    {"check", lesson_check, {0}},
    {"page", lesson_page, {"output", "force"}},
    {"report", lesson_report, {"csv", "output", "force"}},
    {"review", review, {0}},
    {"run", lesson_run, {"answers"}},
};

static const Task *find_task(const Arguments *arguments) {
    for (size_t t = 0; arguments->words && t < sizeof tasks / sizeof *tasks; t++)
        if (strcmp(tasks[t].name, arguments->word[0]) == 0) return &tasks[t];
    return NULL;
}

static bool takes(const Task *task, const char *flag) {
    for (int f = 0; task && f < TASK_FLAGS; f++)
        if (task->flag[f] && strcmp(task->flag[f], flag) == 0) return true;
    return false;
}

/* A flag of one task says nothing to the others. */
static bool check_flags(const Task *task, const Arguments *arguments, Error *error) {
    for (size_t t = 0; t < sizeof tasks / sizeof *tasks; t++)
        for (int f = 0; f < TASK_FLAGS; f++) {
            const char *flag = tasks[t].flag[f];
            if (flag && arguments_flag(arguments, flag) && !takes(task, flag))
                return fail_usage(error, "--%s belongs to lesson %s", flag,
                                  tasks[t].name);
        }
    return true;
}

static bool run_lesson(Session *session, const Arguments *arguments, Error *error) {
    const Task *task = find_task(arguments);
    if (!check_flags(task, arguments, error)) return false;
    if (task) return task->run(session, arguments, error);
    if (arguments->words == 0) return list_lessons(session, error);
    if (arguments->words > 1)
        return fail_usage(error, "one lesson at a time: give its number, or its file");
    const char *path = lessons_find(arguments->word[0], &session->scratch, error);
    if (!path || !player_begin(session, path, NULL, error)) return false;
    /* From a shell the prompt begins with it. */
    if (!session->reads_lines) session->input_failed = !line_loop(session);
    return true;
}

static bool run_hint(Session *session, const Arguments *arguments, Error *error) {
    (void)arguments;
    return player_hint(session, error);
}

static bool run_answer(Session *session, const Arguments *arguments, Error *error) {
    (void)arguments;
    return player_answer(session, error);
}

static bool run_skip(Session *session, const Arguments *arguments, Error *error) {
    (void)arguments;
    return player_skip(session, error);
}

static bool run_where(Session *session, const Arguments *arguments, Error *error) {
    (void)arguments;
    return player_where(session, error);
}

static bool run_stop(Session *session, const Arguments *arguments, Error *error) {
    (void)arguments;
    return player_stop(session, error);
}

const Command command_lesson = {
    .name = "lesson",
    .arguments = "[NUMBER | FILE | review | check FILE ... | page FILE -o PAGE | "
                 "run FILE | report FOLDER]",
    .summary = N_("list the lessons, or begin one"),
    .details =
        N_("In a lesson Enter goes on, and a question takes what is typed for its "
           "answer. Any command can be tried at any time: the lesson finds its "
           "way back by itself, also tomorrow. lesson review lists the questions "
           "to look at again. For those who write and teach: lesson check runs all "
           "blocks and says, line by line, what is not so; lesson page writes a "
           "lesson, with what its lines print, as a page of HTML; lesson run plays one "
           "by itself, with wrong answers, hints and right ones, or with the lines of "
           "a file; lesson report puts the progress of a class together, a folder for "
           "each student, as a table, with --csv for a spreadsheet, and with -o as a "
           "figure."),
    .example = ":lesson",
    .most = WORDS_MAX,
    .flags = {flags_output, flags_lesson},
    .choice = CHOICE_FILE,
    .run = run_lesson,
};

const Command command_hint = {
    .name = "hint",
    .summary = N_("give a hint to the question of the lesson"),
    .details = N_("One after the other; they cost nothing."),
    .example = ":hint",
    .only_prompt = true,
    .run = run_hint,
};

const Command command_answer = {
    .name = "answer",
    .summary = N_("show the answer of the question, and go on"),
    .details = N_("It does not count as right, and stands in the list of questions to "
                  "look at again."),
    .example = ":answer",
    .only_prompt = true,
    .run = run_answer,
};

const Command command_skip = {
    .name = "skip",
    .summary = N_("leave the question of the lesson, and go on"),
    .details = N_(":back comes back to it."),
    .example = ":skip",
    .only_prompt = true,
    .run = run_skip,
};

const Command command_where = {
    .name = "where",
    .summary = N_("say where in the lesson you are"),
    .details = N_("Its number, its step, and how many questions are right."),
    .example = ":where",
    .only_prompt = true,
    .run = run_where,
};

const Command command_stop = {
    .name = "stop",
    .summary = N_("leave the lesson"),
    .details = N_("What was done is kept; :lesson with its number goes on from there."),
    .example = ":stop",
    .only_prompt = true,
    .run = run_stop,
};
