#include "view/diagram.h"

#include <math.h>

int diagram_columns(const Diagram *diagram) {
    int columns = 0;
    for (int b = 0; b < diagram->count; b++)
        if (diagram->box[b].column >= columns) columns = diagram->box[b].column + 1;
    return columns;
}

int diagram_next(const Diagram *diagram, int box, int step) {
    int column = diagram->box[box].column;
    for (int b = box + step; b >= 0 && b < diagram->count; b += step)
        if (diagram->box[b].column == column) return b;
    return -1;
}

int diagram_last(const Diagram *diagram, int column) {
    int b = diagram->count - 1;
    while (b >= 0 && diagram->box[b].column != column) b--;
    return b;
}

static void shift_column(DiagramLayout *layout, int column, double down) {
    layout->frame[column].y += down;
    for (int b = 0; b < layout->diagram->count; b++)
        if (layout->diagram->box[b].column == column) layout->box[b].y += down;
}

void diagram_align(DiagramLayout *layout, const double *height) {
    int columns = diagram_columns(layout->diagram);
    double lowest = 0;
    for (int c = 0; c < columns; c++)
        lowest = fmax(lowest, layout->frame[c].y + layout->frame[c].height);
    for (int c = 0; c < columns; c++) {
        double down = lowest - layout->frame[c].y - layout->frame[c].height;
        shift_column(layout, c, down);
        layout->height = fmax(layout->height, height[c] + down);
    }
}

DiagramLayout diagram_plan(const Diagram *diagram, Canvas *canvas, Arena *arena) {
    return canvas->metrics.characters ? diagram_plan_text(diagram, canvas, arena)
                                      : diagram_plan_picture(diagram, canvas, arena);
}
