#include "learn/trainer.h"

#include <math.h>

#include "base/language.h"
#include "base/random.h"
#include "base/threads.h"
#include "learn/diagnosis.h"
#include "model/network.h"
#include "ops/ops.h"

static void replica_new(Replica *replica, const Trainer *trainer) {
    *replica = (Replica){0};
    model_twin(&replica->model, trainer->model);
    replica->gradient = adam_gradient(&trainer->adam, &replica->model.weights,
                                      &replica->model.weights.arena);
}

Trainer trainer_new(Model *model, const TrainerOptions *options) {
    Trainer trainer = {.model = model, .options = *options};
    trainer.adam = adam_new(&model->weights, &options->adam);
    trainer.replicas = network_mixes_batch(&model->config) ? 1 : threads_count();
    trainer.replica = ARENA_ARRAY(&trainer.arena, Replica, trainer.replicas);
    for (int r = 0; r < trainer.replicas; r++)
        replica_new(&trainer.replica[r], &trainer);
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
    long long tokens; /* of the whole batch */
} Round;

/* Forward up to the loss: the mean over the tokens of this part. */
static void run_network(const Round *round, Replica *replica) {
    const Config *config = &round->trainer->model->config;
    const BatchPart *part = &replica->part;
    Tape *tape = &replica->tape;
    Tensor *logits =
        network_run(tape, &replica->model.network, &part->source, &part->target);
    replica->loss = loss_run(tape, config, logits, &part->wanted,
                             round->learns ? round->trainer->options.smoothing : 0);
}

/* Of the weights; those that had no influence are 0. */
static void find_gradients(Replica *replica) {
    const Weights *weights = &replica->model.weights;
    if (replica->shared_loss) tape_backward(&replica->tape, replica->shared_loss);
    for (int w = 0; w < weights->count; w++)
        tensor_begin_grad(weights->weight[w].tensor);
}

/* Do the steps only look rows up in it? The output may be made with the same table. */
static bool is_table(const Tape *tape, const Tensor *weight) {
    for (int s = 0; s < tape->count; s++)
        for (int i = 0; i < tape->step[s].inputs; i++)
            if (tape->step[s].input[i] == weight && tape->step[s].op != &op_embed)
                return false;
    return true;
}

/* Those of the weights, before the next batch. A table is large, and the batch of which
 * the tape still tells chose few of its rows: these become 0 again, as all others are,
 * and the next batch adds to them. */
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

/* The parts' means, each weighed by its share, add up to the mean of the batch. */
static void learn(const Round *round, Replica *replica) {
    if (replica->part.source.rows > 0) {
        run_network(round, replica);
        replica->share = (double)replica->part.tokens / (double)round->tokens;
        replica->shared_loss =
            scale(&replica->tape, "loss_share", replica->loss, replica->share);
    }
    find_gradients(replica);
}

static unsigned long long seed_of(const Trainer *trainer, int part) {
    Random random = random_new(trainer->options.seed);
    random = random_new(random_bits(&random) + (unsigned long long)trainer->adam.step);
    for (int before = 0; before < part; before++) random_bits(&random);
    return random_bits(&random);
}

static void run_part(void *context, int part, int parts) {
    const Round *round = context;
    Replica *replica = &round->trainer->replica[part];
    Tape *tape = &replica->tape;
    if (tape->learns) prepare_gradients(replica);
    tape_reset(tape);
    tape->learns = tape->lends = round->learns;
    tape->seed = seed_of(round->trainer, part);
    replica->loss = replica->shared_loss = NULL;
    replica->said = (Tally){0};
    replica->part = batches_part(round->batches, round->batch, part, parts,
                                 &round->trainer->model->config, &tape->arena);
    if (round->learns)
        learn(round, replica);
    else if (replica->part.source.rows > 0)
        run_network(round, replica);
    if (replica->loss)
        replica->said = (Tally){loss_right(&round->trainer->model->config,
                                           &tape->step[replica->loss->step]),
                                replica->part.tokens};
}

static bool run_round(const Round *round, Error *error) {
    Round copy = *round;
    if (round->trainer->replicas == 1)
        run_part(&copy, 0, 1);
    else
        threads_run(run_part, &copy);
    for (int r = 0; r < round->trainer->replicas; r++) {
        if (!tape_done(&round->trainer->replica[r].tape, error)) return false;
    }
    return true;
}

static long long count_tokens(const Batches *batches, int batch, const Config *config) {
    return config->model_type == MODEL_CLASSIFIER
               ? batches->start[batch + 1] - batches->start[batch]
               : batches_tokens(batches, batch).target;
}

static double batch_loss(const Trainer *trainer) {
    double loss = 0;
    for (int r = 0; r < trainer->replicas; r++) {
        const Replica *replica = &trainer->replica[r];
        if (replica->loss) loss += replica->share * (double)replica->loss->data[0];
    }
    return loss;
}

static bool fail_number(const Trainer *trainer, const char *what, Error *error) {
    Diagnosis diagnosis = {.weights = &trainer->model->weights};
    Arena scratch = {0};
    const char *found = NULL;
    for (int r = 0; r < trainer->replicas; r++) {
        diagnosis.tape[r] = &trainer->replica[r].tape;
        diagnosis.learned[r] = &trainer->replica[r].model.weights;
        diagnosis.tapes++;
    }
    found = diagnosis_find(&diagnosis, &scratch);
    fail(error,
         "step %d: the %s is no finite number; %s. Nothing after the last save is "
         "kept: try a lower learning rate, more warm-up or clip",
         trainer->adam.step + 1, said(what), found);
    arena_free(&scratch);
    return false;
}

bool trainer_step(Trainer *trainer, const Batches *batches, int batch, Learned *learned,
                  Error *error) {
    Round round = {
        .trainer = trainer,
        .batches = batches,
        .batch = batch,
        .learns = true,
        .tokens = count_tokens(batches, batch, &trainer->model->config),
    };
    if (!run_round(&round, error)) return false;
    *learned = (Learned){
        .loss = batch_loss(trainer),
        .rate = schedule_rate(&trainer->options.schedule, trainer->adam.step + 1),
    };
    for (int r = 0; r < trainer->replicas; r++)
        tally_add(&learned->said, &trainer->replica[r].said);
    if (!isfinite(learned->loss)) return fail_number(trainer, N_("loss"), error);
    Number *gradient[ADAM_GRADIENTS];
    for (int r = 0; r < trainer->replicas; r++)
        gradient[r] = trainer->replica[r].gradient;
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
