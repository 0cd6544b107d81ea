#include "session/variants.h"

#include <string.h>

#include "base/builder.h"
#include "base/language.h"
#include "model/variant.h"
#include "session/before_after.h"
#include "session/sentence.h"
#include "session/stops.h"
#include "text/unicode.h"

const char *variants_value(const Option *key, const Config *config, Arena *arena) {
    const char *value = option_print(key, config, arena);
    if (!*value) return "none";
    return unicode_escape(value, strlen(value), arena);
}

const Config *variants_original(const Session *session) {
    return session->variant.is_on ? &session->variant.original.config
                                  : &session->model.config;
}

const Option *variants_key(const char *name, Arena *arena, Error *error) {
    const Option *key = option_find_flag(config_keys, name);
    if (key) return key;
    const char *nearest = option_nearest(config_keys, name, arena);
    if (*nearest)
        fail(error, "the model has no option '%s'%s", name, nearest);
    else
        fail(error, "the model has no option '%s'; :model lists its options", name);
    return NULL;
}

bool variants_set(Config *config, const char *name, const char *value, Arena *arena,
                  Error *error) {
    const Option *key = variants_key(name, arena, error);
    if (!key) return false;
    /* An empty list cannot be typed: "none". */
    if (key->kind->separator && strcmp(value, "none") == 0) value = "";
    return config_set(config, key->name, value, arena, error);
}

const char *const *variants_changes(const Session *session, Arena *arena, int *count) {
    enum { KEYS_MAX = 128 };
    const char **change = ARENA_ARRAY(arena, const char *, KEYS_MAX);
    *count = 0;
    for (const Option *key = config_keys; key->name && *count < KEYS_MAX; key++) {
        const char *was = variants_value(key, variants_original(session), arena);
        const char *is = variants_value(key, &session->model.config, arena);
        if (strcmp(was, is) != 0)
            change[(*count)++] = arena_print(arena, "%s=%s", key->name, is);
    }
    return change;
}

const char *variants_print(const Session *session, Arena *arena) {
    Builder text = {.arena = arena};
    int count;
    const char *const *change = variants_changes(session, arena, &count);
    for (int c = 0; c < count; c++) build_item(&text, " ", "%s", change[c]);
    if (!session->variant.drops) return builder_text(&text);
    return trf(arena, "%s (dropout on, seed %llu)", builder_text(&text),
               session->variant.drop_seed);
}

Request variants_request(const Session *session, bool target, Arena *arena) {
    const Side *source = &session->run->source;
    const char *text = sentence_print(source, arena);
    Request request = {.limit = session->run->limit};
    *(source->sentence[0].text ? &request.source : &request.source_ids) = text;
    const Run *run = session->run;
    const Side *given = run->whole.rows                              ? &run->whole
                        : run->target_given && !run->target_borrowed ? &run->target
                                                                     : NULL;
    if (target && given)
        *(given->sentence[0].text ? &request.target : &request.target_ids) =
            sentence_print(given, arena);
    return request;
}

bool variants_rerun(Session *session, Error *error) {
    Arena *arena = &session->scratch;
    const char *stop = NULL;
    int row = session->run->row;
    if (session->run->stage >= 0) {
        stop = stops_name(session, session->run->stage, arena);
        stop = arena_copy(arena, stop, strlen(stop));
    }
    const Request request = variants_request(session, true, arena);
    if (!session_run(session, &request, error)) return false;
    if (row && !session_choose(session, row, error)) return false;
    session->run->stage = -1;
    for (int s = 0; stop && s < stops_all(session) && session->run->stage < 0; s++)
        if (strcmp(stops_name(session, s, arena), stop) == 0) session->run->stage = s;
    return true;
}

/* Return true if all options have the same values. */
static bool is_same(const Config *a, const Config *b) {
    Arena arena = {0};
    bool same = strcmp(config_print(a, &arena), config_print(b, &arena)) == 0;
    arena_free(&arena);
    return same;
}

static const char *list_names(const char *const *name, int count, Arena *arena) {
    enum { NAMES_MAX = 6 };
    Builder list = {.arena = arena};
    for (int n = 0; n < count && n < NAMES_MAX; n++)
        build_item(&list, ", ", "%s", name[n]);
    return count > NAMES_MAX
               ? trf(arena, "%s and %d more", builder_text(&list), count - NAMES_MAX)
               : builder_text(&list);
}

static void say_news(const VariantNews *news, Page *page) {
    Arena *arena = page->arena;
    if (!news->freshes && !news->copies && !news->gones)
        page_note(page, "all %d weight tensors stay as they are", news->kept);
    if (news->freshes)
        page_prose(page, trf(arena,
                             "New, with initial weights (seed %s), not trained: %s. "
                             "Tensors that stay: %d.",
                             news->seed, list_names(news->fresh, news->freshes, arena),
                             news->kept));
    if (news->copies)
        page_prose(page, trf(arena,
                             "No longer shared (copies of the shared values until "
                             "trained): %s.",
                             list_names(news->copy, news->copies, arena)));
    if (news->gones)
        page_prose(page, trf(arena, "No longer part of the model: %s.",
                             list_names(news->gone, news->gones, arena)));
}

