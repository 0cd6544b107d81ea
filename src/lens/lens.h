/* lens.h - ways to look through a run that ran already: what each layer would say,
 * where attention could have led, how spread each head is, which word a choice hangs
 * on.
 *
 * A lens is a tape of its own whose steps read tensors of the run. So its numbers have
 * addresses ("lens.rollout.encoder.1.rollout"), `:why` takes them apart, and they can
 * be shown, drawn and saved like those of the model. Each lens comes with one sentence
 * on what its picture does not show. */
#pragma once

#include "figure/figure.h"
#include "walk/story.h"

/* A place of the logits: the word whose score a lens is about, and where it is. */
typedef struct {
    int place; /* along the target; of a classifier 0 */
    int word;  /* of the vocabulary, or the label; LENS_WORD_OWN: the best one there */
} LensAim;

enum { LENS_WORD_OWN = -1, LENS_ROW_ALL = -1 };

typedef struct {
    const char *name; /* ":lens logit", and what addresses have behind "lens." */
    const char *summary;
    const char *caution; /* what its picture shows and what not */
    bool takes_place;    /* [target=...] chooses one */
    bool takes_word;
    /* Record its steps. Fails with why this model has no such lens. */
    bool (*record)(Tape *lens, const Story *story, const LensAim *aim, Error *error);
    /* Say what was recorded, and make it a figure for a file; both of the story's
     * sentence. `place` LENS_ROW_ALL: of all. */
    void (*say)(const Tape *lens, const Story *story, int place, Page *page);
    Figure (*figure)(const Tape *lens, const Story *story, int place, Arena *arena);
} Lens;

extern const Lens lenses[]; /* ends with a row without name */

/* The row that `name` names, or that the address "lens.NAME..." lies in; NULL. */
const Lens *lens_find(const char *name);
const Lens *lens_of_address(const char *address);

/* Forget what the tape holds and record `lens`. */
bool lens_record(const Lens *lens, Tape *tape, const Story *story, const LensAim *aim,
                 Error *error);

/* What the sentence of the story chose at a place: the next token of the target where
 * there is one, else the best. */
int lens_chosen(const Story *story, int place);

/* The place where the model was least sure of what it chose, and that word. */
bool lens_least_sure(const Story *story, LensAim *aim, Error *error);

/* How many places of the target the story's sentence has, without padding. */
int lens_places(const Story *story);

/* "  ███│", "     │███": `value` beside the largest size `most`, in `arena`. */
const char *lens_bar(double value, double most, bool is_signed, Arena *arena);

/* Gradients are true ones: nothing is held fixed. d(number `cell` of `of`)/d(number of
 * `by`), both made by steps of `run`, whose tensors stay as they are; 0 where it has no
 * influence. As large as `by`, in `arena`. */
Number *lens_gradient(const Tape *run, const Tensor *of, int cell, const Tensor *by,
                      Arena *arena);

/* The rows of the table, in files of their own. */
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
