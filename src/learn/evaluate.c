#include "learn/evaluate.h"

#include <limits.h>
#include <math.h>

#include "base/threads.h"
#include "data/batches.h"
#include "learn/exam.h"
#include "learn/loss.h"
#include "model/generate.h"
#include "model/network.h"
#include "ops/vector.h"

/* What belongs to one thread. */
typedef struct {
    Tape tape;
    Bleu bleu;
    int *right; /* for each layer its heads and their mean */
} Worker;

/* The exam being taken. */
typedef struct {
    Exam *exam;
    int first, last; /* the questions that are being asked */
    Worker *worker;  /* one for each thread */
    int workers;
} Sitting;

static bool is_classifier(const Exam *exam) {
    return exam->model->config.model_type == MODEL_CLASSIFIER;
}

/* Loss and right answers of all rows of logits. */
static void judge(Question *question, const Tensor *logits, const Ids *wanted) {
    question->tokens = wanted->length;
    for (int row = 0; row < wanted->length; row++) {
        LogitPair pair;
        int size;
        const Number *x = loss_row(logits, row, pair, &size);
        Number most = vector_largest(x, size);
        question->loss += log(vector_exp_sum(x, most, size)) + (double)most -
                          (double)x[wanted->id[row]];
        question->said = loss_said(x, size);
        question->right += question->said == wanted->id[row];
    }
}

static void look(const Exam *exam, Worker *worker, const Question *question) {
    for (int l = 0; l < exam->layers; l++) {
        const Tensor *weights = tape_find(&worker->tape, exam->layer[l]);
        int *right = worker->right + l * (exam->heads + 1);
        for (int h = 0; h < exam->heads; h++)
            right[h] += alignment_right(&question->alignment, weights, h);
        right[exam->heads] += alignment_right(&question->alignment, weights, -1);
    }
}

static bool is_exact(const Question *question, const Generated *made, int unknown) {
    const Example *example = &question->example;
    if (!made->ended || made->count != example->targets + 1) return false;
    for (int i = 0; i < example->targets; i++)
        if (made->id[i] != example->target[i] || made->id[i] == unknown) return false;
    return true;
}

/* The encoder runs once for both: what it found stays on the tape. */
static void say(const Exam *exam, Worker *worker, Question *question,
                const Ids *source) {
    const Model *model = exam->model;
    Generated made = generate(&worker->tape, model, source, INT_MAX, true);
    if (worker->tape.failed) return;
    const char *text =
        tokenizer_decode(&model->target, made.id, made.count, &worker->tape.arena);
    bleu_add(&worker->bleu, text, question->wanted);
    question->exact = is_exact(question, &made, model->config.unknown_id);
}

static void answer(const Exam *exam, Worker *worker, Question *question) {
    Tape *tape = &worker->tape;
    const Model *model = exam->model;
    Examples alone = {.example = &question->example, .count = 1};
    tape_reset(tape);
    Batches batches =
        batches_in_order(&alone, (BatchSize){.sentences = 1}, &tape->arena);
    BatchPart part = batches_part(&batches, 0, 0, 1, &model->config, &tape->arena);
    Tensor *logits = network_run(tape, &model->network, &part.source, &part.target);
    if (tape->failed) return;
    judge(question, logits, &part.wanted);
    if (is_classifier(exam)) return;
    look(exam, worker, question);
    say(exam, worker, question, &part.source);
}

static void answer_part(void *context, int part, int parts) {
    const Sitting *sitting = context;
    Worker *worker = &sitting->worker[part];
    for (int q = sitting->first + part; q < sitting->last && !worker->tape.failed;
         q += parts)
        answer(sitting->exam, worker, &sitting->exam->question[q]);
}

static void say_progress(Page *messages, int done, int all) {
    if (messages) page_counting(messages, done, all, "sentences");
}

