/* The map as it is drawn: in text with straight frames, in pictures without
 * overlaps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "canvas/palette.h"
#include "figure/figure.h"
#include "text/unicode.h"

#include <cmocka.h> /* last: it has a macro named fail */

#include "units/map_fixture.h"

enum { WIDEST = 200, MOST_LINES = 200 };

/* The letter at each cell of each line; the second cell of a wide one is "". */
typedef struct {
    const char *cell[MOST_LINES][WIDEST];
    int width[MOST_LINES];
    int lines;
} Screen;

static Screen *screen_of(const char *text, Arena *arena) {
    Screen *screen = ARENA_ARRAY(arena, Screen, 1);
    for (; *text; text += *text == '\n', screen->lines++) {
        int *width = &screen->width[screen->lines];
        for (int length; *text && *text != '\n'; text += length) {
            length = unicode_grapheme(text);
            const char *letter = arena_copy(arena, text, (size_t)length);
            int cells = unicode_width(letter);
            for (int i = 0; i < cells && *width < WIDEST; i++)
                screen->cell[screen->lines][(*width)++] = i ? "" : letter;
        }
    }
    return screen;
}

static const char *at(const Screen *screen, int line, int column) {
    bool inside = line < screen->lines && column < screen->width[line];
    return inside ? screen->cell[line][column] : " ";
}

static bool is_one_of(const char *letter, const char *letters) {
    return *letter && strstr(letters, letter);
}

/* Return where the frame that starts in this cell ends; 0: none starts there. */
static int right_edge(const Screen *screen, int line, int left) {
    if (!is_one_of(at(screen, line, left), "┌")) return 0;
    for (int right = left + 1; right < screen->width[line]; right++) {
        if (is_one_of(at(screen, line, right), "┐")) return right;
        if (is_one_of(at(screen, line, right), "│▶├")) return 0;
    }
    return 0;
}

/* From its upper corners down, a frame has edges in the same two columns. */
static void check_frame(const Screen *screen, int line, int left, int right) {
    int row = line + 1;
    for (; is_one_of(at(screen, row, left), "│"); row++)
        assert_true(is_one_of(at(screen, row, right), "│├"));
    assert_true(row > line + 1);
    assert_true(is_one_of(at(screen, row, left), "└"));
    assert_true(is_one_of(at(screen, row, right), "┘"));
}

/* Count the frames, and check that all are straight. */
static int check_frames(const Screen *screen, int width) {
    int frames = 0;
    for (int line = 0; line < screen->lines; line++) {
        assert_true(screen->width[line] <= width);
        for (int left = 0; left < screen->width[line]; left++) {
            int right = right_edge(screen, line, left);
            if (right) check_frame(screen, line, left, right);
            frames += right > 0;
        }
    }
    return frames;
}

static const char *text_of(const Diagram *diagram, int width, Arena *arena) {
    Figure figure = {.kind = FIGURE_DIAGRAM, .diagram = diagram, .title = "The map"};
    Error error;
    const char *text =
        styled_text(figure_text(&figure, width, COLORS_NONE, arena, &error));
    if (!text) fail_msg("%s", error.message);
    return text;
}

static void check_text(Fixture *fixture) {
    static const int widths[] = {40, 60, 70, 80, 120};
    Arena *arena = &fixture->arena;
    const Map *map = &fixture->map;
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        const char *text = text_of(&map->diagram, widths[w], arena);
        assert_int_equal(check_frames(screen_of(text, arena), widths[w]),
                         diagram_columns(&map->diagram));
        for (int b = 0; b < map->diagram.count; b++) {
            if (!strstr(text, label(fixture, b)) ||
                !strstr(text, map->diagram.box[b].shape))
                fail_msg("%s: %s is cut at %d columns", fixture->name,
                         label(fixture, b), widths[w]);
        }
    }
    Map before = map_new(&fixture->model.config, NULL, NULL, arena);
    const char *text = text_of(&before.diagram, 80, arena);
    assert_int_equal(check_frames(screen_of(text, arena), 80),
                     diagram_columns(&before.diagram));
}

static void frames_are_straight_at_every_width(void **state) {
    (void)state;
    with_each_model(check_text);
}

