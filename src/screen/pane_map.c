#include <string.h>

#include "base/language.h"
#include "screen/state.h"
#include "session/stops.h"
#include "text/unicode.h"
#include "walk/map.h"

enum { DIAGRAM_MIN = 34 }; /* cells; if narrower, the stops are listed */

const char *pane_map_title(Screen *screen) {
    static const char *const titles[DEPTH_KINDS] = {
        [DEPTH_NUMBERS] = N_("map: numbers"),
        [DEPTH_STEPS] = N_("map: steps"),
        [DEPTH_PATH] = N_("map: path"),
        [DEPTH_BOXES] = N_("map: boxes"),
    };
    return tr(titles[screen->session->options.depth]);
}

static void add_target(Screen *screen, Box box, int stop) {
    screen->target[screen->targets++] = (MapTarget){box, stop};
}

/* Return the first line to show so that line `here` is visible. */
static int scrolled(const Area *area, int lines, int here) {
    int top = here - area->rows / 2;
    if (top > lines - area->rows) top = lines - area->rows;
    return top < 0 ? 0 : top;
}

/* Link each box to the stop of the walk that shows it, in the visible layer; if the
 * walk does not visit it, to the stage of its tensor. */
static void add_boxes(Screen *screen, const Map *map, const DiagramLayout *layout,
                      Point at) {
    const Session *session = screen->session;
    Arena *arena = &screen->picture;
    int count = session->run->is_made ? map->diagram.count : 0;
    int *stop = ARENA_ARRAY(arena, int, count);
    for (int b = 0; b < count; b++) {
        const Walk *walk = &session->run->walk;
        const Stage *stage = map_stage(map, b, map->layer, walk);
        stop[b] = stage ? (int)(stage - walk->stage) + 1 : -1;
    }
    for (int s = stops_all(session) - 1; s >= 0; s--) {
        int layer;
        int b = map_find(map, stops_address(session, s), &layer);
        if (b >= 0 && stops_visits(session, s) &&
            (layer == NOWHERE || layer == map->layer))
            stop[b] = s;
    }
    screen->target = ARENA_ARRAY(arena, MapTarget, count);
    for (int b = 0; b < count; b++) {
        Box box = layout->box[b];
        box.x += at.x;
        box.y += at.y;
        add_target(screen, box, stop[b]);
    }
}

/* Draw Figure 1 as :map does. */
static bool draw_diagram(Screen *screen, const Area *area) {
    Session *session = screen->session;
    Arena *arena = &screen->picture;
    const Config *config = &session->model.config;
    const char *here =
        session->run->stage >= 0 ? stops_address(session, session->run->stage) : NULL;
    Map map = map_new(config, session->run->is_made ? &session->run->tape : NULL, here,
                      arena);
    Canvas *canvas = grid_new(arena, area->columns, curses_colors());
    DiagramLayout layout = diagram_plan(&map.diagram, canvas);
    Error none;
    if (layout.width > area->columns ||
        !canvas->begin(canvas, layout.width, layout.height, &none))
        return false;
    layout.draw(&layout, canvas, (Point){0, 0});
    int at = map.here >= 0 ? (int)layout.box[map.here].y : (int)layout.height;
    int top = scrolled(area, (int)layout.height, at);
    draw_grid(area, top, canvas);
    add_boxes(screen, &map, &layout, (Point){area->column, area->row - top});
    return true;
}

typedef struct {
    Styled text;
    int stop; /* -1: a heading */
} ListRow;

/* Shorten a long title such as "Position: the order of the words" to its first half, or
 * to the second if another stop in the same layer shares the first. */
