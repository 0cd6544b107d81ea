#include "present/draw_worksheet.h"

#include <limits.h>
#include <string.h>

#include "base/file.h"
#include "present/figures.h"

bool draw_worksheet_read(const Arguments *arguments, Figure *figure, Error *error) {
    int seed = 1;
    bool given = arguments_flag(arguments, "blank") != NULL;
    if (!arguments_real(arguments, "blank", (Bounds){.most = 1, .above = true},
                        &figure->worksheet.share, error) ||
        !arguments_number(arguments, "seed", 0, INT_MAX, &seed, error))
        return false;
    if (!given && arguments_flag(arguments, "seed"))
        return fail_usage(error,
                          "--seed chooses which cells --blank leaves empty: give "
                          "--blank, too");
    bool cells = figure->kind == FIGURE_HEATMAP || figure->kind == FIGURE_GRID;
    if (given && !cells)
        return fail(error,
                    "--blank leaves cells of a heatmap empty, and this figure has "
                    "none");
    if (given && arguments_flag(arguments, "same-scale"))
        return fail_usage(error, "--blank makes one worksheet: leave --same-scale out");
    figure->worksheet.seed = (uint64_t)seed;
    if (!given) return true;
    figure->annotate = ANNOTATE_ALWAYS;
    /* What is handed out is copied without colours, and written on. */
    bool shares = figure->scale == SCALE_SHARES;
    if (shares && !figure->palette) figure->palette = palette_find("grey");
    return true;
}

/* "sheet-key.png" of "sheet.png". */
static const char *key_path(const char *path, Arena *arena) {
    const char *name = strrchr(path, '/');
    const char *ending = strrchr(name ? name : path, '.');
    size_t length = ending ? (size_t)(ending - path) : strlen(path);
    return arena_print(arena, "%.*s-key%s", (int)length, path, ending ? ending : "");
}

bool draw_worksheet_save(Session *session, const Arguments *arguments,
                         const Figure *figure, const char *path, Error *error) {
    const char *const paths[] = {path, key_path(path, &session->scratch)};
    for (int k = 0; k < 2; k++)
        if (!arguments_replace(arguments) && file_exists(paths[k]))
            return fail(error,
                        "%s exists already: choose another name, or --force to "
                        "overwrite it",
                        paths[k]);
    for (int k = 0; k < 2; k++) {
        Figure sheet = *figure;
        sheet.worksheet.is_key = k == 1;
        if (!figures_save(session, arguments, &sheet, paths[k], error)) return false;
    }
    return true;
}
