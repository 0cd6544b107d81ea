#include "data/batches.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/random.h"

typedef struct {
    const int *id;
    int count;
} IdRow;

/* Encode `text` into `row`. A source is followed by <end>, or surrounded by the tokens
 * that tokenizer.json adds. */
static bool encode(const Tokenizer *tokenizer, const char *text, bool is_source,
                   Arena *arena, IdRow *row, Error *error) {
    Arena scratch = {0};
    Tokens tokens;
    bool done =
        tokenizer_encode(tokenizer, text, (int)strlen(text), &scratch, &tokens, error);
    if (done) {
        const AroundIds end = {&tokenizer->special.end, 1};
        AroundIds before = {0}, after = {0};
        if (is_source) after = end;
        if (is_source && tokenizer->json) {
            before = tokenizer->json->before;
            after = tokenizer->json->after;
        }
        int count = before.count + tokens.count + after.count;
        int *id = ARENA_ARRAY(arena, int, count);
        *row = (IdRow){id, count};
        for (int i = 0; i < before.count; i++) *id++ = before.id[i];
        for (int t = 0; t < tokens.count; t++) *id++ = tokens.token[t].id;
        for (int i = 0; i < after.count; i++) *id++ = after.id[i];
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
    return fail(error, "the label '%s' is not one of the model's %d", text,
                config->label_count);
}

static int count_unknown(const IdRow *row, int unknown) {
    int found = 0;
    for (int i = 0; i < row->count; i++) found += row->id[i] == unknown;
    return found;
}

/* Fill rows of max_length tokens with <start>, then all texts, each followed by <end>.
 * The last token of a row is also the first input of the next row, so that each token
 * is predicted once. */
static void pack(Examples *examples, const Config *config, Arena *arena) {
    long long all = 1 + examples->target_tokens + examples->count;
    int *stream = arena_take_raw(arena, (size_t)all * sizeof *stream);
    int *end = stream;
    *end++ = config->start_id;
    for (int e = 0; e < examples->count; e++) {
        const Example *text = &examples->example[e];
        if (text->targets)
            end = mempcpy(end, text->target, (size_t)text->targets * sizeof *end);
        *end++ = config->end_id;
    }
    int expected = (int)(end - stream) - 1;
    int rows = (expected + config->max_length - 1) / config->max_length;
    examples->example = ARENA_ARRAY(arena, Example, rows);
    examples->count = 0;
    for (int at = 0; at < expected; at += config->max_length) {
        int count =
            expected - at < config->max_length ? expected - at : config->max_length;
        examples->example[examples->count++] = (Example){.target = stream + at + 1,
                                                         .targets = count - 1,
                                                         .first = stream[at],
                                                         .last = stream[at + count]};
    }
}

bool examples_new(Examples *examples, const Corpus *corpus, const Model *model,
                  bool packed, Arena *arena, Error *error) {
    const Config *config = &model->config;
    bool labelled = config->model_type == MODEL_CLASSIFIER;
    bool alone = config_is_decoder_alone(config);
    if (alone && (config->start_id < 0 || config->end_id < 0 || config->pad_id < 0))
        return fail(error,
                    "to learn texts, a model needs start_id, end_id and pad_id, but "
                    "one of them is -1; set it");
    if (config->masked_words && (config->mask_id < 0 || config->pad_id < 0))
        return fail(error,
                    "to learn masked words, a model needs mask_id and pad_id, but "
                    "one of them is -1; set it");
    *examples = (Examples){.example = ARENA_ARRAY(arena, Example, corpus->count)};
    for (int p = 0; p < corpus->count; p++) {
        const CorpusPair *pair = &corpus->pair[p];
        IdRow source = {0};
        IdRow target = {0};
        Error problem;
        /* If there is only one text, it is the target. */
        const char *said = alone ? pair->source : pair->target;
        bool is_target = !config->masked_words;
        if (!(alone ||
              encode(&model->source, pair->source, true, arena, &source, &problem)) ||
            (is_target &&
             !(labelled
                   ? encode_label(config, said, arena, &target, &problem)
                   : encode(&model->target, said, false, arena, &target, &problem))))
            return fail(error, "%s:%d: %s", corpus->path, pair->line, problem.message);
        /* <start> or <end> also takes a position of the target. */
        if (source.count > config->max_length ||
            (!packed && target.count + 1 > config->max_length)) {
            if (examples->too_long++ == 0) examples->first_too_long = pair->line;
            continue;
        }
        examples->example[examples->count++] =
            (Example){source.id,    target.id,        source.count,
                      target.count, config->start_id, config->end_id};
        examples->target_tokens += target.count;
        examples->unknown += count_unknown(&source, config->unknown_id);
        if (!labelled) examples->unknown += count_unknown(&target, config->unknown_id);
    }
    if (packed) pack(examples, config, arena);
    return examples->count ||
           fail(error,
                "%s: every sentence is longer than the %d tokens that the model "
                "takes (max_length)",
                corpus->path, config->max_length);
}

/* zlib resets the sum if it is passed a NULL buffer. */
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

enum { STRETCH = 128 }; /* batches in a range that is sorted by length */

/* qsort() passes no user data, so the items carry the lengths: the primary key and the
 * tie-breaker. */
typedef struct {
    int first, second, example;
} Length;

static int compare(int a, int b) {
    return a < b ? -1 : a > b;
}

/* The example's number makes the order the same on every machine. */
static int by_length(const void *one, const void *other) {
    const Length *a = one;
    const Length *b = other;
    int first = compare(a->first, b->first);
    int second = compare(a->second, b->second);
    return first ? first : second ? second : compare(a->example, b->example);
}

/* Sort by target first: a target token costs more, since it needs a probability for
 * each word of the vocabulary. */
static void sort_by_length(const Batches *batches, int *order, int count) {
    Arena scratch = {0};
    Length *length = ARENA_ARRAY(&scratch, Length, count);
    for (int i = 0; i < count; i++) {
        const Example *example = &batches->examples->example[order[i]];
        int source = example->sources;
        int target = example->targets + 1;
        length[i] = batches->size.even_sources ? (Length){source, target, order[i]}
                                               : (Length){target, source, order[i]};
    }
    qsort(length, (size_t)count, sizeof *length, by_length);
    for (int i = 0; i < count; i++) order[i] = length[i].example;
    arena_free(&scratch);
}

/* Cut the order into batches, each as large as the size allows, with at least one
 * example. */
static void cut(Batches *batches) {
    const BatchSize *size = &batches->size;
    int source = 0, target = 0; /* the longest in the batch */
    int rows = 0;
    batches->count = 0;
    for (int i = 0; i < batches->examples->count; i++) {
        const Example *example = &batches->examples->example[batches->order[i]];
        int sources = example->sources;
        int targets = example->targets + 1;
        int longest_source = sources > source ? sources : source;
        int longest_target = targets > target ? targets : target;
        long long tokens = (long long)(rows + 1) * (longest_source + longest_target);
        bool full = (size->sentences && rows == size->sentences) ||
                    (size->tokens && tokens > size->tokens) ||
                    (size->even_sources && sources != source);
        bool starts = rows == 0 || full;
        if (starts) batches->start[batches->count++] = i;
        source = starts ? sources : longest_source;
        target = starts ? targets : longest_target;
        rows = starts ? 1 : rows + 1;
    }
    batches->start[batches->count] = batches->examples->count;
}

void batches_plan(Batches *batches, int epoch) {
    int count = batches->examples->count;
    int stretch = batches->size.sentences ? STRETCH * batches->size.sentences : count;
    Random random = random_new(batches->size.seed);
    random = random_new(random_bits(&random) + (unsigned long long)epoch);
    batches->epoch = epoch;
    for (int i = 0; i < count; i++) batches->order[i] = i;
    random_shuffle(&random, batches->order, count);
    for (int i = 0; i < count; i += stretch)
        sort_by_length(batches, batches->order + i,
                       count - i < stretch ? count - i : stretch);
    cut(batches);
    /* Batches have different sizes, so shuffling them rewrites the order. */
    Arena scratch = {0};
    int *which = ARENA_ARRAY(&scratch, int, batches->count);
    int *order = ARENA_ARRAY(&scratch, int, count);
    int *start = ARENA_ARRAY(&scratch, int, batches->count);
    for (int b = 0; b < batches->count; b++) which[b] = b;
    random_shuffle(&random, which, batches->count);
    int filled = 0;
    for (int b = 0; b < batches->count; b++) {
        int from = batches->start[which[b]];
        int rows = batches->start[which[b] + 1] - from;
        start[b] = filled;
        memcpy(order + filled, batches->order + from, (size_t)rows * sizeof *order);
        filled += rows;
    }
    memcpy(batches->order, order, (size_t)count * sizeof *order);
    memcpy(batches->start, start, (size_t)batches->count * sizeof *start);
    arena_free(&scratch);
}

Batches batches_in_order(const Examples *examples, BatchSize size, Arena *arena) {
    Batches batches = {
        .examples = examples,
        .size = size,
        .order = ARENA_ARRAY(arena, int, examples->count),
        .start = ARENA_ARRAY(arena, int, examples->count + 1),
        .measures = true,
    };
    for (int i = 0; i < examples->count; i++) batches.order[i] = i;
    sort_by_length(&batches, batches.order, examples->count);
    cut(&batches);
    return batches;
}

Batches batches_new(const Examples *examples, BatchSize size, Arena *arena) {
    Batches batches = batches_in_order(examples, size, arena);
    batches.measures = false;
    batches_plan(&batches, 0);
    return batches;
}

static const Example *example_at(const Batches *batches, int place) {
    return &batches->examples->example[batches->order[place]];
}

/* One side of the rows of a batch. */
typedef struct {
    bool is_source;
    bool first, last; /* surround rows by the example's first and last token? */
    int pad;
} Side;

/* Return the rows, padded to the longest. */
static Ids fill(const Example *const *example, int rows, Side side, Arena *arena) {
    int length = 0;
    for (int row = 0; row < rows; row++) {
        int count = side.is_source ? example[row]->sources : example[row]->targets;
        count += side.first + side.last;
        if (count > length) length = count;
    }
    size_t size = (size_t)rows * (size_t)length;
    int *id = arena_take_raw(arena, size * sizeof *id);
    for (size_t i = 0; i < size; i++) id[i] = side.pad;
    for (int row = 0; row < rows; row++) {
        const Example *from = example[row];
        int count = side.is_source ? from->sources : from->targets;
        int *to = id + (size_t)row * (size_t)length;
        if (side.first) *to++ = from->first;
        if (count)
            memcpy(to, side.is_source ? from->source : from->target,
                   (size_t)count * sizeof *id);
        if (side.last) to[count] = from->last;
    }
    return (Ids){id, rows, length, NULL};
}

int batches_hide(const Batches *batches, int place, int *read, int *expected) {
    const double share = 0.15, hidden = 0.8, replaced = 0.9;
    const Config *config = batches->size.hides;
    const Example *example = example_at(batches, place);
    int count = 0, words = 0, chosen = 0;
    Random random = random_new(batches->size.seed);
    if (!batches->measures)
        random = random_new(random_bits(&random) + (unsigned long long)batches->epoch);
    random =
        random_new(random_bits(&random) + (unsigned long long)batches->order[place]);
    for (int t = 0; t < example->sources; t++) {
        int id = example->source[t];
        bool is_word = id != config->pad_id && id != config->start_id &&
                       id != config->end_id && id != config->unknown_id;
        read[t] = id;
        expected[t] = is_word && random_unit(&random) < share ? id : config->pad_id;
        count += expected[t] != config->pad_id;
        /* If no token is chosen, choose one; all are equally likely. */
        words += is_word;
        if (is_word && random_unit(&random) * words < 1) chosen = t;
    }
    if (count == 0 && words) expected[chosen] = example->source[chosen], count = 1;
    for (int t = 0; t < example->sources; t++) {
        if (expected[t] == config->pad_id) continue;
        double what = batches->measures ? 0 : random_unit(&random);
        if (what < hidden)
            read[t] = config->mask_id;
        else if (what < replaced)
            read[t] = (int)(random_unit(&random) * config->source_vocabulary);
    }
    return count;
}

/* Masked language model: input and labels have the same length. */
static BatchPart hidden_part(const Batches *batches, int from, int rows, int parts,
                             Arena *arena) {
    int length = 0;
    for (int row = 0; row < rows; row++) {
        int count = example_at(batches, from + row * parts)->sources;
        if (count > length) length = count;
    }
    size_t size = (size_t)rows * (size_t)length;
    int *read = arena_take_raw(arena, size * sizeof *read);
    int *expected = arena_take_raw(arena, size * sizeof *expected);
    BatchPart made = {.source = {read, rows, length, NULL},
                      .expected = {expected, rows, length, NULL}};
    for (size_t i = 0; i < size; i++)
        read[i] = expected[i] = batches->size.hides->pad_id;
    for (int row = 0; row < rows; row++)
        made.tokens += batches_hide(batches, from + row * parts,
                                    read + (size_t)row * (size_t)length,
                                    expected + (size_t)row * (size_t)length);
    return made;
}

BatchPart batches_part(const Batches *batches, int batch, int part, int parts,
                       const Config *config, Arena *arena) {
    bool labelled = config->model_type == MODEL_CLASSIFIER;
    int pad = config->pad_id;
    int from = batches->start[batch] + part;
    int count = batches->start[batch + 1] - from;
    int rows = count > 0 ? (count + parts - 1) / parts : 0;
    BatchPart made = {0};
    if (rows == 0) return made;
    if (batches->size.hides) return hidden_part(batches, from, rows, parts, arena);
    const Example **example = ARENA_ARRAY(arena, const Example *, rows);
    for (int row = 0; row < rows; row++) {
        example[row] = example_at(batches, from + row * parts);
        made.tokens += labelled ? 1 : example[row]->targets + 1;
    }
    Side source = {true, false, false, pad};
    Side target = {false, true, false, pad};
    Side expected = {false, false, !labelled, pad};
    made.source = fill(example, rows, source, arena);
    made.expected = fill(example, rows, expected, arena);
    if (!labelled) made.target = fill(example, rows, target, arena);
    return made;
}

BatchTokens batches_tokens(const Batches *batches, int batch) {
    BatchTokens tokens = {0};
    Arena scratch = {0};
    for (int i = batches->start[batch]; i < batches->start[batch + 1]; i++) {
        const Example *example = example_at(batches, i);
        tokens.source += example->sources;
        tokens.target +=
            batches->size.hides
                ? batches_hide(batches, i, ARENA_ARRAY(&scratch, int, example->sources),
                               ARENA_ARRAY(&scratch, int, example->sources))
                : example->targets + 1;
    }
    arena_free(&scratch);
    return tokens;
}
