#include "view/wires.h"

enum { UP = 1, DOWN = 2, LEFT = 4, RIGHT = 8, WAYS = 16 };

static const char *const letters[WAYS] = {
    [UP] = "│",
    [DOWN] = "│",
    [UP | DOWN] = "│",
    [LEFT] = "─",
    [RIGHT] = "─",
    [LEFT | RIGHT] = "─",
    [UP | LEFT] = "┘",
    [DOWN | LEFT] = "┐",
    [UP | RIGHT] = "└",
    [DOWN | RIGHT] = "┌",
    [UP | DOWN | LEFT] = "┤",
    [UP | DOWN | RIGHT] = "├",
    [LEFT | RIGHT | UP] = "┴",
    [LEFT | RIGHT | DOWN] = "┬",
    [UP | DOWN | LEFT | RIGHT] = "┼",
};

Wires wires_new(int width, int height, Arena *arena) {
    return (Wires){width, height, ARENA_ARRAY(arena, unsigned char, width *height)};
}

static void add_end(Wires *wires, int x, int y, int end) {
    if (x < 0 || y < 0 || x >= wires->width || y >= wires->height) return;
    unsigned char *ends = &wires->ends[y * wires->width + x];
    *ends = (unsigned char)(*ends | end);
}

void wires_level(Wires *wires, int y, int from, int to) {
    int right = from < to ? to : from;
    for (int x = from < to ? from : to; x < right; x++) {
        add_end(wires, x, y, RIGHT);
        add_end(wires, x + 1, y, LEFT);
    }
}

void wires_upright(Wires *wires, int x, int from, int to) {
    int bottom = from < to ? to : from;
    for (int y = from < to ? from : to; y < bottom; y++) {
        add_end(wires, x, y, DOWN);
        add_end(wires, x, y + 1, UP);
    }
}

void wires_draw(const Wires *wires, Canvas *canvas, Point at) {
    for (int y = 0; y < wires->height; y++)
        for (int x = 0; x < wires->width; x++) {
            const char *letter = letters[wires->ends[y * wires->width + x]];
            if (letter)
                canvas->text(canvas, (Point){at.x + x, at.y + y}, (Style){0}, letter);
        }
}
