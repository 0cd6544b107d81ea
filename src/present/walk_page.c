#include "present/walk_page.h"

#include <string.h>

#include "base/file.h"
#include "base/interrupt.h"
#include "base/language.h"
#include "canvas/picture.h"
#include "figure/web.h"
#include "lesson/html.h"
#include "present/answers.h"
#include "present/figures.h"
#include "present/visit.h"
#include "session/sentence.h"
#include "session/stops.h"
#include "window/html.h"

/* Styles in addition to those of every page: the header, the list of stops, text,
 * drawings, the frame for wide windows. */
static const char style[] = {
#include "walk.css.inc"
};

/* Shows the number under the pointer. Tables and drawings contain the numbers; the
 * script finds the address of a cell from the name of the table and the items of its
 * row and column, and in a drawing from the position among its cells. The page can be
 * read without the script. */
static const char script[] = {
#include "walk.js.inc"
};

/* The SHA-256 of the script, which allows the browser to run it.
 * tests/terminal/test_walk_page.py computes the expected value. */
static const char script_digest[] =
    "sha256-c3w0hSERxlSKhqOm6LGCHQcnslLKXFPqXAIRAp5Qkdg=";

/* A stop that the walk visits. */
typedef struct {
    int index; /* among all stops */
    const char *name, *title;
} PageStop;

/* A walk page in progress. */
typedef struct {
    Session *session;
    const Arguments *arguments; /* as printed on the page */
    Arena *arena;
    Builder html;
    HtmlWindow *window;
    PageStop *stop;
    int stops;
} WalkPage;

/* Return the text of the current sentence, or the ids of all. */
static const char *sentence_text(const WalkPage *page) {
    const Session *session = page->session;
    const char *text = session->run->source.sentence[session->run->row].text;
    return text ? text : sentence_print(&session->run->source, page->arena);
}

static void element(WalkPage *page, const char *tag, const char *text) {
    Builder *html = &page->html;
    build(html, "<%s>", tag);
    html_text(html, text);
    build(html, "</%.*s>\n", (int)strcspn(tag, " "), tag);
}

static void link_to(WalkPage *page, const PageStop *stop) {
    build_text(&page->html, "<a href=\"#");
    html_text(&page->html, stop->name);
    build_text(&page->html, "\">");
}

static bool write_stop(WalkPage *page, int s, Error *error) {
    Session *session = page->session;
    Builder *html = &page->html;
    build_text(html, "<section id=\"");
    html_text(html, page->stop[s].name);
    build_text(html, "\">\n");
    visit_show(session, page->stop[s].index);
    if (!page_done(&session->page, error)) return false;
    window_html_close(page->window);
    /* Links to the previous stop, to the list, and to the next stop. */
    build_text(html, "<p class=\"way\">");
    if (s > 0) {
        link_to(page, &page->stop[s - 1]);
        build_text(html, "← ");
        html_text(html, page->stop[s - 1].title);
        build_text(html, "</a>");
    } else {
        build_text(html, "<span></span>");
    }
    build_text(html, "\n<a href=\"#stops\">");
    html_text(html, tr(N_("All stages")));
    build_text(html, "</a>");
    if (s + 1 < page->stops) {
        build_text(html, "\n");
        link_to(page, &page->stop[s + 1]);
        html_text(html, page->stop[s + 1].title);
        build_text(html, " →</a>");
    }
    build_text(html, "</p>\n</section>\n");
    return interrupt_none(error);
}

/* The facts of a figure's footer, so that readers can make the page again. */
static void write_footer(WalkPage *page) {
    Builder *html = &page->html;
    Figure about = {0};
    figures_add_facts(page->session, page->arguments, NULL, NULL, &about, page->arena);
    build_text(html, "<footer>\n<dl>\n");
    for (int f = 0; f < about.facts; f++) {
        bool is_command = strcmp(about.fact[f].name, "command") == 0;
        build_text(html, "<dt>");
        html_text(html, tr(about.fact[f].name));
        build_text(html, is_command ? "</dt><dd><code>" : "</dt><dd>");
        html_text(html, about.fact[f].value);
        build_text(html, is_command ? "</code></dd>\n" : "</dd>\n");
    }
    build_text(html, "</dl>\n</footer>\n");
}

