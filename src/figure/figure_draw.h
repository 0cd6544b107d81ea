/* figure_draw.h - a figure being drawn: figure_draw.c plans and draws it,
 * figure_words.c writes the text around it, figure_file.c writes it to files. */
#pragma once

#include "chart/panels.h"
#include "figure/figure.h"

/* A title or a footer, in lines. */
typedef struct {
    const char **line;
    int count;
    Style style;
    double pitch; /* distance between lines */
    double width; /* of the longest line */
    double height;
} Caption;

typedef struct Work {
    const Figure *figure;
    Canvas *canvas;
    Arena *arena;
    bool whole; /* show everything, however large */
    Matrix *matrix;
    const char **heading;
    int count, per_row;
    Scale scale;
    Panels panels;
    Plot plot;
    PlotLayout layout;
    DiagramLayout diagram;
    BranchTreeLayout branches;
    Bars bars;
    BarsLayout bars_layout;
    Facts facts; /* of the figure, safe to print */
    const char *note;
    const char *description; /* in words; NULL: use figure_describe() */
    void *own;               /* data that the plan of a kind keeps for its drawing */
    double width, height;    /* of the drawing */
    Caption title, footer;
    Box page; /* where the drawing is, and the size of the page */
    void (*draw)(struct Work *work, Point at); /* NULL: draw the layouts above */
} Work;

/* Compute the layout without drawing. */
bool figure_plan(Work *work, Error *error);

/* Draw title, drawing and footer, one below the other; the canvas gets their size. */
bool figure_draw(Work *work, Error *error);

/* Describe a planned figure in words, for screen readers; allocated in the arena. */
const char *figure_describe(const Work *work);

/* Plan a kind and select how it is drawn. Fails if the numbers cannot be drawn that
 * way. */
typedef bool FigurePlan(Work *work, Error *error);

/* Kinds in their own files: attention as lines between two columns of words, with the
 * queries on the left; one word followed down through all layers of a stack; the
 * distribution of a tensor's numbers. */
FigurePlan plan_lines, plan_flow, plan_histogram;

/* The words that a word is computed from, if each token is half itself (the residual
 * path) and half the tokens it attends to: attention rollout, section 3 of Abnar and
 * Zuidema 2020, for one row. */
typedef struct {
    int words, layers;
    int chosen; /* the word that is followed */
    /* [layers + 1, words]: the fraction at each word below layer 0, 1 ..., and above
     * the last one, where all of it is at the chosen word. Each row sums to 1. */
    double *share;
    double *line; /* [layers, from, to]: the fraction that goes down from a word to a
                     word */
} Flow;

/* Follow word `chosen` down. Each layer has `heads` matrices [words, words], which are
 * averaged; masked cells count as 0. Allocated in `arena`. */
Flow flow_of(const Matrix *const *layer, int layers, int heads, int chosen,
             Arena *arena);

/* Bins of equal width, the same for all slices, so that they can be compared. */
enum { HISTOGRAM_MIN = 10, HISTOGRAM_MAX = 60 };

/* The numbers of one slice. */
typedef struct {
    int *count;                                 /* for each bin */
    int numbers, masked, infinite, not_numbers; /* only `numbers` are in bins */
    double mean, deviation, min, max;
} Counted;

typedef struct {
    double from, width; /* of the first bin; the last bin includes its upper end */
    int bins;
    Counted *slice;
    int slices;
} Histogram;

/* Count the numbers of all slices, in `arena`. `hidden` has each slice's masked cells,
 * see Matrix; NULL for a slice or all: none. The width follows Freedman and Diaconis
 * 1981, 2 IQR / n^(1/3), limited to HISTOGRAM_MIN to HISTOGRAM_MAX bins. Each id has
 * its own bin, if there are not too many. If no number is finite, `bins` is 0. */
Histogram histogram_of(const Slice *slice, const unsigned char *const *hidden,
                       int slices, Arena *arena);

/* Return where the bin starts; for bin number `bins`, where the last one ends. */
double histogram_edge(const Histogram *histogram, int bin);

/* Plan the curves of `plot`. */
void figure_plan_curves(Work *work);

/* Return the matrices of `slice`, which replaces slice `s` of the figure, with its
 * masked cells and the requested kind of labels; allocated in `arena`. */
Matrix *figure_matrices(const Figure *figure, const Slice *slice, int s, Arena *arena,
                        int *count);

/* Return "encoder.0" for "encoder.0.self_attention.weights", the name of slice `s`, or
 * "" if all slices belong to one tensor; allocated in the arena. */
const char *figure_called(const Work *work, int s);

/* Return the common part of all slices: "encoder.0.norm_1" or "self_attention.weights";
 * "": nothing in common. */
const char *figure_subject(const Figure *figure);

/* Return "decoder layer 1, cross-attention" for "decoder.1.cross_attention.weights";
 * the address itself if part of it has no words. Allocated in `arena`. */
const char *address_words(const char *address, Arena *arena);

/* Compute headings and facts; compute title, footer, and where the drawing is. */
void figure_collect_words(Work *work);
void figure_place_words(Work *work);

/* Draw the lines with the top left corner at `at`. */
void caption_draw(const Caption *caption, Canvas *canvas, Point at);
