#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/language.h"
#include "explain/reduction.h"
#include "screen/state.h"
#include "session/stops.h"
#include "tensor/address.h"

static void forget(TensorView *view) {
    arena_reset(&view->arena);
    view->tensor = NULL;
    view->hidden = NULL;
    view->is_scaled = false;
}

static void begin_view(TensorView *view, const char *name) {
    forget(view);
    view->before = NULL;
    view->moved = 0;
    snprintf(view->name, sizeof view->name, "%s", name);
}

/* Keep the cursor inside. */
static void fit_cursor(TensorView *view) {
    for (int a = 0; a < RANK_MAX; a++) {
        int size = a < view->tensor->rank ? view->tensor->axis[a].size : 1;
        if (view->at[a] >= size) view->at[a] = size - 1;
    }
}

const Tensor *view_tensor(Screen *screen) {
    TensorView *view = &screen->tensor;
    const Record record = session_record(screen->session);
    Error none;
    if (view->tensor || !*view->name) return view->tensor;
    if (!record_find(&record, view->name, &view->arena, &view->tensor, &none))
        return NULL;
    view->hidden = hidden_cells(&record, view->tensor, &view->arena);
    fit_cursor(view);
    return view->tensor;
}

/* Return the last two axes in full, at the cursor's indices of the other axes. */
Matrix view_matrix(const Screen *screen) {
    const TensorView *view = &screen->tensor;
    const Tensor *tensor = view->tensor;
    Matrix matrix = {.slice = slice_all(tensor),
                     .row_axis = tensor->rank - 2,
                     .column_axis = tensor->rank - 1,
                     .hidden = view->hidden};
    for (int a = 0; a < tensor->rank - 2; a++) {
        matrix.slice.from[a] = view->at[a];
        matrix.slice.to[a] = view->at[a] + 1;
    }
    matrix.rows = matrix.row_axis < 0 ? 1 : tensor->axis[matrix.row_axis].size;
    matrix.columns = tensor->axis[matrix.column_axis].size;
    return matrix;
}

int view_row(const Screen *screen) {
    const TensorView *view = &screen->tensor;
    return view->tensor->rank < 2 ? 0 : view->at[view->tensor->rank - 2];
}

int view_column(const Screen *screen) {
    const TensorView *view = &screen->tensor;
    return view->at[view->tensor->rank - 1];
}

int view_cell(const Screen *screen) {
    const TensorView *view = &screen->tensor;
    int cell = 0;
    for (int a = 0; a < view->tensor->rank; a++)
        cell = cell * view->tensor->axis[a].size + view->at[a];
    return cell;
}

static void put_cursor(Screen *screen, int axis, int index) {
    TensorView *view = &screen->tensor;
    int size = view->tensor->axis[axis].size;
    if (index >= size) index = size - 1;
    if (index < 0) index = 0;
    if (view->at[axis] == index) return;
    view->at[axis] = index;
    screen->why_is_old = true;
}

void view_show(Screen *screen, const Tensor *tensor, int cell) {
    TensorView *view = &screen->tensor;
    bool is_other = strcmp(view->name, tensor->name) != 0;
    if (is_other) {
        begin_view(view, tensor->name);
        view->top = view->left = 0;
    }
    if (!view_tensor(screen)) return;
    if (cell < 0 && !is_other) return;
    int batch = tensor_axis(view->tensor, "batch");
    for (int a = 0; a < view->tensor->rank; a++)
        view->at[a] = cell < 0 ? 0 : tensor_index(view->tensor, a, cell);
    if (cell < 0 && batch >= 0 && screen->session->run->row < tensor->axis[batch].size)
        view->at[batch] = screen->session->run->row;
    screen->why_is_old = true;
}

/* Return the tensor to show before the first stop: the last attention of the decoder or
 * the encoder. */
static const char *first_look(const Session *session) {
    const Walk *walk = &session->run->walk;
    const Tape *toy = &session->toy.tape;
    for (int e = toy->entries - 1; !session->run->is_made && e >= 0; e--)
        if (strcmp(toy->entry[e].name, "weights") == 0) return toy->entry[e].address;
    for (int s = walk->count - 1; s >= 0; s--) {
        const Stage *stage = &walk->stage[s];
        for (int t = 0; t < stage->tensors; t++)
            if (strcmp(stage->called[t], "weights") == 0) return stage->address[t];
    }
    return "encoder.ids";
}

void view_watch(Screen *screen, const Tensor *tensor) {
    TensorView *view = &screen->tensor;
    forget(view);
    if (!tensor) return;
    begin_view(view, tensor->name);
    view->tensor = tensor;
    fit_cursor(view);
}

/* Return true at the stop that shows the whole decoding. */
static bool is_decoding(const Session *session) {
    return session->run->stage > 0 && !stops_stage(session, session->run->stage) &&
           stops_step(session, session->run->stage) < 0;
}

/* Move the cursor to the cell of a decoding step that was described. In the tensor of
 * the whole run, the step is a row. */
static void point_at_told(Screen *screen) {
    TensorView *view = &screen->tensor;
    const Session *session = screen->session;
    const Record record = session_record(session);
    Arena arena = {0};
    const Tensor *tensor;
    int cell;
    Error none;
    int step = NOWHERE;
    if (session->run->told) address_after_step(session->run->told, &step);
    if (step != NOWHERE &&
        record_cell(&record, session->run->told, &arena, &tensor, &cell, &none) &&
        tensor->rank == view->tensor->rank && tensor->rank == RANK_MAX) {
        for (int a = 0; a < RANK_MAX; a++) view->at[a] = tensor_index(tensor, a, cell);
        view->at[RANK_MAX - 2] = step;
        fit_cursor(view);
    }
    arena_free(&arena);
}

