#include "session/question.h"

#include <stdlib.h>
#include <string.h>

#include "session/question_default.h"

/* The head that the stage showed, where `word` leaves room for one; or -1. */
static int shown_head(const Session *session, const Tensor *tensor, const char *word,
                      Arena *arena) {
    const Record record = session_record(session);
    int head = tensor_axis(tensor, "head");
    int items = 1;
    const Tensor *told;
    int cell;
    Error unread;
    for (const char *c = word; *c; c++) items += *c == ',';
    if (head < 0 || items > tensor->rank - 2 || strstr(word, "head") ||
        !session->run->told ||
        !record_cell(&record, session->run->told, arena, &told, &cell, &unread) ||
        told != tensor)
        return -1;
    return tensor_index(tensor, head, cell);
}

/* The word's bracket behind the tensor at hand, with the sentence of the batch and the
 * head that are shown. */
static const char *complete_bracket(const Session *session, const Tensor *tensor,
                                    const char *word, Arena *arena) {
    int batch = tensor_axis(tensor, "batch");
    int head = shown_head(session, tensor, word, arena);
    const char *before = "";
    if (batch >= 0 && tensor->axis[batch].size > 1 && !strstr(word, "batch"))
        before = arena_print(arena, "batch=%d, ", session->run->row);
    if (head >= 0) before = arena_print(arena, "%shead=%d, ", before, head);
    return arena_print(arena, "%s[%s%s", tensor->name, before, word + 1);
}

bool question_cell(Session *session, const char *word, const Tensor **tensor, int *cell,
                   Error *error) {
    const Record record = session_record(session);
    Arena *arena = &session->scratch;
    if (!word && session->run->told)
        return record_cell(&record, session->run->told, arena, tensor, cell, error);
    if (!word) return question_default(session, tensor, cell, error);
    if (question_word(session, word, tensor, cell)) return true;
    if (*word != '[') return record_cell(&record, word, arena, tensor, cell, error);
    *tensor = question_tensor(session);
    if (!*tensor)
        return fail(error,
                    "'%s' has no address in front, and there is no stage whose "
                    "numbers it could mean",
                    word);
    return address_cell(complete_bracket(session, *tensor, word, arena), *tensor, arena,
                        cell, error);
}

/* Answer all questions from the last one that names a cell; the last answer stays. */
static void answer(Session *session) {
    Questions *questions = &session->run->questions;
    const Record record = session_record(session);
    Arena *arena = &session->run->why_arena;
    int first = questions->count - 1;
    while (!questions->asked[first].tensor) first--;
    const Question *asked = &questions->asked[first];
    arena_reset(arena);
    questions->why = (Why){0};
    questions->because = (Because){0};
    if (!asked->because) {
        questions->why = cell_explain(&record, asked->tensor, asked->cell,
                                      session->options.terms, arena);
        return;
    }
    questions->because = because_of(&record, asked->tensor, asked->cell, arena);
    for (int q = first + 1; q < questions->count; q++) {
        const Because before = questions->because;
        because_open(&record, &before, questions->asked[q].branch, arena,
                     &questions->because);
    }
}

static void answer_and_say(Session *session) {
    const Questions *questions = &session->run->questions;
    answer(session);
    if (questions->because.tensor)
        because_say(&questions->because, &session->page);
    else
        cell_say(&questions->why, &session->page);
}

static bool push(Session *session, Question question, Error *error) {
    Questions *questions = &session->run->questions;
    if (questions->count == QUESTIONS_MAX)
        return fail(
            error,
            "%d questions followed from each other, and no more are kept; begin "
            "anew with :why ADDRESS[cell]",
            QUESTIONS_MAX);
    questions->asked[questions->count++] = question;
    answer_and_say(session);
    return true;
}

void question_ask(Session *session, bool because, const Tensor *tensor, int cell) {
    session->run->questions.count = 1;
    session->run->questions.asked[0] = (Question){because, tensor, cell, 0};
    answer_and_say(session);
}

static bool follow_branch(Session *session, const char *typed, Error *error) {
    int most = session->run->questions.because.numbers;
    char *end;
    long branch = strtol(typed, &end, 10);
    if (*end || branch < 1 || branch > most)
        return most ? fail(error,
                           "the tree has no branch '%s'; its numbers go from 1 to %d",
                           typed, most)
                    : fail(error, "the tree has no branch that could be opened");
    return push(session, (Question){.because = true, .branch = (int)branch}, error);
}

bool question_follow(Session *session, bool because, const char *typed, Error *error) {
    const Questions *questions = &session->run->questions;
    if (questions->because.tensor) return follow_branch(session, typed, error);
    const Place *place = cell_follow(&questions->why, typed);
    if (place)
        return push(session, (Question){because, place->tensor, place->cell, 0}, error);
    if (questions->why.tensor)
        return fail(error,
                    "line %s of the explanation leads no further: no number of the "
                    "run stands behind it; follow a line with an address, or ask "
                    ":why ADDRESS[cell]",
                    typed);
    return fail(error,
                "the last explanation has no number '%s' to follow; first ask "
                ":why ADDRESS[cell]",
                typed);
}

void question_up(Session *session) {
    Questions *questions = &session->run->questions;
    if (questions->count > 1) {
        questions->count--;
        answer_and_say(session);
    } else if (questions->count) {
        page_note(&session->page, "this was the first question: nothing is above it; "
                                  ":why ADDRESS[cell] asks another");
    } else {
        page_note(&session->page, "nothing was asked yet; :why and :because ask");
    }
}
