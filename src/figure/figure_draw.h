/* figure_draw.h - a figure on its way to a canvas: figure_draw.c plans and draws it,
 * figure_words.c says what stands around it, figure_file.c writes it to files. */
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
    Box page; /* where the drawing stands, and how large the page is */
    void (*draw)(struct Work *work, Point at);
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

/* Of the kinds that have files of their own. */
FigurePlan plan_lines, plan_flow, plan_histogram;

/* The matrices of `slice`, which stands for slice `s` of the figure: with its masked
 * cells, and labels as they were wished for; in `arena`. */
Matrix *figure_matrices(const Figure *figure, const Slice *slice, int s, Arena *arena,
                        int *count);

/* What the names of all slices end with, from a dot on: ".self_attention.weights"; "":
 * nothing. */
const char *figure_ending(const Figure *figure);

/* "encoder.0" of "encoder.0.self_attention.weights", what slice `s` is called, or "" if
 * all slices are of one tensor; in the arena. */
const char *figure_called(const Work *work, int s);

/* What all slices are of: "encoder.0.norm_1" or "self_attention.weights"; "": nothing
 * in common. */
const char *figure_subject(const Figure *figure);

/* Fill in headings and facts, title and footer, and where the drawing stands. */
void figure_collect_words(Work *work);
void figure_place_words(Work *work);

/* Draw the lines with the top left corner at `at`. */
void caption_draw(const Caption *caption, Canvas *canvas, Point at);
