#include "view/figure_look.h"

#include <stdlib.h>
#include <string.h>

enum { PRINT_DPI = 300 };

static const struct {
    const char *name;
    double per_inch;
    bool on_paper;
} units[] = {
    {"mm", 25.4, true}, {"cm", 2.54, true}, {"in", 1, true}, {"px", 96, false}};
enum { UNITS = sizeof units / sizeof *units };

const char *const caption_lengths[] = {"full", "short", "none", NULL};
const char *const label_marks[] = {"marked", "plain", NULL};
const char *const letter_kinds[] = {"text", "outlines", NULL};

/* The row of the unit that `text` ends with, or UNITS. */
static int unit_of(const char *text) {
    size_t length = strlen(text);
    int u = 0;
    while (u < UNITS && (length < 3 || strcmp(text + length - 2, units[u].name) != 0))
        u++;
    return u;
}

bool length_read(const char *text, Length *length) {
    static const double least = 0.1, most = 100; /* inches */
    int u = unit_of(text);
    if (u == UNITS || strspn(text, "0123456789.") == 0) return false;
    char *end;
    double number = strtod(text, &end);
    end += *end == ' ';
    double inches = number / units[u].per_inch;
    if (strcmp(end, units[u].name) != 0 || !(inches >= least && inches <= most))
        return false;
    *length = (Length){inches * UNITS_PER_INCH, units[u].on_paper, text};
    return true;
}

double look_density(const FigureLook *look, int pixels) {
    if (look->dpi) return (double)look->dpi / UNITS_PER_INCH;
    if (pixels) return pixels;
    return look->width.on_paper ? (double)PRINT_DPI / UNITS_PER_INCH : 1;
}
