/* curve.h - what a training measured along the way: train.csv, and its pictures. */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "canvas/fact.h"

typedef struct {
    int step;
    double loss, rate, speed;    /* speed: source and target tokens a second */
    double valid_loss, accuracy; /* NAN where nothing was measured */
    double train_accuracy;       /* of the epoch that ended; else NAN */
} CurvePoint;

typedef struct {
    Arena arena; /* owns the points */
    CurvePoint *point;
    int count, capacity;
} Curve;

void curve_add(Curve *curve, CurvePoint point);

/* To and from a CSV file with a header. Reading stops behind `last_step`, so that what
 * a killed training wrote after its last save is left out; a file that is not there has
 * no points. */
bool curve_save(const Curve *curve, const char *path, Error *error);
bool curve_read(Curve *curve, const char *path, int last_step, Error *error);

/* What picture `i` is called without its ending: "loss"; NULL behind the last. */
const char *curve_picture(int i);

/* Draw loss, learning_rate and accuracy against the steps into `folder`, each a file
 * "NAME.ending" that says the facts; what has fewer than two points is left out. */
bool curve_draw(const Curve *curve, const char *folder, const char *ending,
                const Facts *facts, Error *error);

void curve_free(Curve *curve);
