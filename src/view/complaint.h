/* complaint.h - what the drawing libraries have to say while they work. By themselves
 * they would print it on standard error, over whatever the terminal shows; where they
 * cannot go on, they would abort. */
#pragma once

#include "base/arena.h"

typedef struct {
    char text[256]; /* the first one, "" if there is none */
} Complaint;

/* Keep what is said from now on in `complaint`, until it is NULL. A failure from which
 * the libraries cannot go on ends the program with one sentence and status 1. */
void complaint_listen(Complaint *complaint);

/* A sentence about the picture `name`, in `arena`; NULL if there was no complaint. */
const char *complaint_print(const Complaint *complaint, const char *name, Arena *arena);
