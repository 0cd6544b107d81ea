#include "learn/training.h"

#include <math.h>

#include "base/folder_lock.h"
#include "base/interrupt.h"
#include "base/language.h"
#include "base/threads.h"
#include "learn/checkpoint.h"
#include "learn/material.h"
#include "learn/output.h"
#include "learn/pictures.h"
#include "learn/progress.h"
#include "learn/samples.h"
#include "learn/trainer.h"
#include "model/network.h"

/* A training under way. */
typedef struct {
    const Training *order;
    const Recipe *recipe;
    FolderLock lock; /* of the output */
    Material material;
    Trainer trainer;
    Batches batches, validation; /* validation: count 0 where there is none */
    int next;                    /* the batch that comes next in the epoch */
    int steps;                   /* how many there will be, as far as is known */
    Curve curve;
    Snapshots snapshots;
    Progress progress;
    Learned last;
    bool is_measured; /* all that follows the last step was done */
    Tally seen;       /* of the epoch, so far */
    Measured measured;
    bool has_measured;
    Arena arena;
} Run;

static BatchSize batch_size(const Run *run) {
    const Recipe *recipe = run->recipe;
    return (BatchSize){
        .sentences = recipe->batch,
        .tokens = recipe->batch_tokens,
        .even_sources = network_reads_padding(&run->material.model.config),
        .seed = (unsigned long long)recipe->data_seed,
    };
}

static int count_steps(const Recipe *recipe, int batches) {
    const int most = 1 << 30;
    if (recipe->steps) return recipe->steps;
    long long steps = (long long)recipe->epochs * batches;
    return steps < most ? (int)steps : most;
}

static TrainerOptions trainer_options(const Run *run) {
    const Recipe *recipe = run->recipe;
    return (TrainerOptions){
        .adam = {recipe->beta_1, recipe->beta_2, recipe->epsilon, recipe->clip,
                 recipe->optimizer},
        .schedule = {.kind = recipe->schedule,
                     .d_model = run->material.model.config.d_model,
                     .warmup = recipe->warmup,
                     .factor = recipe->factor,
                     .rate = recipe->learning_rate,
                     .steps = run->steps},
        .smoothing = recipe->smoothing,
        .seed = (unsigned long long)recipe->data_seed,
    };
}

static const char *in_output(const Run *run, const char *name, Arena *arena) {
    return file_join(arena, run->recipe->output, name);
}

static CheckpointFacts checkpoint_facts(const Run *run, Arena *arena) {
    return (CheckpointFacts){
        .epoch = run->batches.epoch,
        .batch = run->next,
        .seen = run->seen,
        .recipe = recipe_print(run->recipe, arena),
        .config = config_print(&run->material.model.config, arena),
        .data = examples_checksum(&run->material.examples),
        .data_seed = run->recipe->data_seed,
        .loss = run->is_measured ? NAN : run->last.loss,
    };
}

/* Where the last save left off. */
static bool resume(Run *run, Arena *arena, Error *error) {
    CheckpointFacts facts = checkpoint_facts(run, arena);
    if (!checkpoint_read(in_output(run, "checkpoint.safetensors", arena),
                         &run->material.model.weights, &run->trainer.adam, &facts,
                         error))
        return false;
    batches_plan(&run->batches, facts.epoch);
    run->is_measured = isnan(facts.loss);
    if (facts.batch >= run->batches.count + !run->is_measured)
        return fail(error, "the checkpoint stands at batch %d of %d", facts.batch,
                    run->batches.count);
    run->next = facts.batch;
    run->seen = facts.seen;
    int step = run->trainer.adam.step;
    if (!run->is_measured)
        run->last = (Learned){
            .loss = facts.loss,
            .rate = schedule_rate(&run->trainer.options.schedule, step),
        };
    return curve_read(&run->curve, in_output(run, "train.csv", arena), step, error) &&
           snapshots_read(&run->snapshots,
                          in_output(run, "snapshots.safetensors", arena), step, error);
}

static void tell_beginning(const Run *run, Arena *arena) {
    const Model *model = &run->material.model;
    material_tell(&run->material, run->order->messages);
    page_line(run->order->messages,
              threads_count() == 1
                  ? N_("%s: %lld weights, vocabularies of %d and %d, %d batches an "
                       "epoch, %d thread")
                  : N_("%s: %lld weights, vocabularies of %d and %d, %d batches an "
                       "epoch, %d threads"),
              network_describe(&model->config, arena), weights_size(&model->weights),
              model->config.source_vocabulary, model->config.target_vocabulary,
              run->batches.count, threads_count());
}

/* What samples and snapshots show. */
static const Examples *shown_examples(const Run *run) {
    const Material *material = &run->material;
    return material->validation.count ? &material->validation : &material->examples;
}

static const Tensor *watch(void *snapshots) {
    return snapshots_watch(snapshots);
}

/* The logits of every batch fit on the tapes of the threads that share it: said before
 * the optimizer takes several times the memory of the weights. */
