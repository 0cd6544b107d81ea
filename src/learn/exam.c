#include "learn/exam.h"

#include "base/interrupt.h"
#include "base/language.h"
#include "model/network.h"

static bool is_classifier(const Model *model) {
    return model->config.model_type == MODEL_CLASSIFIER;
}

static bool can_evaluate(const Model *model, Arena *arena, Error *error) {
    Error ignored;
    if (!is_classifier(model) && !network_generates(&model->config, &ignored))
        return fail(error,
                    "%s (%s) neither generates text nor gives labels: there is nothing "
                    "to evaluate",
                    model->path, network_describe(&model->config, arena));
    return model->source.kind != TOKENIZER_NONE ||
           fail(error,
                "%s has no tokenizer and reads ids only: evaluate needs one for the "
                "sentences of the file",
                model->path);
}

static bool read_pairs(const Model *model, const CorpusFile *file, Arena *arena,
                       Corpus *corpus, Error *error) {
    if (!corpus_read(corpus, file, arena, error)) return false;
    return corpus->has_targets ||
           fail(error,
                is_classifier(model)
                    ? N_("%s has one column: evaluate needs two, a text and its label")
                    : N_("%s has one column: evaluate needs two, a source and its "
                         "target"),
                file->path);
}

/* The ids of a pair, and its alignment. One that is too long is counted and left out.
 */
static bool add_question(Exam *exam, const Corpus *corpus, int p, const char *numbers,
                         Evaluation *evaluation, Error *error) {
    Pair *pair = &corpus->pair[p];
    Question *question = &exam->question[exam->count];
    Corpus alone = {.path = corpus->path, .pair = pair, .count = 1};
    Examples examples;
    Error problem;
    if (!examples_new(&examples, &alone, exam->model, exam->arena, &problem)) {
        if (examples.too_long == 0) return fail(error, "%s", problem.message);
        if (evaluation->too_long++ == 0) evaluation->first_too_long = pair->line;
        return true;
    }
    *question = (Question){.wanted = pair->target, .example = examples.example[0]};
    if (numbers && !alignment_new(&question->alignment, pair, numbers, exam->model,
                                  exam->arena, &problem))
        return fail(error, "%s:%d: %s", corpus->path, pair->line, problem.message);
    evaluation->content_words += question->alignment.content;
    exam->count++;
    return true;
}

static bool add_questions(Exam *exam, const Corpus *corpus, const char *const *numbers,
                          Evaluation *evaluation, Error *error) {
    exam->question = ARENA_ARRAY(exam->arena, Question, corpus->count);
    for (int p = 0; p < corpus->count; p++)
        if (!interrupt_none(error) ||
            !add_question(exam, corpus, p, numbers ? numbers[p] : NULL, evaluation,
                          error))
            return false;
    evaluation->pairs = exam->count;
    return exam->count ||
           fail(error,
                "%s: every pair is longer than the %d tokens of the model (max_length)",
                corpus->path, exam->model->config.max_length);
}

/* Read the file. Alignments are of use only where every source word has a key. */
static bool read_questions(Exam *exam, const EvaluateOptions *options,
                           Evaluation *evaluation, Error *error) {
    const Config *config = &exam->model->config;
    const char *const *numbers = NULL;
    Corpus corpus;
    bool looks = !is_classifier(exam->model) && !network_mixes_batch(config);
    if (!read_pairs(exam->model, &options->file, exam->arena, &corpus, error) ||
        (looks && !alignment_read(&options->file, options->alignment, &corpus,
                                  exam->arena, &numbers, error)) ||
        !add_questions(exam, &corpus, numbers, evaluation, error))
        return false;
    evaluation->bad_rows = corpus.bad_count;
    evaluation->first_bad = corpus.bad[0].line;
    if (!numbers) return true;
    exam->layers = config->decoder_layers;
    exam->heads = config->attention_heads;
    exam->layer = ARENA_ARRAY(exam->arena, const char *, exam->layers);
    for (int l = 0; l < exam->layers - 1; l++)
        exam->layer[l] =
            arena_print(exam->arena, "decoder.%d.cross_attention.weights", l);
    exam->layer[exam->layers - 1] =
        network_alignment(&exam->model->config, exam->arena);
    return true;
}

bool exam_new(Exam *exam, const EvaluateOptions *options, Evaluation *evaluation,
              Error *error) {
    return can_evaluate(exam->model, exam->arena, error) &&
           read_questions(exam, options, evaluation, error);
}
