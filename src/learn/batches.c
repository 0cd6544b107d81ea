#include "learn/batches.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"

enum { STRETCH = 64 }; /* batches among which examples are sorted by length */

/* qsort() has no argument of ours, so what it compares carries the lengths. */
typedef struct {
    int example, source, target;
} Length;

static int compare(int a, int b) {
    return a < b ? -1 : a > b;
}

/* By the longer side, which decides what padding costs; the same order everywhere. */
static int by_length(const void *one, const void *other) {
    const Length *a = one;
    const Length *b = other;
    int longer = compare(a->source > a->target ? a->source : a->target,
                         b->source > b->target ? b->source : b->target);
    if (longer) return longer;
    int sum = compare(a->source + a->target, b->source + b->target);
    return sum ? sum : compare(a->example, b->example);
}

static void sort_by_length(const Examples *examples, int *order, int count) {
    Arena scratch = {0};
    Length *length = ARENA_ARRAY(&scratch, Length, count);
    for (int i = 0; i < count; i++) {
        const Example *example = &examples->example[order[i]];
        length[i] = (Length){order[i], example->sources, example->targets + 1};
    }
    qsort(length, (size_t)count, sizeof *length, by_length);
    for (int i = 0; i < count; i++) order[i] = length[i].example;
    arena_free(&scratch);
}

static void shuffle(int *order, int count, Random *random) {
    for (int i = count - 1; i > 0; i--) {
        int other = random_below(random, i + 1);
        int kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
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
                    (size->tokens && tokens > size->tokens);
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
    shuffle(which, batches->count, random);
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
    shuffle(batches->order, count, &random);
    for (int i = 0; i < count; i += stretch)
        sort_by_length(batches->examples, batches->order + i,
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
    sort_by_length(examples, batches.order, examples->count);
    cut(&batches);
    return batches;
}

static const Example *example_at(const Batches *batches, int place) {
    return &batches->examples->example[batches->order[place]];
}

/* `count` ids behind `first` (-1: none) and before `last` (-1: none), and padding. */
static void fill_row(int *row, int length, int first, const int *id, int count,
                     int last, int pad) {
    int filled = 0;
    if (first >= 0) row[filled++] = first;
    if (count) memcpy(row + filled, id, (size_t)count * sizeof *id);
    filled += count;
    if (last >= 0) row[filled++] = last;
    while (filled < length) row[filled++] = pad;
}

BatchPart batches_part(const Batches *batches, int batch, int part, int parts,
                       const Config *config, Arena *arena) {
    int from = batches->start[batch] + part;
    int end = batches->start[batch + 1];
    bool labelled = config->model_type == MODEL_CLASSIFIER;
    int rows = from < end ? (end - from + parts - 1) / parts : 0;
    int sources = 0;
    int targets = labelled ? 1 : 0;
    BatchPart made = {0};
    if (rows == 0) return made;
    for (int i = from; i < end; i += parts) {
        const Example *example = example_at(batches, i);
        if (example->sources > sources) sources = example->sources;
        if (!labelled && example->targets + 1 > targets) targets = example->targets + 1;
        made.tokens += labelled ? 1 : example->targets + 1;
    }
    int *source = arena_take_raw(arena, (size_t)rows * (size_t)sources * sizeof(int));
    int *target = arena_take_raw(arena, (size_t)rows * (size_t)targets * sizeof(int));
    int *wanted = arena_take_raw(arena, (size_t)rows * (size_t)targets * sizeof(int));
    int pad = config->pad_id;
    for (int row = 0; row < rows; row++) {
        const Example *example = example_at(batches, from + row * parts);
        int count = example->targets;
        fill_row(source + row * sources, sources, -1, example->source, example->sources,
                 -1, pad);
        fill_row(wanted + row * targets, targets, -1, example->target, count,
                 labelled ? -1 : config->end_id, pad);
        if (!labelled)
            fill_row(target + row * targets, targets, config->start_id, example->target,
                     count, -1, pad);
    }
    made.source = (Ids){source, rows, sources, NULL};
    if (!labelled) made.target = (Ids){target, rows, targets, NULL};
    made.wanted = (Ids){wanted, rows, targets, NULL};
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