static bool write_walk(WalkPage *page, Error *error) {
    Session *session = page->session;
    Builder *html = &page->html;
    html_begin(html, &(HtmlHead){.title = sentence_text(page),
                                 .language = language_name(),
                                 .style = style,
                                 .script = script_digest});
    build_text(html, web_hatching);
    build_text(html, "<header>\n");
    element(page, "h1", sentence_text(page));
    answers_say_row(session, session->run->row);
    window_html_close(page->window);
    /* The script shows this note; without the script it does not apply. */
    element(page, "p class=\"note\" id=\"keys\" hidden",
            tr(N_("Point at a number, or go to it with Tab and the arrow keys, to "
                  "see its address and how it was computed.")));
    build_text(html, "</header>\n");
    const int all = stops_all(session);
    page->stop = ARENA_ARRAY(page->arena, PageStop, all);
    for (int s = 0; s < all; s++)
        if (stops_visits(session, s))
            page->stop[page->stops++] =
                (PageStop){s, stops_name(session, s, page->arena),
                           stops_title(session, s, page->arena)};
    const char *label = trf(page->arena, "The walk in %d stages", page->stops);
    build_text(html, "<nav id=\"stops\" aria-label=\"");
    html_text(html, label);
    build_text(html, "\">\n");
    element(page, "p", label);
    build_text(html, "<ol>\n");
    for (int s = 0; s < page->stops; s++) {
        build_text(html, "<li>");
        link_to(page, &page->stop[s]);
        build(html, "<span class=\"number\">%d</span> ", s + 1);
        html_text(html, page->stop[s].title);
        build_text(html, "</a></li>\n");
    }
    build_text(html, "</ol>\n</nav>\n");
    build_text(html, "<main>\n");
    for (int s = 0; s < page->stops; s++)
        if (!write_stop(page, s, error)) return false;
    write_footer(page);
    build_text(html, "<script>");
    build_text(html, script);
    build_text(html, "</script>\n");
    html_end(html);
    return true;
}

/* Apply the requested depth and colors. */
static bool choose_options(const Arguments *arguments, Display *options, Error *error) {
    const char *name = arguments_flag(arguments, "palette");
    const Palette *palette = name ? palette_find(name) : NULL;
    if (!arguments_choice(arguments, "depth", depths, &options->depth, error))
        return false;
    if (!name) return true;
    Arena arena = {0};
    if (palette)
        options->palette = (int)(palette - palettes) + 1;
    else
        fail_usage(error, "--palette is '%s'; expected one of %s", name,
                   palette_names(&arena));
    arena_free(&arena);
    return palette != NULL;
}

static bool save_page(Session *session, const Arguments *arguments, const char *path,
                      Error *error) {
    Arena arena = {0};
    Arguments told = *arguments;
    if (!arguments_flag(arguments, "depth")) { /* the command of the page tells it */
        told.flag[told.flags] = "depth";
        told.value[told.flags++] = depths[session->options.depth];
    }
    WalkPage page = {
        .session = session, .arguments = &told, .arena = &arena, .html.arena = &arena};
    LibraryWarning libraries = {""};
    bool done = letters_listen(&libraries, error);
    if (done) {
        const Record record = session_record(session);
        const char *said = session->run->told;
        const Window *window = session->page.window;
        Canvas *letters = image_new(&arena, IMAGE_SVG, &(PictureOptions){0});
        page.window = window_html_new(&arena, &page.html, &record, letters);
        session->page.window = &page.window->window;
        done = write_walk(&page, error);
        session->run->told = said;
        session->page.window = window;
        window_html_free(page.window);
        picture_close(letters);
    }
    letters_listen_no_more();
    done = done && file_save(path, builder_text(&page.html), (size_t)page.html.count,
                             arguments_replace(arguments), error);
    const char *warning =
        letters_warning(&libraries, session_safe(session, path), &session->scratch);
    if (done && warning) page_line(&session->messages, "%s", warning);
    arena_free(&arena);
    return done;
}

bool walk_page(Session *session, const Arguments *arguments, Error *error) {
    const char *path = arguments_flag(arguments, "output");
    const Display options = session->options;
    if (!path) return fail_usage(error, "page needs a file; give -o walk.html");
    if (!html_is_name(path, error)) return false;
    if (!session->run->is_made)
        return fail(error, "no sentence to run; type one, or give --source");
    bool done = choose_options(arguments, &session->options, error) &&
                save_page(session, arguments, path, error);
    session->options = options;
    if (done) page_line(&session->page, "wrote %s", session_safe(session, path));
    return done;
}
