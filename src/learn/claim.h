/* claim.h - the folder of a training, which one training at a time has to itself: two
 * would write over each other's saves, and remove each other's half-written files. */
#pragma once

#include <stdbool.h>

#include "base/error.h"

typedef struct {
    const char *folder;
    int file;  /* the open folder, which holds the lock; -1: nothing is claimed */
    bool made; /* it was not there before */
} Claim;

/* Make the folder if need be and lock it until claim_end(), or until the process ends
 * in whatever way. Fails when another process has it, in a sentence that names the
 * folder. Where a file system knows no locks there is none. `folder` must outlive the
 * claim. */
bool claim_take(Claim *claim, const char *folder, Error *error);

/* Unlock it. A folder that was made for this and got no file goes again. */
void claim_end(Claim *claim);
