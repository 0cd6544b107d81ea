/* figure.h - a whole figure: title, drawing, color bar, and a footer of facts.
 *
 * The same figure can be text for a terminal or a file: .png, .svg, .pdf, .tex, or .txt
 * (the same in characters, for screen readers and logs). */
#pragma once

#include "canvas/canvas.h"
#include "chart/bars.h"
#include "chart/branch_tree.h"
#include "chart/diagram.h"
#include "chart/heatmap.h"
#include "chart/matrix.h"
#include "chart/plot.h"

/* The kinds. A heatmap is one matrix. A grid is every matrix of the slices, such as all
 * heads of all layers. Curves are chosen columns of one matrix over its rows, or
 * `plot`. Lines connect queries with keys; a flow follows these lines from layer to
 * layer; a histogram counts the numbers of each slice; bars are the largest numbers of
 * each row. To add a kind, add a row here, and a function plan_NAME() in figure_draw.c
 * or in a new file. A diagram and branches are not drawn from a tensor. */
#define FIGURE_KINDS(KIND)                                                             \
    KIND(HEATMAP, heatmap)                                                             \
    KIND(GRID, grid)                                                                   \
    KIND(CURVES, curves)                                                               \
    KIND(LINES, lines)                                                                 \
    KIND(FLOW, flow)                                                                   \
    KIND(HISTOGRAM, histogram)                                                         \
    KIND(BARS, bars)

#define FIGURE_CONSTANT(CONSTANT, name) FIGURE_##CONSTANT,
typedef enum {
    FIGURE_KINDS(FIGURE_CONSTANT) FIGURE_DIAGRAM,
    FIGURE_BRANCHES
} FigureKind;

/* Options for saving a figure: size, theme, font, and the words around it. All zero:
 * defaults. */
typedef enum { CAPTION_FULL, CAPTION_SHORT, CAPTION_NONE } CaptionLength;
typedef enum { LABELS_MARKED, LABELS_PLAIN } LabelMarks;
typedef enum { LETTERS_TEXT, LETTERS_OUTLINES } LetterKind;

typedef struct {
    double units;      /* 0: not given */
    bool on_paper;     /* given in mm, cm or in, not in pixels */
    const char *typed; /* "12cm" */
} Length;

typedef struct {
    int dpi;           /* of a PNG: pixels per inch; 0: use the scale */
    Length width;      /* of the whole picture, which is scaled to it */
    double font_size;  /* points of body text on the page; 0: default */
    const char *font;  /* a family; NULL: any that has the letters */
    const char *title; /* NULL: the figure's title; "none": no title */
    int caption;       /* a CaptionLength */
    int theme;         /* a ThemeName */
    int labels; /* LabelMarks: with "·" for a space and "#2" for a second occurrence */
    int text;   /* a LetterKind: how an SVG is written */
} FigureLook;

extern const char *const caption_lengths[], *const label_marks[], *const letter_kinds[];

/* Parse a typed length: "12cm", "80 mm", "5in", "900px"; from 0.1 inch to 100. */
bool length_read(const char *text, Length *length);

/* Maximum pixels of a PNG per unit along a side. */
enum { FIGURE_SCALE_MAX = 8 };

/* Their names, ending with NULL. */
extern const char *const figure_kinds[];

/* How a frame of an animation differs from the figure. */
typedef struct {
    int shown;          /* number of rows of a heatmap or points of curves; 0: all */
    const Slice *slice; /* as many slices as the figure has, or NULL: the same ones */
} Frame;

/* This many frames are enough to show how something grows. */
enum { FRAMES_MAX = 120 };

/* Return frames in which the `rows` rows, or points, of a figure appear one by one, or
 * several at a time if there are more than FRAMES_MAX; `*count` frames, in `arena`. */
const Frame *animation_growing(int rows, Arena *arena, int *count);

typedef struct {
    FigureKind kind;
    const Slice *slice;
    int slices;
    /* The masked cells of each slice, see Matrix; NULL for a slice or for all: none. */
    const unsigned char *const *hidden;
    /* The same for highlighted cells: in bars, the chosen words. */
    const unsigned char *const *marked;
    const char *marked_as; /* what the highlight means: "◀ the answer" */
    int best;              /* bars: how many per row; 0: BARS_BEST */
    const char *hatched;   /* what cells without a value are; NULL: masked, or NaN */
    const char *title;     /* NULL: the address */
    bool in_words;         /* written in words, since the caption has the address */
    const char *after;     /* after the address: "ko-en beside en-ko", or NULL */
    /* The heading of each slice's panels; NULL: the part of the addresses that
     * differs. */
    const char *const *called;
    const Fact *fact; /* for footer and metadata: sentence, model, seed ... */
    int facts;
    const Palette *palette; /* NULL: the scale's default */
    ScaleKind scale;
    ScaleOptions scale_options;
    const Scale *shared; /* a scale shared with other figures; NULL: its own */
    Annotate annotate;
    bool row_sums;        /* for a heatmap, over whole rows of the tensor */
    bool is_compact;      /* in characters: one-line labels, no titles, no scale */
    const int *dimension; /* curves: which columns, relative to the slice's first */
    int dimensions;
    /* Lines: which words are queries and keys, "target" and "source"; NULL: not
     * shown. */
    const char *asking, *asked;
    const Plot *plot;           /* curves of this plot instead of a slice */
    const Diagram *diagram;     /* for FIGURE_DIAGRAM, without a slice */
    const BranchTree *branches; /* for FIGURE_BRANCHES, without a slice */
    bool stands_alone;          /* it has no address: positions, the map, steps */
    Worksheet worksheet;        /* for a heatmap or a grid */
    FigureLook look;            /* for a file */
    const Frame *frame;         /* for an .apng, before the figure itself; or NULL */
    int frames;
    double delay; /* seconds per frame; 0: default */
    int shown;    /* see Frame */
    int pixels;   /* of a PNG, per unit along a side; 0: see `look` */
} Figure;

/* Return the figure as lines of at most `width` cells (40 or more), in `arena`; NULL
 * and an error if it cannot be drawn. Columns that do not fit continue in more blocks.
 * Only part of a very large tensor is shown; the last line says which part. */
const Styled *figure_text(const Figure *figure, int width, Colors colors, Arena *arena,
                          Error *error);

/* Compute the scale of everything in the figure, to be shared by several figures; what
 * it points to is in `arena`. Fails like scale_apply(). */
bool figure_scale(const Figure *figure, Arena *arena, Scale *scale, Error *error);

/* Write the figure to `path`, whose extension selects the format. Fails, without
 * leaving a file, if the extension is unknown, the figure is too large, the file exists
 * (unless `replace`) or cannot be written. `*warning` becomes NULL or a sentence about
 * letters that no installed font has, in `arena`. */
bool figure_save(const Figure *figure, const char *path, bool replace, Arena *arena,
                 const char **warning, Error *error);
