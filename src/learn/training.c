#include "learn/training.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/language.h"
#include "base/threads.h"
#include "learn/checkpoint.h"
#include "learn/pictures.h"
#include "learn/trainer.h"
#include "learn/training_setup.h"
#include "model/network.h"
#include "text/seen_words.h"

/* The files that every run writes; tokenizer files that it does not write are removed.
 * config.json is first, because an existing model has its own message. */
static const char *const always[] = {"config.json",
                                     "model.safetensors",
                                     "checkpoint.safetensors",
                                     "snapshots.safetensors",
                                     "train.csv",
                                     "vocab.json",
                                     "merges.txt",
                                     "target_vocab.json",
                                     "target_merges.txt"};
enum { ALWAYS = sizeof always / sizeof *always };

const char *training_output(const Recipe *recipe, int i, Arena *arena) {
    return i < ALWAYS ? always[i] : pictures_name(recipe, i - ALWAYS, arena);
}

/* May the run write its files? Fails if one of them is the data or the recipe, even
 * through a link, or if one exists and `replaces` is false. */
static bool check_output(const Recipe *recipe, bool replaces, Error *error) {
    const struct {
        const char *path, *what;
    } inputs[] = {
        {recipe->data, N_("its data")},
        {recipe->validation, N_("its validation data")},
        {recipe->path, N_("the recipe itself")},
    };
    Arena arena = {0};
    bool free = true;
    const char *name;
    for (int i = 0; free && (name = training_output(recipe, i, &arena)); i++) {
        const char *path = file_join(&arena, recipe->output, name);
        const char *read = NULL;
        for (size_t f = 0; !read && f < sizeof inputs / sizeof *inputs; f++)
            if (inputs[f].path && file_is_same(path, inputs[f].path))
                read = inputs[f].what;
        if (read)
            free = fail(error,
                        "this training would write %s, which is %s; choose another "
                        "output",
                        path, tr(read));
        else if (file_exists(path) && !replaces)
            free = i == 0 ? fail(error,
                                 "%s already has a model; continue with --resume, "
                                 "restart with --force, or choose another output",
                                 recipe->output)
                          : fail(error,
                                 "%s already exists; overwrite it with --force, or "
                                 "choose another output",
                                 path);
    }
    arena_free(&arena);
    return free;
}

/* Progress and speed. */
enum { PROGRESS_LOSSES = 96 };
typedef struct {
    int first, step, total; /* the first step, the current one, the last one */
    double loss;            /* at that step */
    double began;           /* start in seconds, moved by the time between steps */
    long long tokens;       /* since `began` */
    double losses[PROGRESS_LOSSES]; /* means over equal ranges of steps */
    int counts[PROGRESS_LOSSES];    /* the number of steps in each */
} Progress;

/* A training run in progress. */
typedef struct {
    const Training *order;
    const Recipe *recipe;
    FolderLock lock; /* on the output folder */
    TrainingSetup setup;
    Trainer trainer;
    Batches batches, validation; /* validation: count 0 if there is none */
    int next;                    /* the next batch of the epoch */
    int steps;                   /* the expected total number */
    Curve curve;
    Snapshots snapshots;
    Progress progress;
    Learned last;
    bool is_measured; /* all work after the last step is done */
    Tally seen;       /* in the current epoch */
    Measured measured;
    bool has_measured;
    Arena arena;
    bool has_words; /* the words are saved: see save_words() */
} Run;

/* Return source and target tokens per second. */
static double speed(const Progress *progress) {
    double seconds = clock_seconds() - progress->began;
    return seconds > 0 ? (double)progress->tokens / seconds : 0;
}

static const Tensor *watch(void *snapshots) {
    return snapshots_watch(snapshots);
}