/* The old model and its replacement. */
typedef struct {
    Model before, original, next;
    bool was_variant, is_back;
    VariantNews news;
} Exchange;

static bool make_next(Exchange *exchange, const Config *config, Error *error) {
    exchange->is_back = is_same(config, &exchange->original.config);
    if (!exchange->is_back)
        return variant_new(&exchange->next, &exchange->before, &exchange->original,
                           config, &exchange->news, error);
    exchange->next = exchange->original;
    exchange->news = (VariantNews){.kept = exchange->original.weights.count};
    return true;
}

static void use_model(Session *session, const Model *model) {
    session->model = *model;
    session->reading.background = NULL; /* it is in the arena of the old model */
}

/* Run the current sentence with the new model, if there is a sentence. `before`
 * receives the old answers. */
static bool rerun(Session *session, BeforeAfter *before, Error *error) {
    if (session->run->is_made) *before = before_after_begin(session);
    return !session->run->is_made || variants_rerun(session, error);
}

static void say_difference(Session *session, const BeforeAfter *before) {
    if (!session->run->is_made) return;
    page_gap(&session->page);
    before_after_say(session, before);
}

static Exchange exchange_begin(const Session *session) {
    return (Exchange){
        .before = session->model,
        .original = session->variant.is_on ? session->variant.original : session->model,
        .was_variant = session->variant.is_on,
    };
}

/* Free the old model. */
static void exchange_end(Session *session, Exchange *exchange) {
    session->variant.original = exchange->original;
    session->variant.is_on = !exchange->is_back;
    if (exchange->was_variant) model_free(&exchange->before);
    session_stop_learning(session); /* its gradients are those of the old model */
}

static bool set_flags(Config *config, const Arguments *arguments, Arena *arena,
                      Error *error) {
    for (int f = 0; f < arguments->flags; f++) {
        const char *value = arguments->value[f];
        size_t length = strcspn(value, "=");
        if (strcmp(arguments->flag[f], "option") != 0) continue;
        if (!value[length])
            return fail(error,
                        "--option is '%s'; expected NAME=VALUE, as in --option "
                        "norm=pre",
                        value);
        if (!variants_set(config, arena_copy(arena, value, length), value + length + 1,
                          arena, error))
            return false;
    }
    return true;
}

bool variants_take_flags(Session *session, const Arguments *arguments, Error *error) {
    Config config = session->model.config;
    Exchange exchange = exchange_begin(session);
    if (!set_flags(&config, arguments, &session->scratch, error)) return false;
    if (is_same(&config, &exchange.before.config)) return true;
    if (!session_without_changes(session, error) ||
        !make_next(&exchange, &config, error))
        return false;
    use_model(session, &exchange.next);
    if (session->run->is_made && !variants_rerun(session, error)) {
        use_model(session, &exchange.before);
        if (!exchange.is_back) model_free(&exchange.next);
        return false;
    }
    exchange_end(session, &exchange);
    return true;
}

bool variants_take(Session *session, const Config *config, Error *error) {
    Exchange exchange = exchange_begin(session);
    if (is_same(config, &exchange.before.config)) {
        page_note(&session->page, "the model already has these options");
        return true;
    }
    if (!session_without_changes(session, error) ||
        !make_next(&exchange, config, error))
        return false;
    use_model(session, &exchange.next);
    BeforeAfter before;
    if (!rerun(session, &before, error)) {
        use_model(session, &exchange.before);
        if (!exchange.is_back) model_free(&exchange.next);
        return false;
    }
    for (const Option *key = config_keys; key->name; key++) {
        Page *page = &session->page;
        const char *was = variants_value(key, &exchange.before.config, page->arena);
        const char *is = variants_value(key, &exchange.next.config, page->arena);
        if (strcmp(was, is) != 0) page_line(page, "%s: %s → %s", key->name, was, is);
    }
    say_news(&exchange.news, &session->page);
    say_difference(session, &before);
    exchange_end(session, &exchange);
    return true;
}

bool variants_drop(Session *session, bool drops, unsigned long long seed,
                   Error *error) {
    if (!session_without_changes(session, error)) return false;
    bool before = session->variant.drops;
    unsigned long long seed_before = session->variant.drop_seed;
    session->variant.drops = drops;
    session->variant.drop_seed = seed;
    BeforeAfter said;
    if (rerun(session, &said, error)) {
        say_difference(session, &said);
        return true;
    }
    session->variant.drops = before;
    session->variant.drop_seed = seed_before;
    return false;
}
