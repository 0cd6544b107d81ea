/* flow_back.h - the gradient of a number, followed back step by step so that nothing of
 * it is lost: each step's operation says how (Op.because). */
#pragma once

#include "explain/record.h"
#include "tensor/flow.h"

/* The same sum as flows of the inputs, into[i] of input i (without a tensor where that
 * takes no part), and the part that is the same for every sentence, `constant`. False
 * where the step's numbers come from nowhere else: the rows of a table, waves, ids. */
bool flow_back(const Record *record, const Step *step, const Flow *flow, Arena *arena,
               Flow *into, double *constant);

/* The step is softmax(...) times values, which it mixes. */
bool flow_mixes(const Record *record, const Step *step);
