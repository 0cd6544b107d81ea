#include "learn/trainer.h"

#include <math.h>

#include "base/language.h"
#include "base/random.h"
#include "base/threads.h"
#include "kernel/vector.h"
#include "model/network.h"
#include "ops/ops.h"

/* Return the label that does not count. */
static int ignored(const Config *config) {
    return config->model_type == MODEL_CLASSIFIER ? -1 : config->pad_id;
}

Tensor *loss_run(Tape *tape, const Config *config, Tensor *logits, const Ids *expected,
                 double smoothing) {
    bool labels = config->model_type == MODEL_CLASSIFIER;
    Axis axis[] = {{.name = "batch", .size = expected->rows},
                   {.name = "target", .size = expected->length}};
    Tensor *given = tape_given(tape, "wanted", labels ? 1 : 2, axis);
    for (int i = 0; given && i < expected->rows * expected->length; i++)
        given->data[i] = (Number)expected->id[i];
    if (given) given->holds_ids = true;
    if (config->label_activation == LABEL_SIGMOID)
        return binary_cross_entropy(tape, "loss", logits, given, smoothing);
    return cross_entropy(tape, "loss", logits, given,
                         (CrossEntropy){ignored(config), smoothing});
}

const Number *loss_row(const Tensor *logits, int row, LogitPair pair, int *count) {
    int size = tensor_row(logits);
    const Number *logit = logits->data + (size_t)row * (size_t)size;
    *count = size;
    if (size != 1) return logit;
    *count = 2;
    pair[0] = 0;
    pair[1] = *logit;
    return pair;
}

int loss_said(const Number *logit, int count) {
    return vector_largest_place(logit, count);
}

/* Is the label the first one with the largest logit? Use the maximum that cross-entropy
 * found, because a row of logits may be larger than the cache. */
static bool is_said(const Step *loss, int row, int expected) {
    const Tensor *logits = loss->input[0];
    if (loss->op != &op_cross_entropy) {
        LogitPair pair;
        int count;
        const Number *logit = loss_row(logits, row, pair, &count);
        return loss_said(logit, count) == expected;
    }
    const Number *logit = logits->data + (size_t)row * (size_t)tensor_row(logits);
    Number max = cross_entropy_max(loss, row);
    if (logit[expected] != max) return false;
    int said = 0;
    while (said < expected && logit[said] != max) said++;
    return said == expected;
}

long long loss_right(const Config *config, const Step *loss) {
    const Tensor *expected = loss->input[1];
    long long right = 0;
    for (int row = 0; row < tensor_size(expected); row++) {
        int id = (int)expected->data[row];
        right += id != ignored(config) && is_said(loss, row, id);
    }
    return right;
}

void tally_add(Tally *tally, const Tally *more) {
    tally->right += more->right;
    tally->all += more->all;
}

double tally_share(const Tally *tally) {
    return tally->all ? (double)tally->right / (double)tally->all : NAN;
}

/* Return the first cell that is NaN or infinite, or -1. With `hides`, -inf is allowed,
 * since a mask may set it. */
static int first_broken(const Number *number, int size, bool hides) {
    for (int i = 0; i < size; i++)
        if (!isfinite(number[i]) && !(hides && number[i] < 0)) return i;
    return -1;
}

static const char *cell_text(const Tensor *tensor, int cell, Arena *arena) {
    const char *text = tensor->name;
    for (int a = 0; a < tensor->rank; a++)
        text = arena_print(arena, "%s%s%s=%d", text, a ? ", " : "[",
                           tensor->axis[a].name, tensor_index(tensor, a, cell));
    return arena_print(arena, "%s]", text);
}

/* All tapes have the same steps: check a step on all tapes before the next one. */
static const char *broken_output(const Trainer *trainer, Arena *arena) {
    bool more = true;
    for (int s = 0; more; s++) {
        more = false;
        for (int r = 0; r < trainer->replicas; r++) {
            const Tape *tape = &trainer->replica[r].tape;
            if (s >= tape->count) continue;
            const Step *step = &tape->step[s];
            const Tensor *output = step->output;
            int size = tensor_size(output);
            int cell = first_broken(output->data, size, step->op == &op_mask);
            if (cell >= 0)
                return trf(arena, "it appears first in %s = %g",
                           cell_text(output, cell, arena), (double)output->data[cell]);
            more = true;
        }
    }
    return NULL;
}

