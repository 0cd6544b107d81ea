#include "session/question.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/builder.h"
#include "explain/shown_tokens.h"
#include "kernel/vector.h"
#include "session/stops.h"
#include "text/label.h"

static const Tensor *question_tensor(Session *session) {
    const Tensor *tensor = stops_tensor(session, &session->scratch);
    if (tensor || session->run->is_made || !session->toy.tape.count) return tensor;
    return tape_find(&session->toy.tape, "weights");
}

/* Masked scores have the largest magnitude but no meaning: keep the sign. */
static double size_of(const Tensor *tensor, int cell) {
    double value = (double)tensor->data[cell];
    bool has_keys = strcmp(tensor->axis[tensor->rank - 1].name, "key") == 0;
    return has_keys ? value : fabs(value);
}

/* Find the first largest number of the current sentence and head 0. */
static bool find_largest(const Tensor *tensor, int sentence, int *cell) {
    int batch = tensor_axis(tensor, "batch");
    int head = tensor_axis(tensor, "head");
    bool any = false;
    for (int i = 0; i < tensor_size(tensor); i++) {
        if (batch >= 0 && tensor->axis[batch].size > 1 &&
            tensor_index(tensor, batch, i) != sentence)
            continue;
        if (head >= 0 && tensor_index(tensor, head, i) != 0) continue;
        if (any && !(size_of(tensor, i) > size_of(tensor, *cell))) continue;
        *cell = i;
        any = true;
    }
    return any;
}

/* Return the number of tokens before the decoded ones: <start> or the prompt. */
static int tokens_before(const Session *session) {
    return session->model.config.encoder_layers == 0
               ? session->run->source.sentence[session->run->row].count
               : 1;
}

/* Return the first cell of the probabilities for that position. */
static int row_of_place(const Session *session, const Tensor *probabilities,
                        int place) {
    int tokens = probabilities->rank > 2 ? probabilities->axis[1].size : 1;
    int row = session->run->row * tokens + (place < tokens ? place : tokens - 1);
    return row * tensor_row(probabilities);
}

/* Return the first cell of the probabilities from which decoded token `t` was chosen.
 * -1 is the last token of the prompt, and so on; the first one has none. */
static int row_start(const Session *session, const Tensor *probabilities, int t) {
    return row_of_place(session, probabilities, tokens_before(session) - 1 + t);
}

static int largest_of_row(const Tensor *tensor, int start) {
    return start + vector_largest_place(tensor->data + start, tensor_row(tensor));
}

/* Return true for tokens with letters, false for marks such as "." or <end>. */
static bool has_letters(const Tensor *probabilities, int id) {
    const char *label =
        axis_label(&probabilities->axis[probabilities->rank - 1], 0, id);
    if (!label || *label == '<') return !label;
    const char *after = label_after_space(label);
    unsigned char first = (unsigned char)*(after ? after : label);
    return isalnum(first) || first >= 0x80;
}

/* Return the tokens of a sentence as an axis: its prompt, if any, and the decoded
 * tokens, with the labels of the vocabulary. */
static Axis text_of(const Session *session, const Axis *words, Arena *arena) {
    const Generated *generated = &session->run->generated;
    const int before = tokens_before(session);
    const char **label = ARENA_ARRAY(arena, const char *, before + generated->count);
    for (int t = 0; session->model.config.encoder_layers == 0 && t < before; t++)
        label[t] = axis_label(words, 0,
                              session->run->source.sentence[session->run->row].id[t]);
    for (int t = 0; t < generated->count; t++)
        label[before + t] = axis_label(words, 0, generated->id[t]);
    return (Axis){.name = "text",
                  .size = before + generated->count,
                  .labels = label,
                  .label_rows = 1};
}

/* Find a word of the answer: "kite#2" is the second one. Without a number, decoded
 * tokens come before the prompt. */
