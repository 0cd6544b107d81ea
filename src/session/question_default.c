#include "session/question_default.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "ops/vector.h"
#include "session/stops.h"
#include "text/label.h"

const Tensor *question_tensor(Session *session) {
    const Tensor *tensor = stops_tensor(session, &session->scratch);
    if (tensor || session->run->is_made || !session->toy.count) return tensor;
    return tape_find(&session->toy, "weights");
}

/* Where keys stand, hidden scores are the largest in size, and say nothing. */
static double size_of(const Tensor *tensor, int cell) {
    double value = (double)tensor->data[cell];
    bool has_keys = strcmp(tensor->axis[tensor->rank - 1].name, "key") == 0;
    return has_keys ? value : fabs(value);
}

/* Of the sentence that is shown, and of head 0; the first of equals. */
static bool find_largest(const Tensor *tensor, int sentence, int *cell) {
    int batch = tensor_axis(tensor, "batch");
    int head = tensor_axis(tensor, "head");
    bool any = false;
    for (int i = 0; i < tensor_size(tensor); i++) {
        if (batch >= 0 && tensor->axis[batch].size > 1 &&
            tensor_index(tensor, batch, i) != sentence)
            continue;
        if (head >= 0 && tensor_index(tensor, head, i) != 0) continue;
        if (any && !(size_of(tensor, i) > size_of(tensor, *cell))) continue;
        *cell = i;
        any = true;
    }
    return any;
}

/* The first number of the probabilities of token `t`, counted behind <start>. */
static int row_start(const Tensor *probabilities, int sentence, int t) {
    int tokens = probabilities->rank > 2 ? probabilities->axis[1].size : 1;
    int row = sentence * tokens + (t < tokens ? t : tokens - 1);
    return row * tensor_row(probabilities);
}

static int largest_of_row(const Tensor *tensor, int start) {
    return start + vector_largest_place(tensor->data + start, tensor_row(tensor));
}

/* A token with letters, not a mark such as "." or <end>. */
static bool has_letters(const Tensor *probabilities, int id) {
    const char *label =
        axis_label(&probabilities->axis[probabilities->rank - 1], 0, id);
    if (!label || *label == '<') return !label;
    const char *behind = label_behind_space(label);
    unsigned char first = (unsigned char)*(behind ? behind : label);
    return isalnum(first) || first >= 0x80;
}

/* The probability of what was chosen with least of it. */
static int find_doubt(const Session *session, const Tensor *probabilities) {
    const Generated *generated = &session->run->generated;
    int least = -1;
    for (int t = 0; t < generated->count; t++) {
        int cell = row_start(probabilities, session->run->row, t) + generated->id[t];
        if (!has_letters(probabilities, generated->id[t])) continue;
        if (least < 0 || probabilities->data[cell] < probabilities->data[least])
            least = cell;
    }
    if (least >= 0) return least;
    int last = generated->count - 1;
    return row_start(probabilities, session->run->row, last) + generated->id[last];
}

bool question_word(const Session *session, const char *word, const Tensor **tensor,
                   int *cell) {
    const Generated *generated = &session->run->generated;
    *tensor = tape_find(&session->run->tape, "probabilities");
    if (!*tensor || session->run->target_given) return false;
    const Axis *words = &(*tensor)->axis[(*tensor)->rank - 1];
    for (int t = 0; t < generated->count; t++) {
        const char *label = axis_label(words, 0, generated->id[t]);
        if (!label || !label_is(label, word)) continue;
        *cell = row_start(*tensor, session->run->row, t) + generated->id[t];
        return true;
    }
    return false;
}

static bool find_answer(const Session *session, const Tensor **tensor, int *cell) {
    *tensor = tape_find(&session->run->tape, "probabilities");
    if (!*tensor) return false;
    if (session->run->generated.count && !session->run->target_given) {
        *cell = find_doubt(session, *tensor);
        return true;
    }
    int last = session->run->target.rows
                   ? session->run->target.sentence[session->run->row].count
                   : 1;
    *cell = largest_of_row(*tensor, row_start(*tensor, session->run->row, last - 1));
    return true;
}

/* At a step of the decoding the token that it took. */
static bool find_choice(const Session *session, const Tensor *tensor, int *cell) {
    int step = session->run->stage - 1 - session->run->walk.count;
    if (step < 0 || step >= session->run->generated.count) return false;
    *cell = tensor_size(tensor) - tensor_row(tensor) + session->run->generated.id[step];
    return true;
}

bool question_default(Session *session, const Tensor **tensor, int *cell,
                      Error *error) {
    *tensor = question_tensor(session);
    if (*tensor && find_choice(session, *tensor, cell)) return true;
    if (!*tensor && find_answer(session, tensor, cell)) return true;
    /* What ends without probabilities ends with its last stage. */
    if (!*tensor && session->run->walk.count)
        *tensor = session->run->walk.stage[session->run->walk.count - 1].tensor[0];
    return (*tensor && find_largest(*tensor, session->run->row, cell)) ||
           fail(error, "there is no number to ask about here; ask :why ADDRESS[cell]");
}
