#include <string.h>

#include "canvas/look.h"
#include "chart/heatmap.h"
#include "screen/state.h"

/* One index of an axis; where there are many, only the one at hand. */
static const char *tab_text(int index, bool is_here, Arena *arena) {
    return is_here ? arena_print(arena, " \x1b[0;1;7m[%d]\x1b[0m", index)
                   : arena_print(arena, "  %d ", index);
}

/* "head 0 [1] 2 3" behind `text`; each can be clicked. */
static const char *add_axis(Screen *screen, const Area *area, int axis,
                            const char *text) {
    enum { MOST = 16 };
    TensorView *view = &screen->tensor;
    Arena *arena = &screen->picture;
    int size = view->tensor->axis[axis].size;
    text = arena_print(arena, "%s%s%s", text, *text ? "   " : "",
                       view->tensor->axis[axis].name);
    if (size > MOST) text = arena_print(arena, "%s /%d", text, size);
    for (int i = 0; i < size; i++) {
        bool is_here = i == view->at[axis];
        if (size > MOST && !is_here) continue;
        const char *tab = tab_text(i, is_here, arena);
        Box box = {area->column + look_width(text, strlen(text), arena), area->row,
                   look_width(tab, strlen(tab), arena), 1};
        if (view->tabs < TABS_MOST) view->tab[view->tabs++] = (Tab){box, axis, i};
        text = arena_print(arena, "%s%s", text, tab);
    }
    return text;
}

/* The axes that the matrix is a part of, where there is a choice. */
static const char *tabs(Screen *screen, const Area *area) {
    const Tensor *tensor = screen->tensor.tensor;
    const char *text = "";
    screen->tensor.tabs = 0;
    for (int a = 0; a < tensor->rank - 2; a++)
        if (tensor->axis[a].size > 1) text = add_axis(screen, area, a, text);
    return text;
}

/* The tabs, and what stands along the axes. */
void pane_tensor_head(Screen *screen, const Area *area, const Matrix *matrix) {
    enum { GAP = 3 };
    Arena *arena = &screen->picture;
    const char *choice = tabs(screen, area);
    int used = *choice ? look_width(choice, strlen(choice), arena) + GAP : 0;
    Canvas *room = grid_new(arena, area->columns - used, COLORS_NONE);
    const char *titles = heatmap_titles(matrix, room);
    draw_line(
        area, 0,
        arena_print(arena, "%s%*s\x1b[0;2m%s", choice, *choice ? GAP : 0, "", titles));
}