static bool question_word(const Session *session, const char *word,
                          const Tensor **tensor, int *cell) {
    *tensor = tape_find(&session->run->tape, "probabilities");
    if (!*tensor || session->run->target_given || !session->run->generated.count)
        return false;
    Arena arena = {0};
    const Axis *words = &(*tensor)->axis[(*tensor)->rank - 1];
    const Axis text = text_of(session, words, &arena);
    const int before = tokens_before(session);
    const char *mark = strrchr(word, '#');
    long which = mark && mark > word ? strtol(mark + 1, NULL, 10) : 0;
    const size_t length = which > 0 ? (size_t)(mark - word) : strlen(word);
    bool found = false;
    for (int i = 0; !found && i < text.size - 1; i++) {
        /* Start at the first decoded token, then continue with the prompt. */
        int place = which > 0 ? i + 1 : 1 + (before - 1 + i) % (text.size - 1);
        if (!pieces_from(&text, 0, place, word, length) || (which > 0 && --which > 0))
            continue;
        const int id = place < before
                           ? session->run->source.sentence[session->run->row].id[place]
                           : session->run->generated.id[place - before];
        *cell = row_start(session, *tensor, place - before) + id;
        found = true;
    }
    arena_free(&arena);
    return found;
}

static bool find_answer(const Session *session, const Tensor **tensor, int *cell) {
    *tensor = tape_find(&session->run->tape, "probabilities");
    if (!*tensor) return false;
    if (session->run->generated.count && !session->run->target_given) {
        /* The chosen token with the lowest probability; the last, if none is a word. */
        const Generated *generated = &session->run->generated;
        int min = -1;
        for (int t = 0; t < generated->count; t++) {
            *cell = row_start(session, *tensor, t) + generated->id[t];
            if (!has_letters(*tensor, generated->id[t])) continue;
            if (min < 0 || (*tensor)->data[*cell] < (*tensor)->data[min]) min = *cell;
        }
        if (min >= 0) *cell = min;
        return true;
    }
    int hidden;
    Arena scratch = {0};
    const int *place = hidden_places(&session->run->tape, &session->model.config,
                                     session->run->row, &scratch, &hidden);
    int first_hidden = hidden ? place[0] : 0;
    arena_free(&scratch);
    if (session->model.config.masked_words) {
        *cell = largest_of_row(*tensor, row_of_place(session, *tensor, first_hidden));
        return true;
    }
    int last = session->run->target.rows
                   ? session->run->target.sentence[session->run->row].count
                   : 1;
    *cell = largest_of_row(*tensor, row_of_place(session, *tensor, last - 1));
    return true;
}

static bool question_default(Session *session, const Tensor **tensor, int *cell,
                             Error *error) {
    *tensor = question_tensor(session);
    int step = session->run->stage < 0 ? -1 : stops_step(session, session->run->stage);
    if (*tensor && step >= 0) { /* a decoding step: the token that it chose */
        *cell = tensor_size(*tensor) - tensor_row(*tensor) +
                session->run->generated.id[step];
        return true;
    }
    if (!*tensor && find_answer(session, tensor, cell)) return true;
    /* A model without probabilities: use its last stage. */
    if (!*tensor && session->run->walk.count)
        *tensor = session->run->walk.stage[session->run->walk.count - 1].tensor[0];
    return (*tensor && find_largest(*tensor, session->run->row, cell)) ||
           fail(error, "this stage has no number to explain; ask :why ADDRESS[cell]");
}

/* Return the head that the stage showed, if `word` leaves the head open; or -1. */
static int shown_head(const Session *session, const Tensor *tensor, const char *word,
                      Arena *arena) {
    const Record record = session_record(session);
    int head = tensor_axis(tensor, "head");
    int items = 1;
    const Tensor *told;
    int cell;
    Error unread;
    for (const char *end = word; *(end = address_item_end(end + 1)) == ',';) items++;
    if (head < 0 || items > tensor->rank - 2 || address_item(word, "head") ||
        !session->run->told ||
        !record_cell(&record, session->run->told, arena, &told, &cell, &unread) ||
        told != tensor)
        return -1;
    return tensor_index(tensor, head, cell);
}

