#include "walk/here_matrix.h"

#include "explain/reduction.h"

bool heads_read(const Telling *asked, const Tensor *tensor, HeadMatrix *matrix) {
    if (!tensor || tensor->rank < 3) return false;
    int query = tensor->rank - 2;
    *matrix = (HeadMatrix){
        .asked = asked,
        .tensor = tensor,
        .heads = tensor->rank == 4 ? tensor->axis[1].size : 1,
        .queries = asked_tokens(asked, tensor, query),
        .keys = asked_tokens(asked, tensor, query + 1),
        .query_axis = query,
        .hidden = hidden_cells(&asked->story->record, tensor, asked->arena),
    };
    return matrix->queries > 0 && matrix->keys > 0;
}

int heads_cell(const HeadMatrix *m, int head, int query, int key) {
    const Axis *axis = &m->tensor->axis[m->query_axis];
    int matrix = m->asked->story->row * m->heads + head;
    return (matrix * axis[0].size + query) * axis[1].size + key;
}

double heads_value(const HeadMatrix *m, int head, int query, int key) {
    return (double)m->tensor->data[heads_cell(m, head, query, key)];
}

bool heads_hides(const HeadMatrix *m, int head, int query, int key) {
    return m->hidden && m->hidden[heads_cell(m, head, query, key)];
}

const char *heads_query(const HeadMatrix *m, int query) {
    return asked_label(m->asked, m->tensor, m->query_axis, query);
}

const char *heads_key(const HeadMatrix *m, int key) {
    return asked_label(m->asked, m->tensor, m->query_axis + 1, key);
}

/* Is it a pair of two tokens with a meaning, that can be seen? */
static bool is_telling(const HeadMatrix *m, int head, int query, int key) {
    const Axis *axis = &m->tensor->axis[m->query_axis];
    bool is_itself = axis[0].labels == axis[1].labels && query == key;
    return !is_itself && !heads_hides(m, head, query, key) &&
           !asked_is_mark(m->asked, m->tensor, m->query_axis, query) &&
           !asked_is_mark(m->asked, m->tensor, m->query_axis + 1, key);
}

/* The pair of a head with the largest value whose query is not `but`; false: there is
 * none. */
bool heads_pair(const HeadMatrix *m, int head, int but, int pair[2]) {
    bool found = false;
    for (int q = 0; q < m->queries; q++)
        for (int k = 0; q != but && k < m->keys; k++) {
            if (!is_telling(m, head, q, k)) continue;
            if (found &&
                heads_value(m, head, q, k) <= heads_value(m, head, pair[0], pair[1]))
                continue;
            found = true;
            pair[0] = q;
            pair[1] = k;
        }
    return found;
}
