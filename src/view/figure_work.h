/* figure_work.h - a figure on its way to a canvas: what figure.c draws and
 * figure_file.c writes to files have in common. */
#pragma once

#include "view/caption.h"
#include "view/figure.h"
#include "view/panels.h"

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
    const char *told; /* what it shows, in words, where the plan of the kind says it */
    void *own; /* what the plan of a kind in a file of its own keeps for its drawing */
    double width, height; /* of the drawing */
    Caption title, footer;
    Box page; /* where the drawing stands, and how large the page is */
    void (*draw)(struct Work *work, Point at);
} Work;

/* Does a title stand over the drawing? "none" leaves it out; the file keeps its own. */
bool figure_is_titled(const FigureLook *look);

/* Title and footer of the drawing, which was planned, and where all of it stands. */
void figure_page_plan(Work *work);

/* Decide how large everything is, without drawing. */
bool figure_plan(Work *work, Error *error);

/* What the figure shows, in words, once it was planned; in the arena. */
const char *figure_describe(const Work *work);

/* How a kind is planned, which decides how it is drawn. Fails where the numbers at hand
 * cannot be drawn so. */
typedef bool FigurePlan(Work *work, Error *error);

/* Of the kinds that have files of their own, such as lines.c. */
FigurePlan plan_lines, plan_flow, plan_histogram, plan_bars;

/* The matrices of `slice`, which stands for slice `s` of the figure: with its masked
 * cells, and labels as they were wished for; in `arena`. */
Matrix *figure_matrices(const Figure *figure, const Slice *slice, int s, Arena *arena,
                        int *count);

/* Are all slices of one tensor, by its name? */
bool figure_has_one_name(const Figure *figure);

/* What the names of all slices end with, from a dot on: ".self_attention.weights"; "":
 * nothing. */
const char *figure_ending(const Figure *figure);

/* Is there something to draw, that goes together in the figure's kind? */
bool figure_check(const Figure *figure, Error *error);

/* The matrices of all slices; several slices of as many matrices stand row by row. */
void figure_collect(Work *work);

/* The scale that the figure asks for, or what fits its numbers. */
bool figure_fit_scale(Work *work, Error *error);

/* "encoder.0, head 3" over a panel; with one tensor only "head 3". */
const char *figure_heading(const Work *work, const Matrix *matrix);

/* What is drawn, and which part of it, where nobody gave it a title. */
const char *figure_title(const Work *work);

/* Title, drawing and footer, one below the other, on the canvas, which becomes as large
 * as they are. */
bool figure_draw(Work *work, Error *error);
