#include "model/beam.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/sampling.h"

/* A hypothesis in the beam: its node, and the decoder's cache for its tokens. */
typedef struct {
    int node;
    DecoderCache cache;
} Hypothesis;

/* A hypothesis extended by one token. */
typedef struct {
    int from; /* index in the beam */
    int id;
    double token_log, log_probability;
} Candidate;

typedef struct {
    const Model *model;
    const Encoded *source;
    const BeamOptions *options;
    Tape work; /* the decoder runs here; with a cache it holds several steps */
    Arena *arena;
    Beam beam;
    Hypothesis *live;
    int lives;
    int limit, finished;
    bool caches;
} Search;

double beam_length_penalty(int tokens, double alpha) {
    return pow(5 + tokens, alpha) / pow(5 + 1, alpha);
}

static int add_node(Search *search, BeamNode node) {
    Beam *beam = &search->beam;
    node.score =
        node.log_probability / beam_length_penalty(node.tokens, search->options->alpha);
    ARENA_GROW(search->arena, beam->node, beam->count, beam->capacity);
    beam->node[beam->count] = node;
    return beam->count++;
}

Generated beam_target(const Beam *beam, int node, Arena *arena) {
    const BeamNode *last = &beam->node[node];
    Generated target = {.id = ARENA_ARRAY(arena, int, last->tokens + 1),
                        .count = last->tokens,
                        .ended = last->end == BEAM_FINISHED};
    for (int n = node; beam->node[n].parent >= 0; n = beam->node[n].parent)
        target.id[beam->node[n].tokens - 1] = beam->node[n].id;
    return target;
}

/* Clear the tape when pruned hypotheses have left too much on it; those in the beam are
 * then read again from <start>. */
static void make_room(Search *search) {
    enum { NUMBERS_MAX = 1 << 25 };
    if (!search->caches || search->work.numbers <= NUMBERS_MAX) return;
    tape_reset(&search->work);
    for (int h = 0; h < search->lives; h++) search->live[h].cache = decoder_cache_new();
}

/* Return the decoder's input: the last token if the others are in the cache, else all
 * tokens from <start>. */
static Ids read_ids(Search *search, const Hypothesis *hypothesis) {
    const BeamNode *node = &search->beam.node[hypothesis->node];
    Arena *arena = &search->work.arena;
    int *id = ARENA_ARRAY(arena, int, 1);
    if (search->caches && hypothesis->cache.tokens) {
        id[0] = node->id;
        return (Ids){id, 1, 1, NULL};
    }
    Generated target = beam_target(&search->beam, hypothesis->node, arena);
    const Ids prompt = generate_prompt(search->model, search->source, arena);
    id = ARENA_ARRAY(arena, int, prompt.length + target.count);
    for (int t = 0; t < prompt.length; t++) id[t] = prompt.id[t];
    for (int t = 0; t < target.count; t++) id[prompt.length + t] = target.id[t];
    return (Ids){id, 1, prompt.length + target.count, NULL};
}

/* Sort by probability, then by earlier hypothesis, then by lower id. */
static int compare(const void *a, const void *b) {
    const Candidate *first = a;
    const Candidate *second = b;
    if (first->log_probability != second->log_probability)
        return first->log_probability > second->log_probability ? -1 : 1;
    if (first->from != second->from) return first->from < second->from ? -1 : 1;
    return first->id < second->id ? -1 : 1;
}

/* Find the `max` best extensions of a hypothesis, best first; return their number. Do
 * not sort the vocabulary, which is large: few of its words beat the worst candidate
 * found so far. */
static int continuations(Search *search, int from, int max, Candidate *best,
                         Arena *scratch) {
    Hypothesis *hypothesis = &search->live[from];
    double before = search->beam.node[hypothesis->node].log_probability;
    /* log P of each next token; NULL if the tape failed */
    Tape *tape = &search->work;
    if (!search->caches) tape_reset(tape);
    const Ids ids = read_ids(search, hypothesis);
    Tensor *target = network_target(tape, &ids);
    Tensor *logits = network_decode(tape, &search->model->network, search->source,
                                    target, search->caches ? &hypothesis->cache : NULL);
    const double *more = logits ? sampling_log_probability(logits, scratch) : NULL;
    int count = 0;
    for (int id = 0; more && id < search->model->config.target_vocabulary; id++) {
        const Candidate candidate = {from, id, more[id], before + more[id]};
        if (!isfinite(more[id])) continue;
        int place = count;
        while (place > 0 && compare(&candidate, &best[place - 1]) < 0) place--;
        if (place == max) continue;
        if (count < max) count++;
        memmove(&best[place + 1], &best[place],
                (size_t)(count - 1 - place) * sizeof *best);
        best[place] = candidate;
    }
    return count;
}

