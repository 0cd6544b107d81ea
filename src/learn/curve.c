#include "learn/curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/language.h"
#include "data/columns.h"
#include "figure/figure.h"

void curve_add(Curve *curve, CurvePoint point) {
    ARENA_GROW(&curve->arena, curve->point, curve->count, curve->capacity);
    curve->point[curve->count++] = point;
}

void curve_free(Curve *curve) {
    arena_free(&curve->arena);
    *curve = (Curve){0};
}

/* A field of its own, empty where nothing was measured. */
static void write_number(FILE *out, double number, int digits) {
    fputc(',', out);
    if (isfinite(number)) fprintf(out, "%.*g", digits, number);
}

bool curve_save(const Curve *curve, const char *path, Error *error) {
    FileSave save;
    if (!file_save_begin(&save, path, true, error)) return false;
    fputs("step,loss,learning_rate,tokens_per_second,validation_loss,"
          "validation_accuracy,training_accuracy\n",
          save.stream);
    for (int p = 0; p < curve->count; p++) {
        const CurvePoint *point = &curve->point[p];
        fprintf(save.stream, "%d", point->step);
        write_number(save.stream, point->loss, 9);
        write_number(save.stream, point->rate, 9);
        write_number(save.stream, point->speed, 6);
        write_number(save.stream, point->valid_loss, 9);
        write_number(save.stream, point->accuracy, 6);
        write_number(save.stream, point->train_accuracy, 6);
        fputc('\n', save.stream);
    }
    return file_save_end(&save, error);
}

static double number_of(Field field, Arena *arena) {
    if (field.length == 0) return NAN;
    return strtod(arena_copy(arena, field.text, field.length), NULL);
}

bool curve_read(Curve *curve, const char *path, int last_step, Error *error) {
    enum { STEP, LOSS, RATE, SPEED, VALID_LOSS, ACCURACY, TRAIN_ACCURACY, COLUMNS };
    Arena arena = {0};
    Columns columns;
    Row row;
    if (!file_exists(path)) return true;
    bool done = columns_open(&columns, path, &arena, error);
    if (done) columns_next(&columns, &arena, &row);
    while (done && columns_next(&columns, &arena, &row)) {
        double number[COLUMNS];
        if (row.problem || row.count != COLUMNS) continue;
        for (int c = 0; c < COLUMNS; c++) number[c] = number_of(row.field[c], &arena);
        if (!(number[STEP] >= 1 && number[STEP] <= last_step)) break;
        curve_add(curve, (CurvePoint){(int)number[STEP], number[LOSS], number[RATE],
                                      number[SPEED], number[VALID_LOSS],
                                      number[ACCURACY], number[TRAIN_ACCURACY]});
    }
    arena_free(&arena);
    return done;
}

/* One curve of a picture: which number of each point. */
typedef struct {
    const char *name;
    size_t offset;
    bool is_noisy; /* a batch is easier than another: the mean says more */
} CurveColumn;

enum { LINES_MOST = 2 };
typedef struct {
    const char *name, *y_title;
    CurveColumn line[LINES_MOST];
} Picture;

static const Picture pictures[] = {
    {"loss",
     N_("loss in nats"),
     {{N_("training"), offsetof(CurvePoint, loss), true},
      {N_("validation"), offsetof(CurvePoint, valid_loss), false}}},
    {"learning_rate",
     N_("learning rate"),
     {{N_("learning rate"), offsetof(CurvePoint, rate), false}}},
    {"accuracy",
     N_("share that is right"),
     {{N_("training"), offsetof(CurvePoint, train_accuracy), false},
      {N_("validation"), offsetof(CurvePoint, accuracy), false}}},
    {0},
};

const char *curve_picture(int i) {
    return pictures[i].name;
}

/* The points where there is a number, so that lines run from one to the next. */
static Series measured(const Curve *curve, const CurveColumn *line, Arena *arena) {
    double *x = ARENA_ARRAY(arena, double, curve->count);
    double *y = ARENA_ARRAY(arena, double, curve->count);
    int count = 0;
    for (int p = 0; p < curve->count; p++) {
        const char *point = (const char *)&curve->point[p];
        double number = *(const double *)(const void *)(point + line->offset);
        if (!isfinite(number)) continue;
        x[count] = curve->point[p].step;
        y[count++] = number;
    }
    return (Series){.name = said(line->name), .x = x, .y = y, .count = count};
}

/* Of very many points the means of neighbours: no picture shows more. */
static Series thinned(const Series *series, Arena *arena) {
    enum { MOST = 800 };
    int together = (series->count + MOST - 1) / MOST;
    if (together < 2) return *series;
    double *x = ARENA_ARRAY(arena, double, MOST);
    double *y = ARENA_ARRAY(arena, double, MOST);
    int means = 0;
    for (int start = 0; start < series->count; start += together, means++) {
        int end = start + together < series->count ? start + together : series->count;
        for (int p = start; p < end; p++) {
            x[means] += series->x[p] / (end - start);
            y[means] += series->y[p] / (end - start);
        }
    }
    return (Series){.name = series->name, .x = x, .y = y, .count = means};
}

/* Each point the mean of those around it. At the begin, where a loss falls steeply, of
 * fewer, as many before as behind; at the end of those that there are. */
static Series smoothed(const Series *series, int reach, Arena *arena) {
    double *y = ARENA_ARRAY(arena, double, series->count);
    for (int p = 0; p < series->count; p++) {
        int before = p < reach ? p : reach;
        int last = p + before < series->count ? p + before : series->count - 1;
        for (int n = p - before; n <= last; n++)
            y[p] += series->y[n] / (last - p + before + 1);
    }
    Series smooth = *series;
    smooth.y = y;
    smooth.name = say(arena, "%s, mean of %d", series->name, 2 * reach + 1);
    return smooth;
}

/* The curve; before a noisy one that has many points, what was measured, pale. Returns
 * how many series these are. */
static int series_of(const Curve *curve, const CurveColumn *line, Series *series,
                     Arena *arena) {
    enum { MANY = 60, PARTS = 40 };
    Series all = measured(curve, line, arena);
    if (all.count < 2) return 0;
    series[0] = thinned(&all, arena);
    if (!line->is_noisy || all.count < MANY) return 1;
    Series smooth = smoothed(&all, all.count / PARTS, arena);
    series[0].is_raw = true;
    series[1] = thinned(&smooth, arena);
    return 2;
}

static bool draw_picture(const Curve *curve, const Picture *picture, const char *path,
                         const Facts *facts, Arena *arena, Error *error) {
    Series series[2 * LINES_MOST];
    int count = 0;
    for (int l = 0; l < LINES_MOST && picture->line[l].name; l++)
        count += series_of(curve, &picture->line[l], series + count, arena);
    if (count == 0) return true;
    Plot plot = {.x_title = said("step"),
                 .y_title = said(picture->y_title),
                 .series = series,
                 .count = count};
    Figure figure = {.kind = FIGURE_CURVES,
                     .title = picture->name,
                     .plot = &plot,
                     .fact = facts->fact,
                     .facts = facts->count};
    const char *warning;
    return figure_save(&figure, path, true, arena, &warning, error);
}

bool curve_draw(const Curve *curve, const char *folder, const char *ending,
                const Facts *facts, Error *error) {
    Arena arena = {0};
    bool done = true;
    for (const Picture *picture = pictures; done && picture->name; picture++) {
        const char *name = arena_print(&arena, "%s.%s", picture->name, ending);
        done = draw_picture(curve, picture, file_join(&arena, folder, name), facts,
                            &arena, error);
    }
    arena_free(&arena);
    return done;
}
