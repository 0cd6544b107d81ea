#include "present/show_sampling.h"

#include <math.h>
#include <string.h>

#include "base/language.h"
#include "canvas/look.h"
#include "session/decoding.h"
#include "session/sentence.h"

/* "temperature 1.2, the 5 most probable, of these 0.9, seed 7". Omit settings that have
 * no effect. */
static const char *describe(const SampleWish *wish, Arena *arena) {
    const Sampling *sampling = &wish->sampling;
    const char *text = trf(arena, "temperature %g", sampling->temperature);
    if (sampling->top_k) text = trf(arena, "%s, top-k %d", text, sampling->top_k);
    if (sampling->top_p < 1) text = trf(arena, "%s, top-p %g", text, sampling->top_p);
    return trf(arena, "%s, seed %d", text, wish->seed);
}

/* A sampled sentence and how often it occurred. */
typedef struct {
    Sampled sampled;
    const char *text;
    int times;
} Drawn;

static void count_drawn(Session *session, const Sampled *sampled, Drawn *drawn,
                        int *kinds) {
    Arena *arena = &session->scratch;
    const Generated *generated = &sampled->generated;
    for (int k = 0; k < *kinds; k++) {
        const Generated *other = &drawn[k].sampled.generated;
        if (other->count != generated->count ||
            memcmp(other->id, generated->id, (size_t)other->count * sizeof(int)) != 0)
            continue;
        drawn[k].times++;
        return;
    }
    Drawn *fresh = &drawn[(*kinds)++];
    *fresh = (Drawn){.sampled = *sampled,
                     .text = sentence_spoken(&session->model, generated, arena),
                     .times = 1};
    /* Copy the ids: the next sentence overwrites the tape. */
    int *id = ARENA_ARRAY(arena, int, generated->count + 1);
    memcpy(id, generated->id, (size_t)generated->count * sizeof *id);
    fresh->sampled.generated.id = id;
}

static bool draw_all(Session *session, const SampleWish *wish, Drawn *drawn, int *kinds,
                     Error *error) {
    Tape source = {0};
    Tape work = {0};
    Encoded encoded = session_encoded(session, &source);
    Random random = random_new((uint64_t)wish->seed);
    if (source.failed) fail(error, "%s", source.error.message);
    for (int i = 0; i < wish->count && !source.failed && !work.failed; i++) {
        tape_reset(&work);
        Sampled sampled =
            sampling_run(&work, &session->model, &encoded, decoding_limit(session),
                         &wish->sampling, &random);
        if (!work.failed) count_drawn(session, &sampled, drawn, kinds);
    }
    bool done =
        !source.failed && (!work.failed || fail(error, "%s", work.error.message));
    tape_free(&work);
    tape_free(&source);
    return done;
}

static const char *probability_text(double log_probability, Arena *arena) {
    const double least = 1e-4;
    double p = exp(log_probability);
    return arena_print(arena, p < least ? "%.0e" : "%.4f", p);
}

bool show_samples(Session *session, const SampleWish *wish, Error *error) {
    static const char *const headings[] = {N_("times"), N_("probability"),
                                           N_("drawn with"), N_("sentence"), NULL};
    Arena *arena = &session->scratch;
    Drawn *drawn = ARENA_ARRAY(arena, Drawn, wish->count);
    int kinds = 0;
    if (!draw_all(session, wish, drawn, &kinds, error)) return false;
    TableWriter writer = decoding_table(kinds, headings, arena);
    for (int k = 0; k < kinds; k++) {
        const Sampled *sampled = &drawn[k].sampled;
        decoding_cell(&writer, arena_print(arena, "%d", drawn[k].times));
        decoding_cell(&writer, probability_text(sampled->log_probability, arena));
        decoding_cell(&writer, probability_text(sampled->log_drawn, arena));
        decoding_cell(&writer, sampled->generated.ended
                                   ? drawn[k].text
                                   : trf(arena, "%s … (no <end>)", drawn[k].text));
    }
    page_note(&session->page, "%s", describe(wish, arena));
    page_gap(&session->page);
    decoding_lines(&writer, &session->page);
    page_gap(&session->page);
    page_prose(&session->page,
               "\"probability\" is that of the whole sentence by the model; \"drawn "
               "with\" is that of this drawing, after temperature and cuts.");
    if (session->command && !session->run->target_given)
        page_hint(&session->page, N_("How one of its tokens is drawn"),
                  ":sample --step 0");
    return true;
}

/* The table of one step. */
typedef struct {
    Arena *arena;
    TableWriter writer;
    const char **label;
    int rows;
} StepTable;

enum { BAR = 12 };

