/* figure_look.h - how a saved figure is made for its place: how large, on which paper,
 * in which letters, with how many words around it. All zero is a figure as it comes. */
#pragma once

#include "view/palette.h"

typedef enum { CAPTION_FULL, CAPTION_SHORT, CAPTION_NONE } CaptionLength;
typedef enum { LABELS_MARKED, LABELS_PLAIN } LabelMarks;
typedef enum { LETTERS_TEXT, LETTERS_OUTLINES } LetterKind;

typedef struct {
    double units;      /* 0: none was given */
    bool on_paper;     /* said in mm, cm or in, not in pixels */
    const char *typed; /* "12cm" */
} Length;

typedef struct {
    int dpi;      /* of a PNG: pixels for each inch; 0: as its scale says */
    Length width; /* of the whole picture, which is scaled to it */
    double
        font_size; /* of body text in points, as it stands on the page; 0: as drawn */
    const char *font;  /* a family; NULL: whichever has the letters */
    const char *title; /* NULL: the figure's own; "none": none */
    int caption;       /* a CaptionLength */
    int theme;         /* a ThemeName */
    int labels;        /* LabelMarks: with "·" for a space and "#2" for a second one */
    int text;          /* a LetterKind: what an SVG is written with */
} FigureLook;

extern const char *const caption_lengths[], *const label_marks[], *const letter_kinds[];

/* A length as it is typed: "12cm", "80 mm", "5in", "900px"; from 0.1 inch to 100. */
bool length_read(const char *text, Length *length);

/* How long a PNG is along a side for each unit: `pixels` is what --scale says. A width
 * on paper without more is printed with 300 pixels an inch. */
double look_density(const FigureLook *look, int pixels);