static const char *short_title(Session *session, int stop, int room, Arena *arena) {
    const Stage *stage = stops_stage(session, stop);
    const char *title = stops_title(session, stop, arena);
    const char *colon = strstr(title, ": ");
    if (unicode_width(title) <= room || !colon) return unicode_cut(title, room, arena);
    const char *half = arena_copy(arena, title, (size_t)(colon - title));
    for (int s = 0; stage && s < stops_all(session); s++) {
        const Stage *other = stops_stage(session, s);
        const char *its = stops_title(session, s, arena);
        if (other && strcmp(other->place, stage->place) == 0 &&
            stops_visits(session, s) &&
            strncmp(its, title, (size_t)(colon + 1 - title)) == 0 &&
            strcmp(its, title) != 0)
            half = colon + 2;
    }
    return unicode_cut(half, room, arena);
}

/* List the stops that the walk visits at its depth, by stack and layer. */
static void draw_list(Screen *screen, const Area *area) {
    Session *session = screen->session;
    Arena *arena = &screen->picture;
    int all = stops_all(session);
    ListRow *row = ARENA_ARRAY(arena, ListRow, 2 * all + 1);
    int rows = 0;
    int here = 0;
    const char *place = "";
    for (int s = 0; s < all; s++) {
        const Stage *stage = stops_stage(session, s);
        if (!stops_visits(session, s) && s != session->run->stage) continue;
        if (stage && *stage->place && strcmp(stage->place, place) != 0) {
            ListRow *heading = &row[rows++];
            *heading = (ListRow){{.text.arena = arena}, -1};
            styled_add(&heading->text, look_bold, "%s", stage->place);
        }
        if (stage) place = stage->place;
        if (s == session->run->stage) here = rows;
        /* "▶ Scores                [4,9,9]", without the batch of a single sentence. */
        const Tensor *tensor = stage ? stage->tensor[0] : NULL;
        Builder shape = {.arena = arena};
        for (int a = 0; tensor && a < tensor->rank; a++)
            if (a > 0 || tensor->axis[a].size > 1 || tensor->rank == 1)
                build_item(&shape, ",", "%d", tensor->axis[a].size);
        const char *sizes =
            shape.count ? arena_print(arena, "[%s]", builder_text(&shape)) : "";
        int room = area->columns - 3 - unicode_width(sizes);
        bool is_here = s == session->run->stage;
        ListRow *stop = &row[rows++];
        *stop = (ListRow){{.text.arena = arena}, s};
        styled_add(
            &stop->text, is_here ? look_bold : look_plain, "%s %s ",
            is_here ? "▶" : " ",
            unicode_pad(short_title(session, s, room, arena), room, false, arena));
        styled_add(&stop->text, look_faint, "%s", sizes);
    }
    int top = scrolled(area, rows, here);
    screen->target = ARENA_ARRAY(arena, MapTarget, rows + 1);
    for (int r = top; r < rows && r < top + area->rows; r++) {
        draw_styled(area, r - top, &row[r].text);
        if (row[r].stop >= 0)
            add_target(screen,
                       (Box){area->column, area->row + r - top, area->columns, 1},
                       row[r].stop);
    }
}

void pane_map_draw(Screen *screen) {
    const Area *area = &screen->area[PANE_MAP];
    const Session *session = screen->session;
    bool boxes = session->options.depth == DEPTH_BOXES || !session->run->is_made;
    screen->targets = 0;
    if (!session->has_model) return;
    if (boxes && area->columns >= DIAGRAM_MIN && draw_diagram(screen, area)) return;
    draw_list(screen, area);
}

void pane_map_click(Screen *screen, int row, int column) {
    Session *session = screen->session;
    for (int t = 0; t < screen->targets; t++) {
        const MapTarget *target = &screen->target[t];
        bool hit = row >= target->box.y && row < target->box.y + target->box.height &&
                   column >= target->box.x &&
                   column < target->box.x + target->box.width;
        if (!hit || target->stop < 0) continue;
        Arena arena = {0};
        ask_line(screen, arena_print(&arena, ":goto %s",
                                     stops_name(session, target->stop, &arena)));
        arena_free(&arena);
        return;
    }
}
