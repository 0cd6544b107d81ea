/* recipe.h - the options of a training run: one JSON file, whose keys are in one table.
 *
 * Reading, checking, the help of `glassbox train --keys`, and the list of settings that
 * cannot change when a run is resumed are derived from it. */
#pragma once

#include "base/options.h"
#include "data/corpus.h"
#include "store/config.h"

enum { RECIPE_SNAPSHOTS = 8 };

typedef struct {
    const char *path;   /* of the recipe */
    const char *folder; /* its folder, to which its paths are relative */
    Config config;      /* from preset and model; without the vocabulary sizes */

    const char *preset;
    const char *tokenizer; /* "words", "bpe" or a folder */
    int vocabulary;
    bool one_vocabulary, packed;

    const char *data, *source, *target, *label, *validation;
    double validation_share;
    int header, bad_rows; /* HeaderKind, BadRowsKind */

    int batch, batch_tokens, steps, epochs;
    int optimizer; /* OptimizerKind */
    int schedule;  /* ScheduleKind */
    int warmup;
    double factor, learning_rate, beta_1, beta_2, epsilon, clip, smoothing;
    int seed, data_seed, threads;

    int validate_every, save_every, log_every, samples, snapshot_every, snapshot_row;
    const char *snapshots[RECIPE_SNAPSHOTS]; /* addresses */
    int snapshot_count;
    int plot;           /* PlotFormat */
    const char *output; /* the folder to write */
} Recipe;

typedef enum { PLOT_PNG, PLOT_SVG, PLOT_PDF, PLOT_APNG, PLOT_NOTHING } PlotFormat;

/* The kind of keys that are paths: in a file, paths are relative to its folder. */
extern const OptionKind recipe_path_kind;

/* The keys; those with may_change can change when a run is resumed. A row without a
 * name ends the table. */
extern const Option recipe_keys[];

/* Read the recipe at `path`; then apply `sets` texts "key=value" or "model.key=value",
 * whose paths are relative to the current folder. Strings are in `arena`. Errors name
 * the file (or the text) and the key. */
bool recipe_read(Recipe *recipe, const char *path, const char *const *set, int sets,
                 Arena *arena, Error *error);

/* Return all settings that must be the same when a run is resumed, as text in
 * `arena`. */
const char *recipe_print(const Recipe *recipe, Arena *arena);
