/* exam.h - what a model is asked when it is evaluated: every pair of a file as ids,
 * with its alignment, and room for what the model makes of it. */
#pragma once

#include "data/examples.h"
#include "learn/alignment.h"
#include "learn/evaluate.h"

typedef struct {
    const char *wanted; /* the target as text */
    Example example;
    Alignment alignment;

    /* What the model made of it. */
    double loss;       /* the sum over its tokens */
    int tokens, right; /* of a classifier: one label */
    int said;          /* of a classifier: the label */
    bool exact;        /* decoding gave the target */
} Question;

typedef struct {
    const Model *model;
    Arena *arena; /* owns it all */
    Question *question;
    int count;
    const char **layer; /* the addresses of weights to be held against alignments */
    int layers, heads;
} Exam;

/* Read the file, and count in `evaluation` what it holds and what is left out. Fails as
 * evaluate() does. */
bool exam_new(Exam *exam, const EvaluateOptions *options, Evaluation *evaluation,
              Error *error);
