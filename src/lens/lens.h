/* lens.h - views computed from a finished run: what each layer would predict, where
 * attention could have led, how spread out each head is, which word a choice depends
 * on.
 *
 * A lens is a separate tape whose steps read tensors of the run, so its numbers have
 * addresses ("lens.rollout.encoder.1.rollout"), `:why` explains them, and they can be
 * shown, drawn and saved like the model's. For each lens, a sentence says what its
 * picture does not show. */
#pragma once

#include "figure/figure.h"
#include "walk/story.h"

/* A cell of the logits: the word that a lens is about, and its position. */
typedef struct {
    int place; /* along the target; 0 for a classifier */
    int word;  /* in the vocabulary, or the label; LENS_WORD_OWN: the best one there */
} LensAim;

enum { LENS_WORD_OWN = -1, LENS_ROW_ALL = -1 };

typedef struct {
    const char *name; /* as in ":lens logit"; in addresses, it follows "lens." */
    const char *summary;
    const char *caution; /* what its picture shows and what it does not */
    bool takes_place;    /* [target=...] selects a position */
    bool takes_word;
    /* Record its steps. Fail with the reason if the model has no such lens. */
    bool (*record)(Tape *lens, const Story *story, const LensAim *aim, Error *error);
    /* Add the result for the story's sentence to a page, or make it a figure for a
     * file. `place` LENS_ROW_ALL: all positions. */
    void (*say)(const Tape *lens, const Story *story, int place, Page *page);
    Figure (*figure)(const Tape *lens, const Story *story, int place, Arena *arena);
} Lens;

extern const Lens lenses[]; /* terminated by a row without a name */

/* Return the lens with that name, or with the address "lens.NAME...", or NULL. */
const Lens *lens_find(const char *name);
const Lens *lens_of_address(const char *address);

/* Reset the tape and record `lens`. */
bool lens_record(const Lens *lens, Tape *tape, const Story *story, const LensAim *aim,
                 Error *error);

/* Return what the story's sentence chose at a position: the next token of the target if
 * there is one, else the best word. */
int lens_chosen(const Story *story, int place);

/* Find the position with the lowest confidence, and the word chosen there. */
bool lens_least_sure(const Story *story, LensAim *aim, Error *error);

/* Return the number of target positions of the story's sentence, without padding. */
int lens_places(const Story *story);

/* "  ███│", "     │███": `value` relative to the largest size `max`, in `arena`. */
const char *lens_bar(double value, double max, bool is_signed, Arena *arena);

/* Return the derivatives d(cell `cell` of `of`)/d(each number of `by`), in `arena`, in
 * the shape of `by`. They are exact: nothing is held constant. Both tensors are
 * computed by steps of `run`, which does not change; 0 means no influence. */
Number *lens_gradient(const Tape *run, const Tensor *of, int cell, const Tensor *by,
                      Arena *arena);

/* The rows of the table, one file each. */
bool lens_logit_record(Tape *lens, const Story *story, const LensAim *aim,
                       Error *error);
void lens_logit_say(const Tape *lens, const Story *story, int place, Page *page);
Figure lens_logit_figure(const Tape *lens, const Story *story, int place, Arena *arena);
bool lens_rollout_record(Tape *lens, const Story *story, const LensAim *aim,
                         Error *error);
void lens_rollout_say(const Tape *lens, const Story *story, int place, Page *page);
Figure lens_rollout_figure(const Tape *lens, const Story *story, int place,
                           Arena *arena);
bool lens_entropy_record(Tape *lens, const Story *story, const LensAim *aim,
                         Error *error);
void lens_entropy_say(const Tape *lens, const Story *story, int place, Page *page);
Figure lens_entropy_figure(const Tape *lens, const Story *story, int place,
                           Arena *arena);
bool lens_gradient_record(Tape *lens, const Story *story, const LensAim *aim,
                          Error *error);
void lens_gradient_say(const Tape *lens, const Story *story, int place, Page *page);
Figure lens_gradient_figure(const Tape *lens, const Story *story, int place,
                            Arena *arena);
