/* figure.h - a whole figure: title, drawing, colour bar, and the facts under it.
 *
 * The same figure is text for a terminal and a file: .png, .svg, .pdf, .tex, or .txt
 * with the same in characters, for screen readers and logs. */
#pragma once

#include "canvas/canvas.h"
#include "chart/bars.h"
#include "chart/branches.h"
#include "chart/diagram.h"
#include "chart/heatmap.h"
#include "chart/matrix.h"
#include "chart/plot.h"

/* The kinds: a heatmap is one matrix, a grid every matrix of the slices, such as all
 * heads of all layers, curves are chosen columns of one matrix against its rows, or
 * `plot`. Lines run from the words that ask to those that are asked, a flow follows
 * them from layer to layer, a histogram counts the numbers of each slice, bars are the
 * largest numbers of each row. A further kind is a row here, and its plan_NAME() in
 * figure_draw.c or in a file of its own. A diagram and branches are none of the kinds
 * that a tensor can be drawn as. */
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

/* How a saved figure is made for its place: how large, on which paper, in which
 * letters, with how many words around it. All zero is a figure as it comes. */
typedef enum { CAPTION_FULL, CAPTION_SHORT, CAPTION_NONE } CaptionLength;
typedef enum { LABELS_MARKED, LABELS_PLAIN } LabelMarks;
typedef enum { LETTERS_TEXT, LETTERS_OUTLINES } LetterKind;

typedef struct {
    double units;      /* 0: none was given */
    bool on_paper;     /* said in mm, cm or in, not in pixels */
    const char *typed; /* "12cm" */
} Length;

typedef struct {
    int dpi;           /* of a PNG: pixels for each inch; 0: as its scale says */
    Length width;      /* of the whole picture, which is scaled to it */
    double font_size;  /* points of body text on the page; 0: as drawn */
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

/* A PNG has at most so many pixels along a side for each unit. */
enum { FIGURE_SCALE_MOST = 8 };

/* Their names, ending with NULL. */
extern const char *const figure_kinds[];

/* What is otherwise than in the figure itself in one frame of a moving picture. */
typedef struct {
    int shown;          /* of the rows of a heatmap or the points of curves; 0: all */
    const Slice *slice; /* as many as the figure has, or NULL: the same */
} Frame;

/* So many frames are enough to see how something grows. */
enum { FRAMES_MOST = 120 };

/* Frames in which the `rows` rows, or points, of a figure come one after the other, or
 * several at a time where there are more than FRAMES_MOST; `*count` of them, in
 * `arena`. */
const Frame *animation_growing(int rows, Arena *arena, int *count);

typedef struct {
    FigureKind kind;
    const Slice *slice;
    int slices;
    /* For each slice its masked cells, see Matrix, or NULL; NULL: none is. */
    const unsigned char *const *hidden;
    /* The same of cells that are pointed out: in bars those that were taken. */
    const unsigned char *const *marked;
    const char *marked_as; /* what that says: "◀ the answer" */
    int best;              /* bars: how many of each row; 0: BARS_BEST */
    const char *hatched;   /* what the cells without a value are; NULL: masked, or not a
                              number, as they are */
    const char *title;     /* NULL: the address */
    bool in_words;      /* which is told as people say it, since the caption has it */
    const char *behind; /* the address in the title: "ko-en beside en-ko", or NULL */
    /* For each slice what is over its panels; NULL: what tells addresses apart. */
    const char *const *called;
    const Fact *fact; /* sentence, model, seed, address, command: footer, metadata */
    int facts;
    const Palette *palette; /* NULL: as the scale suggests */
    ScaleKind scale;
    ScaleOptions scale_options;
    const Scale *shared; /* with other figures, in place of its own; NULL: its own */
    Annotate annotate;
    bool row_sums;        /* of a heatmap, over whole rows of the tensor */
    bool is_compact;      /* in characters: labels of one line, no titles, no scale */
    const int *dimension; /* curves: which columns, counted from the slice's first */
    int dimensions;
    /* Lines: whose words ask, and are asked, "target" and "source"; NULL: not said. */
    const char *asking, *asked;
    const Plot *plot;         /* curves: these, and no slice */
    const Diagram *diagram;   /* of the kind FIGURE_DIAGRAM, and no slice */
    const Branches *branches; /* of the kind FIGURE_BRANCHES, and no slice */
    bool stands_alone;        /* of no address: positions, the map, steps */
    Worksheet worksheet;      /* of a heatmap or a grid */
    FigureLook look;          /* of a file */
    const Frame *frame;       /* of an .apng, which ends with the figure itself; NULL:
                                 it does not move */
    int frames;
    double delay; /* seconds of a frame; 0: as is usual */
    int shown;    /* as in a frame */
    int pixels;   /* of a PNG for each unit, along a side; 0: as the look says */
} Figure;

/* The figure in lines of at most `width` cells (40 or more), in `arena`; NULL and an
 * error where it cannot be drawn. Columns that do not fit follow in further blocks;
 * of very large tensors a part is shown and the last line says which. */
const char *figure_text(const Figure *figure, int width, Colors colors, Arena *arena,
                        Error *error);

/* The scale of all that the figure shows, for several figures to share; what it points
 * at lives in `arena`. Fails as scale_apply() does. */
bool figure_scale(const Figure *figure, Arena *arena, Scale *scale, Error *error);

/* Write the figure to `path`, whose ending chooses the format. Fails, leaving nothing,
 * on an unknown ending, a figure too large, a file that exists (unless `replace`) or
 * cannot be written. `*warning` becomes NULL or a sentence about letters that no font
 * here has, in `arena`. */
bool figure_save(const Figure *figure, const char *path, bool replace, Arena *arena,
                 const char **warning, Error *error);
