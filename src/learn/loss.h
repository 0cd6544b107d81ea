/* loss.h - how wrong a model is: its logits beside what it should have said. */
#pragma once

#include "model/model.h"

/* The wanted ids as "wanted", of a classifier one label a sentence; and "loss" [1], the
 * mean over them (padding aside): cross-entropy, or of a sigmoid the binary one.
 * `smoothing`: section 5.4. */
Tensor *loss_run(Tape *tape, const Config *config, Tensor *logits, const Ids *wanted,
                 double smoothing);

/* One row of logits as a number for each word or label, `count` of them. A lone logit,
 * which speaks for the second of two labels, stands in `pair` beside a 0 for the first:
 * softmax of these is the sigmoid of that. */
typedef Number LogitPair[2];
const Number *loss_row(const Tensor *logits, int row, LogitPair pair, int *count);

/* The place of the largest; of equals the first. What the model says. */
int loss_said(const Number *logit, int count);

/* In how many rows the model says what is wanted, padding aside. `loss`: the step that
 * made what loss_run() returned. */
long long loss_right(const Config *config, const Step *loss);

/* How many tokens (or labels) were said, and how many of them rightly. */
typedef struct {
    long long right, all;
} Tally;
void tally_add(Tally *tally, const Tally *more);
double tally_share(const Tally *tally); /* of none NAN */
