#include "player/lesson_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/builder.h"
#include "base/csv.h"
#include "base/language.h"
#include "lesson/report.h"
#include "present/figures.h"
#include "text/unicode.h"

/* A report that is being said. */
typedef struct {
    Session *session;
    const Arguments *arguments;
    const char *folder;
    const Report *report;
    bool is_open; /* somebody is not yet at the end of a lesson */
    Page *page;
    Arena *arena;
} Saying;

static bool is_open(const Report *report) {
    for (int s = 0; s < report->sheets; s++)
        if (!report->sheet[s].progress.done) return true;
    return false;
}

/* What one student made of one lesson, and of all of them. */
static const char *lesson_cell(const Saying *saying, const StudentLesson *sheet,
                               ProgressScore *sum) {
    if (!sheet) return "-";
    ProgressScore score = progress_score(&sheet->progress);
    sum->right += score.right;
    sum->all += score.all;
    const char *end = saying->is_open ? "  " : ""; /* as wide as " …" */
    return arena_print(saying->arena, "%d/%d%s", score.right, score.all,
                       sheet->progress.done ? end : " …");
}

static void say_students(const Saying *saying) {
    const Report *report = saying->report;
    int columns = report->lessons + 1;
    const char **label = ARENA_ARRAY(saying->arena, const char *, columns);
    const char **cell =
        ARENA_ARRAY(saying->arena, const char *, report->students *columns);
    for (int l = 0; l < report->lessons; l++) label[l] = report->lesson[l].label;
    label[report->lessons] = said("in all");
    for (int s = 0; s < report->students; s++) {
        const char **row = &cell[s * columns];
        ProgressScore sum = {0};
        for (int l = 0; l < report->lessons; l++)
            row[l] = lesson_cell(saying, report_sheet(report, s, l), &sum);
        row[report->lessons] = arena_print(saying->arena, "%d/%d", sum.right, sum.all);
    }
    Table table = {.corner = said("student ↓  lesson →"),
                   .rows = report->students,
                   .columns = columns,
                   .row_label = report->student,
                   .column_label = label,
                   .cell = cell};
    page_section(saying->page, "Right answers, of all questions");
    page_table(saying->page, &table);
    page_note(saying->page, "…: not yet at the end of the lesson; -: not begun");
}

/* What more students missed first; of the same, what fewer knew at once. */
static int by_trouble(const void *one, const void *other) {
    const ReportQuestion *a = one;
    const ReportQuestion *b = other;
    int late_a = a->answered - a->first;
    int late_b = b->answered - b->first;
    if (a->missed != b->missed) return b->missed - a->missed;
    if (late_a != late_b) return late_b - late_a;
    return a->lesson != b->lesson ? a->lesson - b->lesson : a->number - b->number;
}

/* Those that not everybody who answered knew at once; how many. */
static int troublesome(const Report *report, ReportQuestion *question) {
    int count = 0;
    for (int q = 0; q < report->questions; q++)
        if (report->question[q].first < report->question[q].answered)
            question[count++] = report->question[q];
    qsort(question, (size_t)count, sizeof *question, by_trouble);
    return count;
}

static bool is_answered(const Report *report) {
    for (int q = 0; q < report->questions; q++)
        if (report->question[q].answered) return true;
    return false;
}

static const char *mean_of(int sum, int count, Arena *arena) {
    return arena_print(arena, "%.1f", (double)sum / count);
}

static void say_questions(const Saying *saying) {
    enum { COLUMNS = 4, ROWS = 10, ASK_WIDTH = 36 };
    static const char *const titles[COLUMNS] = {N_("missed"), N_("tries"), N_("hints"),
                                                N_("question")};
    Arena *arena = saying->arena;
    ReportQuestion *question =
        ARENA_ARRAY(arena, ReportQuestion, saying->report->questions + 1);
    int count = troublesome(saying->report, question);
    int rows = count < ROWS ? count : ROWS;
    const char *title[COLUMNS];
    const char *label[ROWS];
    const char **cell = ARENA_ARRAY(arena, const char *, ROWS *COLUMNS);
    for (int c = 0; c < COLUMNS; c++) title[c] = said(titles[c]);
    for (int r = 0; r < rows; r++) {
        const ReportQuestion *asked = &question[r];
        const char **row = &cell[r * COLUMNS];
        label[r] = asked->label;
        row[0] = arena_print(arena, "%d/%d", asked->missed, asked->answered);
        row[1] = mean_of(asked->tries, asked->answered, arena);
        row[2] = mean_of(asked->hints, asked->answered, arena);
        row[3] = unicode_cut(asked->ask, ASK_WIDTH, arena);
    }
    Table table = {.rows = rows,
                   .columns = COLUMNS,
                   .row_label = label,
                   .column_label = title,
                   .cell = cell};
    page_section(saying->page, "What most students missed");
    if (rows) page_table(saying->page, &table);
    page_note(saying->page, rows ? N_("tries and hints: the mean of those who answered")
                                 : N_("each answer was right at the first try"));
    if (count > rows)
        page_note(saying->page, "and %d more; --csv prints them all", count - rows);
}

static const char *truth(bool truth) {
    return truth ? "1" : "0";
}

static void write_row(Builder *out, const char *const *field, int fields) {
    for (int f = 0; f < fields; f++)
        build(out, "%s%s", f ? "," : "", csv_field(field[f], out->arena));
    build_text(out, "\r\n");
}

