#include "player/lesson_page.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/interrupt.h"
#include "base/language.h"
#include "lesson/html_frame.h"
#include "player/lessons.h"
#include "player/page_steps.h"
#include "player/scratch_folder.h"

/* "Lesson 4: One query by hand"; one that has no number has its title. */
static const char *title_of(const LessonPage *sheet) {
    const Lesson *lesson = &sheet->lesson;
    if (lesson->number < 0) return lesson->title;
    return say(sheet->arena, "Lesson %d: %s", lesson->number, lesson->title);
}

static const char *needs_of(const LessonPage *sheet) {
    Builder needs = {.arena = sheet->arena};
    for (int n = 0; n < sheet->lesson.needs; n++)
        build(&needs, "%s%d", n ? ", " : "", sheet->lesson.need[n]);
    return builder_text(&needs);
}

/* How long it takes, what comes before it, and what the boxes are. */
static void write_about(LessonPage *sheet) {
    Builder *html = &sheet->html.text;
    Arena *arena = sheet->arena;
    const Lesson *lesson = &sheet->lesson;
    build_text(html, "<header class=\"about\">\n");
    sheet_paragraph(
        sheet, say(arena, "%s (about %d minutes)", title_of(sheet), lesson->minutes));
    if (lesson->needs)
        sheet_paragraph(
            sheet, say(arena, "Lessons that come before it: %s.", needs_of(sheet)));
    sheet_paragraph(sheet,
                    said(N_("Behind > stands what is typed into glassbox, and below "
                            "it what glassbox prints.")));
    build_text(html, "</header>\n");
}

static bool has_title(const Lesson *lesson) {
    for (int s = 0; s < lesson->steps; s++) {
        const Passage *part = lesson->step[s].part;
        if (part && part->kind == PASSAGE_HEADING && part->level == 1) return true;
    }
    return false;
}

static void write_head(LessonPage *sheet) {
    Builder *html = &sheet->html.text;
    html_begin(html,
               &(HtmlHead){.title = title_of(sheet), .language = language_name()});
    build_text(html, "<main>\n");
    write_about(sheet);
    if (has_title(&sheet->lesson)) return;
    build_text(html, "<h1>");
    html_text(html, sheet->lesson.title);
    build_text(html, "</h1>\n");
}

static bool begin(LessonPage *sheet, Error *error) {
    Lesson *lesson = &sheet->lesson;
    if (!enact_begin(sheet->session, lesson, error)) return false;
    sheet->folder = scratch_folder_make(sheet->arena, error);
    return sheet->folder &&
           enact_bring_files(lesson, sheet->folder, &sheet->session->messages, error);
}

static bool write_steps(LessonPage *sheet, Error *error) {
    if (!begin(sheet, error)) return false;
    write_head(sheet);
    for (int s = 0; s < sheet->lesson.steps; s++) {
        if (!interrupt_none(error)) return false;
        sheet_step(sheet, &sheet->lesson.step[s]);
    }
    html_close(&sheet->html);
    html_end(&sheet->html.text);
    return interrupt_none(error);
}

/* In a session of its own: whoever asks for the page keeps what is at hand. */
static bool write_lesson(LessonPage *sheet, Error *error) {
    sheet->session = session_new(sheet->arena);
    recorder_begin(&sheet->recorder, sheet->session);
    bool done = write_steps(sheet, error);
    recorder_end(&sheet->recorder);
    if (sheet->folder) scratch_folder_remove(sheet->folder);
    session_free(sheet->session);
    return done;
}

static bool save_page(Session *session, LessonPage *sheet, const char *path,
                      bool replace, Error *error) {
    FileSave save;
    if (!file_save_begin(&save, path, replace, error)) return false;
    bool done = write_lesson(sheet, error);
    language_choose(session->options.language);
    if (!done) {
        file_save_abandon(&save);
        return false;
    }
    fputs(builder_text(&sheet->html.text), save.stream);
    return file_save_end(&save, error);
}

static void say_what_is_left_out(Session *session, const Lesson *lesson) {
    if (lesson->findings.count)
        page_line(&session->messages,
                  "%s: %d findings; what they are about is left out, and lesson check "
                  "lists them",
                  session_safe(session, lesson->path), lesson->findings.count);
}

bool lesson_page(Session *session, const Arguments *arguments, Error *error) {
    const char *path = arguments_flag(arguments, "output");
    if (arguments->words != 2)
        return fail_usage(error,
                          "lesson page takes one lesson: its number, or its file");
    if (!path)
        return fail_usage(error, "lesson page needs a file to write: -o lesson.html");
    const char *file = lessons_find(arguments->word[1], &session->scratch, error);
    if (!file) return false;
    Arena arena = {0};
    LessonPage sheet = {.arena = &arena, .html.text.arena = &arena};
    bool done = lesson_read(&sheet.lesson, file, &arena, error);
    if (done) say_what_is_left_out(session, &sheet.lesson);
    done =
        done && save_page(session, &sheet, path, arguments_replace(arguments), error);
    if (done) page_line(&session->page, "wrote %s", session_safe(session, path));
    arena_free(&arena);
    return done;
}
