#include "present/show_sampling.h"

#include <math.h>
#include <string.h>

#include "base/language.h"
#include "canvas/look.h"
#include "present/what_if.h"
#include "session/decoding.h"
#include "session/sentence.h"

/* "temperature 1.2, the 5 most probable, of these 0.9, seed 7". Omit settings that have
 * no effect. */
static const char *describe(const SampleOptions *options, Arena *arena) {
    const Sampling *sampling = &options->sampling;
    const char *text = trf(arena, "temperature %g", sampling->temperature);
    if (sampling->top_k) text = trf(arena, "%s, top-k %d", text, sampling->top_k);
    if (sampling->top_p < 1) text = trf(arena, "%s, top-p %g", text, sampling->top_p);
    return trf(arena, "%s, seed %d", text, options->seed);
}

/* A sampled sentence and how often it occurred. */
typedef struct {
    Sampled sampled;
    const char *text;
    int times;
} Drawn;

static bool draw_all(Session *session, const SampleOptions *options, Drawn *drawn,
                     int *kinds, Error *error) {
    Arena *arena = &session->scratch;
    Tape source = {0};
    Tape work = {0};
    Encoded encoded = session_encoded(session, &source);
    Random random = random_new((uint64_t)options->seed);
    if (source.failed) fail(error, "%s", source.error.message);
    for (int i = 0; i < options->count && !source.failed && !work.failed; i++) {
        tape_reset(&work);
        Sampled sampled =
            sampling_run(&work, &session->model, &encoded, decoding_limit(session),
                         &options->sampling, &random);
        if (work.failed) break;
        /* Count it with the same sentences drawn before. */
        const Generated *generated = &sampled.generated;
        const size_t bytes = (size_t)generated->count * sizeof *generated->id;
        int k = 0;
        while (k < *kinds &&
               (drawn[k].sampled.generated.count != generated->count ||
                memcmp(drawn[k].sampled.generated.id, generated->id, bytes) != 0))
            k++;
        if (k == *kinds) {
            const char *text = sentence_spoken(&session->model, generated, arena);
            /* Copy the ids: the next sentence overwrites the tape. */
            int *id = ARENA_ARRAY(arena, int, generated->count + 1);
            sampled.generated.id = memcpy(id, generated->id, bytes);
            drawn[(*kinds)++] = (Drawn){.sampled = sampled, .text = text};
        }
        drawn[k].times++;
    }
    bool done =
        !source.failed && (!work.failed || fail(error, "%s", work.error.message));
    tape_free(&work);
    tape_free(&source);
    return done;
}

static void put_probability(TableWriter *writer, double log_probability) {
    const double min = 1e-4;
    double p = exp(log_probability);
    table_print(writer, p < min ? "%.0e" : "%.4f", p);
}

bool show_samples(Session *session, const SampleOptions *options, Error *error) {
    static const char *const headings[] = {N_("times"), N_("probability"),
                                           N_("drawn with"), N_("sentence"), NULL};
    Arena *arena = &session->scratch;
    Drawn *drawn = ARENA_ARRAY(arena, Drawn, options->count);
    int kinds = 0;
    if (!draw_all(session, options, drawn, &kinds, error)) return false;
    what_if_note_decoding(session);
    TableWriter writer = table_begin(headings, arena);
    for (int k = 0; k < kinds; k++) {
        const Sampled *sampled = &drawn[k].sampled;
        table_print(&writer, "%d", drawn[k].times);
        put_probability(&writer, sampled->log_probability);
        put_probability(&writer, sampled->log_drawn);
        table_put(&writer, sampled->generated.ended
                               ? drawn[k].text
                               : trf(arena, "%s … (no <end>)", drawn[k].text));
    }
    page_note(&session->page, "%s", describe(options, arena));
    page_gap(&session->page);
    page_table_lines(&session->page, &writer.table);
    page_gap(&session->page);
    page_prose(&session->page,
               "\"probability\" is the model's probability of the whole sentence; "
               "\"drawn with\" is the probability with which it was drawn, after "
               "temperature, top-k and top-p.");
    if (session->command && !session->run->target_given)
        page_hint(&session->page, N_("How one of its tokens is drawn"),
                  ":sample --step 0");
    return true;
}

