#include "data/batches.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"

enum { STRETCH = 128 }; /* batches among which examples are sorted by length */

/* qsort() has no argument of ours, so what it compares carries the lengths: the one
 * that decides, and the one that decides between equals. */
typedef struct {
    int first, second, example;
} Length;

static int compare(int a, int b) {
    return a < b ? -1 : a > b;
}

/* The example's number makes the order the same everywhere. */
static int by_length(const void *one, const void *other) {
    const Length *a = one;
    const Length *b = other;
    int first = compare(a->first, b->first);
    int second = compare(a->second, b->second);
    return first ? first : second ? second : compare(a->example, b->example);
}

/* The target first: a token of it costs more, since a probability for each word of the
 * vocabulary comes of it. */
static Length length_of(const Examples *examples, int e, bool even_sources) {
    int source = examples->example[e].sources;
    int target = examples->example[e].targets + 1;
    if (even_sources) return (Length){source, target, e};
    return (Length){target, source, e};
}

static void sort_by_length(const Batches *batches, int *order, int count) {
    Arena scratch = {0};
    Length *length = ARENA_ARRAY(&scratch, Length, count);
    for (int i = 0; i < count; i++)
        length[i] = length_of(batches->examples, order[i], batches->size.even_sources);
    qsort(length, (size_t)count, sizeof *length, by_length);
    for (int i = 0; i < count; i++) order[i] = length[i].example;
    arena_free(&scratch);
}

/* Cut the order into batches: each as large as the size allows, one example at least.
 */
static void cut(Batches *batches) {
    const BatchSize *size = &batches->size;
    int source = 0;
    int target = 0;
    int rows = 0;
    batches->count = 0;
    for (int i = 0; i < batches->examples->count; i++) {
        const Example *example = &batches->examples->example[batches->order[i]];
        int longest_source = example->sources > source ? example->sources : source;
        int longest_target =
            example->targets + 1 > target ? example->targets + 1 : target;
        long long tokens = (long long)(rows + 1) * (longest_source + longest_target);
        bool full = (size->sentences && rows == size->sentences) ||
                    (size->tokens && tokens > size->tokens) ||
                    (size->even_sources && example->sources != source);
        if (rows == 0 || full) {
            batches->start[batches->count++] = i;
            rows = 0;
            longest_source = example->sources;
            longest_target = example->targets + 1;
        }
        source = longest_source;
        target = longest_target;
        rows++;
    }
    batches->start[batches->count] = batches->examples->count;
}

