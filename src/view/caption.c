#include "view/caption.h"

#include <math.h>
#include <string.h>

#include "base/language.h"
#include "text/unicode.h"

static const double title_size = 1.3, footer_size = 0.85;

/* Lines being filled with pieces. */
typedef struct {
    Caption caption;
    Canvas *canvas;
    Arena *arena;
    double most;
    int capacity;
    double used; /* by the last line */
} CaptionLines;

static void new_line(CaptionLines *lines, const char *text, double width) {
    Caption *caption = &lines->caption;
    ARENA_GROW(lines->arena, caption->line, caption->count, lines->capacity);
    caption->line[caption->count++] = text;
    lines->used = width;
}

static double measure(const CaptionLines *lines, const char *text) {
    return lines->canvas->measure(lines->canvas, lines->caption.style, text);
}

/* Put `text` behind the last line if it fits there, else on a line of its own. */
static void add_piece(CaptionLines *lines, const char *between, const char *text) {
    Caption *caption = &lines->caption;
    double width = measure(lines, text);
    double space = measure(lines, between);
    bool fits = lines->used + space + width <= lines->most;
    if (caption->count > 0 && fits) {
        const char **last = &caption->line[caption->count - 1];
        *last = arena_print(lines->arena, "%s%s%s", *last, between, text);
        lines->used += space + width;
    } else {
        new_line(lines, text, width);
    }
    caption->width = fmax(caption->width, lines->used);
}

/* A word longer than a line is broken between letters. */
static void add_letters(CaptionLines *lines, const char *word) {
    const char *between = " ";
    while (*word) {
        int length = unicode_grapheme(word);
        add_piece(lines, between, arena_copy(lines->arena, word, (size_t)length));
        word += length;
        between = "";
    }
}

static void add_words(CaptionLines *lines, const char *text) {
    while (*text) {
        size_t length = strcspn(text, " ");
        const char *word = arena_copy(lines->arena, text, length);
        if (measure(lines, word) > lines->most)
            add_letters(lines, word);
        else if (length)
            add_piece(lines, " ", word);
        text += length + (text[length] == ' ');
    }
}

static CaptionLines begin(Canvas *canvas, Style style, double width, Arena *arena) {
    double size = canvas->metrics.characters ? 1 : style.size;
    return (CaptionLines){
        .caption = {.style = style, .pitch = canvas->metrics.line * size},
        .canvas = canvas,
        .arena = arena,
        .most = width};
}

static Caption finish(CaptionLines *lines) {
    lines->caption.height = lines->caption.count * lines->caption.pitch;
    return lines->caption;
}

Caption caption_title(const char *title, Canvas *canvas, double width, Arena *arena) {
    Style style = {.size = title_size, .bold = true};
    CaptionLines lines = begin(canvas, style, width, arena);
    add_words(&lines, title);
    return finish(&lines);
}

Caption caption_footer(const char *note, const Facts *facts, Canvas *canvas,
                       double width, Arena *arena) {
    Style style = {.size = footer_size, .faint = true};
    CaptionLines lines = begin(canvas, style, width, arena);
    if (note) {
        add_words(&lines, note);
        lines.used = width; /* what follows starts a line */
    }
    for (int i = 0; i < facts->count; i++) {
        const char *text = arena_print(arena, "%s: %s", said(facts->fact[i].name),
                                       facts->fact[i].value);
        if (measure(&lines, text) <= width) {
            add_piece(&lines, "   ·   ", text);
            continue;
        }
        lines.used = width;
        add_words(&lines, text);
    }
    return finish(&lines);
}

void caption_draw(const Caption *caption, Canvas *canvas, Point at) {
    for (int i = 0; i < caption->count; i++)
        canvas->text(canvas, (Point){at.x, at.y + (i + 0.5) * caption->pitch},
                     caption->style, caption->line[i]);
}
