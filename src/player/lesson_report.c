#include "player/lessons.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/builder.h"
#include "base/language.h"
#include "lesson/report.h"
#include "present/figures.h"
#include "text/unicode.h"

/* Print the results of each student in each lesson, and in all of them. */
static void say_students(const Report *report, Page *page) {
    Arena *arena = page->arena;
    const char **label = ARENA_ARRAY(arena, const char *, report->lessons + 2);
    const char *end = "";
    for (int s = 0; s < report->sheets; s++)
        if (!report->sheet[s].progress.done) end = "  "; /* as wide as " …" */
    for (int l = 0; l < report->lessons; l++) label[l] = report->lesson[l].label;
    label[report->lessons] = N_("total");
    TableWriter writer = table_begin(label, arena);
    writer.table.corner = tr("student ↓  lesson →");
    for (int s = 0; s < report->students; s++) {
        ProgressScore sum = {0};
        table_row(&writer, report->student[s]);
        for (int l = 0; l < report->lessons; l++) {
            const StudentLesson *sheet = report_sheet(report, s, l);
            const ProgressScore score =
                sheet ? progress_score(&sheet->progress) : (ProgressScore){0};
            sum.right += score.right;
            sum.all += score.all;
            if (sheet)
                table_print(&writer, "%d/%d%s", score.right, score.all,
                            sheet->progress.done ? end : " …");
            else
                table_put(&writer, "-");
        }
        table_print(&writer, "%d/%d", sum.right, sum.all);
    }
    page_section(page, "Right answers out of all questions");
    page_table(page, &writer.table);
    page_note(page, "…: not finished; -: not started");
}

/* Questions that most students missed first, then those with most late answers. */
static int by_trouble(const void *one, const void *other) {
    const ReportQuestion *a = one;
    const ReportQuestion *b = other;
    int late_a = a->answered - a->first;
    int late_b = b->answered - b->first;
    if (a->missed != b->missed) return b->missed - a->missed;
    if (late_a != late_b) return late_b - late_a;
    return a->lesson != b->lesson ? a->lesson - b->lesson : a->number - b->number;
}

/* Print the questions that some students did not answer correctly at the first try. */
static void say_questions(const Report *report, Page *page) {
    enum { ROWS = 10, ASK_WIDTH = 36 };
    static const char *const headings[] = {N_("missed"), N_("tries"), N_("hints"),
                                           N_("question"), NULL};
    Arena *arena = page->arena;
    ReportQuestion *question =
        ARENA_ARRAY(arena, ReportQuestion, report->questions + 1);
    bool is_answered = false;
    int count = 0;
    for (int q = 0; q < report->questions; q++) {
        is_answered = is_answered || report->question[q].answered;
        if (report->question[q].first < report->question[q].answered)
            question[count++] = report->question[q];
    }
    if (!is_answered) return;
    qsort(question, (size_t)count, sizeof *question, by_trouble);
    int rows = count < ROWS ? count : ROWS;
    TableWriter writer = table_begin(headings, arena);
    for (int r = 0; r < rows; r++) {
        const ReportQuestion *asked = &question[r];
        double answered = asked->answered;
        table_row(&writer, asked->label);
        table_print(&writer, "%d/%d", asked->missed, asked->answered);
        table_print(&writer, "%.1f", asked->tries / answered);
        table_print(&writer, "%.1f", asked->hints / answered);
        table_put(&writer, unicode_cut(asked->ask, ASK_WIDTH, arena));
    }
    page_section(page, "What most students missed");
    if (rows) page_table(page, &writer.table);
    page_note(page, rows ? N_("tries and hints: the mean of those who answered")
                         : N_("each answer was right at the first try"));
    if (count > rows)
        page_note(page, "and %d more; --csv prints them all", count - rows);
}

static void write_row(Builder *out, const char *const *field, int fields) {
    for (int f = 0; f < fields; f++)
        build(out, "%s%s", f ? "," : "", csv_field(field[f], out->arena));
    build_text(out, "\r\n");
}

static int by_number(const void *a, const void *b) {
    return ((const ProgressAnswer *)a)->number - ((const ProgressAnswer *)b)->number;
}