/* In stretches, between which there is time to say how far it is. */
static bool answer_all(Sitting *sitting, Page *messages, Error *error) {
    enum { STRETCH = 64 };
    bool failed = false;
    while (sitting->last < sitting->exam->count && !failed) {
        sitting->first = sitting->last;
        sitting->last += STRETCH;
        if (sitting->last > sitting->exam->count) sitting->last = sitting->exam->count;
        say_progress(messages, sitting->first, sitting->exam->count);
        threads_run(answer_part, sitting);
        for (int w = 0; w < sitting->workers && !failed; w++) {
            failed = sitting->worker[w].tape.failed;
            if (failed) fail(error, "%s", sitting->worker[w].tape.error.message);
        }
    }
    say_progress(messages, sitting->exam->count, sitting->exam->count);
    return !failed;
}

static void add_workers(Sitting *sitting) {
    const Exam *exam = sitting->exam;
    sitting->workers = threads_count();
    sitting->worker = ARENA_ARRAY(exam->arena, Worker, sitting->workers);
    for (int w = 0; w < sitting->workers; w++)
        sitting->worker[w].right =
            ARENA_ARRAY(exam->arena, int, exam->layers *(exam->heads + 1));
}

static void free_workers(Sitting *sitting) {
    for (int w = 0; w < sitting->workers; w++) tape_free(&sitting->worker[w].tape);
}

static void add_up(const Sitting *sitting, Evaluation *evaluation) {
    const Exam *exam = sitting->exam;
    int labels = exam->model->config.label_count;
    double loss = 0;
    long long tokens = 0;
    long long right = 0;
    evaluation->confusion = ARENA_ARRAY(exam->arena, int, labels *labels);
    for (int q = 0; q < exam->count; q++) {
        const Question *question = &exam->question[q];
        loss += question->loss;
        tokens += question->tokens;
        right += question->right;
        evaluation->exact += question->exact;
        if (is_classifier(exam))
            evaluation
                ->confusion[question->example.target[0] * labels + question->said]++;
    }
    evaluation->loss = loss / (double)tokens;
    evaluation->perplexity = exp(evaluation->loss);
    evaluation->accuracy = (double)right / (double)tokens;
    for (int w = 0; w < sitting->workers; w++)
        bleu_join(&evaluation->counts, &sitting->worker[w].bleu);
    evaluation->bleu = bleu_score(&evaluation->counts);
}

static double share_of(const Sitting *sitting, int place, int words) {
    int right = 0;
    for (int w = 0; w < sitting->workers; w++) right += sitting->worker[w].right[place];
    return (double)right / words;
}

static void add_share(AlignmentShare *share, int *count, const char *address,
                      double value, AlignmentShare *best) {
    share[(*count)++] = (AlignmentShare){address, value};
    if (!best->address || value > best->share) *best = share[*count - 1];
}

/* An attention without heads is its own best head and its own mean. */
static void add_shares(const Sitting *sitting, Evaluation *evaluation) {
    const Exam *exam = sitting->exam;
    int words = evaluation->content_words;
    if (words == 0) return;
    evaluation->head =
        ARENA_ARRAY(exam->arena, AlignmentShare, exam->layers * exam->heads);
    evaluation->mean = ARENA_ARRAY(exam->arena, AlignmentShare, exam->layers);
    bool has_heads = exam->model->config.model_type == MODEL_TRANSFORMER;
    for (int l = 0; l < exam->layers; l++) {
        const char *layer = exam->layer[l];
        int place = l * (exam->heads + 1);
        for (int h = 0; h < exam->heads; h++)
            add_share(evaluation->head, &evaluation->heads,
                      has_heads ? arena_print(exam->arena, "%s[head=%d]", layer, h)
                                : layer,
                      share_of(sitting, place + h, words), &evaluation->best_head);
        add_share(evaluation->mean, &evaluation->means, layer,
                  share_of(sitting, place + exam->heads, words),
                  &evaluation->best_mean);
    }
}

bool evaluate(const Model *model, const EvaluateOptions *options, Arena *arena,
              Evaluation *evaluation, Error *error) {
    Exam exam = {.model = model, .arena = arena};
    Sitting sitting = {.exam = &exam};
    *evaluation = (Evaluation){0};
    if (!exam_new(&exam, options, evaluation, error)) return false;
    add_workers(&sitting);
    bool done = answer_all(&sitting, options->messages, error);
    if (done) {
        add_up(&sitting, evaluation);
        add_shares(&sitting, evaluation);
    }
    free_workers(&sitting);
    return done;
}
