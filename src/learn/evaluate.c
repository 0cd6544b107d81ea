#include "learn/evaluate.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/language.h"
#include "base/threads.h"
#include "data/batches.h"
#include "kernel/vector.h"
#include "learn/trainer.h"
#include "model/generate.h"
#include "model/network.h"

/* Which word of the source each word of the target translates. A file has this in a
 * column "alignment", as written by grammar_export(): for each target word the index of
 * the source word, from 0; or 2+3 if it translates both ("living room" is one word in
 * Korean); or -1 for none. Words are separated by spaces; . , ? and ! are separate
 * words. */
typedef struct {
    bool *aligned;    /* [target word, source word]: does it translate that word? */
    bool *translates; /* [target word]: does it translate any? */
    int source_words, target_words;
    int content; /* number of target words that translate a source word */
    const int *source_word, *target_word; /* the word of each token, or -1 */
    int sources, targets; /* number of tokens, without <start> and <end> */
} Alignment;

typedef struct {
    int start, end; /* bytes */
} Word;

/* Find the next word after `word->end`; false if there is none. */
static bool next_word(const char *text, Word *word) {
    int start = word->end + (int)strspn(text + word->end, " ");
    if (!text[start]) return false;
    int length = strchr(".,?!", text[start]) ? 1 : (int)strcspn(text + start, " .,?!");
    *word = (Word){start, start + length};
    return true;
}

static int count_words(const char *text) {
    int count = 0;
    for (Word word = {0}; next_word(text, &word);) count++;
    return count;
}

/* Parse the alignments of the column. Fails if they do not match the pair. */
static bool align_words(Alignment *alignment, const CorpusPair *pair,
                        const char *numbers, Arena *arena, Error *error) {
    int sources = count_words(pair->source);
    int targets = count_words(pair->target);
    *alignment = (Alignment){.aligned = ARENA_ARRAY(arena, bool, targets *sources),
                             .translates = ARENA_ARRAY(arena, bool, targets),
                             .source_words = sources,
                             .target_words = targets};
    int word = 0;
    while (*(numbers += strspn(numbers, " "))) {
        char *end;
        long value = strtol(numbers, &end, 10);
        bool goes_on = value >= 0 && *end == '+' && isdigit((unsigned char)end[1]);
        if (end == numbers || !(goes_on || *end == ' ' || *end == '\0'))
            return fail(error, "the alignment is not valid; expected whole numbers "
                               "separated by spaces, or 2+3 if a word translates two");
        if (value < -1 || value >= sources)
            return fail(error,
                        "the alignment has %ld, but the source has the words 0 to %d",
                        value, sources - 1);
        if (value >= 0 && word < targets) {
            alignment->aligned[word * sources + value] = true;
            alignment->content += !alignment->translates[word];
            alignment->translates[word] = true;
        }
        word += !goes_on;
        numbers = end + goes_on;
    }
    return word == targets ||
           fail(error, "the alignment has %d numbers, but the target has %d words",
                word, targets);
}

static bool read_column(const CorpusFile *file, const char *column, Arena *arena,
                        Corpus *third, Error *error) {
    CorpusFile alone = *file;
    alone.source = column;
    alone.target = "";
    return corpus_read(third, &alone, arena, error);
}

/* Get the column's text for each pair of the corpus; `*numbers` is NULL if there is no
 * column. `column`: its name or number; "": none; NULL: the one that the header calls
 * "alignment" or, without a header, the third one if it matches the first pair. If only
 * that name identified the header, the corpus is read again. */
static bool read_alignments(const CorpusFile *file, const char *column, Corpus *corpus,
                            Arena *arena, const char ***numbers, Error *error) {
    Corpus third;
    Alignment first;
    Error ignored;
    *numbers = NULL;
    if (column && !*column) return true;
    if (column) {
        if (!read_column(file, column, arena, &third, error)) return false;
    } else if (read_column(file, "alignment", arena, &third, &ignored)) {
        CorpusFile headed = *file;
        headed.header = HEADER_YES;
        if (!corpus->has_header && !corpus_read(corpus, &headed, arena, error))
            return false;
    } else if (corpus->has_header || !read_column(file, "3", arena, &third, &ignored) ||
               third.pair[0].line != corpus->pair[0].line ||
               !align_words(&first, &corpus->pair[0], third.pair[0].source, arena,
                            &ignored)) {
        return true;
    }
    *numbers = ARENA_ARRAY(arena, const char *, corpus->count);
    for (int p = 0, t = 0; p < corpus->count; p++) {
        int line = corpus->pair[p].line;
        while (t < third.count && third.pair[t].line < line) t++;
        bool has_some = t < third.count && third.pair[t].line == line;
        (*numbers)[p] = has_some ? third.pair[t].source : "";
    }
    return true;
}

