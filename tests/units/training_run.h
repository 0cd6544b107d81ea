/* training_run.h - run a whole training in a temporary folder, for the tests of
 * trainings. */
#pragma once

#include <dirent.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/interrupt.h"
#include "learn/training.h"

#include <cmocka.h> /* last: it has a macro named fail */

static const char *folder;

static inline const char *in_folder(const char *name, Arena *arena) {
    return file_join(arena, folder, name);
}

static inline void write_data(void) {
    static const char *const words[] = {"하나", "둘", "셋", "넷", "다섯"};
    static const char *const english[] = {"one", "two", "three", "four", "five"};
    Arena arena = {0};
    const char *text = "";
    for (int a = 0; a < 5; a++)
        for (int b = 0; b < 5; b++)
            for (int c = 0; c < 3; c++)
                text = arena_print(&arena, "%s%s %s%s%s\t%s %s%s%s\n", text, words[a],
                                   words[b], c ? " " : "", c ? words[c] : "",
                                   c ? english[c] : "", c ? " " : "", english[b],
                                   c ? "" : english[a]);
    Error error;
    assert_true(
        file_save(in_folder("pairs.tsv", &arena), text, strlen(text), true, &error));
    const char *recipe =
        "{\"preset\": \"paper\", \"data\": \"pairs.tsv\", \"batch\": 8, \"warmup\": 20,"
        " \"model\": {\"d_model\": 16, \"attention_heads\": 2, \"d_ff\": 16,"
        " \"encoder_layers\": 1, \"decoder_layers\": 1, \"max_length\": 16},"
        " \"validation\": \"pairs.tsv\", \"plot\": \"none\", \"samples\": 1,"
        " \"snapshots\": [\"decoder.0.cross_attention.weights\"],"
        " \"save_every\": 10, \"output\": \"out\"}";
    assert_true(file_save(in_folder("recipe.json", &arena), recipe, strlen(recipe),
                          true, &error));
    arena_free(&arena);
}

typedef struct {
    const char *recipe; /* NULL: recipe.json */
    bool resumes, replaces;
    const char *set[4];
    int sets;
    const char *stop_at; /* send the signal twice after a line with this text */
    int stop_by;
    Trained trained;
    Error error;
} TrainingRun;

static inline bool stop_at_line(void *state, const Block *block, Error *error) {
    (void)error;
    const TrainingRun *run = state;
    if (run->stop_at && block->kind == BLOCK_LINE &&
        strstr(block->text, run->stop_at)) {
        raise(run->stop_by);
        raise(run->stop_by);
    }
    return true;
}

static inline void flush_nothing(void *state) {
    (void)state;
}

static inline bool train(TrainingRun *run) {
    Arena arena = {0};
    Recipe recipe;
    const Window window = {.state = run, .draw = stop_at_line, .flush = flush_nothing};
    Page nowhere = {.arena = &arena, .window = &window};
    const char *name = run->recipe ? run->recipe : "recipe.json";
    bool done = recipe_read(&recipe, in_folder(name, &arena), run->set, run->sets,
                            &arena, &run->error) &&
                training_run(&(Training){.recipe = &recipe,
                                         .resumes = run->resumes,
                                         .replaces = run->replaces,
                                         .messages = &nowhere},
                             &run->trained, &run->error);
    interrupt_answer();
    arena_free(&arena);
    return done;
}

static inline void must_train(TrainingRun *run) {
    if (!train(run)) fail_msg("%s", run->error.message);
}

static inline void check_error(TrainingRun *run, const char *part) {
    assert_false(train(run));
    if (!strstr(run->error.message, part)) fail_msg("%s", run->error.message);
}

/* "output=..." for --set. */
static inline const char *output(const char *name, Arena *arena) {
    return arena_print(arena, "output=%s", in_folder(name, arena));
}

static inline Bytes bytes_of(const char *name, Arena *arena) {
    Bytes bytes;
    Error error;
    if (!file_read(in_folder(name, arena), 1 << 26, arena, &bytes, &error))
        fail_msg("%s", error.message);
    return bytes;
}

static inline void remove_folder(const char *path, Arena *arena) {
    DIR *all = opendir(path);
    for (struct dirent *entry; all && (entry = readdir(all));) {
        if (entry->d_name[0] == '.') continue;
        const char *inside = file_join(arena, path, entry->d_name);
        if (unlink(inside) != 0) remove_folder(inside, arena);
    }
    if (all) closedir(all);
    rmdir(path);
}

/* Run the tests of a file in a temporary folder. */
static inline int run_in_folder(int (*run)(void)) {
    char path[] = "/tmp/test_train.XXXXXX";
    Arena arena = {0};
    folder = mkdtemp(path);
    write_data();
    int failed = run();
    remove_folder(folder, &arena);
    arena_free(&arena);
    return failed;
}
