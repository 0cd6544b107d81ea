/* variants.h - the model at hand with other options, and what that does to the sentence
 * at hand. The session keeps the model as it was opened, to go back to. */
#pragma once

#include "command/arguments.h"
#include "session/session.h"

/* The options of the model as it was opened. */
const Config *variants_original(const Session *session);

/* The value of an option as it would be typed, safe to print; "none" where it is empty.
 * In `arena`. */
const char *variants_value(const Option *key, const Config *config, Arena *arena);

/* Go on with these options, on the same weights where they fit; run the sentence at
 * hand again, and say what became of both. Fails, with nothing changed, where that
 * cannot be. */
bool variants_take(Session *session, const Config *config, Error *error);

/* The same without saying so: what flags ask for, "norm=pre". The sentence at hand is
 * run again. */
bool variants_take_flags(Session *session, const Arguments *arguments, Error *error);

/* The option of that name; NULL where there is none, and the names that are near. */
const Option *variants_key(const char *name, Arena *arena, Error *error);

/* Set one option from typed words; fails with the names that are near. */
bool variants_set(Config *config, const char *name, const char *value, Arena *arena,
                  Error *error);

/* "norm=pre" for each option that was changed, `*count` of them, in `arena`. */
const char *const *variants_changes(const Session *session, Arena *arena, int *count);

/* The same as one text, and whether dropout is on; "" where all is as it was. */
const char *variants_print(const Session *session, Arena *arena);

/* Let dropout drop as in training, or no longer, and run the sentence again. */
bool variants_drop(Session *session, bool drops, unsigned long long seed, Error *error);

/* Run the sentence at hand again, with the model that is at hand now. The walk stays at
 * the stage of that name. */
bool variants_rerun(Session *session, Error *error);

/* What would be asked for to run it again, in `arena`. Without `target` it is to be
 * generated. */
Request variants_request(const Session *session, bool target, Arena *arena);