static bool logits_fit(const Run *run, const Batches *batches, Error *error) {
    const Config *config = &run->material.model.config;
    int threads = network_mixes_batch(config) ? 1 : threads_count();
    if (config->model_type == MODEL_CLASSIFIER) return true;
    for (int b = 0; b < batches->count; b++) {
        int rows = batches->start[b + 1] - batches->start[b];
        int tokens = 0;
        for (int e = batches->start[b]; e < batches->start[b + 1]; e++) {
            int targets = batches->examples->example[batches->order[e]].targets + 1;
            if (targets > tokens) tokens = targets;
        }
        long long part = (rows + threads - 1) / threads;
        long long numbers = part * tokens * config->target_vocabulary;
        if (numbers > TAPE_NUMBERS_MAX)
            return fail(
                error,
                "%s: a batch of %d sentences with up to %d tokens over %d words "
                "needs %lld numbers for its logits on each of %d threads, and "
                "at most %d (2 GiB) are kept: set batch, batch_tokens or "
                "vocabulary to less",
                run->recipe->path, rows, tokens, config->target_vocabulary, numbers,
                threads, TAPE_NUMBERS_MAX);
    }
    return true;
}

static bool begin(Run *run, Error *error) {
    const Recipe *recipe = run->recipe;
    const Training *order = run->order;
    Arena *arena = &run->arena;
    /* Two trainings would write over each other's saves. */
    if (!folder_lock(&run->lock, recipe->output, 0, error))
        return run->lock.is_busy
                   ? fail(error,
                          "%s: another training is at work in this folder: wait until "
                          "it ends, or choose another output",
                          recipe->output)
                   : false;
    if (!output_check(recipe, order->resumes || order->replaces, error)) return false;
    if (!material_new(&run->material, recipe, order->resumes, error)) return false;
    run->batches = batches_new(&run->material.examples, batch_size(run), arena);
    if (run->material.validation.count)
        run->validation =
            batches_in_order(&run->material.validation, batch_size(run), arena);
    if (!logits_fit(run, &run->batches, error) ||
        !logits_fit(run, &run->validation, error))
        return false;
    run->steps = count_steps(recipe, run->batches.count);
    if (order->steps_most && run->steps > order->steps_most)
        return fail(error,
                    "%s has %d steps; a lesson may take %d: set steps, or epochs, to "
                    "less",
                    recipe->path, run->steps, order->steps_most);
    /* The model, and in the checkpoint once more, beside Adam's two means. */
    const unsigned long long copies = 4;
    unsigned long long bytes =
        (unsigned long long)weights_size(&run->material.model.weights) * sizeof(float);
    if (!confine_has_room(recipe->output, copies * bytes, error)) return false;
    TrainerOptions options = trainer_options(run);
    run->trainer = trainer_new(&run->material.model, &options);
    run->snapshots = snapshots_new(recipe, &run->material.model, shown_examples(run));
    if (order->resumes && !resume(run, arena, error)) return false;
    run->progress = progress_new(order->messages, run->trainer.adam.step, run->steps);
    run->progress.watch = watch;
    run->progress.watched = &run->snapshots;
    tell_beginning(run, arena);
    return true;
}

/* A signal does not stop it: what was learned would be lost. */
static bool save(Run *run, Error *error) {
    Arena scratch = {0};
    interrupt_hold(true);
    Model *model = &run->material.model;
    model->steps = arena_print(&scratch, "%d", run->trainer.adam.step);
    CheckpointFacts facts = checkpoint_facts(run, &scratch);
    bool done =
        model_save(model, run->recipe->output, true, error) &&
        curve_save(&run->curve, in_output(run, "train.csv", &scratch), error) &&
        snapshots_save(&run->snapshots,
                       in_output(run, "snapshots.safetensors", &scratch), error) &&
        checkpoint_save(in_output(run, "checkpoint.safetensors", &scratch),
                        &model->weights, &run->trainer.adam, &facts, error);
    model->steps = NULL;
    arena_free(&scratch);
    interrupt_hold(false);
    return done;
}

static bool epoch_ends(const Run *run) {
    return run->next == run->batches.count;
}

/* Loss and accuracy on the validation data, and a few sentences decoded; at the end of
 * an epoch also how much of it was said rightly while it was learned from. */
static bool measure(Run *run, Error *error) {
    Page *page = run->order->messages;
    progress_pause(&run->progress);
    if (epoch_ends(run))
        page_line(page, "step %d: epoch %d, training accuracy %.2f %%",
                  run->trainer.adam.step, run->batches.epoch + 1,
                  100 * tally_share(&run->seen));
    if (run->validation.count) {
        if (!trainer_measure(&run->trainer, &run->validation, &run->measured, error))
            return false;
        run->has_measured = true;
        page_line(page, "step %d: validation loss %.4f, accuracy %.2f %%",
                  run->trainer.adam.step, run->measured.loss,
                  100 * run->measured.accuracy);
    }
    samples_say(&run->material.model, shown_examples(run), run->recipe->samples, page);
    progress_continue(&run->progress);
    return true;
}

