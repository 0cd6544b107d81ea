#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/interrupt.h"
#include "base/language.h"
#include "lesson/html.h"
#include "player/lesson_exec.h"
#include "player/lesson_say.h"
#include "player/lessons.h"

/* A lesson that runs while its page is written. */
typedef struct {
    Session *session; /* of the recorder */
    Lesson lesson;
    Recorder recorder;
    Arena *arena; /* of the lesson and of the page */
    Html html;
} Sheet;

/* Write a paragraph, with `code` in backticks. */
static void paragraph(Sheet *sheet, const char *text) {
    build_text(&sheet->html.text, "<p>");
    html_marked(&sheet->html.text, text);
    build_text(&sheet->html.text, "</p>\n");
}

/* Write a text between two pieces of HTML. */
static void element(Sheet *sheet, const char *begin, const char *text,
                    const char *end) {
    build_text(&sheet->html.text, begin);
    html_text(&sheet->html.text, text);
    build_text(&sheet->html.text, end);
}

static void open_details(Sheet *sheet, const char *summary) {
    element(sheet, "<details><summary>", summary, "</summary>\n");
}

/* Write the output of a line without empty lines at the ends. */
static void write_output(Sheet *sheet, const char *typed, const char *printed) {
    Builder *html = &sheet->html.text;
    printed += strspn(printed, "\n");
    size_t length = strlen(printed);
    while (length && strchr(" \n", printed[length - 1])) length--;
    build_text(html, "<pre tabindex=\"0\"><kbd>&gt; ");
    html_lines(html, *typed ? typed : tr(N_("(Enter)")));
    build_text(html, "</kbd>");
    if (length) build_text(html, "\n");
    html_lines(html, arena_copy(sheet->arena, printed, length));
    build_text(html, "</pre>\n");
}

static void write_typed(Sheet *sheet, const char *line) {
    write_output(sheet, line, recorder_run(&sheet->recorder, line));
}

/* Formats that browsers show. */
static const struct {
    const char *ending, *name, *media_type;
} pictures[] = {
    {".png", "figure.png", "image/png"},
    {".apng", "figure.apng", "image/apng"},
    {".svg", "figure.svg", "image/svg+xml"},
};
enum { PICTURES = sizeof pictures / sizeof *pictures };

/* Write a figure, as .svg if browsers do not show its format. If it cannot be drawn,
 * write the reason instead. */
static void write_figure(Sheet *sheet, const LessonStep *step) {
    enum { LARGEST = 16 << 20 };
    Arena *arena = sheet->arena;
    const char *line = step->typed.text; /* :draw ... -o FILE */
    const char *command =
        arena_copy(arena, line, (size_t)(strstr(line, " -o ") - line));
    int kind = 0;
    while (kind < PICTURES - 1 && !file_has_ending(step->file, pictures[kind].ending))
        kind++;
    const char *name = pictures[kind].name;
    const char *path = file_join(arena, sheet->recorder.scratch.folder, name);
    remove(path); /* the previous figure */
    line = arena_print(arena, "%s -o %s --force", command, name);
    const char *printed = recorder_run(&sheet->recorder, line);
    Bytes picture;
    Error unread;
    if (!file_read_regular(path, LARGEST, arena, &picture, &unread)) {
        write_output(sheet, command, printed);
        return;
    }
    /* A description for screen readers. */
    const char *address = command + strlen(":draw");
    address += strspn(address, " ");
    size_t length = strcspn(address, " ");
    const char *drawn = length == 0 || *address == '-'
                            ? trf(arena, "Figure: %s", command)
                            : trf(arena, "Figure of %s, drawn by: %s",
                                  arena_copy(arena, address, length), command);
    element(sheet, "<figure><img alt=\"", drawn, "\" src=\"");
    html_data(&sheet->html.text, pictures[kind].media_type, picture);
    element(sheet, "\">\n<figcaption><code>", command,
            "</code></figcaption></figure>\n");
}

/* Write a question: its text, its hints, each inside the previous one, and the answer;
 * for a condition, the commands that make it true and their output. */
static void write_question(Sheet *sheet, const LessonStep *step) {
    Builder *html = &sheet->html.text;
    Arena *arena = sheet->arena;
    const Quiz *question = step->question;
    bool has_choices = question->asks == ASKS_CHOICE;
    const char *answer = NULL;
    bool done = true;
    Error error;
    element(sheet, "<section>\n<p class=\"label\">",
            question->predicts ? tr(N_("Predict first"))
                               : trf(arena, "Question %d", step->number + 1),
            "</p>\n");
    paragraph(sheet, question->ask);
    if (has_choices) build_text(html, "<ul class=\"choices\">\n");
    for (int c = 0; has_choices && c < question->choices; c++) {
        build(html, "<li>%c) ", 'a' + c);
        html_marked(html, question->choice[c].text);
        build_text(html, "</li>\n");
    }
    if (has_choices) build_text(html, "</ul>\n");
    for (int h = 0; h < question->hints; h++) {
        open_details(sheet, trf(arena, "Hint %d of %d", h + 1, question->hints));
        paragraph(sheet, question->hint[h]);
    }
    for (int h = 0; h < question->hints; h++) build_text(html, "</details>\n");
    open_details(sheet, tr(N_("Answer")));
    for (int c = 0; c < question->commands; c++) {
        session_clear(sheet->session);
        write_typed(sheet, question->command[c]);
    }
    if (question->asks != ASKS_STATE) {
        done = lesson_exec_right_answer(sheet->session, question, &answer, &error);
        paragraph(sheet, done ? trf(arena, "The answer: %s", answer) : error.message);
    }
    if (!done || !lesson_exec_accepts(sheet->session, question, answer, &error))
        findings_add(&sheet->lesson.findings, question->answer_line, "%s",
                     error.message);
    for (int c = 0; c < question->choices; c++) {
        const Choosable *choice = &question->choice[c];
        if (choice->reply)
            paragraph(sheet,
                      has_choices
                          ? arena_print(arena, "%c) %s", 'a' + c, choice->reply)
                          : arena_print(arena, "%s: %s", choice->text, choice->reply));
    }
    paragraph(sheet, question->why);
    build_text(html, "</details>\n</section>\n");
}