/* Find the (first) word that each token of the text overlaps, and count the tokens. */
static bool find_words(const Tokenizer *tokenizer, const char *text, Arena *arena,
                       const int **words, int *count, Error *error) {
    Tokens tokens;
    if (!tokenizer_encode(tokenizer, text, (int)strlen(text), arena, &tokens, error))
        return false;
    int *found = ARENA_ARRAY(arena, int, tokens.count);
    Word word = {0};
    bool more = next_word(text, &word);
    int number = 0;
    for (int t = 0; t < tokens.count; t++) {
        const Token *token = &tokens.token[t];
        for (; more && word.end <= token->start; number++)
            more = next_word(text, &word);
        found[t] = more && word.start < token->end ? number : -1;
    }
    *words = found;
    *count = tokens.count;
    return true;
}

/* Count the content words for which the source word with the largest weight is a
 * correct one, with teacher forcing. `weights` is for one sentence: [batch, head,
 * query, key], or without heads; head -1: use the mean over all heads. A word's weight
 * is the sum over its tokens; <end> counts as a wrong word. A token's row is the one
 * that predicts it, in which the decoder reads the previous token. */
static int count_aligned(const Alignment *alignment, const Tensor *weights, int head) {
    Arena scratch = {0};
    int axis = tensor_axis(weights, "head");
    int heads = axis < 0 ? 1 : weights->axis[axis].size;
    int queries = weights->axis[weights->rank - 2].size;
    int keys = tensor_row(weights);
    int none = alignment->source_words; /* for everything that is not a word */
    int right = 0;
    for (int word = 0; word < alignment->target_words; word++) {
        if (!alignment->translates[word]) continue;
        double *sum = ARENA_ARRAY(&scratch, double, none + 1);
        for (int row = 0; row < heads * queries; row++) {
            int t = row % queries;
            if ((head >= 0 && head != row / queries) || t >= alignment->targets ||
                alignment->target_word[t] != word)
                continue;
            for (int key = 0; key <= alignment->sources; key++) {
                int source =
                    key < alignment->sources ? alignment->source_word[key] : -1;
                sum[source >= 0 ? source : none] +=
                    (double)weights->data[row * keys + key];
            }
        }
        int best = none;
        for (int source = 0; source < none; source++)
            if (sum[source] > sum[best]) best = source;
        right += best < none && alignment->aligned[word * none + best];
    }
    arena_free(&scratch);
    return right;
}

/* A pair of the file as ids, and the model's results. */
typedef struct {
    const char *expected; /* the target as text */
    Example example;
    Alignment alignment;

    double loss;       /* the sum over its tokens */
    int tokens, right; /* classifier: one label */
    int said;          /* classifier: the predicted label */
    bool exact;        /* decoding gave exactly the target */
} Item;

/* The data of one thread. */
typedef struct {
    Tape tape;
    Bleu bleu;
    int *right; /* correct words: for each layer, for its heads and their mean */
} Worker;

/* The evaluation set, and the threads that work on it. */
typedef struct {
    const Model *model;
    Arena *arena; /* owns all of it */
    Item *item;
    int count;
    const char **layer; /* addresses of the weights to compare with alignments */
    int layers, heads;
    int first, last; /* the range of items being run */
    Worker *worker;  /* one for each thread */
    int workers;
} EvaluationSet;

static bool is_classifier(const Model *model) {
    return model->config.model_type == MODEL_CLASSIFIER;
}

/* Add the ids of a pair, and its alignment if `numbers` has it. Count and skip a pair
 * that is too long. */
static bool add_item(EvaluationSet *set, const Corpus *corpus, int p,
                     const char *numbers, Evaluation *evaluation, Error *error) {
    CorpusPair *pair = &corpus->pair[p];
    Item *item = &set->item[set->count];
    Corpus alone = {.path = corpus->path, .pair = pair, .count = 1};
    Examples examples;
    Error problem;
    if (!examples_new(&examples, &alone, set->model, false, set->arena, &problem)) {
        if (examples.too_long == 0) return fail(error, "%s", problem.message);
        if (evaluation->too_long++ == 0) evaluation->first_too_long = pair->line;
        return true;
    }
    *item = (Item){.expected = pair->target, .example = examples.example[0]};
    Alignment *alignment = &item->alignment;
    if (numbers &&
        !(align_words(alignment, pair, numbers, set->arena, &problem) &&
          find_words(&set->model->source, pair->source, set->arena,
                     &alignment->source_word, &alignment->sources, &problem) &&
          find_words(&set->model->target, pair->target, set->arena,
                     &alignment->target_word, &alignment->targets, &problem)))
        return fail(error, "%s:%d: %s", corpus->path, pair->line, problem.message);
    evaluation->content_words += alignment->content;
    set->count++;
    return true;
}

