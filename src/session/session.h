/* session.h - all that the program has in hand: a model, a sentence and what the model
 * made of it, and where the person is in it. The only state there is. */
#pragma once

#include "base/history.h"
#include "base/options.h"
#include "change/answer.h"
#include "change/snapshot.h"
#include "learn/slow_step.h"
#include "lesson/judge.h"
#include "lesson/lesson.h"
#include "lesson/progress.h"
#include "model/beam.h"
#include "walk/story_page.h"
#include "why/because.h"
#include "why/cell.h"

enum { ROWS_MAX = 64, SENTENCE_LIMIT = 12, QUESTIONS_MAX = 64 };

/* One sentence of the batch, on one side. */
typedef struct {
    const char *text; /* as typed, in normal form C; NULL where ids were given */
    Tokens tokens;    /* without those in front and behind, such as <end> */
    int *id;          /* what the model reads: with <end> (source), <start> (target) */
    const char **label; /* one for each id, or NULL without a tokenizer */
    int count;
    int before;          /* ids in front of the tokens, such as <start> */
    bool was_decomposed; /* it came in another form */
    int malformed;       /* parts that were no UTF-8 */
} Sentence;

/* One side of the batch; shorter sentences are padded. */
typedef struct {
    Sentence sentence[ROWS_MAX];
    int rows;
    Ids ids;
    const char **label; /* those of `ids`, which follow where an id is changed */
} Side;

/* How numbers are shown. */
typedef struct {
    int digits;     /* behind the point */
    int columns;    /* of a table, at most */
    int terms;      /* of an explanation, shown one by one */
    int candidates; /* of each step of a decoding */
    int limit;      /* tokens of a decoding */
    int depth;      /* of a walk: Depth */
    int width;      /* of the terminal; 0: ask it */
    int color;      /* an index of color_modes: see window/text.h */
    int language;   /* an index of languages */
    int palette;    /* an index of palettes; 0: each figure's own */
    bool pager;     /* what is longer than the screen waits for a key */
} Display;

/* Its rows: what `:options` lists and changes; ends with a row without name. */
extern const Option display_options[];

/* Something that was asked: why a number is as it is. See question.h. */
typedef struct {
    bool because;    /* for a tree, not for the terms of one step */
    AxisCells cells; /* one, or several added up; without a tensor: */
    int branch;      /* about a branch of the tree before */
} Question;

/* The last one, and those that it followed from. */
typedef struct {
    Question asked[QUESTIONS_MAX];
    int count;
    Why why;         /* what the last one was answered, or this is: */
    Because because; /* without a tensor where the other one is */
} Questions;

/* A decoding in which the learner took other tokens than the model: see forks.h. */
typedef struct {
    int from, step;   /* the fork it grew from, and at which step */
    const int *taken; /* at each of the first `steps` steps the id, or TAKES_BEST */
    int steps;
    const char
        *text; /* what came of it, safe to print; NULL: not known since a change */
    int tokens;
    double log_probability;
} Fork;

enum { FORKS_MAX = 32 };

/* Those of the sentence that is shown; number 0 is the model's own. */
typedef struct {
    Fork fork[FORKS_MAX];
    int count, at; /* none as long as nothing was picked */
} Forks;

/* A run that was named, in an arena of its own. */
typedef struct {
    Arena arena;
    Snapshot run;
} KeptRun;

enum { KEPT_MAX = 16 };

/* What was changed by hand, see explain/change.h, and what is needed to make parts of
 * the run anew. */
typedef struct {
    Changes changes;
    Arena before; /* of the run before the last change */
    KeptRun kept[KEPT_MAX];
    int kept_count;
} WhatIf;

/* What is to be read: sentences separated by |, or ids as "5,7,9,2|5,2". */
typedef struct {
    const char *source, *source_ids, *target, *target_ids; /* NULL: not given */
    int limit; /* of the decoding; 0: as options.limit says */
} Request;

/* A step of learning, and what it takes to undo it: see learning.h. */
typedef struct {
    SlowStep step;
    bool is_begun, has_gradients, drops;
    Gradients gradients;
    Walk walk;        /* of its tape */
    int stop;         /* where the walk back stands */
    int steps;        /* that were learned */
    int weight, cell; /* whose step is taken apart; -1: the largest */
    Answer before[ROWS_MAX], after[ROWS_MAX]; /* what the model says around the step */
    Request untaught, taught; /* the sentence without and with the target of :learn */
    bool is_taught;
    Arena arena;
    Arena kept; /* what the weights were before: Weight.unlearned; and these texts */
} Learning;

