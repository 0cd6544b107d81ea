/* beside.h - the other one of two maps: where it comes from, and what it is called. */
#pragma once

#include "command/command.h"
#include "session/session.h"

/* The other map, and what it is called. */
typedef struct {
    const Arguments *arguments;
    const char *value; /* behind the = */
    const char *name_here, *name;
    bool is_address; /* and these are addresses */
    Slice *slice;
    const unsigned char **hidden, **marked; /* see Figure */
    int count;
} Other;

/* Find what `what` says, such as "model=en-ko", for the addresses in other->arguments;
 * what is found lives in the session's scratch. `flag` is where it was said. Fails, and
 * then the run at hand stays as well. */
bool beside_look(Session *session, const char *flag, const char *what, Other *other,
                 Error *error);

/* A step is a whole number from 0 on. */
bool beside_read_step(const char *typed, int *step, Error *error);

/* Put the tensors that were kept at step `step` of the training of the model at hand on
 * `tape`, under their addresses and with the words of the run at hand. Fails where
 * nothing was kept then, or of another sentence; `needs_target`: or target. */
bool beside_training(const Session *session, int step, bool needs_target, Tape *tape,
                     Error *error);