enum { BAR = 12 };

static void say_step(Session *session, const Distribution *distribution, int drawn) {
    static const char *const headings[] = {
        N_("logit"), N_("/ T"), N_("softmax"), N_("kept"), N_("sum so far"), "", NULL};
    Arena *arena = &session->scratch;
    int max = session->options.terms;
    SamplingToken rest = {0}; /* the sum of the tokens that are not listed */
    int others = 0;
    int others_kept = 0;
    TableWriter writer = table_begin(headings, arena);
    for (int i = 0; i < distribution->count; i++) {
        const SamplingToken *token = &distribution->token[i];
        bool kept = token->cut == SAMPLING_KEPT;
        if (i >= max && i != drawn) {
            others++;
            others_kept += kept;
            rest.softmax += token->softmax;
            rest.share += token->share;
            continue;
        }
        table_row(&writer, arena_print(arena, "%s %s", i == drawn ? "▶" : " ",
                                       decoding_label(session, token->id, arena)));
        table_print(&writer, "%.2f", token->logit);
        table_print(&writer, "%.2f", token->scaled);
        table_print(&writer, "%.4f", token->softmax);
        table_put(&writer, kept ? arena_print(arena, "%.4f", token->share)
                           : token->cut == SAMPLING_TOP_K ? tr(N_("top-k: removed"))
                                                          : tr(N_("top-p: removed")));
        table_put(&writer, kept ? arena_print(arena, "%.4f", token->sum) : "");
        table_put(&writer, look_bar(token->share, BAR, arena));
    }
    if (others) {
        table_row(&writer, trf(arena, "  %d others", others));
        for (int c = 0; c < 2; c++) table_put(&writer, "");
        table_print(&writer, "%.4f", rest.softmax);
        table_put(&writer, others_kept ? arena_print(arena, "%.4f", rest.share)
                                       : tr(N_("removed")));
        table_put(&writer, "");
        table_put(&writer, look_bar(rest.share, BAR, arena));
    }
    page_table(&session->page, &writer.table);
}

bool show_sampling_step(Session *session, const SampleOptions *options, int step,
                        Error *error) {
    Arena *arena = &session->scratch;
    if (!decoding_at_hand(session, error)) return false;
    const Tensor *logits = decoding_logits(session, step, arena);
    if (!logits)
        return fail(error, "there is no step '%d'; the decoding has steps 0 to %d",
                    step, session->run->generated.count - 1);
    if (!generate_ranks(logits))
        return fail(error,
                    "the logits of step %d are not numbers, so nothing can be drawn",
                    step);
    Distribution distribution =
        sampling_distribution(logits, &options->sampling, arena);
    /* The random number that the first sentence of this seed uses at the step. */
    Random random = random_new((uint64_t)options->seed);
    for (int t = 0; t < step; t++) random_unit(&random);
    double unit = random_unit(&random);
    int drawn = sampling_draw(&distribution, unit);
    Generated before = {.id = session->run->generated.id, .count = step};
    const char *after = sentence_spoken(&session->model, &before, arena);
    if (step == 0) { /* the prompt, or <start> */
        const Sentence *prompt = &session->run->source.sentence[session->run->row];
        const bool is_alone = session->model.config.encoder_layers == 0;
        after =
            is_alone && prompt->text ? session_safe(session, prompt->text) : "<start>";
    }
    page_prose(&session->page, trf(arena, "Step %d, after \"%s\": %s", step, after,
                                   describe(options, arena)));
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
                   options->seed, unit,
                   decoding_label(session, distribution.token[drawn].id, arena)));
    return true;
}