/* The same with labels of wide letters, and with both frames side by side. */
static void check_wide(Fixture *fixture) {
    Arena *arena = &fixture->arena;
    Diagram diagram = fixture->map.diagram;
    DiagramBox *box = ARENA_ARRAY(arena, DiagramBox, diagram.count);
    for (int b = 0; b < diagram.count; b++) {
        box[b] = diagram.box[b];
        box[b].label = b % 2 ? "셀프 어텐션" : "정규화";
    }
    diagram.box = box;
    diagram.frame[0].title = diagram.frame[1].title = "인코더 0..1";
    diagram.frame[0].here = diagram.frame[1].here = "지금 여기: 층 1";
    const Screen *screen = screen_of(text_of(&diagram, 80, arena), arena);
    assert_int_equal(check_frames(screen, 80), diagram_columns(&diagram));
}

static void wide_letters_move_no_edge(void **state) {
    (void)state;
    with_each_model(check_wide);
}

static const char expected[] =
    "The map\n"
    "\n"
    "                                              softmax: probabilities\n"
    "                                                                  [2, 4, 12]\n"
    "                                              linear: logits      [2, 4, 12]\n"
    "                                                             ▲\n"
    "                                            ┌─────── decoder 0..1  ×2 "
    "───────┐\n"
    "                                            │ one layer used twice           "
    "│\n"
    "                                            │ you are here: layer 1          "
    "│\n"
    "                                            │ ┌▶ add & norm        [2, 4, 8] "
    "│\n"
    "                                            │ │  linear feed-forward         "
    "│\n"
    "  ┌─────── encoder 0..1  ×2 ───────┐        │ │                   [2, 4, 12] "
    "│\n"
    "  │ one layer used twice           │        │ ├▶ add & norm        [2, 4, 8] "
    "│ ◀\n"
    "  │ ┌▶ add & norm        [2, 4, 8] ├──K, V─▶│ │  cross-attention             "
    "│\n"
    "  │ │  linear feed-forward         │        │ │                 [2, 2, 4, 4] "
    "│\n"
    "  │ │                   [2, 4, 12] │        │ ├▶ add & norm        [2, 4, 8] "
    "│\n"
    "  │ ├▶ add & norm        [2, 4, 8] │        │ │  masked self-attention       "
    "│\n"
    "  │ │  self-attention [2, 2, 4, 4] │        │ │                 [2, 2, 4, 4] "
    "│\n"
    "  └─┴──────────────▲───────────────┘        "
    "└─┴──────────────▲───────────────┘\n"
    "    + position, waves    [2, 4, 8]            + position, waves    [2, 4, 8]\n"
    "    embedding × √d_model [2, 4, 8]            embedding × √d_model [2, 4, 8]\n"
    "    source tokens           [2, 4]            target, shifted right   [2, 4]\n"
    "\n"
    "In brackets: for attention batch, head, query, key; otherwise batch, tokens,\n"
    "width. Both sides use the same embedding table.\n";

static void a_map_as_it_is_read(void **state) {
    (void)state;
    Arena arena = {0};
    Fixture fixture = {0};
    Config config;
    Error error;
    assert_true(configure(&config, "kit", "", &arena, &error));
    assert_true(model_new(&fixture.model, &config, 3, NULL, &error));
    begin(&fixture, &source, &target);
    Map map = map_new(&config, &fixture.tape, "decoder.1.norm_2", &arena);
    const char *text = text_of(&map.diagram, 80, &arena);
    assert_string_equal(text, expected);
    end(&fixture);
    arena_free(&arena);
}

/* A canvas that records the position of everything. */
enum { THINGS_MAX = 256 };

typedef struct {
    Canvas canvas;
    double width, height;
    Box text[THINGS_MAX];
    const char *words[THINGS_MAX];
    int texts;
    Point from[THINGS_MAX], to[THINGS_MAX];
    int lines;
} Paper;

static bool paper_begin(Canvas *canvas, double width, double height, Error *error) {
    (void)error;
    Paper *paper = (Paper *)canvas;
    paper->width = width;
    paper->height = height;
    return true;
}

static void paper_fill(Canvas *canvas, Box box, Color color) {
    (void)color;
    const Paper *paper = (const Paper *)canvas;
    assert_true(box.x >= 0 && box.y >= 0);
    assert_true(box.x + box.width <= paper->width);
    assert_true(box.y + box.height <= paper->height);
}

