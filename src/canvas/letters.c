#include "canvas/letters.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "base/nearest.h"
#include "canvas/drawing_calls.h"
#include "text/unicode.h"

/* The first installed family that has a letter draws it; all but the last have
 * Hangul. */
static const char families[] = "Noto Sans CJK KR, NanumBarunGothic, NanumGothic, sans";

Letters *letters_new(Arena *arena, const char *font, double body, bool whole) {
    Letters *letters = ARENA_ARRAY(arena, Letters, 1);
    drawing_load(&(Error){0}); /* letters_listen() reports the error */
    *letters = (Letters){.arena = arena,
                         .families = families,
                         .body = body > 0 ? body : LETTERS_BODY,
                         .whole = whole};
    if (font) letters->families = arena_print(arena, "%s, %s", font, families);
    return letters;
}

/* Family names are not case-sensitive. */
bool letters_check(const char *font, Error *error) {
    Arena arena = {0};
    PangoFontFamily **family;
    int count;
    pango_font_map_list_families(pango_cairo_font_map_get_default(), &family, &count);
    Nearest nearest = {.word = font};
    bool found = false;
    for (int f = 0; f < count && !found; f++) {
        const char *name = pango_font_family_get_name(family[f]);
        found = g_ascii_strcasecmp(name, font) == 0;
        nearest_offer(&nearest, arena_copy(&arena, name, strlen(name)));
    }
    g_free(family);
    if (!found)
        fail(error, "there is no font '%s' (`fc-list : family` lists the fonts)%s",
             font, nearest_question(&nearest, &arena));
    arena_free(&arena);
    return found;
}

static TextRun *lay_out(Letters *letters, Style style, const char *text) {
    if (!letters->context) {
        letters->context =
            pango_font_map_create_context(pango_cairo_font_map_get_default());
        cairo_font_options_t *options = cairo_font_options_create();
        cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
        pango_cairo_context_set_font_options(letters->context, options);
        cairo_font_options_destroy(options);
        /* Cairo draws glyphs at whole pixels; lines and curves may be anywhere. */
        pango_context_set_round_glyph_positions(letters->context, letters->whole);
        pango_context_set_language(letters->context, pango_language_from_string("ko"));
    }
    TextRun *run = ARENA_ARRAY(letters->arena, TextRun, 1);
    *run = (TextRun){.text = arena_copy(letters->arena, text, strlen(text)),
                     .size = style.size,
                     .bold = style.bold};
    PangoLayout *layout = pango_layout_new(letters->context);
    PangoFontDescription *font = pango_font_description_new();
    pango_font_description_set_family(font, letters->families);
    pango_font_description_set_absolute_size(
        font, letters->body * (style.size > 0 ? style.size : 1) * PANGO_SCALE);
    if (style.bold) pango_font_description_set_weight(font, PANGO_WEIGHT_BOLD);
    pango_layout_set_font_description(layout, font);
    pango_font_description_free(font);
    pango_layout_set_single_paragraph_mode(layout, TRUE);
    pango_layout_set_text(layout, text, -1);
    PangoRectangle box;
    pango_layout_get_extents(layout, NULL, &box);
    run->width = pango_units_to_double(box.width);
    run->height = pango_units_to_double(box.height);
    run->rise =
        pango_units_to_double(pango_layout_get_baseline(layout)) - run->height / 2;
    run->missing = pango_layout_get_unknown_glyphs_count(layout);
    run->layout = layout;
    return run;
}

/* Return the run of `text`, from the table or a new one. The table is a cache: when it
 * is full, it is cleared. */
TextRun *letters_run(Letters *letters, Style style, const char *text) {
    unsigned place = (unsigned)(style.size * 64) * 2 + style.bold;
    for (const char *c = text; *c; c++) place = place * 31 + (unsigned char)*c;
    for (unsigned step = 0;; step++) {
        TextRun **run = &letters->run[(place + step) % LETTERS_RUNS];
        if (*run && (*run)->size == style.size && (*run)->bold == style.bold &&
            strcmp((*run)->text, text) == 0)
            return *run;
        if (*run && step < 7) continue;
        if (*run) g_object_unref((*run)->layout);
        return *run = lay_out(letters, style, text);
    }
}

void letters_show(const TextRun *run, void *cairo) {
    pango_cairo_show_layout(cairo, run->layout);
}

void letters_close(Letters *letters) {
    for (int r = 0; r < LETTERS_RUNS; r++)
        if (letters->run[r]) g_object_unref(letters->run[r]->layout);
    if (letters->context) g_object_unref(letters->context);
}

/* Ranges of characters by package, the rarest first. */
static const struct {
    int first, last;
    const char *package;
} ranges[] = {
    {0x1F000, 0x1FAFF, "fonts-noto-color-emoji"}, /* emoji */
    {0x2600, 0x27BF, "fonts-noto-color-emoji"},   /* symbols and dingbats */
    {0x2E80, 0x30FF, "fonts-noto-cjk"},           /* radicals, kana */
    {0x3400, 0x9FFF, "fonts-noto-cjk"},           /* Han */
    {0x20000, 0x3FFFF, "fonts-noto-cjk"},         /* Han, extensions */
    {0x1100, 0x11FF, "fonts-nanum"},              /* Jamo */
    {0x3130, 0x318F, "fonts-nanum"},              /* single Jamo */
    {0xAC00, 0xD7A3, "fonts-nanum"},              /* Hangul */
};

const char *letters_package(const char *text) {
    for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++)
        for (int bytes, at = 0; text[at]; at += bytes) {
            int letter = unicode_decode(text + at, strlen(text + at), &bytes);
            if (letter >= ranges[r].first && letter <= ranges[r].last)
                return ranges[r].package;
        }
    return "fonts-noto-core";
}

/* GLib accepts one function for the whole process, once, and calls it from its own
 * threads. */
static _Atomic(LibraryWarning *) listener;

static GLogWriterOutput keep_warning(GLogLevelFlags level, const GLogField *field,
                                     gsize count, void *context) {
    (void)context;
    LibraryWarning *warning = listener;
    const char *reason = tr("no reason was given");
    for (gsize i = 0; i < count; i++)
        if (strcmp(field[i].key, "MESSAGE") == 0 && field[i].length < 0)
            reason = field[i].value;
    if (level & G_LOG_LEVEL_ERROR) {
        fprintf(stderr, tr("glassbox: cannot draw: %s\n"), reason);
        exit(EXIT_FAILURE);
    }
    if (warning && warning->text[0] == '\0')
        snprintf(warning->text, sizeof warning->text, "%s", reason);
    return G_LOG_WRITER_HANDLED;
}

bool letters_listen(LibraryWarning *warning, Error *error) {
    static bool ready;
    if (!drawing_load(error)) return false;
    if (!ready) g_log_set_writer_func(keep_warning, NULL, NULL);
    ready = true;
    listener = warning;
    return true;
}

void letters_listen_no_more(void) {
    listener = NULL;
}

const char *letters_warning(const LibraryWarning *warning, const char *name,
                            Arena *arena) {
    size_t length = strlen(warning->text);
    return length ? trf(arena, "%s: text may be missing in the picture: %s", name,
                        unicode_escape(warning->text, length, arena))
                  : NULL;
}
