/* normed.h - what a layer norm works on. */
#pragma once

#include "explain/record.h"

/* Is the tensor what a layer norm read or gave? Mean and deviation of its rows are what
 * the norm is about. */
bool normed_rows(const Record *record, const Tensor *tensor);
