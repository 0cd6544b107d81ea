#include "canvas/canvas.h"

#include <math.h>

#include "base/interrupt.h"

const double stroke_dashes[STROKE_DASHES][4] = {
    {0}, {8, 4, 8, 4}, {2, 3, 2, 3}, {9, 3, 2, 3}, {14, 5, 14, 5}};

void canvas_outline(Canvas *canvas, Box box, double beyond, Stroke stroke) {
    double right = box.x + box.width;
    double bottom = box.y + box.height;
    const Point corner[] = {{box.x, box.y},
                            {right, box.y},
                            {right, bottom},
                            {box.x, bottom},
                            {box.x, box.y - beyond}};
    canvas->line(canvas, corner, 5, stroke);
}

double canvas_widest(Canvas *canvas, Style style, const char *const *text, int count) {
    double most = 0;
    for (int i = 0; i < count && !interrupt_signal(); i++)
        most = fmax(most, canvas->measure(canvas, style, text[i]));
    return most;
}
