#include "explain/flow_way.h"

/* The cell of what a token [batch, token, width] gave and of what the state [batch,
 * width] gave, for cell [batch, hidden] of a sum of the two, `part` numbers into it. */
static void back_sum(Back *back, int token, int part, bool is_bent) {
    const Step *step = back->step;
    const Tensor *from_input = step->input[0];
    int tokens = from_input->axis[1].size;
    int width = tensor_row(from_input);
    int hidden = tensor_row(step->output);
    for (int i = 0; i < back->flow->count; i++) {
        int cell = back->flow->from + i;
        int batch = cell / hidden;
        int x = (batch * tokens + token) * width + part + cell % hidden;
        int z = batch * width + part + cell % hidden;
        double sum = (double)from_input->data[x] + (double)step->input[1]->data[z];
        double ratio = is_bent && sum != 0 ? (double)step->output->data[cell] / sum : 1;
        double slope = back->flow->slope[i] * ratio;
        if (slope == 0) continue;
        back_pass(back, 0, x, slope);
        back_pass(back, 1, z, slope);
    }
}

/* tanh(x + z); of σ(x + z) the sum itself is followed. */
void back_gate(Back *back) {
    int gate = back->step->setting.count % GATES;
    int hidden = tensor_row(back->step->output);
    back_sum(back, back->step->setting.count / GATES, gate * hidden, gate == GATE_CELL);
}

void back_rnn_state(Back *back) {
    back_sum(back, back->step->setting.count, 0, true);
}

/* c' = f c + i g, the gates as they are */
void back_lstm_cell(Back *back) {
    for (int i = 0; i < back->flow->count; i++) {
        int cell = back->flow->from + i;
        for (int gate = 0; gate <= 2; gate += 2) {
            double slope =
                back->flow->slope[i] * (double)back->step->input[gate]->data[cell];
            if (slope != 0) back_pass(back, gate + 1, cell, slope);
        }
    }
}

/* h = o tanh(c): h / c is taken as it is */
void back_lstm_state(Back *back) {
    for (int i = 0; i < back->flow->count; i++) {
        int cell = back->flow->from + i;
        double number = (double)back->step->input[1]->data[cell];
        double made = (double)back->step->output->data[cell];
        if (number != 0 && back->flow->slope[i] != 0)
            back_pass(back, 1, cell, back->flow->slope[i] * made / number);
    }
}
