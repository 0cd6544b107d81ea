/* ranking.h - which words or labels a model holds for the best. */
#pragma once

#include "page/page.h"

/* The indices of the largest `most` numbers of `count` into `best`, largest first; the
 * lower index of equals. Where there are fewer, only so many are written. */
void ranking_best(const Number *number, int count, int *best, int most);

/* The best `most` of row `row` of logits or probabilities, the best first; the lower id
 * of equals. `digits` of logits behind the point. */
void ranking_say(const Tensor *tensor, int row, int most, int digits, Page *page);

/* For the sentence `batch` the same of a classifier, or the best few at each place of
 * the target. */
void ranking_say_places(const Tensor *tensor, int batch, int most, int digits,
                        Page *page);
