/* role.h - what a head of attention does, by measures that have names: how much of it
 * goes to the token before, to the same word, to the verb.
 *
 * A measure is the mean share over the rows that have such a place at all: a sentence's
 * first token has none before it. Padding takes no part. */
#pragma once

#include <stdbool.h>

#include "tensor/tensor.h"

enum { ROLES_MOST = 20 };

/* Of one head, summed up over sentences. */
typedef struct {
    double share[ROLES_MOST]; /* of the attention, by role */
    double first[ROLES_MOST]; /* rows whose largest weight has the role */
    double even[ROLES_MOST];  /* if spread evenly over what is seen */
    int rows[ROLES_MOST];     /* rows that have such a place */
    int queries;              /* all rows */
    double column;            /* the largest share of all attention that one key gets */
    int sentences;
} HeadRoles;

/* Is it where a head looks that has nothing to do: itself, the end, a full stop? So is
 * -1, which is no role. */
bool role_rests(int role);

/* What each role is called, "the token before"; NULL behind the last. */
const char *role_name(int role);

/* Add what each head does in sentence `row` of weights [batch, head, query, key], whose
 * axes must have labels; `roles` has one for each head. Where queries and keys are not
 * the same tokens only the roles count that a key has alone, such as being the last
 * one. */
void roles_add(HeadRoles *roles, const Tensor *weights, int row);

/* The role that it has: of those whose key is the largest of more than half of the
 * rows, of at least 5 and a twentieth of all, and gets twice as much as evenly, the
 * one with the largest share; -1: none stands out. */
int roles_best(const HeadRoles *roles);

/* Does the key have the role for the query? The other arguments as for roles_add(). */
bool role_fits(int role, const Tensor *weights, int row, int query, int key);

/* The mean share of a role, or 0. */
double roles_share(const HeadRoles *roles, int role);
