#include "model/generate.h"

#include <limits.h>
#include <string.h>

#include "kernel/vector.h"
#include "ops/ops.h"

/* Section 6.1: a target ends after this many tokens more than the source. */
enum { MORE_THAN_SOURCE = 50 };

/* Default limit after a prompt: enough for a short story. */
enum { BEHIND_PROMPT = 100 };

int generate_limit(const Config *config, const Encoded *source) {
    if (source->prompt.rows) return config->max_length - source->prompt.length;
    int limit = source->output->axis[1].size + MORE_THAN_SOURCE;
    return limit < config->max_length ? limit : config->max_length;
}

Ids generate_prompt(const Model *model, const Encoded *source, Arena *arena) {
    if (source->prompt.rows) return source->prompt;
    int *id = ARENA_ARRAY(arena, int, 1);
    const char **label = ARENA_ARRAY(arena, const char *, 1);
    *id = model->config.start_id;
    if (model->target.kind == TOKENIZER_NONE) return (Ids){id, 1, 1, NULL};
    *label = tokenizer_label(&model->target, *id);
    return (Ids){id, 1, 1, label};
}

bool generate_ranks(const Tensor *logits) {
    int words = tensor_row(logits);
    return vector_largest(logits->data + tensor_size(logits) - words, words) !=
           -(Number)INFINITY;
}

/* The target so far: the prompt and the chosen tokens. */
typedef struct {
    int *id;
    const char **label; /* the labels of all tokens, or NULL */
    int count;
    int given;              /* length of the prompt */
    Tensor *ids;            /* the input of the previous step [1, target] */
    Tensor *choice;         /* the choice of the previous step [1, 1], or NULL */
    const Chooser *chooser; /* NULL: choose the most probable token */
} Decoding;

static void add_token(Decoding *decoding, const Model *model, int id) {
    decoding->id[decoding->count] = id;
    if (decoding->label)
        decoding->label[decoding->count] = tokenizer_label(&model->target, id);
    decoding->count++;
}

/* Return the input of this step: first the prompt; after that only the previous choice
 * if the others are in the cache, else all tokens. */
static Tensor *read_target(Tape *tape, const Decoding *decoding, bool cached) {
    const Ids prompt = {decoding->id, 1, decoding->given, decoding->label};
    if (!decoding->choice) return network_target(tape, &prompt);
    Where before = tape_enter_stack(tape, "decoder");
    Tensor *ids = cached ? tape_alias(tape, "ids", decoding->choice)
                         : concatenate(tape, "ids", decoding->ids, decoding->choice);
    tape_leave(tape, before);
    if (!ids) return NULL;
    ids->holds_ids = true;
    ids->axis[1].labels = decoding->label;
    if (decoding->label && cached) ids->axis[1].labels += decoding->count - 1;
    ids->axis[1].label_rows = 1;
    return ids;
}

/* Read the target so far, and choose the next token. */
static Tensor *decode_step(Tape *tape, const Model *model, const Encoded *source,
                           Decoding *decoding, DecoderCache *cache) {
    Where before = tape_enter_step(tape, decoding->count - decoding->given);
    decoding->ids = read_target(tape, decoding, cache != NULL);
    Tensor *logits =
        network_decode(tape, &model->network, source, decoding->ids, cache);
    const Chooser *chooser = decoding->chooser;
    const int step = decoding->count - decoding->given;
    int id =
        chooser && logits ? chooser->choose(chooser->state, step, logits) : TAKES_BEST;
    if (logits && id != TAKES_BEST) {
        /* It is given to the tape, since no operation computes it. */
        const Axis axis[] = {logits->axis[0],
                             {.name = logits->axis[1].name, .size = 1}};
        decoding->choice = tape_given(tape, "choice", 2, axis);
        if (decoding->choice) {
            decoding->choice->holds_ids = true;
            decoding->choice->data[0] = (Number)id;
        }
    } else
        decoding->choice = logits ? choose(tape, "choice", logits) : NULL;
    tape_leave(tape, before);
    return decoding->choice;
}

