#include "shell/show_steps.h"

#include "base/language.h"
#include "model/sampling.h"
#include "shell/decoding.h"

enum { CANDIDATES = 4, CANDIDATES_MOST = 40 };

/* The word that step `t` said, the best besides, and what is left. */
static StripStep step_of(const Session *session, int t, int candidates, bool *picked,
                         Arena *arena) {
    static const Sampling plain = {.temperature = 1, .top_p = 1};
    const Tensor *logits = decoding_logits(session, t, arena);
    if (!logits) return (StripStep){0};
    const Distribution shares = sampling_distribution(logits, &plain, arena);
    int id = session->generated.id[t];
    StripWord *word = ARENA_ARRAY(arena, StripWord, candidates + 1);
    StripStep step = {.word = word, .words = 1, .others = 1};
    for (int i = 0; i < shares.count; i++) {
        const SamplingToken *token = &shares.token[i];
        bool is_said = token->id == id;
        if (!is_said && step.words > candidates) continue;
        StripWord *to = is_said ? &word[0] : &word[step.words++];
        *to = (StripWord){decoding_label(session, token->id, arena), token->softmax};
        step.others -= token->softmax;
    }
    if (step.words > 1 && word[1].share > word[0].share) *picked = true;
    if (step.others < 0) step.others = 0; /* sums of many small numbers */
    return step;
}

bool show_steps(Session *session, const Arguments *arguments, Figure *figure,
                Error *error) {
    Arena *arena = &session->scratch;
    int candidates = CANDIDATES;
    if (!decoding_at_hand(session, error) ||
        !arguments_number(arguments, "best", 1, CANDIDATES_MOST, &candidates, error))
        return false;
    int count = session->generated.count;
    bool picked = false;
    StripStep *step = ARENA_ARRAY(arena, StripStep, count);
    for (int t = 0; t < count; t++)
        step[t] = step_of(session, t, candidates, &picked, arena);
    Strip *strip = ARENA_ARRAY(arena, Strip, 1);
    *strip = (Strip){
        .step = step,
        .count = count,
        .note = picked ? said(N_("On top of each step is what was said; where another "
                                 "word was more probable, it was picked by hand."))
                       : said(N_("On top of each step is what was said: the most "
                                 "probable word after those before it."))};
    figure->kind = FIGURE_STRIP;
    figure->strip = strip;
    figure->title = say(arena, "Step by step: what was said, and the %d that came next",
                        candidates);
    return true;
}
