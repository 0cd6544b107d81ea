#include <string.h>

#include "base/language.h"
#include "commands/commands.h"
#include "model/ids.h"
#include "present/answers.h"
#include "session/read_change.h"
#include "session/sentence.h"
#include "session/variants.h"

static bool hide(Session *session, const bool *hides, Error *error) {
    Arena *arena = &session->scratch;
    const Side *source = &session->run->source;
    const Sentence *sentence = &source->sentence[0];
    /* The original words are known since they were first masked. */
    Request request = variants_request(session, true, arena);
    if (sentence->text) {
        if (!request.target) request.target = request.source;
        /* As typed, with the mask token in place of each masked token. */
        const char *mask =
            session->model.source.vocabulary.word[session->model.config.mask_id];
        const char *text = "";
        int at = 0;
        for (int t = 0; t < sentence->tokens.count; t++) {
            const Token *token = &sentence->tokens.token[t];
            if (!hides[t + sentence->before]) continue;
            int start = token->start;
            while (start < token->end && sentence->text[start] == ' ') start++;
            text = arena_print(arena, "%s%.*s%s%s", text, start - at,
                               sentence->text + at, at && start == at ? " " : "", mask);
            at = token->end;
        }
        request.source = arena_print(arena, "%s%s", text, sentence->text + at);
    } else {
        int *id = ARENA_ARRAY(arena, int, sentence->count);
        for (int t = 0; t < sentence->count; t++)
            id[t] = hides[t] ? session->model.config.mask_id : sentence->id[t];
        if (!request.target_ids) request.target_ids = request.source_ids;
        request.source_ids = ids_print(id, sentence->count, arena);
    }
    if (!session_run(session, &request, error)) return false;
    answers_say(session);
    return true;
}

static bool run_hide(Session *session, const Arguments *arguments, Error *error) {
    const Config *config = &session->model.config;
    Arena *arena = &session->scratch;
    if (!config->masked_words)
        return fail(error, "this model does not predict masked words; :mask key "
                           "hides a token from the others");
    if (config->mask_id < 0)
        return fail(error, "this model has no mask_id to put in place of a masked "
                           "word");
    if (session->run->source.rows > 1)
        return fail(error, "words can be masked in one sentence only; type one "
                           "sentence");
    const Side *whole = &session->run->whole;
    if (arguments->words == 0) {
        if (!whole->rows)
            return fail(error, "no masked word; give :hide WORD, or the number of "
                               "its token");
        const char *text = sentence_print(whole, arena);
        Request request = {0};
        *(whole->sentence[0].text ? &request.source : &request.source_ids) = text;
        if (!session_run(session, &request, error)) return false;
        answers_say(session);
        return true;
    }
    const Sentence *sentence = &session->run->source.sentence[0];
    bool *hides = ARENA_ARRAY(arena, bool, sentence->count);
    int count = 0;
    const Word *word = sentence->text ? sentence_words(sentence, arena, &count) : NULL;
    for (int w = 0; w < arguments->words; w++) {
        /* A word of the sentence, or a name of tokens in an address. */
        TokenSpan span;
        int found = 0;
        while (found < count && strcmp(word[found].text, arguments->word[w]) != 0)
            found++;
        if (found < count)
            span = (TokenSpan){word[found].first + sentence->before,
                               word[found].last + sentence->before};
        else if (!read_word(session, arguments->word[w], &span, error))
            return false;
        for (int t = span.first; t < span.last; t++) {
            int typed = t - sentence->before;
            if (sentence->text && (typed < 0 || typed >= sentence->tokens.count))
                return fail(error,
                            "token %d is added to every sentence; mask a word of the "
                            "sentence",
                            t);
            hides[t] = true;
        }
    }
    return hide(session, hides, error);
}

const Command command_hide = {
    .name = "hide",
    .group = GROUP_CHANGE,
    .arguments = "[WORD | NUMBER ...]",
    .summary = N_("mask words and let the model predict them"),
    .details = N_("For masked language models. A word of several tokens is masked as "
                  "a whole; a number is that of a token. Without a word, nothing is "
                  "masked any more. You can also type [MASK] or ___ in a sentence."),
    .example = ":hide friend",
    .words = {0, WORDS_MAX},
    .needs = {.model = true, .run = true},
    .only_prompt = true,
    .reads_words = true,
    .choice = CHOICE_ADDRESS,
    .run = run_hide,
};