/* Batches of different sizes change places: the order is written anew. */
static void shuffle_batches(Batches *batches, Random *random) {
    Arena scratch = {0};
    int count = batches->examples->count;
    int *which = ARENA_ARRAY(&scratch, int, batches->count);
    int *order = ARENA_ARRAY(&scratch, int, count);
    int *start = ARENA_ARRAY(&scratch, int, batches->count);
    for (int b = 0; b < batches->count; b++) which[b] = b;
    random_shuffle(random, which, batches->count);
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

static void number_examples(Batches *batches) {
    for (int i = 0; i < batches->examples->count; i++) batches->order[i] = i;
}

void batches_plan(Batches *batches, int epoch) {
    int count = batches->examples->count;
    int stretch = batches->size.sentences ? STRETCH * batches->size.sentences : count;
    Random random = random_new(batches->size.seed);
    random = random_new(random_bits(&random) + (unsigned long long)epoch);
    batches->epoch = epoch;
    number_examples(batches);
    random_shuffle(&random, batches->order, count);
    for (int i = 0; i < count; i += stretch)
        sort_by_length(batches, batches->order + i,
                       count - i < stretch ? count - i : stretch);
    cut(batches);
    shuffle_batches(batches, &random);
}

static Batches unplanned(const Examples *examples, BatchSize size, Arena *arena) {
    return (Batches){
        .examples = examples,
        .size = size,
        .order = ARENA_ARRAY(arena, int, examples->count),
        .start = ARENA_ARRAY(arena, int, examples->count + 1),
    };
}

Batches batches_new(const Examples *examples, BatchSize size, Arena *arena) {
    Batches batches = unplanned(examples, size, arena);
    batches_plan(&batches, 0);
    return batches;
}

Batches batches_in_order(const Examples *examples, BatchSize size, Arena *arena) {
    Batches batches = unplanned(examples, size, arena);
    number_examples(&batches);
    sort_by_length(&batches, batches.order, examples->count);
    cut(&batches);
    return batches;
}

static const Example *example_at(const Batches *batches, int place) {
    return &batches->examples->example[batches->order[place]];
}

/* A part being filled: its rows, and where in the order they stand. */
typedef struct {
    const Batches *batches;
    const Config *config;
    int from, step, rows;
    bool labelled;
} Filling;

static const Example *example_of(const Filling *filling, int row) {
    return example_at(filling->batches, filling->from + row * filling->step);
}

/* How many ids the target has once <start> or <end> stands with it. */
static int target_length(const Filling *filling, const Example *example) {
    return filling->labelled ? 1 : example->targets + 1;
}

/* The longest source and target. */
static BatchTokens longest(const Filling *filling) {
    BatchTokens most = {0};
    for (int row = 0; row < filling->rows; row++) {
        const Example *example = example_of(filling, row);
        int targets = target_length(filling, example);
        if (example->sources > most.source) most.source = example->sources;
        if (targets > most.target) most.target = targets;
    }
    return most;
}

static int *padding(const Filling *filling, long long length, Arena *arena) {
    size_t size = (size_t)filling->rows * (size_t)length;
    int *id = arena_take_raw(arena, size * sizeof *id);
    for (size_t i = 0; i < size; i++) id[i] = filling->config->pad_id;
    return id;
}

static Ids fill_sources(const Filling *filling, long long length, Arena *arena) {
    int *id = padding(filling, length, arena);
    for (int row = 0; row < filling->rows; row++) {
        const Example *example = example_of(filling, row);
        memcpy(id + row * length, example->source,
               (size_t)example->sources * sizeof *id);
    }
    return (Ids){id, filling->rows, (int)length, NULL};
}

/* With <start> before them, or with <end> behind them; a label stands alone. */
static Ids fill_targets(const Filling *filling, long long length, bool starts,
                        Arena *arena) {
    int *id = padding(filling, length, arena);
    for (int row = 0; row < filling->rows; row++) {
        const Example *example = example_of(filling, row);
        int *to = id + row * length;
        if (starts) *to++ = filling->config->start_id;
        if (example->targets)
            memcpy(to, example->target, (size_t)example->targets * sizeof *id);
        if (!starts && !filling->labelled)
            to[example->targets] = filling->config->end_id;
    }
    return (Ids){id, filling->rows, (int)length, NULL};
}

BatchPart batches_part(const Batches *batches, int batch, int part, int parts,
                       const Config *config, Arena *arena) {
    int from = batches->start[batch] + part;
    int count = batches->start[batch + 1] - from;
    Filling filling = {
        .batches = batches,
        .config = config,
        .from = from,
        .step = parts,
        .rows = count > 0 ? (count + parts - 1) / parts : 0,
        .labelled = config->model_type == MODEL_CLASSIFIER,
    };
    BatchPart made = {0};
    if (filling.rows == 0) return made;
    BatchTokens most = longest(&filling);
    made.source = fill_sources(&filling, most.source, arena);
    made.wanted = fill_targets(&filling, most.target, false, arena);
    if (!filling.labelled)
        made.target = fill_targets(&filling, most.target, true, arena);
    for (int row = 0; row < filling.rows; row++)
        made.tokens += target_length(&filling, example_of(&filling, row));
    return made;
}

BatchTokens batches_tokens(const Batches *batches, int batch) {
    BatchTokens tokens = {0};
    for (int i = batches->start[batch]; i < batches->start[batch + 1]; i++) {
        tokens.source += example_at(batches, i)->sources;
        tokens.target += example_at(batches, i)->targets + 1;
    }
    return tokens;
}