/* Read the file. Alignments are usable only if every source word has a key. */
static bool read_set(EvaluationSet *set, const EvaluateOptions *options,
                     Evaluation *evaluation, Error *error) {
    const Model *model = set->model;
    const Config *config = &model->config;
    const char **numbers = NULL;
    Corpus corpus;
    Error ignored;
    if (!is_classifier(model) && !config->masked_words &&
        !network_generates(config, &ignored))
        return fail(error,
                    "%s (%s) neither generates text nor gives labels, so there is "
                    "nothing to evaluate",
                    model->path, network_describe(config, set->arena));
    if (model->source.kind == TOKENIZER_NONE)
        return fail(error,
                    "%s has no tokenizer and reads only ids; to evaluate the "
                    "sentences of a file, it needs one",
                    model->path);
    bool alone = config_learns_texts(config);
    CorpusFile file = options->file;
    if (alone) file.target = "";
    if (!corpus_read(&corpus, &file, set->arena, error)) return false;
    if (!corpus.has_targets && !alone)
        return fail(error,
                    is_classifier(model)
                        ? N_("%s has one column; evaluate needs two, a text and its "
                             "label")
                        : N_("%s has one column; evaluate needs two, a source and "
                             "its target"),
                    options->file.path);
    if (!is_classifier(model) && !alone && !network_mixes_batch(config) &&
        !read_alignments(&options->file, options->alignment, &corpus, set->arena,
                         &numbers, error))
        return false;
    set->item = ARENA_ARRAY(set->arena, Item, corpus.count);
    for (int p = 0; p < corpus.count; p++)
        if (!interrupt_none(error) ||
            !add_item(set, &corpus, p, numbers ? numbers[p] : NULL, evaluation, error))
            return false;
    if (set->count == 0)
        return fail(error,
                    "%s: every pair is longer than the %d tokens that the model "
                    "takes (max_length)",
                    corpus.path, config->max_length);
    evaluation->pairs = set->count;
    evaluation->bad_rows = corpus.bad_count;
    evaluation->first_bad = corpus.bad[0].line;
    if (!numbers) return true;
    set->layers = config->decoder_layers;
    set->heads = config->attention_heads;
    set->layer = ARENA_ARRAY(set->arena, const char *, set->layers);
    for (int l = 0; l < set->layers - 1; l++)
        set->layer[l] =
            arena_print(set->arena, "decoder.%d.cross_attention.weights", l);
    set->layer[set->layers - 1] = network_alignment(config, set->arena);
    return true;
}

/* Compare a row of the logits with the label. */
static void judge_row(Item *item, const Tensor *logits, int row, int expected) {
    LogitPair pair;
    int size;
    const Number *x = loss_row(logits, row, pair, &size);
    Number max = vector_largest(x, size);
    item->loss += log(vector_exp_sum(x, max, size)) + (double)max - (double)x[expected];
    item->said = loss_said(x, size);
    item->right += item->said == expected;
}

/* Mask each word of a text once, keeping all others (Salazar et al. 2020). */
static void run_hidden(const Model *model, Tape *tape, Item *item) {
    const Config *config = &model->config;
    const Example *example = &item->example;
    for (int t = 0; t < example->sources; t++) {
        int id = example->source[t];
        if (id == config->start_id || id == config->end_id || id == config->unknown_id)
            continue;
        tape_reset(tape);
        int *read = ARENA_ARRAY(&tape->arena, int, example->sources);
        memcpy(read, example->source, (size_t)example->sources * sizeof *read);
        read[t] = config->mask_id;
        const Ids source = {read, 1, example->sources, NULL};
        Tensor *logits = network_run(tape, &model->network, &source, NULL);
        if (tape->failed) return;
        judge_row(item, logits, t, id);
        item->tokens++;
    }
}

/* Run the model on one pair: with teacher forcing, and by free decoding. The encoder
 * runs once for both, and its results stay on the tape. */
static void run_item(const EvaluationSet *set, Worker *worker, Item *item) {
    Tape *tape = &worker->tape;
    const Model *model = set->model;
    if (model->config.masked_words) {
        run_hidden(model, tape, item);
        return;
    }
    Examples alone = {.example = &item->example, .count = 1};
    tape_reset(tape);
    Batches batches =
        batches_in_order(&alone, (BatchSize){.sentences = 1}, &tape->arena);
    BatchPart part = batches_part(&batches, 0, 0, 1, &model->config, &tape->arena);
    Tensor *logits = network_run(tape, &model->network, &part.source, &part.target);
    if (tape->failed) return;
    item->tokens = part.expected.length;
    for (int row = 0; row < item->tokens; row++)
        judge_row(item, logits, row, part.expected.id[row]);
    if (is_classifier(model) || config_is_decoder_alone(&model->config)) return;
    for (int l = 0; l < set->layers; l++) {
        const Tensor *weights = tape_find(tape, set->layer[l]);
        int *right = worker->right + l * (set->heads + 1);
        for (int h = 0; h < set->heads; h++)
            right[h] += count_aligned(&item->alignment, weights, h);
        right[set->heads] += count_aligned(&item->alignment, weights, -1);
    }
    Generated made = generate(tape, model, &part.source, INT_MAX, true);
    if (tape->failed) return;
    bleu_add(&worker->bleu,
             tokenizer_decode(&model->target, made.id, made.count, &tape->arena),
             item->expected);
    const Example *example = &item->example;
    item->exact = made.ended && made.count == example->targets + 1;
    for (int i = 0; item->exact && i < example->targets; i++)
        item->exact =
            made.id[i] == example->target[i] && made.id[i] != model->config.unknown_id;
}

