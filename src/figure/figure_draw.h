/* figure_draw.h - a figure on its way to a canvas: figure_draw.c plans and draws it,
 * figure_words.c says what is around it, figure_file.c writes it to files. */
#pragma once

#include "chart/panels.h"
#include "figure/figure.h"

/* A title, or the facts that say how a figure was made, in lines. */
typedef struct {
    const char **line;
    int count;
    Style style;
    double pitch; /* from line to line */
    double width; /* of the longest */
    double height;
} Caption;

typedef struct Work {
    const Figure *figure;
    Canvas *canvas;
    Arena *arena;
    bool whole; /* everything is shown, however large */
    Matrix *matrix;
    const char **heading;
    int count, per_row;
    Scale scale;
    Panels panels;
    Plot plot;
    PlotLayout layout;
    DiagramLayout diagram;
    BranchesLayout branches;
    Bars bars;
    BarsLayout bars_layout;
    Facts facts; /* of the figure, safe to print */
    const char *note;
    const char *description; /* in words; NULL: figure_describe() finds them */
    void *own; /* what the plan of a kind in a file of its own keeps for its drawing */
    double width, height; /* of the drawing */
    Caption title, footer;
    Box page; /* where the drawing is, and how large the page is */
    void (*draw)(struct Work *work, Point at); /* NULL: what was planned above */
} Work;

/* Decide how large everything is, without drawing. */
bool figure_plan(Work *work, Error *error);

/* Title, drawing and footer, one below the other, on the canvas, which becomes as large
 * as they are. */
bool figure_draw(Work *work, Error *error);

/* The figure as text, once it was planned: what it shows, for those who hear it; in the
 * arena. */
const char *figure_describe(const Work *work);

/* How a kind is planned, which decides how it is drawn. Fails where the numbers at hand
 * cannot be drawn so. */
typedef bool FigurePlan(Work *work, Error *error);

/* Of the kinds that have files of their own: attention as lines between two columns of
 * words, on the left those who ask; one word followed down through all layers of a
 * stack; how often the numbers of a tensor lie where. */
FigurePlan plan_lines, plan_flow, plan_histogram;

/* Of what a word is made, if each token is half itself (the residual path) and half
 * what it looked at: attention rollout, section 3 of Abnar and Zuidema 2020, for one
 * row. */
typedef struct {
    int words, layers;
    int chosen; /* the word that is followed */
    /* [layers + 1, words]: how much of it is at each word below layer 0, 1 ..., and
     * behind the last, where it is all at the chosen one. Each row sums to 1. */
    double *share;
    double *line; /* [layers, from, to]: what goes down from a word to a word */
} Flow;

/* Follow word `chosen` down. Each layer has `heads` matrices [words, words], of which
 * the mean counts; what is hidden is 0. In `arena`. */
Flow flow_of(const Matrix *const *layer, int layers, int heads, int chosen,
             Arena *arena);

/* Bins of one width, the same for all slices, so that they can be compared. */
enum { HISTOGRAM_LEAST = 10, HISTOGRAM_MOST = 60 };

/* The numbers of one slice. */
typedef struct {
    int *count;                                 /* of each bin */
    int numbers, masked, infinite, not_numbers; /* only the first are in bins */
    double mean, deviation, least, most;
} Counted;

typedef struct {
    double from, width; /* of the first bin; the last holds its upper end, too */
    int bins;
    Counted *slice;
    int slices;
} Histogram;

/* Count the numbers of all slices, in `arena`. `hidden` is for each slice its masked
 * cells, see Matrix, or NULL; NULL: none is. The width follows Freedman and Diaconis
 * 1981, 2 IQR / n^(1/3), within HISTOGRAM_LEAST and HISTOGRAM_MOST bins; ids have a bin
 * each, if that is not too many. Without a finite number there is no bin. */
Histogram histogram_of(const Slice *slice, const unsigned char *const *hidden,
                       int slices, Arena *arena);

/* Where the bin begins; of number `bins`, where the last one ends. */
double histogram_edge(const Histogram *histogram, int bin);

/* Plan the curves of `plot`. */
void figure_plan_curves(Work *work);

/* The matrices of `slice`, which stands for slice `s` of the figure: with its masked
 * cells, and labels as they were wished for; in `arena`. */
Matrix *figure_matrices(const Figure *figure, const Slice *slice, int s, Arena *arena,
                        int *count);

/* "encoder.0" of "encoder.0.self_attention.weights", what slice `s` is called, or "" if
 * all slices are of one tensor; in the arena. */
const char *figure_called(const Work *work, int s);

/* What all slices are of: "encoder.0.norm_1" or "self_attention.weights"; "": nothing
 * in common. */
const char *figure_subject(const Figure *figure);

/* "decoder layer 1, cross-attention" of "decoder.1.cross_attention.weights"; the
 * address itself where a part of it has no words. In `arena`. */
const char *address_words(const char *address, Arena *arena);

/* Fill in headings and facts, title and footer, and where the drawing is. */
void figure_collect_words(Work *work);
void figure_place_words(Work *work);

/* Draw the lines with the top left corner at `at`. */
void caption_draw(const Caption *caption, Canvas *canvas, Point at);