static void write_answer(Builder *out, const Saying *saying, const StudentLesson *sheet,
                         const ProgressAnswer *answer) {
    Arena *arena = out->arena;
    double share = progress_share(answer);
    const char *const field[] = {
        sheet->name,
        sheet->progress.lesson,
        sheet->progress.language,
        saying->report->question[report_question(saying->report, sheet, answer)].label,
        answer->ask,
        isnan(share) ? "" : arena_print(arena, "%g", share),
        truth(answer->right),
        arena_print(arena, "%d", answer->tries),
        arena_print(arena, "%d", answer->hints),
        truth(answer->shown),
        truth(answer->skipped),
        answer->last,
        sheet->progress.changed,
        answer->id,
    };
    write_row(out, field, sizeof field / sizeof *field);
}

static int by_number(const void *a, const void *b) {
    return ((const ProgressAnswer *)a)->number - ((const ProgressAnswer *)b)->number;
}

static void say_csv(const Saying *saying) {
    static const char *const head[] = {
        "student", "lesson", "language", "question", "ask",  "share",   "right",
        "tries",   "hints",  "shown",    "skipped",  "last", "changed", "id"};
    Builder out = {.arena = saying->arena};
    write_row(&out, head, sizeof head / sizeof *head);
    for (int s = 0; s < saying->report->sheets; s++) {
        const StudentLesson *sheet = &saying->report->sheet[s];
        const LessonProgress *progress = &sheet->progress;
        if (progress->answers)
            qsort(progress->answer, (size_t)progress->answers, sizeof *progress->answer,
                  by_number);
        for (int a = 0; a < progress->answers; a++)
            if (progress->answer[a].number >= 0)
                write_answer(&out, saying, sheet, &progress->answer[a]);
    }
    page_document(saying->page, builder_text(&out));
}

/* Students by questions: NaN where there is no answer. */
static Tensor *shares(const Report *report, Arena *arena) {
    const char **label = ARENA_ARRAY(arena, const char *, report->questions);
    for (int q = 0; q < report->questions; q++) label[q] = report->question[q].label;
    const Axis axis[] = {
        {said("student"), report->students, report->student, 1},
        {said("question"), report->questions, label, 1},
    };
    Tensor *tensor = tensor_new(arena, "shares", 2, axis);
    for (int i = 0; i < tensor_size(tensor); i++) tensor->data[i] = (Number)NAN;
    for (int s = 0; s < report->sheets; s++) {
        const StudentLesson *sheet = &report->sheet[s];
        for (int a = 0; a < sheet->progress.answers; a++) {
            const ProgressAnswer *answer = &sheet->progress.answer[a];
            int question = report_question(report, sheet, answer);
            if (question >= 0)
                tensor->data[sheet->student * report->questions + question] =
                    (Number)progress_share(answer);
        }
    }
    return tensor;
}

static bool can_draw(const Report *report, Error *error) {
    const long long most = 1 << 22;
    if (report->questions == 0)
        return fail(error, "there is nothing to draw: the lessons ask no questions");
    return (long long)report->students * report->questions <= most ||
           fail(error, "%d students and %d questions are too many to be drawn",
                report->students, report->questions);
}

static bool draw(const Saying *saying, const char *path, Error *error) {
    Arena *arena = saying->arena;
    if (!can_draw(saying->report, error)) return false;
    const char *command = figures_command(saying->session, saying->arguments, arena);
    const Fact fact[] = {
        {N_("folder"), session_safe(saying->session, saying->folder)},
        {N_("command"), unicode_escape(command, strlen(command), arena)},
    };
    Slice slice = slice_all(shares(saying->report, arena));
    Figure figure = {
        .kind = FIGURE_HEATMAP,
        .slice = &slice,
        .slices = 1,
        .title = said("1: right at the first try; 0.5: right later; 0: missed"),
        .hatched = said("not answered"),
        .fact = fact,
        .facts = sizeof fact / sizeof *fact,
        .scale = SCALE_SHARES,
    };
    const char *warning;
    if (!figure_save(&figure, path, arguments_replace(saying->arguments), arena,
                     &warning, error))
        return false;
    Page *messages = &saying->session->messages;
    if (warning) page_line(messages, "%s", session_safe(saying->session, warning));
    page_line(messages, "wrote %s", session_safe(saying->session, path));
    return true;
}

static void tell_refused(const Saying *saying) {
    for (int r = 0; r < saying->report->refusals; r++)
        page_line(&saying->session->messages, "%s", saying->report->refused[r]);
}

static bool read_all(const Report *report, Error *error) {
    return report->refusals == 0 ||
           fail(error, "files and folders that could not be read and are left out: %d",
                report->refusals);
}

static void say_report(const Saying *saying) {
    if (arguments_flag(saying->arguments, "csv")) {
        say_csv(saying);
        return;
    }
    say_students(saying);
    if (is_answered(saying->report)) say_questions(saying);
}

bool lesson_report(Session *session, const Arguments *arguments, Error *error) {
    Arena *arena = &session->scratch;
    Report report;
    Saying saying = {.session = session,
                     .arguments = arguments,
                     .report = &report,
                     .page = &session->page,
                     .arena = arena};
    const char *output = arguments_flag(arguments, "output");
    if (arguments->words != 2)
        return fail_usage(error,
                          "usage: lesson report FOLDER, which holds a folder for "
                          "each student");
    saying.folder = arguments->word[1];
    if (!report_read(&report, saying.folder, arena, error)) return false;
    tell_refused(&saying);
    if (report.sheets == 0)
        return read_all(&report, error) &&
               fail(error,
                    "%s holds no progress of students: a folder for each is expected, "
                    "with what stands in their .local/state/glassbox/lessons",
                    saying.folder);
    saying.is_open = is_open(&report);
    say_report(&saying);
    return (!output || draw(&saying, output, error)) && read_all(&report, error);
}