bool question_cells(Session *session, const char *word, AxisCells *cells,
                    Error *error) {
    const Record record = session_record(session);
    Arena *arena = &session->scratch;
    const Tensor *tensor = NULL;
    *cells = (AxisCells){.count = 1};
    if (!word || question_word(session, word, &tensor, &cells->cell)) {
        const char *told = session->run->told;
        bool found =
            word   ? true
            : told ? record_cell(&record, told, arena, &tensor, &cells->cell, error)
                   : question_default(session, &tensor, &cells->cell, error);
        cells->tensor = tensor;
        return found;
    }
    if (*word != '[') return record_cells(&record, word, arena, cells, error);
    tensor = question_tensor(session);
    if (!tensor)
        return fail(error,
                    "'%s' needs an address before it: no stage with numbers is open",
                    word);
    /* Add the current sentence of the batch, and the head. */
    Builder address = {.arena = arena};
    int batch = tensor_axis(tensor, "batch");
    int head = shown_head(session, tensor, word, arena);
    build(&address, "%s[", tensor->name);
    if (batch >= 0 && tensor->axis[batch].size > 1 && !address_item(word, "batch"))
        build(&address, "batch=%d, ", session->run->row);
    if (head >= 0) build(&address, "head=%d, ", head);
    build_text(&address, word + 1);
    return address_cells(builder_text(&address), tensor, arena, cells, error);
}

/* Recompute the answers from the last question that names a cell on. */
static void answer(Session *session) {
    Questions *questions = &session->run->questions;
    const Record record = session_record(session);
    Arena *arena = &session->run->why_arena;
    int first = questions->count - 1;
    session_did(session, DID_ASK);
    while (!questions->asked[first].cells.tensor) first--;
    const Question *asked = &questions->asked[first];
    const AxisCells *cells = &asked->cells;
    arena_reset(arena);
    questions->why = (Why){0};
    questions->because = (Because){0};
    if (!asked->because) {
        int max = session->options.terms;
        questions->why = cells->count > 1 ? cells_explain(cells, max, arena)
                                          : cell_explain(&record, cells->tensor,
                                                         cells->cell, max, arena);
        return;
    }
    questions->because = because_of(&record, cells->tensor, cells->cell, arena);
    for (int q = first + 1; q < questions->count; q++) {
        const Because before = questions->because;
        because_open(&record, &before, questions->asked[q].branch, arena,
                     &questions->because);
    }
}

static bool push(Session *session, Question question, Error *error) {
    Questions *questions = &session->run->questions;
    if (questions->count == QUESTIONS_MAX)
        return fail(
            error,
            "%d questions in a row are the limit; start again with :why ADDRESS[cell]",
            QUESTIONS_MAX);
    questions->asked[questions->count++] = question;
    answer(session);
    return true;
}

void question_ask(Session *session, bool because, const AxisCells *cells) {
    session->run->questions.count = 1;
    session->run->questions.asked[0] = (Question){because, *cells, 0};
    if (session->run->is_made && cells->count == 1) /* the next question is about it */
        session->run->told =
            address_print(cells->tensor, cells->cell, &session->run->arena);
    answer(session);
}

bool question_follow(Session *session, bool because, const char *typed, Error *error) {
    const Questions *questions = &session->run->questions;
    if (questions->because.tensor) {
        int max = questions->because.numbers;
        char *end;
        long branch = strtol(typed, &end, 10);
        if (!max) return fail(error, "the tree has no branch to open");
        if (*end || branch < 1 || branch > max)
            return fail(error, "the tree has no branch '%s'; its branches are 1 to %d",
                        typed, max);
        return push(session, (Question){.because = true, .branch = (int)branch}, error);
    }
    const Place *place = cell_follow(&questions->why, typed);
    if (place)
        return push(session, (Question){because, {place->tensor, place->cell, 1, 0}, 0},
                    error);
    if (questions->why.tensor)
        return fail(error,
                    "line %s of the explanation has no address, so it cannot be "
                    "followed; follow a line with an address, or ask :why "
                    "ADDRESS[cell]",
                    typed);
    return fail(error,
                "the last explanation has no line '%s'; ask :why ADDRESS[cell] first",
                typed);
}

bool question_up(Session *session) {
    if (session->run->questions.count < 2) return false;
    session->run->questions.count--;
    answer(session);
    return true;
}