static void add_token(StepTable *step, const char *label, const SamplingToken *token,
                      bool is_drawn) {
    Arena *arena = step->arena;
    bool kept = token->cut == SAMPLING_KEPT;
    step->label[step->rows++] =
        arena_print(arena, "%s %s", is_drawn ? "▶" : " ", label);
    decoding_cell(&step->writer, arena_print(arena, "%.2f", token->logit));
    decoding_cell(&step->writer, arena_print(arena, "%.2f", token->scaled));
    decoding_cell(&step->writer, arena_print(arena, "%.4f", token->softmax));
    decoding_cell(&step->writer, kept ? arena_print(arena, "%.4f", token->share)
                                 : token->cut == SAMPLING_TOP_K
                                     ? tr(N_("top-k: removed"))
                                     : tr(N_("top-p: removed")));
    decoding_cell(&step->writer, kept ? arena_print(arena, "%.4f", token->sum) : "");
    decoding_cell(&step->writer, look_bar(token->share, BAR, arena));
}

/* Add one row for the tokens that are not listed. */
static void add_others(StepTable *step, const Distribution *distribution,
                       const bool *shown) {
    Arena *arena = step->arena;
    SamplingToken all = {0};
    int others = 0;
    int kept = 0;
    for (int i = 0; i < distribution->count; i++) {
        if (shown[i]) continue;
        others++;
        kept += i < distribution->kept;
        all.softmax += distribution->token[i].softmax;
        all.share += distribution->token[i].share;
    }
    if (!others) return;
    step->label[step->rows++] = trf(arena, "  %d others", others);
    decoding_cell(&step->writer, "");
    decoding_cell(&step->writer, "");
    decoding_cell(&step->writer, arena_print(arena, "%.4f", all.softmax));
    decoding_cell(&step->writer,
                  kept ? arena_print(arena, "%.4f", all.share) : tr(N_("removed")));
    decoding_cell(&step->writer, "");
    decoding_cell(&step->writer, look_bar(all.share, BAR, arena));
}

static void say_step(Session *session, const Distribution *distribution, int drawn) {
    static const char *const headings[] = {
        N_("logit"), N_("/ T"), N_("softmax"), N_("kept"), N_("sum so far"), "", NULL};
    Arena *arena = &session->scratch;
    int most = session->options.terms;
    bool *shown = ARENA_ARRAY(arena, bool, distribution->count);
    int rows = 0;
    for (int i = 0; i < distribution->count; i++) {
        shown[i] = i < most || i == drawn;
        rows += shown[i];
    }
    bool all = rows == distribution->count;
    StepTable step = {.arena = arena,
                      .writer = decoding_table(rows + !all, headings, arena),
                      .label = ARENA_ARRAY(arena, const char *, rows + 1)};
    for (int i = 0; i < distribution->count; i++)
        if (shown[i])
            add_token(&step, decoding_label(session, distribution->token[i].id, arena),
                      &distribution->token[i], i == drawn);
    add_others(&step, distribution, shown);
    step.writer.table.row_label = step.label;
    page_table(&session->page, &step.writer.table);
}

bool show_sampling_step(Session *session, const SampleWish *wish, int step,
                        Error *error) {
    Arena *arena = &session->scratch;
    if (!decoding_at_hand(session, error)) return false;
    const Tensor *logits = decoding_logits(session, step, arena);
    if (!logits)
        return fail(error, "there is no step '%d'; the decoding has the steps 0 to %d",
                    step, session->run->generated.count - 1);
    if (!generate_ranks(logits))
        return fail(error,
                    "the logits of step %d are not numbers, so nothing can be drawn",
                    step);
    Distribution distribution = sampling_distribution(logits, &wish->sampling, arena);
    /* The random number that the first sentence of this seed uses at the step. */
    Random random = random_new((uint64_t)wish->seed);
    for (int t = 0; t < step; t++) random_unit(&random);
    double unit = random_unit(&random);
    int drawn = sampling_draw(&distribution, unit);
    Generated before = {.id = session->run->generated.id, .count = step};
    const char *behind = sentence_spoken(&session->model, &before, arena);
    if (step == 0) { /* the prompt, or <start> */
        const Sentence *prompt = &session->run->source.sentence[session->run->row];
        const bool is_alone = session->model.config.encoder_layers == 0;
        behind =
            is_alone && prompt->text ? session_safe(session, prompt->text) : "<start>";
    }
    page_prose(&session->page, trf(arena, "Step %d, after \"%s\": %s", step, behind,
                                   describe(wish, arena)));
    page_gap(&session->page);
    say_step(session, &distribution, drawn);
    page_gap(&session->page);
    page_prose(&session->page,
               "Each logit is divided by the temperature T; softmax turns them into "
               "probabilities; top-k and top-p remove some; the rest are divided by "
               "their sum, then summed in order.");
    page_prose(&session->page,
               trf(arena,
                   "With seed %d, the number drawn here is %.4f: the first token whose "
                   "cumulative sum is larger is %s.",
                   wish->seed, unit,
                   decoding_label(session, distribution.token[drawn].id, arena)));
    return true;
}
