#include "store/folder.h"

#include <string.h>

#include "base/json.h"
#include "base/threads.h"

SpecialIds folder_special_ids(const Config *config) {
    return (SpecialIds){
        .pad = config->pad_id,
        .start = config->start_id,
        .end = config->end_id,
        .unknown = config->unknown_id,
        .mask = config->mask_id,
    };
}

void folder_tokenizer_kind(const char *folder, Config *config, Arena *arena) {
    bool json = file_exists(file_join(arena, folder, "tokenizer.json"));
    bool merges = file_exists(file_join(arena, folder, "merges.txt"));
    bool words = file_exists(file_join(arena, folder, "vocab.json"));
    bool others =
        config->family &&
        ((merges && words) || file_exists(file_join(arena, folder, "vocab.txt")));
    config->tokenizer = json || others ? TOKENIZER_JSON
                        : merges       ? TOKENIZER_BPE
                        : words        ? TOKENIZER_WORDS
                                       : TOKENIZER_NONE;
}

/* The tokenizer of one side while it is read. */
typedef struct {
    const char *folder, *prefix;
    Tokenizer *tokenizer;
    Arena *arena;
    Error error;
    bool done;
} Loading;

/* Read both sides concurrently: vocabularies take most of the startup time. */
static void load_part(void *context, int part, int parts) {
    Loading *side = context;
    for (int i = part; i < 2; i += parts)
        if (side[i].tokenizer)
            side[i].done =
                tokenizer_load(side[i].tokenizer, side[i].folder, side[i].prefix,
                               side[i].arena, &side[i].error);
}

bool folder_read_tokenizers(const char *folder, const Config *config,
                            Tokenizers *tokenizers, Arena *arena, Arena *target_arena,
                            Error *error) {
    TokenizerKind kind = (TokenizerKind)config->tokenizer;
    const Tokenizer none = {.kind = kind, .special = folder_special_ids(config)};
    *tokenizers = (Tokenizers){.source = none, .target = none};
    if (kind == TOKENIZER_NONE) return true;
    const char *target_file =
        kind == TOKENIZER_JSON ? "target_tokenizer.json" : "target_vocab.json";
    /* Decoder-only and encoder-only models have one side: the source's. */
    tokenizers->differ = config->encoder_layers > 0 && !config->masked_words &&
                         file_exists(file_join(arena, folder, target_file));
    Loading side[] = {{.folder = folder,
                       .prefix = "",
                       .tokenizer = &tokenizers->source,
                       .arena = arena},
                      {.folder = folder,
                       .prefix = "target_",
                       .tokenizer = tokenizers->differ ? &tokenizers->target : NULL,
                       .arena = target_arena}};
    threads_run(load_part, side);
    for (int i = 0; i < 2; i++)
        if (side[i].tokenizer && !side[i].done)
            return fail(error, "%s", side[i].error.message);
    if (!tokenizers->differ) tokenizers->target = tokenizers->source;
    return true;
}

/* Return a note that has only digits, as this program writes them; else NULL. */
static const char *number_note(const SafeTensors *file, const char *key) {
    enum { DIGITS = 20 };
    const char *note = safetensors_note(file, key);
    bool is_number = note && *note && strspn(note, "0123456789") == strlen(note);
    return is_number && strlen(note) <= DIGITS ? note : NULL;
}

enum { SHARDS_MAX = 64 };

/* Read the parts and merge their lists of tensors. */
static bool join_shards(SafeTensors *all, const char *folder, const char *const *name,
                        int shards, Arena *arena, Error *error) {
    SafeTensors shard[SHARDS_MAX];
    for (int s = 0; s < shards; s++) {
        if (!safetensors_read(&shard[s], file_join(arena, folder, name[s]), arena,
                              error))
            return false;
        all->count += shard[s].count;
        if (all->count > TENSORS_MAX)
            return fail(error, "%s: its parts have more than %d tensors in total",
                        all->path, TENSORS_MAX);
    }
    StoredTensor *next = ARENA_ARRAY(arena, StoredTensor, all->count);
    all->tensor = next;
    for (int s = 0; s < shards; next += shard[s++].count)
        if (shard[s].count)
            memcpy(next, shard[s].tensor, (size_t)shard[s].count * sizeof *next);
    return safetensors_sort_names(all, arena, error);
}

static bool read_shards(SafeTensors *all, const char *folder, const char *path,
                        Arena *arena, Error *error) {
    enum { INDEX_BYTES = 16 << 20 };
    const char *name[SHARDS_MAX];
    Bytes bytes;
    const Json *json;
    *all = (SafeTensors){.path = path};
    if (!file_read_regular(path, INDEX_BYTES, arena, &bytes, error) ||
        !json_read_within(bytes, path, HEADER_VALUES_MAX, arena, &json, error))
        return false;
    const Json *map = json_find(json, "weight_map");
    if (!map || map->type != JSON_MAP || map->count > TENSORS_MAX)
        return fail(error,
                    "%s: it has no \"weight_map\" (at most %d tensors with their "
                    "files)",
                    path, TENSORS_MAX);
    int shards = 0; /* the files of the index, each once */
    for (int i = 0; i < map->count; i++) {
        const Json *entry = &map->child[i];
        const char *file = entry->type == JSON_TEXT ? entry->text : "";
        if (!*file || *file == '.' || strchr(file, '/') || strlen(file) >= 256)
            return fail(error, "%s: %s must be in a file of this folder", path,
                        safetensors_show(entry->name, arena));
        int known = 0;
        while (known < shards && strcmp(name[known], file) != 0) known++;
        if (known < shards) continue;
        if (shards == SHARDS_MAX)
            return fail(error, "%s: more than %d parts, which is the limit", path,
                        SHARDS_MAX);
        name[shards++] = file;
    }
    if (!join_shards(all, folder, name, shards, arena, error)) return false;
    for (int i = 0; i < map->count; i++)
        if (!safetensors_find(all, map->child[i].name))
            return fail(error, "%s: no part has %s", path,
                        safetensors_show(map->child[i].name, arena));
    return true;
}