/* The results of a step's backward pass are the grads of its inputs. */
static const char *broken_gradient(const Tape *tape, Arena *arena) {
    for (int s = tape->count - 1; s >= 0; s--)
        for (int i = 0; i < tape->step[s].inputs; i++) {
            const Tensor *tensor = tape->step[s].input[i];
            if (!tensor->grad || !tensor->grad_written) continue;
            int cell = first_broken(tensor->grad, tensor_size(tensor), false);
            if (cell >= 0)
                return trf(arena,
                           "of the weights, it appears first in the gradient of %s",
                           cell_text(tensor, cell, arena));
        }
    return NULL;
}

/* All numbers are finite, but the sum of their squares overflows. */
static const char *largest_gradient(const Trainer *trainer, Arena *arena) {
    const Tensor *tensor = trainer->replica[0].model.weights.weight[0].tensor;
    int cell = 0;
    double max = 0;
    for (int r = 0; r < trainer->replicas; r++) {
        const Weights *learned = &trainer->replica[r].model.weights;
        for (int w = 0; w < learned->count; w++) {
            const Tensor *weight = learned->weight[w].tensor;
            for (int i = 0; i < tensor_size(weight); i++) {
                if (fabs((double)weight->grad[i]) <= max) continue;
                max = fabs((double)weight->grad[i]);
                tensor = weight;
                cell = i;
            }
        }
    }
    return trf(arena,
               "the sum of its squares is too large, mostly because of %s with %g",
               cell_text(tensor, cell, arena), (double)tensor->grad[cell]);
}

Trainer trainer_new(Model *model, const TrainerOptions *options) {
    Trainer trainer = {.model = model, .options = *options};
    trainer.adam = adam_new(&model->weights, &options->adam);
    trainer.replicas = network_mixes_batch(&model->config) ? 1 : threads_count();
    trainer.replica = ARENA_ARRAY(&trainer.arena, Replica, trainer.replicas);
    for (int r = 0; r < trainer.replicas; r++) {
        Replica *replica = &trainer.replica[r];
        Weights *weights = &replica->model.weights;
        model_twin(&replica->model, model);
        replica->gradient = adam_gradient(&trainer.adam, weights, &weights->arena);
    }
    return trainer;
}

void trainer_free(Trainer *trainer) {
    for (int r = 0; r < trainer->replicas; r++) {
        tape_free(&trainer->replica[r].tape);
        model_free(&trainer->replica[r].model);
    }
    arena_free(&trainer->arena);
}

/* The part of a batch that each replica runs. */
typedef struct {
    Trainer *trainer;
    const Batches *batches;
    int batch;
    bool learns;
    long long tokens; /* in the whole batch */
} Round;

/* Is it only used to look up rows? The output layer may use the same table. */
static bool is_table(const Tape *tape, const Tensor *weight) {
    for (int s = 0; s < tape->count; s++)
        for (int i = 0; i < tape->step[s].inputs; i++)
            if (tape->step[s].input[i] == weight && tape->step[s].op != &op_embed)
                return false;
    return true;
}

/* Reset the weights' gradients before the next batch. A table is large, and the
 * previous batch, which is still on the tape, used only a few rows: set these to 0. The
 * other rows are 0, and the next batch adds to them. */
static void prepare_gradients(Replica *replica) {
    const Weights *weights = &replica->model.weights;
    const Tape *tape = &replica->tape;
    for (int w = 0; w < weights->count; w++)
        weights->weight[w].tensor->grad_written = false;
    for (int s = 0; s < tape->count; s++) {
        const Step *step = &tape->step[s];
        if (step->op != &op_embed || !is_table(tape, step->input[0])) continue;
        embed_forget_gradient(step);
        step->input[0]->grad_written = true;
    }
}

/* Run forward up to the loss, the mean over the tokens of this part. The means,
 * weighted by their fraction of the tokens, add up to the mean of the batch. Tensors
 * that do not affect it have gradient 0. */