/* Keep the `width` best; those with <end> are finished. */
static void take_best(Search *search, const Candidate *candidate, int count) {
    Hypothesis *next = ARENA_ARRAY(search->arena, Hypothesis, search->options->width);
    bool *goes_on = ARENA_ARRAY(search->arena, bool, search->lives);
    int lives = 0;
    for (int c = 0; c < count; c++) {
        bool ends = candidate[c].id == search->model->config.end_id;
        int from = candidate[c].from;
        bool stays = c < search->options->width;
        /* If no extension of a hypothesis stays, its best one shows why it ended. */
        if (!stays && goes_on[from]) continue;
        goes_on[from] = true;
        int parent = search->live[from].node;
        int node =
            add_node(search, (BeamNode){.id = candidate[c].id,
                                        .parent = parent,
                                        .tokens = search->beam.node[parent].tokens + 1,
                                        .token_log = candidate[c].token_log,
                                        .log_probability = candidate[c].log_probability,
                                        .rank = c,
                                        .end = !stays ? BEAM_PRUNED
                                               : ends ? BEAM_FINISHED
                                                      : BEAM_LEFT});
        search->beam.node[parent].end = BEAM_GROWN;
        /* Remember the best finished hypothesis; the first if scores are equal. */
        Beam *beam = &search->beam;
        if (stays && ends &&
            (search->finished++ == 0 ||
             beam->node[node].score > beam->node[beam->best].score))
            beam->best = node;
        if (stays && !ends)
            next[lives++] = (Hypothesis){node, search->live[from].cache};
    }
    search->live = next;
    search->lives = lives;
}

/* Could the beam's first hypothesis, which is its best, still beat the best finished
 * one? Assume that all its next tokens have probability 1. */
static bool can_improve(const Search *search) {
    if (!search->lives) return false;
    if (!search->finished) return true;
    double max = search->beam.node[search->live[0].node].log_probability /
                 beam_length_penalty(search->limit, search->options->alpha);
    return max > search->beam.node[search->beam.best].score;
}

int beam_lost(const Beam *beam, const Generated *target) {
    int node = 0;
    for (int t = 0; t < target->count; t++) {
        int next = node + 1;
        while (next < beam->count && (beam->node[next].parent != node ||
                                      beam->node[next].id != target->id[t]))
            next++;
        if (next == beam->count || beam->node[next].end == BEAM_PRUNED) return t;
        node = next;
    }
    return target->count;
}

static void search_all(Search *search) {
    search->beam.best = 0;
    search->live = ARENA_ARRAY(search->arena, Hypothesis, 1);
    search->live[0] =
        (Hypothesis){add_node(search, (BeamNode){.id = search->model->config.start_id,
                                                 .parent = -1,
                                                 .end = BEAM_LEFT}),
                     decoder_cache_new()};
    search->lives = 1;
    Arena scratch = {0};
    for (int step = 0; step < search->limit && can_improve(search); step++) {
        /* The candidates of all hypotheses, best first, at most `width` of each. */
        const int words = search->model->config.target_vocabulary;
        const int max = search->options->width < words ? search->options->width : words;
        Candidate *candidate = ARENA_ARRAY(&scratch, Candidate, search->lives * max);
        int count = 0;
        for (int h = 0; h < search->lives && !search->work.failed; h++) {
            ArenaMark mark = arena_mark(&scratch);
            count += continuations(search, h, max, candidate + count, &scratch);
            arena_back(&scratch, mark);
        }
        qsort(candidate, (size_t)count, sizeof *candidate, compare);
        if (!count)
            tape_fail(&search->work,
                      "the logits of step %d are not numbers, so nothing can be ranked",
                      step);
        if (search->work.failed) break;
        take_best(search, candidate, count);
        make_room(search);
        arena_reset(&scratch);
    }
    arena_free(&scratch);
    if (!search->finished && search->lives) search->beam.best = search->live[0].node;
}

Beam beam_search(Tape *tape, const Model *model, const Encoded *source,
                 const BeamOptions *options, Arena *arena) {
    const Config *config = &model->config;
    Error error;
    if (!network_generates(config, &error)) tape_fail(tape, "%s", error.message);
    if (tape->failed) return (Beam){0};
    int max = generate_limit(config, source);
    Search search = {
        .model = model,
        .source = source,
        .options = options,
        .arena = arena,
        .limit = options->limit < max ? options->limit : max,
        .caches = options->cached && network_can_cache(config),
    };
    /* After make_room() has cleared the tape, each hypothesis is read again. */
    long long held = search.caches ? options->width : 1;
    long long numbers = held * search.limit * config->target_vocabulary;
    if (numbers > TAPE_NUMBERS_MAX) {
        tape_fail(
            tape,
            "a beam of %d with up to %d tokens over %d words may need %lld numbers; "
            "the limit is %d (2 GiB). Use a smaller beam, or a shorter sentence",
            options->width, search.limit, config->target_vocabulary, numbers,
            TAPE_NUMBERS_MAX);
        return (Beam){0};
    }
    search_all(&search);
    if (search.work.failed) tape_fail(tape, "%s", search.work.error.message);
    tape_free(&search.work);
    return search.beam;
}
