#include "data/examples.h"

#include <string.h>
#include <zlib.h>

typedef struct {
    const int *id;
    int count;
} IdRow;

/* The ids of `text`, with <end> behind them if `ends`. */
static bool encode(const Tokenizer *tokenizer, const char *text, bool ends,
                   Arena *arena, IdRow *encoded, Error *error) {
    Arena scratch = {0};
    Tokens tokens;
    bool done =
        tokenizer_encode(tokenizer, text, (int)strlen(text), &scratch, &tokens, error);
    if (done) {
        int *made = ARENA_ARRAY(arena, int, tokens.count + ends);
        for (int t = 0; t < tokens.count; t++) made[t] = tokens.token[t].id;
        if (ends) made[tokens.count] = tokenizer->special.end;
        *encoded = (IdRow){made, tokens.count + ends};
    }
    arena_free(&scratch);
    return done;
}

static bool encode_label(const Config *config, const char *text, Arena *arena,
                         IdRow *encoded, Error *error) {
    for (int l = 0; l < config->label_count; l++) {
        if (strcmp(config->labels[l], text) != 0) continue;
        int *label = ARENA_ARRAY(arena, int, 1);
        *label = l;
        *encoded = (IdRow){label, 1};
        return true;
    }
    return fail(error, "the label '%s' is none of the model's %d", text,
                config->label_count);
}

static bool encode_pair(const Model *model, const Pair *pair, Arena *arena,
                        Example *example, Error *error) {
    bool labelled = model->config.model_type == MODEL_CLASSIFIER;
    IdRow source = {0};
    IdRow target = {0};
    bool done =
        encode(&model->source, pair->source, true, arena, &source, error) &&
        (labelled ? encode_label(&model->config, pair->target, arena, &target, error)
                  : encode(&model->target, pair->target, false, arena, &target, error));
    *example = (Example){source.id, target.id, source.count, target.count};
    return done;
}

static int count_unknown(const int *id, int count, int unknown) {
    int found = 0;
    for (int i = 0; i < count; i++) found += id[i] == unknown;
    return found;
}

static void add_example(Examples *examples, const Example *example,
                        const Config *config) {
    examples->example[examples->count++] = *example;
    examples->source_tokens += example->sources;
    examples->target_tokens += example->targets;
    examples->unknown +=
        count_unknown(example->source, example->sources, config->unknown_id);
    if (config->model_type != MODEL_CLASSIFIER)
        examples->unknown +=
            count_unknown(example->target, example->targets, config->unknown_id);
}

bool examples_new(Examples *examples, const Corpus *corpus, const Model *model,
                  Arena *arena, Error *error) {
    const Config *config = &model->config;
    *examples = (Examples){.example = ARENA_ARRAY(arena, Example, corpus->count)};
    for (int p = 0; p < corpus->count; p++) {
        Example example = {0};
        Error problem;
        const Pair *pair = &corpus->pair[p];
        if (!encode_pair(model, pair, arena, &example, &problem))
            return fail(error, "%s:%d: %s", corpus->path, pair->line, problem.message);
        /* <start>, or <end>, takes a place of the target too. */
        bool fits = example.sources <= config->max_length &&
                    example.targets + 1 <= config->max_length;
        if (fits)
            add_example(examples, &example, config);
        else if (examples->too_long++ == 0)
            examples->first_too_long = pair->line;
    }
    return examples->count ||
           fail(error,
                "%s: every sentence is longer than the %d tokens of the model "
                "(max_length)",
                corpus->path, config->max_length);
}

/* zlib takes no bytes at all for a new beginning. */
static uLong add_bytes(uLong sum, const void *bytes, size_t size) {
    return size ? crc32_z(sum, bytes, size) : sum;
}

unsigned examples_checksum(const Examples *examples) {
    uLong sum = 0;
    for (int e = 0; e < examples->count; e++) {
        const Example *example = &examples->example[e];
        size_t size = sizeof(int);
        sum = add_bytes(sum, &example->sources, size);
        sum = add_bytes(sum, example->source, (size_t)example->sources * size);
        sum = add_bytes(sum, &example->targets, size);
        sum = add_bytes(sum, example->target, (size_t)example->targets * size);
    }
    return (unsigned)sum;
}