static void paper_line(Canvas *canvas, const Point *point, int count, Stroke stroke) {
    (void)stroke;
    Paper *paper = (Paper *)canvas;
    for (int i = 1; i < count; i++) {
        assert_true(paper->lines < THINGS_MAX);
        paper->from[paper->lines] = point[i - 1];
        paper->to[paper->lines++] = point[i];
    }
}

static double paper_measure(Canvas *canvas, Style style, const char *text) {
    (void)canvas;
    return 7 * unicode_width(text) * (style.size > 0 ? style.size : 1) *
           (style.bold ? 1.1 : 1);
}

/* The letters, without the space between lines. */
static void paper_text(Canvas *canvas, Point at, Style style, const char *text) {
    enum { HEIGHT = 12 };
    Paper *paper = (Paper *)canvas;
    double width = paper_measure(canvas, style, text);
    double part = style.align == ALIGN_END ? 1 : style.align == ALIGN_MIDDLE ? 0.5 : 0;
    assert_true(paper->texts < THINGS_MAX);
    paper->words[paper->texts] = text;
    paper->text[paper->texts++] =
        (Box){at.x - part * width, at.y - HEIGHT / 2.0, width, HEIGHT};
}

static bool meet(Box a, Box b) {
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height &&
           b.y < a.y + a.height;
}

static Box box_of_line(Point from, Point to) {
    double left = from.x < to.x ? from.x : to.x;
    double top = from.y < to.y ? from.y : to.y;
    return (Box){left, top, from.x + to.x - 2 * left + 0.1,
                 from.y + to.y - 2 * top + 0.1};
}

static void check_paper(const Paper *paper, const char *name) {
    const Box recording = {0, 0, paper->width, paper->height};
    for (int t = 0; t < paper->texts; t++) {
        Box text = paper->text[t];
        bool inside = text.x >= 0 && text.y >= 0 &&
                      text.x + text.width <= recording.width &&
                      text.y + text.height <= recording.height;
        if (!inside) fail_msg("%s: '%s' is cut off", name, paper->words[t]);
        for (int other = 0; other < t; other++)
            if (meet(text, paper->text[other]))
                fail_msg("%s: '%s' over '%s'", name, paper->words[t],
                         paper->words[other]);
        for (int l = 0; l < paper->lines; l++)
            if (meet(text, box_of_line(paper->from[l], paper->to[l])))
                fail_msg("%s: a line through '%s'", name, paper->words[t]);
    }
    for (int l = 0; l < paper->lines; l++)
        assert_true(meet(recording, box_of_line(paper->from[l], paper->to[l])));
}

static void draw_on_paper(const Diagram *diagram, Arena *arena, const char *name) {
    Paper *paper = ARENA_ARRAY(arena, Paper, 1);
    Error error;
    paper->canvas = (Canvas){
        .arena = arena,
        .metrics = {.line = 19, .letter = 7, .gap = 8, .colors = true},
        .begin = paper_begin,
        .fill = paper_fill,
        .line = paper_line,
        .text = paper_text,
        .measure = paper_measure,
        .theme = theme_named(THEME_LIGHT),
    };
    DiagramLayout layout = diagram_plan(diagram, &paper->canvas);
    paper_begin(&paper->canvas, layout.width, layout.height, &error);
    layout.draw(&layout, &paper->canvas, (Point){0, 0});
    assert_true(paper->texts >= 2 * diagram->count);
    check_paper(paper, name);
}

static void check_picture(Fixture *fixture) {
    Arena *arena = &fixture->arena;
    const Config *config = &fixture->model.config;
    draw_on_paper(&fixture->map.diagram, arena, fixture->name);
    Map before = map_new(config, NULL, NULL, arena);
    draw_on_paper(&before.diagram, arena, fixture->name);
    const Walk *walk = &fixture->walk;
    for (int s = 0; s < walk->count; s += walk->count / 8 + 1) {
        Map map = map_new(config, &fixture->tape, walk->stage[s].address[0], arena);
        draw_on_paper(&map.diagram, arena, fixture->name);
    }
}

static void nothing_overlaps_in_a_picture(void **state) {
    (void)state;
    with_each_model(check_picture);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_are_straight_at_every_width),
        cmocka_unit_test(wide_letters_move_no_edge),
        cmocka_unit_test(a_map_as_it_is_read),
        cmocka_unit_test(nothing_overlaps_in_a_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
