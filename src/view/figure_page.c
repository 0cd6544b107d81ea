/* What stands around the drawing of a figure, as its look says: title and caption. */
#include <math.h>
#include <string.h>

#include "text/label.h"
#include "view/figure_work.h"

/* Titles and facts may be this wide where the drawing is narrower, in lines. */
enum { CAPTION_LEAST = 22 };

bool figure_is_titled(const FigureLook *look) {
    return !look->title || strcmp(look->title, "none") != 0;
}

/* Under it: all facts, or what a reader needs to know what it is of. */
static Facts shown_facts(const Work *work) {
    static const char *const few[] = {"toy", "sentence", "model", NULL};
    Facts shown = {.title = work->facts.title};
    if (work->figure->look.caption == CAPTION_FULL) return work->facts;
    if (work->figure->look.caption == CAPTION_NONE) return shown;
    Fact *fact = ARENA_ARRAY(work->arena, Fact, work->facts.count);
    for (int i = 0; i < work->facts.count; i++)
        for (const char *const *name = few; *name; name++)
            if (strcmp(work->facts.fact[i].name, *name) == 0)
                fact[shown.count++] = work->facts.fact[i];
    shown.fact = fact;
    return shown;
}

/* "key ·어제 to ·친구" without the dots that stand for spaces. */
static const char *without_dots(const char *text, Arena *arena) {
    char *plain = arena_copy(arena, text, strlen(text));
    char *to = plain;
    size_t length = strlen(LABEL_SPACE);
    for (const char *c = text; *c; c++) {
        bool begins = c == text || c[-1] == ' ';
        bool dot = begins && strncmp(c, LABEL_SPACE, length) == 0;
        if (dot && c[length] && c[length] != ' ') c += length;
        *to++ = *c;
    }
    *to = '\0';
    return plain;
}

void figure_page_plan(Work *work) {
    Canvas *canvas = work->canvas;
    const Metrics *metrics = &canvas->metrics;
    double width = fmax(work->width, CAPTION_LEAST * metrics->line);
    if (metrics->characters) width = metrics->most;
    bool noted = work->figure->look.caption != CAPTION_NONE;
    Facts facts = shown_facts(work);
    const char *title = figure_is_titled(&work->figure->look) ? work->facts.title : "";
    if (work->figure->look.labels == LABELS_PLAIN)
        title = without_dots(title, work->arena);
    work->title = caption_title(title, canvas, width, work->arena);
    work->footer =
        caption_footer(noted ? work->note : NULL, &facts, canvas, width, work->arena);
    double gap = metrics->characters ? 1 : 1.5 * metrics->gap;
    double above = work->title.count ? work->title.height + gap : 0;
    double below = work->footer.count ? work->footer.height + gap : 0;
    double margin = metrics->margin;
    width = fmax(work->width, fmax(work->title.width, work->footer.width));
    work->page = (Box){margin, margin + above, width + 2 * margin,
                       above + work->height + below + 2 * margin};
}
