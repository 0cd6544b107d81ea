#include "session/learning.h"

#include <string.h>

#include "base/builder.h"
#include "base/language.h"
#include "model/network.h"
#include "session/variants.h"

/* Save the weights before their first training step. A variant shares some weights with
 * the original model and may be discarded, so both remember the saved values. */
static void keep_weights(Session *session) {
    Weights *weights = &session->model.weights;
    const Weights *original =
        session->variant.is_on ? &session->variant.original.weights : NULL;
    for (int w = 0; w < weights->count; w++) {
        Weight *weight = &weights->weight[w];
        const Tensor *tensor = weight->tensor;
        size_t bytes = (size_t)tensor_size(tensor) * sizeof(Number);
        if (!weight->unlearned)
            weight->unlearned = memcpy(arena_take_raw(&session->learning.kept, bytes),
                                       tensor->data, bytes);
        for (int o = 0; original && o < original->count; o++)
            if (original->weight[o].tensor->data == tensor->data)
                original->weight[o].unlearned = weight->unlearned;
    }
}

static void give_back(Weights *weights) {
    for (int w = 0; w < weights->count; w++) {
        Weight *weight = &weights->weight[w];
        size_t bytes = (size_t)tensor_size(weight->tensor) * sizeof(Number);
        if (weight->unlearned) memcpy(weight->tensor->data, weight->unlearned, bytes);
        weight->unlearned = NULL;
    }
}

