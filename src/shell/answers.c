#include "shell/answers.h"

#include <string.h>

#include "base/language.h"
#include "explain/unlearned.h"
#include "shell/stops.h"
#include "text/unicode.h"

/* Computed once for a model, when its first sentence was read. */
static const bool *unlearned_of(Session *session) {
    const Tensor *embedding = tape_find(&session->run, "encoder.embedding");
    if (!session->knows_unlearned && embedding) {
        const Tensor *table = session->run.step[embedding->step].input[0];
        session->unlearned =
            unlearned_rows(&session->model, table, &session->model.arena);
        session->knows_unlearned = true;
    }
    return session->unlearned;
}

static bool begins_word(const Sentence *sentence, int token) {
    return token == 0 || sentence->text[sentence->tokens.token[token].start] == ' ';
}

/* The text of the word whose tokens are `first` up to, and without, `last`. */
static const char *word_text(const Sentence *sentence, int first, int last,
                             Arena *arena) {
    const char *start = sentence->text + sentence->tokens.token[first].start;
    const char *end = sentence->text + sentence->tokens.token[last - 1].end;
    while (start < end && *start == ' ') start++;
    while (end > start && strchr(".,?!", end[-1])) end--;
    return unicode_escape(start, (size_t)(end - start), arena);
}

/* The first word with a piece that was never learned. */
static UnknownWord find_unknown(Session *session, const Sentence *sentence,
                                Arena *arena) {
    const bool *unlearned = unlearned_of(session);
    if (!unlearned || !sentence->text) return (UnknownWord){0};
    const Tokens *tokens = &sentence->tokens;
    for (int first = 0, last; first < tokens->count; first = last) {
        bool is_unknown = false;
        last = first;
        do {
            is_unknown = is_unknown || unlearned[tokens->token[last].id];
            last++;
        } while (last < tokens->count && !begins_word(sentence, last));
        const char *word = word_text(sentence, first, last, arena);
        if (is_unknown && *word) return (UnknownWord){word, last - first};
    }
    return (UnknownWord){0};
}

static void say_row(Session *session, int row) {
    Page *page = &session->page;
    const Sentence *sentence = &session->source.sentence[row];
    UnknownWord unknown = find_unknown(session, sentence, page->arena);
    Story story = session_story(session);
    story.row = row;
    Answer answer = session->answer[row].text ? session->answer[row]
                                              : answer_of(&story, page->arena);
    answer_say(&story, &answer, &unknown, page);
}

void answers_say(Session *session) {
    for (int row = 0; row < session->source.rows; row++) say_row(session, row);
    page_gap(&session->page);
    page_prose(&session->page,
               say(&session->scratch,
                   "Enter shows how, in %d steps.   + more detail   - less   :map",
                   stops_count(session)));
}