static void run_part(void *context, int part, int parts) {
    const Round *round = context;
    const Trainer *trainer = round->trainer;
    const Config *config = &trainer->model->config;
    Replica *replica = &round->trainer->replica[part];
    Tape *tape = &replica->tape;
    if (tape->learns) prepare_gradients(replica);
    tape_reset(tape);
    tape->learns = tape->recycles = round->learns;
    /* The seed of dropout for the part of one thread. */
    Random random = random_new(trainer->options.seed);
    random = random_new(random_bits(&random) + (unsigned long long)trainer->adam.step);
    for (int before = 0; before < part; before++) random_bits(&random);
    tape->seed = random_bits(&random);
    replica->loss = NULL;
    replica->said = (Tally){0};
    replica->part =
        batches_part(round->batches, round->batch, part, parts, config, &tape->arena);
    const BatchPart *given = &replica->part;
    Tensor *shared = NULL;
    if (given->source.rows > 0) {
        Tensor *logits =
            network_run(tape, &replica->model.network, &given->source, &given->target);
        replica->loss = loss_run(tape, config, logits, &given->expected,
                                 round->learns ? trainer->options.smoothing : 0);
        if (round->learns) {
            replica->share = (double)given->tokens / (double)round->tokens;
            shared = scale(tape, "loss_share", replica->loss, replica->share);
        }
    }
    const Weights *weights = &replica->model.weights;
    if (shared) tape_backward(tape, shared);
    for (int w = 0; round->learns && w < weights->count; w++)
        tensor_begin_grad(weights->weight[w].tensor);
    if (replica->loss)
        replica->said = (Tally){loss_right(config, &tape->step[replica->loss->step]),
                                given->tokens};
}

static bool run_round(Round *round, Error *error) {
    const Trainer *trainer = round->trainer;
    if (trainer->replicas == 1)
        run_part(round, 0, 1);
    else
        threads_run(run_part, round);
    for (int r = 0; r < trainer->replicas; r++)
        if (!tape_done(&trainer->replica[r].tape, error)) return false;
    return true;
}

/* Say where a number first is not finite: "it appears first in
 * encoder.0.feed_forward.hidden[batch=0, ...]". Check the weights first, then the
 * tensors in the order of computation, then the gradients of the weights in the order
 * of the backward pass. Other tensors have no gradients left if the tape recycles
 * them. */
static bool fail_number(const Trainer *trainer, const char *what, Error *error) {
    Arena scratch = {0};
    const char *cause = broken_output(trainer, &scratch);
    const char *weight = NULL;
    Broken broken;
    int next = 0;
    if (weights_broken(&trainer->model->weights, &next, &broken))
        weight = trf(&scratch, "it appears first in the weight %s",
                     cell_text(broken.tensor, broken.first, &scratch));
    if (cause && weight) cause = weight;
    for (int r = 0; !cause && r < trainer->replicas; r++)
        cause = broken_gradient(&trainer->replica[r].tape, &scratch);
    if (!cause) cause = weight ? weight : largest_gradient(trainer, &scratch);
    fail(error,
         "step %d: the %s is not finite; %s. Nothing after the last save is kept; "
         "lower the learning rate, or use more warm-up or clip",
         trainer->adam.step + 1, tr(what), cause);
    arena_free(&scratch);
    return false;
}

bool trainer_step(Trainer *trainer, const Batches *batches, int batch, Learned *learned,
                  Error *error) {
    Number *gradient[ADAM_GRADIENTS];
    bool labels = trainer->model->config.model_type == MODEL_CLASSIFIER;
    Round round = {
        .trainer = trainer,
        .batches = batches,
        .batch = batch,
        .learns = true,
        .tokens = labels ? batches->start[batch + 1] - batches->start[batch]
                         : batches_tokens(batches, batch).target,
    };
    if (!run_round(&round, error)) return false;
    *learned = (Learned){
        .rate = schedule_rate(&trainer->options.schedule, trainer->adam.step + 1)};
    for (int r = 0; r < trainer->replicas; r++) {
        const Replica *replica = &trainer->replica[r];
        if (replica->loss)
            learned->loss += replica->share * (double)replica->loss->data[0];
        tally_add(&learned->said, &replica->said);
        gradient[r] = replica->gradient;
    }
    if (!isfinite(learned->loss)) return fail_number(trainer, N_("loss"), error);
    return adam_step(&trainer->adam, learned->rate, gradient, trainer->replicas,
                     &learned->norm) ||
           fail_number(trainer, N_("gradient"), error);
}

bool trainer_measure(Trainer *trainer, const Batches *batches, Measured *measured,
                     Error *error) {
    double loss = 0;
    Tally said = {0};
    *measured = (Measured){0};
    for (int b = 0; b < batches->count; b++) {
        Round round = {.trainer = trainer, .batches = batches, .batch = b};
        if (!run_round(&round, error)) return false;
        for (int r = 0; r < trainer->replicas; r++) {
            const Replica *replica = &trainer->replica[r];
            if (!replica->loss) continue;
            loss += replica->part.tokens * (double)replica->loss->data[0];
            tally_add(&said, &replica->said);
        }
    }
    measured->tokens = said.all;
    measured->loss = loss / (double)measured->tokens;
    measured->accuracy = tally_share(&said);
    return true;
}