static void run_part(void *context, int part, int parts) {
    const EvaluationSet *set = context;
    Worker *worker = &set->worker[part];
    for (int i = set->first + part; i < set->last && !worker->tape.failed; i += parts)
        run_item(set, worker, &set->item[i]);
}

static void add_up(const EvaluationSet *set, Evaluation *evaluation) {
    int labels = set->model->config.label_count;
    double loss = 0;
    long long right = 0;
    evaluation->confusion = ARENA_ARRAY(set->arena, int, labels *labels);
    for (int i = 0; i < set->count; i++) {
        const Item *item = &set->item[i];
        loss += item->loss;
        evaluation->tokens += item->tokens;
        right += item->right;
        evaluation->exact += item->exact;
        if (is_classifier(set->model))
            evaluation->confusion[item->example.target[0] * labels + item->said]++;
    }
    double tokens = (double)evaluation->tokens;
    evaluation->loss = loss / tokens;
    evaluation->perplexity = exp(evaluation->loss);
    evaluation->accuracy = (double)right / tokens;
    for (int w = 0; w < set->workers; w++)
        bleu_join(&evaluation->counts, &set->worker[w].bleu);
    evaluation->bleu = bleu_score(&evaluation->counts);
}

/* Compute the fraction of words that each head, and each layer's mean, aligns
 * correctly. For attention without heads, its best head and mean are the attention
 * itself. */
static void add_alignments(const EvaluationSet *set, Evaluation *evaluation) {
    bool has_heads = set->model->config.model_type == MODEL_TRANSFORMER;
    if (evaluation->content_words == 0) return;
    evaluation->head =
        ARENA_ARRAY(set->arena, AlignmentShare, set->layers * set->heads);
    evaluation->mean = ARENA_ARRAY(set->arena, AlignmentShare, set->layers);
    for (int place = 0; place < set->layers * (set->heads + 1); place++) {
        const char *layer = set->layer[place / (set->heads + 1)];
        int head = place % (set->heads + 1);
        bool is_mean = head == set->heads;
        int right = 0;
        for (int w = 0; w < set->workers; w++) right += set->worker[w].right[place];
        const AlignmentShare share = {
            is_mean || !has_heads ? layer
                                  : arena_print(set->arena, "%s[head=%d]", layer, head),
            (double)right / evaluation->content_words};
        AlignmentShare *best =
            is_mean ? &evaluation->best_mean : &evaluation->best_head;
        if (is_mean)
            evaluation->mean[evaluation->means++] = share;
        else
            evaluation->head[evaluation->heads++] = share;
        if (!best->address || share.share > best->share) *best = share;
    }
}

bool evaluate(const Model *model, const EvaluateOptions *options, Arena *arena,
              Evaluation *evaluation, Error *error) {
    enum { STRETCH = 64 };
    EvaluationSet set = {.model = model, .arena = arena};
    Page *messages = options->messages;
    *evaluation = (Evaluation){0};
    if (!read_set(&set, options, evaluation, error)) return false;
    set.workers = threads_count();
    set.worker = ARENA_ARRAY(arena, Worker, set.workers);
    for (int w = 0; w < set.workers; w++)
        set.worker[w].right = ARENA_ARRAY(arena, int, set.layers *(set.heads + 1));
    bool done = true;
    while (done && set.last < set.count) { /* in parts, to report progress */
        set.first = set.last;
        set.last += STRETCH;
        if (set.last > set.count) set.last = set.count;
        if (messages) page_counting(messages, set.first, set.count, "sentences");
        threads_run(run_part, &set);
        for (int w = 0; done && w < set.workers; w++)
            if (set.worker[w].tape.failed)
                done = fail(error, "%s", set.worker[w].tape.error.message);
    }
    if (messages) page_counting(messages, set.count, set.count, "sentences");
    if (done) {
        add_up(&set, evaluation);
        add_alignments(&set, evaluation);
    }
    for (int w = 0; w < set.workers; w++) tape_free(&set.worker[w].tape);
    return done;
}