static void note_point(Run *run, bool measured) {
    bool valid = measured && run->validation.count;
    bool ends = epoch_ends(run);
    if (!measured && !ends && run->trainer.adam.step % run->recipe->log_every) return;
    curve_add(&run->curve, (CurvePoint){
                               .step = run->trainer.adam.step,
                               .loss = run->last.loss,
                               .rate = run->last.rate,
                               .speed = progress_speed(&run->progress),
                               .valid_loss = valid ? run->measured.loss : NAN,
                               .accuracy = valid ? run->measured.accuracy : NAN,
                               .train_accuracy = ends ? tally_share(&run->seen) : NAN,
                           });
}

/* Is it time for what happens each `every` steps, or where that is 0 each epoch? */
static bool is_due(const Run *run, int every) {
    return every ? run->trainer.adam.step % every == 0 : epoch_ends(run);
}

static bool is_done(const Run *run) {
    const Recipe *recipe = run->recipe;
    return recipe->steps ? run->trainer.adam.step >= recipe->steps
                         : run->batches.epoch >= recipe->epochs;
}

/* Where this is stopped, resuming does it again from its begin. */
static bool follow_step(Run *run, Error *error) {
    const Recipe *recipe = run->recipe;
    int measure_every = recipe->validate_every;
    int save_every = recipe->save_every ? recipe->save_every : measure_every;
    int take_every = recipe->snapshot_every ? recipe->snapshot_every : measure_every;
    bool measures = is_due(run, measure_every);
    bool saves = is_due(run, save_every);
    if (measures && !measure(run, error)) return false;
    if (is_due(run, take_every) &&
        !snapshots_take(&run->snapshots, run->trainer.adam.step, error))
        return false;
    note_point(run, measures);
    if (epoch_ends(run)) {
        batches_plan(&run->batches, run->batches.epoch + 1);
        run->next = 0;
        run->seen = (Tally){0};
    }
    run->is_measured = true;
    return !saves || save(run, error);
}

static bool step(Run *run, Error *error) {
    BatchTokens tokens = batches_tokens(&run->batches, run->next);
    if (run->material.model.config.model_type == MODEL_CLASSIFIER) tokens.target = 0;
    if (!trainer_step(&run->trainer, &run->batches, run->next, &run->last, error))
        return false;
    run->is_measured = false;
    run->next++;
    tally_add(&run->seen, &run->last.said);
    progress_step(&run->progress, run->trainer.adam.step, run->last.loss,
                  tokens.source + tokens.target);
    return follow_step(run, error);
}

/* The last step is seen in the figures, too, and not kept: who resumes with more steps
 * would find one that a training without a stop has not. Drawing can take long: the
 * signal that ended the steps does not stop it, and another one does. */
static bool finish(Run *run, Error *error) {
    progress_end(&run->progress);
    if (interrupt_signal()) { /* a large model takes a disk some seconds */
        page_line(run->order->messages, "stopping after step %d: it is being saved",
                  run->trainer.adam.step);
        page_flush(run->order->messages);
    }
    if (!save(run, error)) return false;
    int number = interrupt_answer();
    bool drawn = snapshots_take(&run->snapshots, run->trainer.adam.step, error) &&
                 pictures_draw(run->order, run->trainer.adam.step, &run->curve,
                               &run->snapshots, error);
    interrupt_again(number);
    return drawn || error->is_stop;
}

/* False, too, where a signal stops it: what was learned until then can be saved. */
static bool run_steps(Run *run, Error *error) {
    /* What a resumed training has of the steps before is all that there would be
     * without the stop. */
    if (run->snapshots.count == 0 &&
        !snapshots_take(&run->snapshots, run->trainer.adam.step, error))
        return false;
    if (!run->is_measured && !follow_step(run, error)) return false;
    while (!is_done(run))
        if (!interrupt_none(error) || !step(run, error)) return false;
    return true;
}

static bool run_all(Run *run, Error *error) {
    return begin(run, error) && (run_steps(run, error) || error->is_stop) &&
           finish(run, error);
}

static void end(Run *run) {
    trainer_free(&run->trainer);
    material_free(&run->material);
    curve_free(&run->curve);
    snapshots_free(&run->snapshots);
    folder_unlock(&run->lock);
    arena_free(&run->arena);
}

bool training_run(const Training *training, Trained *trained, Error *error) {
    Run run = {.order = training,
               .recipe = training->recipe,
               .last = {.loss = NAN},
               .is_measured = true,
               .lock = {.file = -1}};
    threads_limit(training->recipe->threads);
    interrupt_guard(true);
    bool done = run_all(&run, error);
    if (!done) progress_end(&run.progress);
    *trained = (Trained){
        .steps = run.trainer.adam.step,
        .loss = run.last.loss,
        .valid_loss = run.has_measured ? run.measured.loss : NAN,
        .accuracy = run.has_measured ? run.measured.accuracy : NAN,
        .signal = interrupt_signal(),
    };
    end(&run);
    interrupt_guard(false);
    threads_limit(0);
    return done;
}