static void say_progress(Run *run, bool ended) {
    const Progress *progress = &run->progress;
    int done = progress->step - progress->first;
    if (done == 0) return;
    /* Assume that the remaining steps are as fast as the previous ones. */
    double seconds =
        (clock_seconds() - progress->began) / done * (progress->total - progress->step);
    page_progress(run->order->messages, &(ProgressBlock){
                                            .step = progress->step,
                                            .total = progress->total,
                                            .loss = progress->loss,
                                            .speed = speed(progress),
                                            .seconds = seconds,
                                            .losses = progress->losses,
                                            .counts = progress->counts,
                                            .shares = PROGRESS_LOSSES,
                                            .ended = ended,
                                            .watch = watch,
                                            .watched = &run->snapshots,
                                        });
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
        .config = config_print(&run->setup.model.config, arena),
        .data = examples_checksum(&run->setup.examples),
        .data_seed = run->recipe->data_seed,
        .loss = run->is_measured ? NAN : run->last.loss,
    };
}

/* Continue from the last save. */
static bool resume(Run *run, Arena *arena, Error *error) {
    CheckpointFacts facts = checkpoint_facts(run, arena);
    if (!checkpoint_read(in_output(run, "checkpoint.safetensors", arena),
                         &run->setup.model.weights, &run->trainer.adam, &facts, error))
        return false;
    batches_plan(&run->batches, facts.epoch);
    run->is_measured = isnan(facts.loss);
    if (facts.batch >= run->batches.count + !run->is_measured)
        return fail(error, "the checkpoint is at batch %d of %d", facts.batch,
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

/* Check that the logits of every batch fit on the tapes of its threads, before the
 * optimizer allocates several times the memory of the weights. */
static bool logits_fit(const Run *run, const Batches *batches, Error *error) {
    const Config *config = &run->setup.model.config;
    int threads = network_mixes_batch(config) ? 1 : threads_count();
    if (config->model_type == MODEL_CLASSIFIER) return true;
    for (int b = 0; b < batches->count; b++) {
        int rows = batches->start[b + 1] - batches->start[b];
        int tokens = 0;
        for (int e = batches->start[b]; e < batches->start[b + 1]; e++) {
            const Example *example = &batches->examples->example[batches->order[e]];
            int targets =
                config->masked_words ? example->sources : example->targets + 1;
            if (targets > tokens) tokens = targets;
        }
        long long part = (rows + threads - 1) / threads;
        long long numbers = part * tokens * config->target_vocabulary;
        if (numbers > TAPE_NUMBERS_MAX)
            return fail(
                error,
                "%s: a batch of %d sentences with up to %d tokens and %d words needs "
                "%lld numbers for its logits on each of %d threads; the limit is %d "
                "(2 GiB). Reduce batch, batch_tokens or vocabulary",
                run->recipe->path, rows, tokens, config->target_vocabulary, numbers,
                threads, TAPE_NUMBERS_MAX);
    }
    return true;
}

static bool begin(Run *run, Error *error) {
    const Recipe *recipe = run->recipe;
    const Training *order = run->order;
    Arena *arena = &run->arena;
    /* Two runs would overwrite each other's files. */
    if (!folder_lock(&run->lock, recipe->output, 0, error))
        return run->lock.is_busy
                   ? fail(error,
                          "%s: another training is running in this folder; wait "
                          "until it ends, or choose another output",
                          recipe->output)
                   : false;
    if (!check_output(recipe, order->resumes || order->replaces, error)) return false;
    if (!training_setup_new(&run->setup, recipe, order->resumes, error)) return false;
    const BatchSize size = {
        .sentences = recipe->batch,
        .tokens = recipe->batch_tokens,
        .even_sources = network_reads_padding(&run->setup.model.config),
        .hides = run->setup.model.config.masked_words ? &run->setup.model.config : NULL,
        .seed = (unsigned long long)recipe->data_seed,
    };
    run->batches = batches_new(&run->setup.examples, size, arena);
    if (run->setup.validation.count)
        run->validation = batches_in_order(&run->setup.validation, size, arena);
    if (!logits_fit(run, &run->batches, error) ||
        !logits_fit(run, &run->validation, error))
        return false;
    const int max = 1 << 30;
    long long steps = (long long)recipe->epochs * run->batches.count;
    run->steps = recipe->steps ? recipe->steps : steps < max ? (int)steps : max;
    if (order->steps_max && run->steps > order->steps_max)
        return fail(error,
                    "%s has %d steps, but a lesson may take at most %d; reduce steps "
                    "or epochs",
                    recipe->path, run->steps, order->steps_max);
    /* The model, plus a second copy with Adam's two means in the checkpoint. */
    const unsigned long long copies = 4;
    unsigned long long bytes =
        (unsigned long long)weights_size(&run->setup.model.weights) * sizeof(float);
    if (!confine_has_room(recipe->output, copies * bytes, error)) return false;
    const TrainerOptions options = {
        .adam = {recipe->beta_1, recipe->beta_2, recipe->epsilon, recipe->clip,
                 recipe->optimizer},
        .schedule = {.kind = recipe->schedule,
                     .d_model = run->setup.model.config.d_model,
                     .warmup = recipe->warmup,
                     .factor = recipe->factor,
                     .rate = recipe->learning_rate,
                     .steps = run->steps},
        .smoothing = recipe->smoothing,
        .seed = (unsigned long long)recipe->data_seed,
    };
    run->trainer = trainer_new(&run->setup.model, &options);
    run->snapshots =
        snapshots_new(recipe, &run->setup.model, training_setup_shown(&run->setup));
    if (order->resumes && !resume(run, arena, error)) return false;
    int first = run->trainer.adam.step;
    run->progress = (Progress){
        .first = first, .step = first, .total = run->steps, .began = clock_seconds()};
    const Model *model = &run->setup.model;
    training_setup_tell(&run->setup, order->messages);
    page_line(order->messages,
              threads_count() == 1
                  ? N_("%s: %lld weights, vocabularies of %d and %d, %d batches per "
                       "epoch, %d thread")
                  : N_("%s: %lld weights, vocabularies of %d and %d, %d batches per "
                       "epoch, %d threads"),
              network_describe(&model->config, arena), weights_size(&model->weights),
              model->config.source_vocabulary, model->config.target_vocabulary,
              run->batches.count, threads_count());
    return true;
}

/* Save the words of the sources, once per run. */
static bool save_words(Run *run, Error *error) {
    Arena scratch = {0};
    SeenWords seen = {0};
    const Corpus *corpus = &run->setup.corpus;
    if (run->has_words) return true;
    for (int p = 0; p < corpus->count; p++) {
        const char *source = corpus->pair[p].source;
        seen_words_add(&seen, unicode_clean(source, strlen(source), &scratch).text,
                       &scratch);
    }
    run->has_words =
        seen_words_save(&seen, in_output(run, WORDS_FILE, &scratch), error);
    arena_free(&scratch);
    return run->has_words;
}

/* A signal must not interrupt saving: the result would be lost. */
static bool save(Run *run, Error *error) {
    Arena scratch = {0};
    interrupt_hold(true);
    Model *model = &run->setup.model;
    model->steps = arena_print(&scratch, "%d", run->trainer.adam.step);
    CheckpointFacts facts = checkpoint_facts(run, &scratch);
    bool done =
        model_save(model, run->recipe->output, true, error) && save_words(run, error) &&
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

/* Compute loss and accuracy on the validation data, and decode a few sentences; at the
 * end of an epoch also report the accuracy during training. */
static bool measure(Run *run, Error *error) {
    Page *page = run->order->messages;
    double paused = clock_seconds();
    if (epoch_ends(run))
        page_line(page, "step %d: epoch %d, training accuracy %.2f%%",
                  run->trainer.adam.step, run->batches.epoch + 1,
                  100 * tally_share(&run->seen));
    if (run->validation.count) {
        if (!trainer_measure(&run->trainer, &run->validation, &run->measured, error))
            return false;
        run->has_measured = true;
        page_line(page, "step %d: validation loss %.4f, accuracy %.2f%%",
                  run->trainer.adam.step, run->measured.loss,
                  100 * run->measured.accuracy);
    }
    training_setup_say_samples(&run->setup, run->recipe->samples, page);
    run->progress.began += clock_seconds() - paused;
    return true;
}

/* Is it time for work that is done every `every` steps, or every epoch if that is 0? */
static bool is_due(const Run *run, int every) {
    return every ? run->trainer.adam.step % every == 0 : epoch_ends(run);
}

/* If this is interrupted, resuming starts it again. */
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
    bool ends = epoch_ends(run);
    bool valid = measures && run->validation.count;
    if (measures || ends || run->trainer.adam.step % recipe->log_every == 0)
        curve_add(&run->curve,
                  (CurvePoint){
                      .step = run->trainer.adam.step,
                      .loss = run->last.loss,
                      .rate = run->last.rate,
                      .speed = speed(&run->progress),
                      .valid_loss = valid ? run->measured.loss : NAN,
                      .accuracy = valid ? run->measured.accuracy : NAN,
                      .train_accuracy = ends ? tally_share(&run->seen) : NAN,
                  });
    if (ends) {
        batches_plan(&run->batches, run->batches.epoch + 1);
        run->next = 0;
        run->seen = (Tally){0};
    }
    run->is_measured = true;
    return !saves || save(run, error);
}

/* Include the last step in the figures, but do not save that point: if the run is
 * resumed with more steps, it would have a point that an uninterrupted run lacks.
 * Drawing can take long: the signal that ended the steps does not interrupt it, but
 * another one does. */
static bool finish(Run *run, Error *error) {
    say_progress(run, true);
    if (interrupt_signal()) { /* saving a large model takes some seconds */
        page_line(run->order->messages, "stopping after step %d; saving",
                  run->trainer.adam.step);
        page_flush(run->order->messages);
    }
    if (!save(run, error)) return false;
    int number = interrupt_answer();
    bool drawn = snapshots_take(&run->snapshots, run->trainer.adam.step, error) &&
                 pictures_draw(&run->curve, &run->snapshots, run->trainer.adam.step,
                               run->order->command, error);
    interrupt_again(number);
    return drawn || error->is_stop;
}

/* Also returns false if a signal interrupts it; the result so far can then be saved. */
static bool run_steps(Run *run, Error *error) {
    const Recipe *recipe = run->recipe;
    const Trainer *trainer = &run->trainer;
    /* A resumed run has the same snapshots as an uninterrupted one. */
    if (run->snapshots.count == 0 &&
        !snapshots_take(&run->snapshots, trainer->adam.step, error))
        return false;
    if (!run->is_measured && !follow_step(run, error)) return false;
    while (recipe->steps ? trainer->adam.step < recipe->steps
                         : run->batches.epoch < recipe->epochs) {
        BatchTokens tokens = batches_tokens(&run->batches, run->next);
        bool labels = run->setup.model.config.model_type == MODEL_CLASSIFIER;
        if (!interrupt_none(error) ||
            !trainer_step(&run->trainer, &run->batches, run->next, &run->last, error))
            return false;
        run->is_measured = false;
        run->next++;
        tally_add(&run->seen, &run->last.said);
        Progress *progress = &run->progress;
        progress->step = trainer->adam.step;
        progress->loss = run->last.loss;
        progress->tokens += tokens.source + (labels ? 0 : tokens.target);
        /* With a token limit, epochs may differ in their number of batches. */
        if (progress->step > progress->total) progress->total = progress->step;
        long long place =
            (long long)(progress->step - 1) * PROGRESS_LOSSES / progress->total;
        int p = place < PROGRESS_LOSSES ? (int)place : PROGRESS_LOSSES - 1;
        progress->losses[p] +=
            (progress->loss - progress->losses[p]) / ++progress->counts[p];
        say_progress(run, false);
        if (!follow_step(run, error)) return false;
    }
    return true;
}

bool training_run(const Training *training, Trained *trained, Error *error) {
    Run run = {.order = training,
               .recipe = training->recipe,
               .last = {.loss = NAN},
               .is_measured = true,
               .lock = {.file = -1}};
    threads_limit(training->recipe->threads);
    interrupt_guard(true);
    bool done = begin(&run, error) && (run_steps(&run, error) || error->is_stop) &&
                finish(&run, error);
    if (!done) say_progress(&run, true);
    *trained = (Trained){
        .steps = run.trainer.adam.step,
        .loss = run.last.loss,
        .valid_loss = run.has_measured ? run.measured.loss : NAN,
        .accuracy = run.has_measured ? run.measured.accuracy : NAN,
        .signal = interrupt_signal(),
    };
    trainer_free(&run.trainer);
    training_setup_free(&run.setup);
    curve_free(&run.curve);
    snapshots_free(&run.snapshots);
    folder_unlock(&run.lock);
    arena_free(&run.arena);
    interrupt_guard(false);
    threads_limit(0);
    return done;
}