static Generated run(Tape *tape, const Model *model, const Encoded *source, int limit,
                     bool cached, const Chooser *chooser) {
    const Config *config = &model->config;
    Error error;
    if (!network_generates(config, &error)) tape_fail(tape, "%s", error.message);
    if (tape->failed) return (Generated){0};
    int max = generate_limit(config, source);
    const Ids prompt = generate_prompt(model, source, &tape->arena);
    if (source->prompt.rows && limit == INT_MAX) limit = BEHIND_PROMPT;
    if (limit > max) limit = max;
    Decoding decoding = {
        .id = ARENA_ARRAY(&tape->arena, int, prompt.length + limit),
        .given = prompt.length,
        .chooser = chooser,
    };
    if (model->target.kind != TOKENIZER_NONE)
        decoding.label = ARENA_ARRAY(&tape->arena, const char *, prompt.length + limit);
    for (int i = 0; i < prompt.length; i++) add_token(&decoding, model, prompt.id[i]);
    DecoderCache cache = decoder_cache_new();
    bool caches = cached && network_can_cache(config);
    bool ended = false; /* <end> was chosen */
    bool goes_on = true;
    while (goes_on && decoding.count - decoding.given < limit) {
        const Tensor *choice =
            decode_step(tape, model, source, &decoding, caches ? &cache : NULL);
        if (!choice) break;
        int id = (int)choice->data[0];
        add_token(&decoding, model, id);
        ended = id == config->end_id;
        bool is_given = choice->step == STEP_NONE;
        goes_on =
            !ended && (is_given || generate_ranks(tape->step[choice->step].input[0]));
    }
    if (tape->failed) return (Generated){0};
    return (Generated){
        .id = decoding.id + prompt.length,
        .count = decoding.count - prompt.length,
        .ended = ended,
        .is_full = max == 0,
    };
}

Generated generate_from(Tape *tape, const Model *model, const Encoded *source,
                        int limit, bool cached) {
    return run(tape, model, source, limit, cached, NULL);
}

Generated generate_chosen(Tape *tape, const Model *model, const Encoded *source,
                          int limit, const Chooser *chooser) {
    return run(tape, model, source, limit, true, chooser);
}

Generated generate(Tape *tape, const Model *model, const Ids *source, int limit,
                   bool cached) {
    Encoded encoded = network_encode(tape, &model->network, source);
    return generate_from(tape, model, &encoded, limit, cached);
}

/* The range of tape steps left to run in one decoding step. */
typedef struct {
    int next, end;
} Rest;

static bool same_part(const Step *a, const Step *b) {
    return a->where.layer == b->where.layer &&
           strcmp(a->where.stack, b->where.stack) == 0 &&
           strcmp(a->where.box, b->where.box) == 0 &&
           strcmp(a->output->short_name, b->output->short_name) == 0;
}

/* Find each decoding step on the tape, starting at `from`. False if one is missing, or
 * if there is anything between or after them. */
static bool find_steps(const Tape *tape, int from, Rest *rest, int count) {
    for (int t = 0; t < count; t++) {
        rest[t].next = from;
        while (from < tape->count && tape->step[from].where.step == t) from++;
        if (from == rest[t].next) return false;
        rest[t].end = from;
    }
    return count > 0 && from == tape->count;
}

bool generate_again(Tape *tape, const Generated *generated) {
    Arena scratch = {0};
    int count = generated->count;
    Rest *rest = ARENA_ARRAY(&scratch, Rest, count);
    int first = 0;
    while (first < tape->count && tape->step[first].where.step == NOWHERE) first++;
    bool same = find_steps(tape, first, rest, count);
    if (same) {
        tape_rerun_part(tape, 0, first);
        for (int s = rest[count - 1].next; s < rest[count - 1].end; s++)
            for (int t = 0; t < count; t++) {
                /* Run each decoding step up to and including the same part. */
                int end = rest[t].next;
                while (end < rest[t].end &&
                       !same_part(&tape->step[end], &tape->step[s]))
                    end++;
                if (end == rest[t].end) continue;
                tape_rerun_part(tape, rest[t].next, end + 1);
                rest[t].next = end + 1;
            }
    }
    /* Each decoding step ends with its choice. */
    for (int t = 0; same && t < count; t++) {
        const Step *choice = &tape->step[rest[t].end - 1];
        same = (int)choice->output->data[0] == generated->id[t];
    }
    arena_free(&scratch);
    return same && !tape->failed;
}