/* A model that reads a sentence that the one at hand cannot: see prompt/reading.h. */
typedef struct {
    Arena arena;
    const char *model, *text; /* NULL: none is offered */
} Offer;

/* A lesson that is played: see player/player.h. */
typedef struct Player {
    Arena arena; /* of the lesson and of what is kept of it */
    bool is_open;
    Lesson lesson;
    int at;         /* the step that comes next; of a question that waits, that one */
    bool asks;      /* the question at `at` waits for an answer */
    bool is_typing; /* a line of the lesson: it has its usual meaning */
    bool was_own;   /* the last line was :hint or the like, which move nothing */
    bool is_moved;  /* something else was done since: the lesson's run is made anew */
    const char *unmet;  /* how far the state that is asked for was, as said last, */
    int unmet_changes;  /* and how much was changed by hand then */
    const char *folder; /* its own, for files; NULL where none can be made */
    bool shares_folder; /* what the person types meanwhile works there, too */
    bool keeps;         /* how far it is, for the next day */
    LessonProgress progress; /* and what became of its questions */
    bool is_lost;            /* which it could not be, for this reason */
    Error lost;
    const char *path;    /* of the file that keeps it; NULL: none does */
    const char *place;   /* the folder of that file */
    int kept_step;       /* what the file was given last, to find out whether another */
    const char *kept_at; /* program has written it since; NULL: nothing yet */
    /* Of the session before, put back at the end. */
    int depth, language, stage;
    const char *model, *source, *target; /* NULL: there was none */
    bool takes_ids;                      /* no text, but ids were read */
} Player;

/* What one run of the model on a sentence, or on the sentences of a batch, holds. It is
 * made, swapped and given up as one. */
typedef struct {
    bool is_made;
    Side source, target;
    Side whole; /* of masked words: the sentence before any were hidden; or no rows */
    bool target_given;    /* teacher forcing; if not, the target was generated */
    bool target_borrowed; /* it is the source again, for want of another */
    int limit;            /* of that generation, 0 if it was the usual one */
    Arena arena;          /* source, target, walk and labels */
    Tape tape;            /* the whole batch */
    Encoded encoded;      /* what its encoder hands to the decoder, or NULL */
    /* When the encoder had read the source, and before the target was made: from there
     * on it is made anew after a change. */
    TapeMark encoder_mark;
    ArenaMark read_mark;
    bool holds_target; /* what was decoded is read on as if it had been given */
    /* The decoding of sentence `row`, empty if nothing was generated. It reads what the
     * encoder made on `tape`, or in a batch encodes its sentence again, unpadded. */
    Tape steps;
    Generated generated;     /* what came of it */
    Forks forks;             /* and of other choices */
    Answer answer[ROWS_MAX]; /* of each sentence that was decoded */
    Tape lens;               /* what the last :lens made of the run, or empty */
    Walk walk;
    int stage;        /* where the walk is: an index of stops, -1 before the first */
    int row;          /* the sentence of the batch that is shown */
    bool walks_back;  /* Enter goes back through a step of learning, from the loss on */
    const char *told; /* the address of the cell that the stage at hand spoke of, in
                         `arena`; NULL: it spoke of none */
    Questions questions; /* for `:why 3` and `:up` */
    Arena why_arena;     /* the answers to them */
} Run;

