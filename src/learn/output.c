#include "learn/output.h"

#include "base/file.h"
#include "base/language.h"
#include "learn/curve.h"
#include "learn/pictures.h"

/* What every training writes, or, of the tokenizers, removes where it has none. The
 * model comes first: it has a message of its own. */
static const char *const always[] = {"config.json",
                                     "model.safetensors",
                                     "checkpoint.safetensors",
                                     "snapshots.safetensors",
                                     "train.csv",
                                     "vocab.json",
                                     "merges.txt",
                                     "target_vocab.json",
                                     "target_merges.txt"};
enum { ALWAYS = sizeof always / sizeof *always };

const char *output_name(const Recipe *recipe, int i, Arena *arena) {
    return i < ALWAYS ? always[i] : pictures_name(recipe, i - ALWAYS, arena);
}

/* What the recipe makes a training read, in words; NULL where `path` is none of it. */
static const char *read_as(const Recipe *recipe, const char *path) {
    const struct {
        const char *path, *what;
    } inputs[] = {
        {recipe->data, N_("its data")},
        {recipe->validation, N_("its validation data")},
        {recipe->path, N_("the recipe itself")},
    };
    for (size_t f = 0; f < sizeof inputs / sizeof *inputs; f++)
        if (inputs[f].path && file_is_same(path, inputs[f].path)) return inputs[f].what;
    return NULL;
}

bool output_check(const Recipe *recipe, bool replaces, Error *error) {
    Arena arena = {0};
    bool free = true;
    const char *name;
    for (int i = 0; free && (name = output_name(recipe, i, &arena)); i++) {
        const char *path = file_join(&arena, recipe->output, name);
        const char *read = read_as(recipe, path);
        if (read)
            free = fail(error,
                        "this training would write %s, which is %s: choose another "
                        "output",
                        path, said(read));
        else if (file_exists(path) && !replaces)
            free = i == 0 ? fail(error,
                                 "%s holds a model already: --resume to go on with it, "
                                 "--force to begin anew, or choose another output",
                                 recipe->output)
                          : fail(error,
                                 "%s exists already, and this training would write it: "
                                 "--force to overwrite it, or choose another output",
                                 path);
    }
    arena_free(&arena);
    return free;
}
