/* variants.h - the current model with other options. The session keeps the original
 * model to return to. */
#pragma once

#include "command/arguments.h"
#include "model/variant.h"
#include "session/session.h"

/* Return the options of the original model. */
const Config *variants_original(const Session *session);

/* Return the value of an option as it would be typed, safe to print; "none" if empty.
 * In `arena`. */
const char *variants_value(const Option *key, const Config *config, Arena *arena);

/* Return true if the current model has exactly these options. */
bool variants_has(const Session *session, const Config *config);

/* A model that was replaced. */
typedef struct {
    Model before, original;
    bool is_back; /* the replacement is the original */
    VariantNews news;
} VariantExchange;

/* Continue with these options on the same weights, as far as shapes match, and run the
 * current sentence again. The old model and its run stay until variants_settle(). On
 * failure nothing changes. */
bool variants_exchange(Session *session, const Config *config,
                       VariantExchange *exchange, Error *error);
void variants_settle(Session *session, VariantExchange *exchange);

/* Continue with the options of flags such as "norm=pre". */
bool variants_take_flags(Session *session, const Arguments *arguments, Error *error);

/* Return the option of that name. If there is none, return NULL and fail with similar
 * names. */
const Option *variants_key(const char *name, Arena *arena, Error *error);

/* Set one option from typed words. Fail with similar names. */
bool variants_set(Config *config, const char *name, const char *value, Arena *arena,
                  Error *error);

/* Return "norm=pre" for each of the `*count` changed options, in `arena`. */
const char *const *variants_changes(const Session *session, Arena *arena, int *count);

/* Return the changes as one text, with the state of dropout; "" if there are none. */
const char *variants_print(const Session *session, Arena *arena);

/* Turn dropout on or off, and run the sentence again. */
bool variants_drop(Session *session, bool dropout_on, unsigned long long seed,
                   Error *error);

/* Run the current sentence again with the current model. The walk stays at the stage of
 * the same name. */
bool variants_rerun(Session *session, Error *error);

/* Return the request that runs the sentence again, in `arena`. Without `target`, the
 * target is generated. */
Request variants_request(const Session *session, bool target, Arena *arena);
