#include "data/survey.h"

#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"

static const char *side_text(const Pair *pair, bool targets) {
    return targets ? pair->target : pair->source;
}

static void count_tokens(Survey *survey, const Tokens *tokens, int unknown) {
    survey->tokens += tokens->count;
    for (int t = 0; t < tokens->count; t++)
        survey->unknown += tokens->token[t].id == unknown;
}

/* Lengths that share a bar: such that nearly all sentences have a bar of their own. */
static void fill_bars(Survey *survey, const int *length, int count) {
    survey->shortest = survey->longest = length[0];
    for (int i = 0; i < count; i++) {
        if (length[i] < survey->shortest) survey->shortest = length[i];
        if (length[i] > survey->longest) survey->longest = length[i];
    }
    survey->step = (survey->longest + SURVEY_BARS - 1) / SURVEY_BARS;
    if (survey->step == 0) survey->step = 1;
    for (int i = 0; i < count; i++) {
        int bar = length[i] ? (length[i] - 1) / survey->step : 0;
        survey->bar[bar < SURVEY_BARS ? bar : SURVEY_BARS - 1]++;
    }
}

static bool survey_all(Survey *survey, const Corpus *corpus, bool targets,
                       const Tokenizer *tokenizer, Arena *arena, Error *error) {
    int *length = ARENA_ARRAY(arena, int, corpus->count);
    Arena scratch = {0};
    bool done = true;
    for (int p = 0; done && p < corpus->count; p++) {
        if (!(done = interrupt_none(error))) break;
        const char *text = side_text(&corpus->pair[p], targets);
        Tokens tokens;
        arena_reset(&scratch);
        done = tokenizer_encode(tokenizer, text, (int)strlen(text), &scratch, &tokens,
                                error);
        if (!done) break;
        length[p] = tokens.count;
        count_tokens(survey, &tokens, tokenizer->special.unknown);
    }
    arena_free(&scratch);
    if (done) fill_bars(survey, length, corpus->count);
    return done;
}

bool survey_side(Survey *survey, const Corpus *corpus, bool targets,
                 const Tokenizer *learned, int words, Error *error) {
    Arena arena = {0};
    Tokenizer made;
    Clean text = corpus_text(corpus, targets ? CORPUS_TARGETS : CORPUS_SOURCES, &arena);
    *survey = (Survey){0};
    bool done =
        learned || tokenizer_learn(&made, TOKENIZER_WORDS, &text, words, &arena, error);
    if (!learned) learned = &made;
    if (done) done = survey_all(survey, corpus, targets, learned, &arena, error);
    if (done) survey->words = learned->vocabulary.count;
    arena_free(&arena);
    return done;
}
