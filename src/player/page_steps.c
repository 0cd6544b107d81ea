#include "player/page_steps.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/language.h"
#include "lesson/judge.h"

void sheet_paragraph(LessonPage *sheet, const char *text) {
    build_text(&sheet->html.text, "<p>");
    html_marked(&sheet->html.text, text);
    build_text(&sheet->html.text, "</p>\n");
}

static void open_details(LessonPage *sheet, const char *summary) {
    build_text(&sheet->html.text, "<details><summary>");
    html_text(&sheet->html.text, summary);
    build_text(&sheet->html.text, "</summary>\n");
}

static void close_details(LessonPage *sheet) {
    build_text(&sheet->html.text, "</details>\n");
}

/* Without the empty lines at its ends, which a page has anyway. */
static const char *bare_lines(const char *printed, Arena *arena) {
    printed += strspn(printed, "\n");
    size_t length = strlen(printed);
    while (length && strchr(" \n", printed[length - 1])) length--;
    return arena_copy(arena, printed, length);
}

static void write_output(LessonPage *sheet, const char *typed, const char *printed) {
    Builder *html = &sheet->html.text;
    const char *lines = bare_lines(printed, sheet->arena);
    build_text(html, "<pre tabindex=\"0\"><kbd>&gt; ");
    html_lines(html, *typed ? typed : said(N_("(Enter)")));
    build_text(html, "</kbd>");
    if (*lines) build_text(html, "\n");
    html_lines(html, lines);
    build_text(html, "</pre>\n");
}

static void write_typed(LessonPage *sheet, const TypedLine *typed) {
    write_output(sheet, typed->text,
                 recorder_type(&sheet->recorder, typed, sheet->folder, sheet->arena));
}

/* The :draw of a figure as its block says it. */
static const char *command_of(const LessonStep *figure, Arena *arena) {
    const char *typed = figure->typed.text;
    return arena_copy(arena, typed, (size_t)(strstr(typed, " -o ") - typed));
}

/* What those hear who do not see it. */
static const char *alternative_of(const char *command, Arena *arena) {
    const char *address = command + strlen(":draw");
    address += strspn(address, " ");
    size_t length = strcspn(address, " ");
    if (length == 0 || *address == '-') return say(arena, "Figure: %s", command);
    return say(arena, "Figure of %s, drawn by: %s", arena_copy(arena, address, length),
               command);
}

static void write_picture(LessonPage *sheet, const char *command,
                          const char *media_type, Bytes picture) {
    Builder *html = &sheet->html.text;
    build_text(html, "<figure><img alt=\"");
    html_text(html, alternative_of(command, sheet->arena));
    build_text(html, "\" src=\"");
    html_data(html, media_type, picture);
    build_text(html, "\">\n<figcaption><code>");
    html_text(html, command);
    build_text(html, "</code></figcaption></figure>\n");
}

/* What browsers show. */
static const struct {
    const char *ending, *name, *media_type;
} pictures[] = {
    {".png", "figure.png", "image/png"},
    {".apng", "figure.apng", "image/apng"},
    {".svg", "figure.svg", "image/svg+xml"},
};
enum { PICTURES = sizeof pictures / sizeof *pictures };

/* As .svg where the lesson wants a format that browsers do not show. Why it cannot be
 * drawn stands in its place. */
static void write_figure(LessonPage *sheet, const LessonStep *step) {
    enum { LARGEST = 16 << 20 };
    Arena *arena = sheet->arena;
    const char *command = command_of(step, arena);
    int kind = 0;
    while (kind < PICTURES - 1 && !file_has_ending(step->file, pictures[kind].ending))
        kind++;
    const char *name = pictures[kind].name;
    const char *path = file_join(arena, sheet->folder, name);
    TypedLine typed = step->typed;
    typed.text = arena_print(arena, "%s -o %s --force", command, name);
    remove(path); /* the figure before */
    const char *printed = recorder_type(&sheet->recorder, &typed, sheet->folder, arena);
    Bytes picture;
    Error unread;
    if (file_read_regular(path, LARGEST, arena, &picture, &unread))
        write_picture(sheet, command, pictures[kind].media_type, picture);
    else
        write_output(sheet, command, printed);
}

static void write_choices(LessonPage *sheet, const Quiz *question) {
    Builder *html = &sheet->html.text;
    if (question->choices == 0) return;
    build_text(html, "<ul class=\"choices\">\n");
    for (int c = 0; c < question->choices; c++) {
        build(html, "<li>%d) ", c + 1);
        html_marked(html, question->choice[c].text);
        build_text(html, "</li>\n");
    }
    build_text(html, "</ul>\n");
}

/* Each behind the one before it. */
static void write_hints(LessonPage *sheet, const Quiz *question) {
    for (int h = 0; h < question->hints; h++) {
        open_details(sheet, say(sheet->arena, "Hint %d of %d", h + 1, question->hints));
        sheet_paragraph(sheet, question->hint[h]);
    }
    for (int h = 0; h < question->hints; h++) close_details(sheet);
}

static void write_right_answer(LessonPage *sheet, const Quiz *question) {
    Arena *arena = sheet->arena;
    const char *answer;
    Error error;
    AtHand at_hand = enact_at_hand(sheet->session);
    if (!judge_right_answer(question, &at_hand, &answer, &error)) {
        sheet_paragraph(sheet, error.message);
        return;
    }
    if (question->asks == ASKS_CHOICE)
        answer = arena_print(arena, "%s) %s", answer,
                             question->choice[answer[0] - '1'].text);
    sheet_paragraph(sheet, say(arena, "The answer: %s", answer));
}

/* The lines by which a state is reached, and what they print. */
static void write_commands(LessonPage *sheet, const Quiz *question) {
    for (int c = 0; c < question->commands; c++) {
        session_clear(sheet->session);
        write_typed(sheet, &(TypedLine){.text = question->command[c]});
    }
}

static void write_replies(LessonPage *sheet, const Quiz *question) {
    for (int c = 0; c < question->choices; c++)
        if (question->choice[c].reply)
            sheet_paragraph(sheet, arena_print(sheet->arena, "%d) %s", c + 1,
                                               question->choice[c].reply));
}

static void write_answer(LessonPage *sheet, const Quiz *question) {
    open_details(sheet, said(N_("Answer")));
    if (question->asks == ASKS_STATE)
        write_commands(sheet, question);
    else
        write_right_answer(sheet, question);
    write_replies(sheet, question);
    sheet_paragraph(sheet, question->why);
    close_details(sheet);
}

static void write_question(LessonPage *sheet, const LessonStep *step) {
    Builder *html = &sheet->html.text;
    const Quiz *question = step->question;
    build_text(html, "<section>\n<p class=\"label\">");
    html_text(html, question->predicts
                        ? said(N_("Predict first"))
                        : say(sheet->arena, "Question %d", step->number + 1));
    build_text(html, "</p>\n");
    sheet_paragraph(sheet, question->ask);
    write_choices(sheet, question);
    write_hints(sheet, question);
    write_answer(sheet, question);
    build_text(html, "</section>\n");
}

void sheet_step(LessonPage *sheet, const LessonStep *step) {
    session_clear(sheet->session);
    if (step->kind == STEP_WORDS) {
        html_part(&sheet->html, step->part);
        return;
    }
    html_close(&sheet->html);
    if (step->kind == STEP_QUESTION)
        write_question(sheet, step);
    else if (step->kind == STEP_FIGURE)
        write_figure(sheet, step);
    else
        write_typed(sheet, &step->typed);
}
