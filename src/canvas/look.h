/* look.h - text whose parts have looks, such as colors; and line breaks. Only
 * styled_write() turns looks into escape sequences of a terminal. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/builder.h"

typedef enum { COLORS_NONE, COLORS_256, COLORS_TRUE } Colors;

enum { LOOK_DEFAULT = -1 }; /* the terminal's default color */

typedef struct {
    int ink, paper; /* one of 256 colors, or 0xRRGGBB, or LOOK_DEFAULT */
    bool bold, faint, turned, underlined;
} Look;

extern const Look look_plain, look_bold, look_faint;

/* A part of a text: it ends where the next one begins. */
typedef struct {
    int from; /* its first byte */
    Look look;
    int item; /* number of the term or branch that it shows; 0: none */
} LookSpan;

/* A text, plain before its first span. */
typedef struct {
    Builder text;
    LookSpan *span;
    int spans, capacity;
} Styled;

/* Begin a span at the end of the text: with this look, or of this item. */
void styled_look(Styled *styled, Look look);
void styled_item(Styled *styled, int item);

/* Append a formatted piece with this look, or a part of another text. */
__attribute__((format(printf, 3, 4))) void styled_add(Styled *styled, Look look,
                                                      const char *format, ...);
void styled_add_part(Styled *styled, const Styled *other, int from, int to);

/* Return the text, in its arena; NULL for NULL. */
const char *styled_text(const Styled *styled);

/* Get the span of a byte. Return where it ends. */
int styled_span(const Styled *styled, int byte, LookSpan *span);

/* Write a part to a terminal of these colors. */
void styled_write(const Styled *styled, int from, int to, Colors colors, FILE *out);

/* Return the number of bytes of the words at `text` that fit into `width` cells. If the
 * first word is wider than a line, return the letters that fit, at least one. 0 at the
 * end. The spaces after them belong to no line. */
size_t look_fold(const char *text, int width);

/* Return a bar drawn in eighths of a cell, `max` cells long for a fraction of 1, in
 * `arena`. */
const char *look_bar(double share, int max, Arena *arena);