void view_follow_stop(Screen *screen) {
    Session *session = screen->session;
    const Record record = session_record(session);
    Arena arena = {0};
    const Tensor *tensor = NULL;
    int cell = -1;
    Error none;
    forget(&screen->tensor);
    bool is_whole = session->run->stage < 0 || is_decoding(session);
    if (is_whole || !session->run->told ||
        !record_cell(&record, session->run->told, &arena, &tensor, &cell, &none)) {
        const char *address = is_whole ? first_look(session)
                                       : stops_address(session, session->run->stage);
        cell = -1;
        if (!record_find(&record, address, &arena, &tensor, &none)) tensor = NULL;
    }
    if (tensor) view_show(screen, tensor, cell);
    if (tensor && is_decoding(session)) point_at_told(screen);
    arena_free(&arena);
}

void view_move(Screen *screen, int rows, int columns) {
    const Tensor *tensor = view_tensor(screen);
    if (!tensor) return;
    int last = tensor->rank - 1;
    if (rows && last > 0) put_cursor(screen, last - 1, view_row(screen) + rows);
    if (columns) put_cursor(screen, last, view_column(screen) + columns);
}

void view_turn_axis(Screen *screen, int step) {
    const Tensor *tensor = view_tensor(screen);
    if (!tensor) return;
    /* The axis for the tabs: heads, or else the first with several indices. */
    int axis = tensor_axis(tensor, "head");
    if (axis < 0 || axis >= tensor->rank - 2)
        for (axis = 0; axis < tensor->rank - 2 && tensor->axis[axis].size == 1;) axis++;
    if (axis >= tensor->rank - 2) return;
    int size = tensor->axis[axis].size;
    put_cursor(screen, axis, (screen->tensor.at[axis] + step + size) % size);
}

/* From "encoder.0.norm" to "encoder.1.norm". */
void view_turn_layer(Screen *screen, int step) {
    TensorView *view = &screen->tensor;
    const Record record = session_record(screen->session);
    Arena arena = {0};
    const Tensor *tensor;
    Error none;
    if (!view_tensor(screen)) return;
    const char *layer = arena_print(&arena, "%d", address_layer(view->name) + step);
    const char *name = address_in_layer(view->name, layer, &arena);
    if (name && record_find(&record, name, &arena, &tensor, &none)) {
        int at[RANK_MAX];
        memcpy(at, view->at, sizeof at);
        if (walk_find(&screen->session->run->walk, name, 0) >= 0)
            ask_line(screen, arena_print(&arena, ":goto %s", name));
        view_show(screen, tensor, -1);
        memcpy(view->at, at, sizeof at);
        forget(view);
        view_tensor(screen);
    } else {
        screen_say(screen, "%s", tr("there is no further layer"));
    }
    arena_free(&arena);
}

const char *view_address(const Screen *screen, Arena *arena) {
    const TensorView *view = &screen->tensor;
    const char *choice = "";
    for (int a = 0; a < view->tensor->rank - 2; a++)
        if (view->tensor->axis[a].size > 1)
            choice = arena_print(arena, "%s%s%s=%d", choice, *choice ? ", " : "",
                                 view->tensor->axis[a].name, view->at[a]);
    return *choice ? arena_print(arena, "%s[%s]", view->name, choice) : view->name;
}

void view_click(Screen *screen, int row, int column) {
    const TensorView *view = &screen->tensor;
    if (!view_tensor(screen) || !view->cell_width) return;
    for (int t = 0; t < view->tabs; t++) {
        const Tab *tab = &view->tab[t];
        if (row == (int)tab->box.y && column >= tab->box.x &&
            column < tab->box.x + tab->box.width)
            put_cursor(screen, tab->axis, tab->index);
    }
    int down = row - view->cells_row;
    int across = column - view->cells_column;
    if (down < 0 || across < 0 || down >= view->rows_shown ||
        across >= view->columns_shown * view->cell_width)
        return;
    int last = view->tensor->rank - 1;
    if (last > 0) put_cursor(screen, last - 1, view->top + down);
    put_cursor(screen, last, view->left + across / view->cell_width);
}

void view_tell(Screen *screen) {
    Session *session = screen->session;
    const Tensor *tensor = view_tensor(screen);
    if (tensor && session->run->is_made && session->run->stage >= 0)
        session->run->told =
            address_print(tensor, view_cell(screen), &session->run->arena);
}

void view_keep(Screen *screen) {
    TensorView *view = &screen->tensor;
    const Tensor *tensor = view_tensor(screen);
    arena_reset(&view->kept);
    view->before = NULL;
    view->moved = 0;
    if (!tensor) return;
    view->numbers = tensor_size(tensor);
    view->before = ARENA_ARRAY(&view->kept, Number, view->numbers);
    memcpy(view->before, tensor->data, (size_t)view->numbers * sizeof *view->before);
}

static double moved_by(const TensorView *view, int cell) {
    return fabs((double)view->tensor->data[cell] - (double)view->before[cell]);
}

void view_compare(Screen *screen) {
    TensorView *view = &screen->tensor;
    forget(view);
    const Tensor *tensor = view_tensor(screen);
    if (!tensor || !view->before || tensor_size(tensor) != view->numbers) {
        view->before = NULL;
        return;
    }
    int max = view_cell(screen);
    for (int i = 0; i < view->numbers; i++) {
        view->moved += view->before[i] != tensor->data[i];
        if (moved_by(view, i) > moved_by(view, max)) max = i;
    }
    if (!view->moved)
        view->before = NULL;
    else if (moved_by(view, view_cell(screen)) == 0)
        view_show(screen, tensor, max);
}
