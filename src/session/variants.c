#include "session/variants.h"

#include <string.h>

#include "base/builder.h"
#include "base/language.h"
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
    if (!session->variant.dropout_on) return builder_text(&text);
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

bool variants_has(const Session *session, const Config *config) {
    return is_same(config, &session->model.config);
}

static void use_model(Session *session, const Model *model) {
    session->model = *model;
    session->reading.background = NULL; /* it is in the arena of the old model */
}

bool variants_exchange(Session *session, const Config *config,
                       VariantExchange *exchange, Error *error) {
    const Model *original =
        session->variant.is_on ? &session->variant.original : &session->model;
    *exchange = (VariantExchange){
        .before = session->model,
        .original = *original,
        .is_back = is_same(config, &original->config),
        .news = {.kept = original->weights.count},
    };
    Model next = exchange->original;
    if (!session_without_changes(session, error) ||
        (!exchange->is_back &&
         !variant_new(&next, &exchange->before, &exchange->original, config,
                      &exchange->news, error)))
        return false;
    use_model(session, &next);
    if (!session->run->is_made || variants_rerun(session, error)) return true;
    use_model(session, &exchange->before);
    if (!exchange->is_back) model_free(&next);
    return false;
}

void variants_settle(Session *session, VariantExchange *exchange) {
    if (session->variant.is_on) model_free(&exchange->before);
    session->variant.original = exchange->original;
    session->variant.is_on = !exchange->is_back;
    session_stop_learning(session); /* its gradients are those of the old model */
}

bool variants_take_flags(Session *session, const Arguments *arguments, Error *error) {
    Config config = session->model.config;
    VariantExchange exchange;
    Arena *arena = &session->scratch;
    for (int f = 0; f < arguments->flags; f++) {
        const char *value = arguments->value[f];
        size_t length = strcspn(value, "=");
        if (strcmp(arguments->flag[f], "option") != 0) continue;
        if (!value[length])
            return fail(error,
                        "--option is '%s'; expected NAME=VALUE, as in --option "
                        "norm=pre",
                        value);
        if (!variants_set(&config, arena_copy(arena, value, length), value + length + 1,
                          arena, error))
            return false;
    }
    if (variants_has(session, &config)) return true;
    if (!variants_exchange(session, &config, &exchange, error)) return false;
    variants_settle(session, &exchange);
    return true;
}

bool variants_drop(Session *session, bool dropout_on, unsigned long long seed,
                   Error *error) {
    if (!session_without_changes(session, error)) return false;
    bool before = session->variant.dropout_on;
    unsigned long long seed_before = session->variant.drop_seed;
    session->variant.dropout_on = dropout_on;
    session->variant.drop_seed = seed;
    if (!session->run->is_made || variants_rerun(session, error)) return true;
    session->variant.dropout_on = before;
    session->variant.drop_seed = seed_before;
    return false;
}
