#include "view/diagram.h"

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

DiagramLayout diagram_plan(const Diagram *diagram, Canvas *canvas, Arena *arena) {
    return canvas->metrics.characters ? diagram_plan_text(diagram, canvas, arena)
                                      : diagram_plan_picture(diagram, canvas, arena);
}