bool folder_read_weights(const char *folder, const Family *family, Weights *weights,
                         Origin *origin, Arena *arena, Error *error) {
    const char *path = file_join(arena, folder, "model.safetensors");
    const char *index = file_join(arena, folder, "model.safetensors.index.json");
    SafeTensors file;
    /* Weights in another format: explain in one sentence how to convert them. */
    static const char *const pickled[] = {
        "pytorch_model.bin", "pytorch_model.bin.index.json", "model.pt", "model.pth"};
    const bool whole = file_exists(path);
    const bool parted = !whole && file_exists(index);
    for (size_t p = 0; !whole && !parted && p < sizeof pickled / sizeof *pickled; p++)
        if (file_exists(file_join(arena, folder, pickled[p])))
            return fail(error,
                        "%s contains %s, which can run code when loaded; convert it to "
                        "safetensors, in Python with save_pretrained(folder, "
                        "safe_serialization=True)",
                        folder, pickled[p]);
    if (parted ? !read_shards(&file, folder, index, arena, error)
               : !safetensors_read(&file, path, arena, error))
        return false;
    origin->seed = number_note(&file, "seed");
    origin->steps = number_note(&file, "steps");
    return weights_take(weights, &file, family, error);
}

/* Remove tokenizer files of a previous model, which would otherwise be read as part of
 * this one. */
static void remove_others(const Tokenizers *tokenizers, const char *folder,
                          Arena *arena) {
    bool text = tokenizers->source.kind != TOKENIZER_NONE;
    bool target = text && tokenizers->differ;
    bool pairs = tokenizers->source.kind == TOKENIZER_BPE;
    const TokenizerJson *described = tokenizers->source.json;
    bool json = described && described->file.size;
    pairs |= described && !json;
    const struct {
        const char *name;
        bool own;
    } file[] = {
        {"vocab.json", text && !json},    {"target_vocab.json", target && !json},
        {"merges.txt", text && pairs},    {"target_merges.txt", target && pairs},
        {"tokenizer.json", text && json}, {"target_tokenizer.json", target && json},
    };
    for (size_t f = 0; f < sizeof file / sizeof *file; f++)
        if (!file[f].own) file_remove(file_join(arena, folder, file[f].name), false);
}

/* Write the weights first: if they fit on the disk, so do the other files; if not, the
 * previous model stays complete. */
static bool save_files(const char *folder, const FolderContents *contents, bool replace,
                       Arena *arena, Error *error) {
    const char *config = config_print(contents->config, arena);
    unsigned long long bytes =
        (unsigned long long)weights_size(contents->weights) * sizeof(float);
    if (!confine_has_room(folder, bytes, error) || !file_make_folder(folder, error))
        return false;
    const Weights *weights = contents->weights;
    const Origin *origin = &contents->origin;
    Stored *stored = ARENA_ARRAY(arena, Stored, weights->count);
    for (int w = 0; w < weights->count; w++) {
        const Tensor *tensor = weights->weight[w].tensor;
        stored[w] = (Stored){tensor->name, tensor};
    }
    Note note[3] = {{"format", "pt"}};
    int notes = 1;
    if (origin->seed) note[notes++] = (Note){"seed", origin->seed};
    if (origin->steps) note[notes++] = (Note){"steps", origin->steps};
    const Contents file = {.stored = stored,
                           .count = weights->count,
                           .note = note,
                           .notes = notes,
                           .halves = contents->config->stored_as == STORED_F16};
    if (!safetensors_save(file_join(arena, folder, "model.safetensors"), &file, replace,
                          error))
        return false;
    const Tokenizers *tokenizers = contents->tokenizers;
    if (tokenizers->source.kind != TOKENIZER_NONE &&
        !tokenizer_save(&tokenizers->source, folder, "", replace, error))
        return false;
    if (tokenizers->differ &&
        !tokenizer_save(&tokenizers->target, folder, "target_", replace, error))
        return false;
    if (replace) remove_others(contents->tokenizers, folder, arena);
    return file_save(file_join(arena, folder, "config.json"), config, strlen(config),
                     replace, error);
}

bool folder_save(const char *folder, const FolderContents *contents, bool replace,
                 Error *error) {
    Arena arena = {0};
    bool is_new = !file_exists(folder);
    bool exists = file_exists(file_join(&arena, folder, "config.json"));
    bool done =
        exists && !replace
            ? fail(error,
                   "%s already has a model; choose another folder, or overwrite it "
                   "with --force",
                   folder)
            : save_files(folder, contents, replace, &arena, error);
    if (!done && is_new) file_remove(folder, true); /* if it is empty */
    arena_free(&arena);
    return done;
}
