/* what_if.h - change the run or the model, and report the effect on the sentence. */
#pragma once

#include "explain/change.h"
#include "session/session.h"

/* Change the run, and report the answer before and after and the first tensor that
 * differs. Fail as session_change() does. */
bool what_if_change(Session *session, const Change *change, Error *error);

/* The same for undo and redo: see session_hold_changes(). */
bool what_if_hold(Session *session, int done, Error *error);

/* Before what a decoding strategy found: report which manual changes affected it. */
void what_if_note_decoding(Session *session);

/* Continue with these options: see variants_exchange(). Report what became of the
 * weights, both answers, and the row of attention that changed most. */
bool what_if_options(Session *session, const Config *config, Error *error);

/* The same for dropout: see variants_drop(). */
bool what_if_dropout(Session *session, bool dropout_on, unsigned long long seed,
                     Error *error);
