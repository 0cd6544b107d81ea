#include "session/answers.h"

#include "base/language.h"
#include "explain/unlearned.h"
#include "session/sentence.h"
#include "session/stops.h"

/* Computed once for a model, when its first sentence was read. */
static const bool *unlearned_of(Session *session) {
    const Tensor *embedding = tape_find(&session->run->tape, "encoder.embedding");
    if (!session->knows_unlearned && embedding) {
        const Tensor *table = session->run->tape.step[embedding->step].input[0];
        session->unlearned =
            unlearned_rows(&session->model, table, &session->model.arena);
        session->knows_unlearned = true;
    }
    return session->unlearned;
}

/* The first word with a piece that was never learned. */
static UnknownWord find_unknown(Session *session, const Sentence *sentence,
                                Arena *arena) {
    const bool *unlearned = unlearned_of(session);
    int words = 0;
    if (!unlearned || !sentence->text) return (UnknownWord){0};
    const Word *word = sentence_words(sentence, arena, &words);
    for (int w = 0; w < words; w++)
        for (int t = word[w].first; t < word[w].last; t++)
            if (unlearned[sentence->tokens.token[t].id])
                return (UnknownWord){word[w].text, word[w].last - word[w].first};
    return (UnknownWord){0};
}

void answers_say_row(Session *session, int row) {
    Page *page = &session->page;
    const Sentence *sentence = &session->run->source.sentence[row];
    UnknownWord unknown = find_unknown(session, sentence, page->arena);
    Story story = session_story(session);
    story.row = row;
    Answer answer = session->run->answer[row].text ? session->run->answer[row]
                                                   : answer_of(&story, page->arena);
    answer_say(&story, &answer, &unknown, page);
}

void answers_say(Session *session) {
    for (int row = 0; row < session->run->source.rows; row++)
        answers_say_row(session, row);
    page_gap(&session->page);
    Arena *arena = &session->scratch;
    int steps = stops_count(session);
    page_prose(
        &session->page,
        session->player.is_open /* there Enter goes on with the lesson */
            ? say(arena,
                  ":next shows how, in %d steps.   + more detail   - less   :map",
                  steps)
            : say(arena,
                  "Enter shows how, in %d steps.   + more detail   - less   :map",
                  steps));
}