static bool is_same_text(const char *a, const char *b) {
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Return true if the current sentence reads the target that a step gave it. */
static bool reads_with_target(const Session *session) {
    const Learning *learning = &session->learning;
    const Request *with_target = &learning->with_target;
    Arena arena = {0};
    const Request now = variants_request(session, true, &arena);
    const bool same = learning->has_target &&
                      is_same_text(now.source, with_target->source) &&
                      is_same_text(now.source_ids, with_target->source_ids) &&
                      is_same_text(now.target, with_target->target) &&
                      is_same_text(now.target_ids, with_target->target_ids);
    arena_free(&arena);
    return same;
}

static bool take_target(Session *session, const char *text, Error *error) {
    Learning *learning = &session->learning;
    const Request before = variants_request(session, true, &learning->kept);
    Request request = variants_request(session, false, &session->scratch);
    bool by_ids = session->model.source.kind == TOKENIZER_NONE;
    if (config_is_decoder_alone(&session->model.config))
        request = (Request){.source = by_ids ? NULL : text,
                            .source_ids = by_ids ? text : NULL};
    else
        *(by_ids ? &request.target_ids : &request.target) = text;
    const bool again = reads_with_target(session);
    if (!session_run(session, &request, error)) return false;
    if (!again) learning->without_target = before;
    learning->with_target = variants_request(session, true, &learning->kept);
    learning->has_target = true;
    return true;
}

bool learning_undo(Session *session, Error *error) {
    Learning *learning = &session->learning;
    if (!learning->steps)
        return fail(error, "the model has not learned here, so there is nothing to "
                           "undo");
    if (!session_without_changes(session, error)) return false;
    const bool without_target = session->run->is_made && reads_with_target(session);
    if (without_target && !session_run(session, &learning->without_target, error))
        return false;
    give_back(&session->model.weights);
    if (session->variant.is_on) give_back(&session->variant.original.weights);
    session_end_learning(session);
    return !session->run->is_made || variants_rerun(session, error);
}

/* Return the labels: the target without its first token, followed by <end>. */
static Ids expected_tokens(const Session *session, const Side *target, Arena *arena) {
    const Config *config = &session->model.config;
    int length = target->ids.length;
    int *id = ARENA_ARRAY(arena, int, target->rows *length);
    for (int r = 0; r < target->rows; r++) {
        const Sentence *sentence = &target->sentence[r];
        for (int t = 0; t < length; t++)
            id[r * length + t] = t + 1 < sentence->count    ? sentence->id[t + 1]
                                 : t + 1 == sentence->count ? config->end_id
                                                            : config->pad_id;
    }
    return (Ids){id, target->rows, length, NULL};
}

/* Return the labels: the original ids at masked positions, padding elsewhere. */
static Ids expected_hidden(const Session *session, Arena *arena) {
    const Config *config = &session->model.config;
    const Side *source = &session->run->source;
    int length = source->ids.length;
    int *id = ARENA_ARRAY(arena, int, source->rows *length);
    for (int r = 0; r < source->rows; r++)
        for (int t = 0; t < length; t++) {
            bool is_hidden = t < source->sentence[r].count &&
                             source->sentence[r].id[t] == config->mask_id;
            id[r * length + t] =
                is_hidden ? session->run->whole.sentence[r].id[t] : config->pad_id;
        }
    return (Ids){id, source->rows, length, NULL};
}

static bool find_label(const Model *model, const char *name, size_t length, int *id,
                       Arena *arena, Error *error) {
    const Config *config = &model->config;
    Builder list = {.arena = arena};
    for (*id = 0; *id < config->label_count; ++*id) {
        const char *label = config->labels[*id];
        if (strlen(label) == length && strncmp(label, name, length) == 0) return true;
        for (int row = 0; row < model->label_name_rows; row++) {
            label = model->label_names[row * config->label_count + *id];
            if (strlen(label) == length && strncmp(label, name, length) == 0)
                return true;
        }
        if (model->label_name_rows)
            label = model->label_names[language_place() * config->label_count + *id];
        build_item(&list, ", ", "%s", label);
    }
    return fail(error,
                "the labels of this model are %s; give :learn one of them, in a "
                "batch one per sentence with | between",
                builder_text(&list));
}

/* Read "joy | anger": one label per sentence. */
static bool expected_labels(const Session *session, const char *typed, Arena *arena,
                            Ids *expected, Error *error) {
    int rows = session->run->source.rows;
    int *id = ARENA_ARRAY(arena, int, rows);
    for (int r = 0; r < rows; r++) {
        typed += strspn(typed, " |");
        size_t length = strcspn(typed, "|");
        size_t end = length;
        while (end && typed[end - 1] == ' ') end--;
        if (!find_label(&session->model, typed, end, &id[r], arena, error))
            return false;
        typed += length;
    }
    *expected = (Ids){id, rows, 1, NULL};
    return true;
}

static bool make_task(Session *session, const char *label, SlowTask *task,
                      Error *error) {
    Arena *arena = &session->scratch;
    const Config *config = &session->model.config;
    *task = (SlowTask){.source = session->run->source.ids,
                       .target = session->run->target.ids};
    if (config->model_type == MODEL_CLASSIFIER)
        return expected_labels(session, label, arena, &task->expected, error);
    if (config->masked_words) {
        const Side *whole = &session->run->whole;
        if (!whole->rows)
            return fail(error, "no masked word to learn; mask one with :hide WORD");
        task->expected = expected_hidden(session, arena);
        return true;
    }
    if (config->decoder_layers == 0)
        return fail(error, "this model has no output layer and no loss, so it cannot "
                           "learn");
    if (config_is_decoder_alone(config)) {
        /* A decoder-only model learns its prompt. */
        const Ids none = {.rows = session->run->source.rows};
        *task = (SlowTask){.source = none,
                           .target = session->run->source.ids,
                           .expected =
                               expected_tokens(session, &session->run->source, arena)};
        return true;
    }
    if (!session->run->target_given || session->run->target_borrowed)
        return fail(error, "no target to learn from; give one, as in :learn I met a "
                           "friend. or :target TEXT");
    task->expected = expected_tokens(session, &session->run->target, arena);
    return true;
}

/* Copy the answers: the run is discarded. */
static bool take_answers(Session *session, void *state, Error *error) {
    (void)error;
    Answer *answer = state;
    for (int row = 0; row < session->run->source.rows; row++) {
        const Answer now = session_answer(session, row);
        answer[row] = (Answer){.sure = now.sure};
        if (now.text)
            answer[row].text =
                arena_copy(&session->learning.kept, now.text, strlen(now.text));
    }
    return true;
}

/* Decode the model's answers without a given target. */
static bool speak(Session *session, Answer *answer, Error *error) {
    const Config *config = &session->model.config;
    const Request request = variants_request(session, false, &session->scratch);
    Error silent;
    memset(answer, 0, ROWS_MAX * sizeof *answer);
    return (config->model_type != MODEL_CLASSIFIER && !config->masked_words &&
            !network_generates(config, &silent)) ||
           session_aside(session, &request, take_answers, answer, error);
}

/* Find the weight cell whose update is explained; only weights are allowed. */
static bool find_cell(Session *session, const char *address, Error *error) {
    Learning *learning = &session->learning;
    const Record record = {.weights = &session->model.weights};
    const Tensor *tensor;
    if (!address) {
        learning->weight = -1;
        return true;
    }
    if (!record_cell(&record, address, &session->scratch, &tensor, &learning->cell,
                     error))
        return false;
    learning->weight = 0;
    while (session->model.weights.weight[learning->weight].tensor != tensor)
        learning->weight++;
    return true;
}

bool learning_step(Session *session, const LearningOptions *options, Error *error) {
    Learning *learning = &session->learning;
    SlowTask task;
    if (!session_without_changes(session, error) ||
        (*options->text && config_has_words(&session->model.config) &&
         !take_target(session, options->text, error)) ||
        !make_task(session, options->text, &task, error) ||
        !find_cell(session, options->cell, error) ||
        !speak(session, learning->before, error))
        return false;
    if (learning->is_begun && learning->dropout_on != session->variant.dropout_on)
        session_stop_learning(session);
    if (!learning->is_begun)
        slow_step_begin(&learning->step, &session->model, session->variant.dropout_on);
    learning->is_begun = true;
    learning->dropout_on = session->variant.dropout_on;
    session->run->questions = (Questions){0}; /* they may refer to the old gradients */
    const SlowOptions slow = {.rate = options->rate,
                              .smoothing = options->smoothing,
                              .dropout_on = session->variant.dropout_on,
                              .seed = session->variant.drop_seed};
    if (!slow_step_run(&learning->step, &session->model, &task, &slow, error)) {
        session_stop_learning(session);
        return false;
    }
    keep_weights(session);
    slow_step_write(&learning->step, &session->model);
    /* What can be looked at after a step. */
    SlowStep *step = &learning->step;
    arena_reset(&learning->arena);
    learning->gradients =
        gradients_new(&step->tape, &step->model.weights, &learning->arena);
    learning->has_gradients = true;
    learning->walk = walk_new(&step->tape, &session->model.config, 0, &learning->arena);
    learning->stop = -1;
    learning->steps++;
    if (!variants_rerun(session, error) || !speak(session, learning->after, error))
        return false;
    session->run->walks_back = true;
    session_did(session, DID_LEARN);
    return true;
}
