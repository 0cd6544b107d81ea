/* role.h - what an attention head does, measured by named roles: how much of its
 * attention goes to the token before, to the same word, to the verb.
 *
 * A measure is the mean attention weight over the rows that have a key with the role:
 * the first token of a sentence has no token before it. Padding is ignored. */
#pragma once

#include <stdbool.h>

#include "tensor/tensor.h"

enum { ROLES_MAX = 20 };

/* Sums over all sentences for one head. */
typedef struct {
    double share[ROLES_MAX]; /* attention weight, by role */
    double first[ROLES_MAX]; /* rows whose largest weight has the role */
    double even[ROLES_MAX];  /* the weight if all visible keys had equal weights */
    int rows[ROLES_MAX];     /* rows that have a key with the role */
    int queries;             /* all rows */
    double column; /* the largest fraction of all attention that one key gets */
    int sentences;
} HeadRoles;

/* Return true for roles of a head that has nothing to do: the token itself, the end, a
 * full stop. Also true for no role (-1). */
bool role_rests(int role);

/* Return the name of a role, "the previous token", or NULL after the last role. */
const char *role_name(int role);

/* Add what each head does in sentence `row` of weights [batch, head, query, key] to
 * `roles[head]`. The axes must have labels. If queries and keys are different tokens,
 * only roles that depend on the key count, such as being the last one. */
void roles_add(HeadRoles *roles, const Tensor *weights, int row);

/* Return the head's role with the largest weight, or -1. A role qualifies if its key
 * gets the largest weight in more than half of its rows and twice the uniform weight,
 * and if it has at least 5 rows and a twentieth of all rows. */
int roles_best(const HeadRoles *roles);

/* Return true if the key has the role for the query. Parameters as in roles_add(). */
bool role_fits(int role, const Tensor *weights, int row, int query, int key);

/* Return the mean attention weight of a role, or 0 if no row has it. */
double roles_share(const HeadRoles *roles, int role);
