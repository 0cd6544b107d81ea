/* decoding.h - what the commands that decode in other ways have in common: the sentence
 * that is shown, its steps, its words. */
#pragma once

#include "session/session.h"

/* Can the model at hand decode the sentence? Fails with why not. */
bool decoding_possible(const Session *session, Error *error);

/* Has it? Where the target was given, nothing was decoded. */
bool decoding_at_hand(const Session *session, Error *error);

/* Tokens of a target at most, as the sentence was asked for. */
int decoding_limit(const Session *session);

/* The logits of a step of the decoding, or NULL. */
const Tensor *decoding_logits(const Session *session, int step, Arena *arena);

/* log P of the tokens of the decoding one by one, in `arena`; `*sum` of all. */
double *decoding_logs(const Session *session, double *sum, Arena *arena);

/* What a token of the target is called, safe to print, in `arena`; without a tokenizer
 * its id. */
const char *decoding_label(const Session *session, int id, Arena *arena);

/* A table of `rows` rows under these headings, of as many columns, ending with NULL,
 * which are looked up; it is filled row by row by decoding_cell(). */
typedef struct {
    Table table;
    const char **cell;
    int filled;
} TableWriter;
TableWriter decoding_table(int rows, const char *const *heading, Arena *arena);
void decoding_cell(TableWriter *writer, const char *text);

/* Say its rows as lines that are as long as their last column: sentences are not cut.
 */
void decoding_lines(const TableWriter *writer, Page *page);