typedef struct Session {
    Model model;
    bool has_model;
    Model original;  /* of `model`, where options were changed: see variants.h */
    bool is_variant; /* they were */
    bool drops;      /* dropout drops, as in training */
    unsigned long long drop_seed;
    const Background *background; /* of the model; NULL: not read yet */
    Offer offer;

    Run *run;   /* the one that is shown */
    Run *spare; /* the next one is made here: one that fails loses nothing */
    WhatIf what_if;
    Learning learning;
    Tape toy;              /* attention over numbers that were typed, or empty */
    const char *toy_typed; /* what it was made of, in its arena */

    /* What is shown, and how. */
    Display options;
    ShownTokens shown; /* of a long sentence; names in `shown_arena` */
    Arena shown_arena;
    const char *followed; /* in the walk, as :follow had it, in an arena of its own, or
                             NULL: see walk/followed.h */
    Arena followed_arena;
    BeamWish beam;      /* as the last :beam had it; a width of 0: none was asked for */
    const char *looked; /* the tensor that the line being run showed, in `scratch` */
    bool looked_at_numbers; /* in a table, not in colours */
    Player player;          /* of a lesson, if one is open */

    /* Input and output. */
    Arena scratch;       /* of one line that was typed; emptied before the next */
    const char *command; /* the line being run, for the footers of figures */
    Page page;           /* what the command says, in `scratch` */
    Page messages;       /* and what is said beside it: warnings, how far it is */
    History history;
    bool reads_lines; /* one after the other, from a prompt or a file */
    bool is_prompt;   /* somebody types the lines, and sees what they say */
    bool reads_file;  /* those that :read named */
    bool done;
    bool input_failed; /* standard input could not be read, or a line of it failed */
    /* Opens the full screen, which is above all of this; NULL: there is none. */
    bool begins_on_screen, is_on_screen;
    bool (*open_screen)(struct Session *session, Error *error);
} Session;

Session *session_new(Arena *arena);
void session_free(Session *session);

/* Forget what the last line said, and make room for another. */
void session_clear(Session *session);

/* The tapes and weights, and what a story of them needs, for explain/. */
Record session_record(const Session *session);
Story session_story(const Session *session);

/* Open a model: see models_open(). The old model stays if that fails. */
bool session_open(Session *session, const char *model, Error *error);

/* Fails when another program has written to a file of weights that is used where it
 * lies: see base/mapped.h. */
bool session_is_intact(const Session *session, Error *error);

/* Forget the sentence and all that the model made of it. */
void session_forget(Session *session);

/* The limit of a sentence that was typed: what has not learned rarely comes to an end.
 */
int session_usual_limit(const Session *session);

/* Run the model on it. What was run before is forgotten; it stays where this fails. */
bool session_run(Session *session, const Request *request, Error *error);

/* Decode each sentence of the request and call `look` after it, with what was generated
 * in session->run->generated; then the session is as it was. */
bool session_generate(Session *session, const Request *request,
                      void (*look)(Session *session), Error *error);

/* Run the model on it, let `look` see the session as it is then, and go back to the run
 * at hand; what `look` takes from session->scratch stays. */
bool session_aside(Session *session, const Request *request,
                   bool (*look)(Session *session, void *state, Error *error),
                   void *state, Error *error);

/* Forget the gradients and Adam's means of a step of learning, since the model has
 * become another. What it takes to undo the step stays. */
void session_stop_learning(Session *session);

/* Forget all of it. */
void session_end_learning(Session *session);

/* Run attention over the numbers of `typed`: see change/toy.h. The toy before it stays
 * if that fails, and goes otherwise; sentences do not touch it. */
bool session_toy(Session *session, const char *typed, Error *error);

/* Show sentence `row` of the batch: its own decoding is kept. */
bool session_choose(Session *session, int row, Error *error);

/* Decode sentence `row` and keep its steps; `chooser` takes the tokens, or NULL. */
bool session_decode(Session *session, int row, int limit, const Chooser *chooser,
                    Error *error);

/* What the encoder made of the sentence that is shown: on `run`, or in a batch once
 * more, unpadded, on `tape`. */
Encoded session_encoded(const Session *session, Tape *tape);

/* Before the model itself becomes another: changes by hand that hold are a reason to
 * fail, since they speak of its weights; those that were undone are forgotten. */
bool session_without_changes(Session *session, Error *error);

/* Read the target, which is in session->run->target, behind the encoder on the run.
 */
bool session_read_target(Session *session, Error *error);

/* Change the run: what follows from it is made anew. Fails, and then it stays as it
 * was, where the change makes the run impossible, such as an id that no table has. */
bool session_change(Session *session, const Change *change, Error *error);

/* Let the first `done` changes hold, undoing the others or doing them again. */
bool session_hold_changes(Session *session, int done, Error *error);

/* Can the run be changed? Fails without one, or where it is of several sentences. */
bool session_can_change(const Session *session, Error *error);

/* Another model is offered no longer: the next stop, sentence or model ends it. */
void session_forget_offer(Session *session);

/* A text that came from outside as it may be printed, until the command ends. */
const char *session_safe(Session *session, const char *text);
