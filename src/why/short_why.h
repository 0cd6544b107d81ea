/* short_why.h - one number taken apart in one line, for a window that shows it beside
 * the number: "exp(-0.9725) / Σ = 0.3781 / 3.727". All of it is in explain/cell.h. */
#pragma once

#include "explain/record.h"

/* Why the cell is what it is, in `arena`; "" where nothing computed it. */
const char *short_why(const Record *record, const Tensor *tensor, int cell,
                      Arena *arena);

/* The formula by which all cells of the tensor are computed, in `arena`; "" where it
 * differs from cell to cell, or nothing computed them. */
const char *short_formula(const Record *record, const Tensor *tensor, Arena *arena);