static void say_csv(const Report *report, Page *page) {
    static const char *const head[] = {
        "student", "lesson", "language", "question", "ask",  "share",   "right",
        "tries",   "hints",  "shown",    "skipped",  "last", "changed", "id"};
    enum { FIELDS = sizeof head / sizeof *head };
    Arena *arena = page->arena;
    Builder out = {.arena = arena};
    write_row(&out, head, FIELDS);
    for (int s = 0; s < report->sheets; s++) {
        const StudentLesson *sheet = &report->sheet[s];
        const LessonProgress *progress = &sheet->progress;
        if (progress->answers)
            qsort(progress->answer, (size_t)progress->answers, sizeof *progress->answer,
                  by_number);
        for (int a = 0; a < progress->answers; a++) {
            const ProgressAnswer *answer = &progress->answer[a];
            if (answer->number < 0) continue;
            double share = progress_share(answer);
            const char *const field[FIELDS] = {
                sheet->name,
                progress->lesson,
                progress->language,
                report->question[report_question(report, sheet, answer)].label,
                answer->ask,
                isnan(share) ? "" : arena_print(arena, "%g", share),
                answer->right ? "1" : "0",
                arena_print(arena, "%d", answer->tries),
                arena_print(arena, "%d", answer->hints),
                answer->shown ? "1" : "0",
                answer->skipped ? "1" : "0",
                answer->last,
                progress->changed,
                answer->id,
            };
            write_row(&out, field, FIELDS);
        }
    }
    page_document(page, builder_text(&out));
}

/* Students by questions; NaN if there is no answer. */
static Tensor *shares(const Report *report, Arena *arena) {
    const char **label = ARENA_ARRAY(arena, const char *, report->questions);
    for (int q = 0; q < report->questions; q++) label[q] = report->question[q].label;
    const Axis axis[] = {
        {.name = tr("student"),
         .size = report->students,
         .labels = report->student,
         .label_rows = 1},
        {.name = tr("question"),
         .size = report->questions,
         .labels = label,
         .label_rows = 1},
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

static bool draw(Session *session, const Report *report, const Arguments *arguments,
                 Error *error) {
    const long long max = 1 << 22;
    Arena *arena = &session->scratch;
    const char *path = arguments_flag(arguments, "output");
    if (report->questions == 0)
        return fail(error, "there is nothing to draw, because the lessons ask no "
                           "questions");
    if ((long long)report->students * report->questions > max)
        return fail(error, "%d students and %d questions are too many to draw",
                    report->students, report->questions);
    const char *command = figures_command(session, arguments, arena);
    const Fact fact[] = {
        {N_("folder"), session_safe(session, arguments->word[1])},
        {N_("command"), unicode_escape(command, strlen(command), arena)},
    };
    Slice slice = slice_all(shares(report, arena));
    Figure figure = {
        .kind = FIGURE_HEATMAP,
        .slice = &slice,
        .slices = 1,
        .title = tr("1: right at the first try; 0.5: right later; 0: missed"),
        .hatched = tr("not answered"),
        .fact = fact,
        .facts = sizeof fact / sizeof *fact,
        .scale = SCALE_SHARES,
    };
    if (!figures_write(session, arguments, &figure, path, error)) return false;
    page_line(&session->messages, "wrote %s", session_safe(session, path));
    return true;
}

bool lesson_report(Session *session, const Arguments *arguments, Error *error) {
    Report report;
    if (arguments->words != 2)
        return fail_usage(error,
                          "usage: lesson report FOLDER, which has a folder for each "
                          "student");
    const char *folder = arguments->word[1];
    if (!report_read(&report, folder, &session->scratch, error)) return false;
    for (int r = 0; r < report.refusals; r++)
        page_line(&session->messages, "%s", report.refused[r]);
    if (report.sheets && arguments_flag(arguments, "csv")) {
        say_csv(&report, &session->page);
    } else if (report.sheets) {
        say_students(&report, &session->page);
        say_questions(&report, &session->page);
    }
    if (report.sheets && arguments_flag(arguments, "output") &&
        !draw(session, &report, arguments, error))
        return false;
    if (report.refusals)
        return fail(error, "files and folders that could not be read, left out: %d",
                    report.refusals);
    return report.sheets ||
           fail(error,
                "%s has no progress of students; make a folder for each student, "
                "with the files of their .local/state/glassbox/lessons",
                folder);
}