/* Write the title, the duration, the required lessons, and an explanation of the boxes.
 */
static void write_head(Sheet *sheet) {
    Builder *html = &sheet->html.text;
    Arena *arena = sheet->arena;
    const Lesson *lesson = &sheet->lesson;
    const char *title =
        lesson->number < 0 ? lesson->title
                           : trf(arena, "Lesson %d: %s", lesson->number, lesson->title);
    Builder needs = {.arena = arena};
    html_begin(html, &(HtmlHead){.title = title, .language = language_name()});
    build_text(html, "<main>\n<header class=\"about\">\n");
    paragraph(sheet, trf(arena, "%s (about %d minutes)", title, lesson->minutes));
    for (int n = 0; n < lesson->needs; n++)
        build_item(&needs, ", ", "%d", lesson->need[n]);
    if (lesson->needs)
        paragraph(sheet, trf(arena, "Lessons to do first: %s.", builder_text(&needs)));
    paragraph(sheet, tr(N_("After > is a line that you type into glassbox; below it "
                           "is what glassbox prints.")));
    build_text(html, "</header>\n");
    for (int s = 0; s < lesson->steps; s++) {
        const Passage *part = lesson->step[s].part;
        if (part && part->kind == PASSAGE_HEADING && part->level == 1) return;
    }
    element(sheet, "<h1>", lesson->title, "</h1>\n");
}

/* Run the steps and write them. An error is written in its place. */
static bool write_steps(Sheet *sheet, Error *error) {
    Lesson *lesson = &sheet->lesson;
    if (!lesson_exec_begin(sheet->session, lesson, error)) return false;
    if (!scratch_folder_make(&sheet->recorder.scratch, sheet->arena, error))
        return false;
    if (!lessons_bring_files(lesson, sheet->recorder.scratch.folder,
                             &sheet->session->messages, error))
        return false;
    write_head(sheet);
    for (int s = 0; s < lesson->steps && interrupt_none(error); s++) {
        const LessonStep *step = &lesson->step[s];
        session_clear(sheet->session);
        if (step->kind == STEP_WORDS) {
            html_part(&sheet->html, step->part);
            continue;
        }
        html_close(&sheet->html);
        if (step->kind == STEP_QUESTION)
            write_question(sheet, step);
        else if (step->kind == STEP_FIGURE)
            write_figure(sheet, step);
        else
            write_typed(sheet, step->typed.text);
    }
    html_close(&sheet->html);
    html_end(&sheet->html.text);
    return interrupt_none(error);
}

bool lesson_page(Session *session, const Arguments *arguments, Error *error) {
    const char *path = arguments_flag(arguments, "output");
    if (arguments->words != 2)
        return fail_usage(error,
                          "lesson page takes one lesson; give its number or its file");
    if (!path)
        return fail_usage(error, "lesson page needs a file; give -o lesson.html");
    if (!html_is_name(path, error)) return false;
    const char *file = lessons_find(arguments->word[1], &session->scratch, error);
    if (!file) return false;
    Arena arena = {0};
    Sheet sheet = {.arena = &arena, .html.text.arena = &arena};
    bool done = lesson_read(&sheet.lesson, file, &arena, error);
    const Findings *findings = &sheet.lesson.findings;
    int left_out = findings->count;
    if (done && left_out)
        page_line(&session->messages,
                  "%s: %d problems; the parts with problems are left out; lesson "
                  "check lists them",
                  session_safe(session, file), left_out);
    FileSave save;
    done = done && file_save_begin(&save, path, arguments_replace(arguments), error);
    if (done) { /* in a separate session, so that the current one does not change */
        recorder_begin(&sheet.recorder, &arena);
        sheet.session = sheet.recorder.session;
        done = write_steps(&sheet, error);
        recorder_end(&sheet.recorder, session);
        if (done) fputs(builder_text(&sheet.html.text), save.stream);
        if (!done) file_save_abandon(&save);
        done = done && file_save_end(&save, error);
    }
    if (done)
        lesson_say_findings(&sheet.lesson, left_out, findings->count,
                            &session->messages);
    if (done) page_line(&session->page, "wrote %s", session_safe(session, path));
    arena_free(&arena);
    return done;
}
