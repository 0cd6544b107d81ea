/* session.h - the only state of the program: a model, a sentence, the model's run on
 * it, and the user's position in that run. */
#pragma once

#include "base/history.h"
#include "base/options.h"
#include "change/answer.h"
#include "change/snapshot.h"
#include "learn/slow_step.h"
#include "model/beam.h"
#include "walk/story.h"
#include "walk/walk.h"
#include "why/because.h"
#include "why/cell.h"

enum { ROWS_MAX = 64, SENTENCE_LIMIT = 12, QUESTIONS_MAX = 64 };

/* One sentence of the batch, on one side. */
typedef struct {
    const char *text;   /* as typed, in Unicode normal form C; NULL if ids were given */
    Tokens tokens;      /* without added ones such as <end> */
    int *id;            /* input of the model: with <end> (source), <start> (target) */
    const char **label; /* one per id, or NULL without a tokenizer */
    int count;
    int before;          /* ids before the tokens, such as <start> */
    bool was_decomposed; /* the text was in another normal form */
    int malformed;       /* number of parts that were not UTF-8 */
} Sentence;

/* One side of the batch; shorter sentences are padded. */
typedef struct {
    Sentence sentence[ROWS_MAX];
    int rows;
    Ids ids;
    const char **label; /* labels of `ids`, updated when an id is changed */
} Side;

/* Display options. */
typedef struct {
    int digits;     /* after the decimal point */
    int columns;    /* of a table, at most */
    int terms;      /* of an explanation, listed individually */
    int candidates; /* of each decoding step */
    int limit;      /* tokens of a decoding, at most */
    int depth;      /* of a walk: Depth */
    int width;      /* of the terminal; 0: ask the terminal */
    int color;      /* an index of color_modes: see window/text.h */
    int language;   /* an index of languages */
    int palette;    /* an index of palettes; 0: the default of each figure */
    bool pager;     /* pages longer than the screen wait for a key */
} Display;

/* The options that `:options` lists and changes; terminated by a row without a name. */
extern const Option display_options[];

/* A question: why does a number have its value? See question.h. */
typedef struct {
    bool because;    /* ask for a tree, not for the terms of one step */
    AxisCells cells; /* one cell, or several to add up; without a tensor: */
    int branch;      /* a branch of the previous tree */
} Question;

/* The current question and those that led to it. */
typedef struct {
    Question asked[QUESTIONS_MAX];
    int count;
    Why why;         /* answer to the current question, or else: */
    Because because; /* its answer as a tree; one of the two has no tensor */
} Questions;

/* A decoding in which the user picked other tokens than the model: see branches.h. */
typedef struct {
    int from, step;   /* the branch it branched from, and the step */
    const int *taken; /* the id at each of the first `steps` steps, or TAKES_BEST */
    int steps;
    const char *text; /* resulting text, safe to print; NULL: unknown since a change */
    int tokens;
    double log_probability;
} Branch;

enum { BRANCHES_MAX = 32 };

/* The branches of the current sentence; number 0 is the model's own decoding. */
typedef struct {
    Branch branch[BRANCHES_MAX];
    int count, at; /* 0 branches until the first pick */
} Branches;

/* A run that was saved under a name, in its own arena. */
typedef struct {
    Arena arena;
    Snapshot run;
} KeptRun;

enum { KEPT_MAX = 16 };

/* The manual changes, see explain/change.h, and what is needed to recompute parts of
 * the run. */
typedef struct {
    Changes changes;
    KeptRun kept[KEPT_MAX];
    int kept_count;
} WhatIf;

/* Input of a run: sentences separated by |, or ids as "5,7,9,2|5,2". */
typedef struct {
    const char *source, *source_ids, *target, *target_ids; /* NULL: not given */
    int limit; /* of the decoding; 0: options.limit */
} Request;

/* A training step, and what is needed to undo it: see learning.h. */
typedef struct {
    SlowStep step;
    bool is_begun, has_gradients, dropout_on;
    Gradients gradients;
    Walk walk;        /* over the tape of the step */
    int stop;         /* current stop of the walk back */
    int steps;        /* training steps so far */
    int weight, cell; /* whose update is explained; -1: the largest */
    Answer before[ROWS_MAX], after[ROWS_MAX]; /* answers before and after the step */
    Request without_target,
        with_target; /* the sentence without and with the target of :learn */
    bool has_target;
    Arena arena;
    Arena kept; /* the original weights (Weight.unlearned) and these texts */
} Learning;

/* A model that can read a sentence that the current one cannot: prompt/reading.h. */
typedef struct {
    Arena arena;
    const char *model, *text; /* NULL: no offer */
} Offer;

/* The lesson that is open. Its player is not known here: see player/player.h. */
typedef struct {
    bool is_open;          /* Enter and plain lines belong to it */
    bool is_typing;        /* a line of a lesson is running: it has its usual meaning */
    struct Player *player; /* NULL before the first lesson */
    Arena arena;           /* of the player */
} OpenLesson;

/* A run of the model on a sentence or a batch. Runs are created, swapped and freed as a
 * unit. */
typedef struct {
    bool is_made;
    Side source, target;
    Side whole; /* for masked language models: the sentence without masks; or no rows */
    bool target_given;    /* teacher forcing; false: the target was generated */
    bool target_borrowed; /* no target: a copy of the source is used */
    int limit;            /* of that generation; 0: the usual limit */
    Arena arena;          /* source, target, walk and labels */
    Tape tape;            /* the whole batch */
    Encoded encoded;      /* output of the encoder for the decoder, or NULL */
    /* After the encoder, before the target: after a change, recompute from here. */
    TapeMark encoder_mark;
    ArenaMark read_mark;
    bool holds_target; /* keep the decoded target as if it had been given */
    /* The decoding of sentence `row`, empty if nothing was generated. It uses the
     * encoder output on `tape`; for a batch it encodes its sentence again without
     * padding. */
    Tape steps;
    Generated generated;     /* result of the decoding */
    Branches branches;       /* and of other choices */
    Answer answer[ROWS_MAX]; /* of each decoded sentence */
    Tape lens;               /* the last :lens of the run, or empty */
    Walk walk;
    int stage;        /* index of the current stop; -1: before the first */
    int row;          /* the current sentence of the batch */
    bool walks_back;  /* Enter walks back through a training step, from the loss */
    const char *told; /* address of the cell described at the current stage, in `arena`;
                         NULL: none */
    Questions questions; /* for `:why 3` and `:up` */
    Arena why_arena;     /* their answers */
} Run;

/* What a line did besides its page: of several things the last of this list. */
typedef enum {
    DID_SAY,   /* only its page */
    DID_ASK,   /* answered a question: run->questions */
    DID_MOVE,  /* showed a stop: run->stage */
    DID_RUN,   /* made another run */
    DID_LEARN, /* made a training step, or showed a stop of the walk back through it */
} Did;

typedef struct {
    Did did;
    const char *tensor; /* name of the one that it showed, in `scratch`; NULL: none */
    bool is_table;      /* as numbers, not in colors */
} LineOutcome;

/* How the model differs from the one that was opened: see variants.h. */
typedef struct {
    bool is_on;      /* options were changed */
    Model original;  /* then the model without these changes */
    bool dropout_on; /* dropout is on, as in training */
    unsigned long long drop_seed;
} Variant;

/* What the model can read: see prompt/reading.h. */
typedef struct {
    const Background *background; /* of the model; NULL: not read yet */
    Offer offer;
} Reading;

/* Attention over typed numbers: see change/toy.h. */
typedef struct {
    Tape tape;         /* or empty */
    const char *typed; /* the text it was made from, in its arena */
} Toy;

/* What the pages show of a sentence. */
typedef struct {
    ShownTokens tokens; /* of a long sentence; names in `tokens_arena` */
    Arena tokens_arena;
    const char *followed; /* argument of :follow, in its own arena, or NULL: see
                             walk/followed.h */
    Arena followed_arena;
} Focus;

/* The lines that come in. */
typedef struct {
    bool by_line;      /* commands come line by line, from a prompt or a file */
    bool is_prompt;    /* a user types the lines and sees the output */
    bool is_file;      /* lines of a file named by :read */
    bool done, failed; /* no more lines; standard input or one of its lines failed */
    History history;
} Input;

typedef struct Session Session;

/* The full screen, a layer above the session. */
typedef struct {
    bool begins, is_on;
    bool (*show)(Session *session, Error *error); /* NULL: there is none */
} FullScreen;

struct Session {
    Model model;
    bool has_model;
    Variant variant;
    Reading reading;

    Run *run;   /* the current run */
    Run *spare; /* memory for the next run, so that a failed one loses nothing */
    WhatIf what_if;
    Learning learning;
    Toy toy;

    Display options;
    Focus focus;
    BeamOptions beam; /* from the last :beam; width 0: none */
    OpenLesson lesson;

    Arena scratch;       /* for one typed line; emptied before the next */
    const char *command; /* the current line, for the footers of figures */
    LineOutcome outcome; /* of that line */
    Page page;           /* its output, in `scratch` */
    Page messages;       /* other messages: warnings, progress */
    Input input;
    FullScreen screen;
};

Session *session_new(Arena *arena);
void session_free(Session *session);

/* Clear the output and the outcome of the last line to make room for the next. */
void session_clear(Session *session);

/* Add to the outcome of the current line. */
void session_did(Session *session, Did did);

/* Return the tapes and weights, and what explain/ needs to describe them. */
Record session_record(const Session *session);
Story session_story(const Session *session);

/* Open a model: see models_open(). If that fails, the old model stays. */
bool session_open(Session *session, const char *model, Error *error);

/* Return facts about the current model besides its weights, read once. */
const Background *session_background(Session *session);

/* Return the model's answer to sentence `row`; without text if there is none. For a
 * given target, its confidence is the mean probability of the target's tokens; NAN if
 * that cannot be computed. */
Answer session_answer(Session *session, int row);

/* Fail if another program has written to a mapped file of weights: see base/mapped.h.
 */
bool session_is_intact(const Session *session, Error *error);

/* Discard the sentence and its run. */
void session_forget(Session *session);

/* Return the limit for a typed sentence. Untrained models rarely reach <end>. */
int session_usual_limit(const Session *session);

/* Run the model on the request. On failure the previous run stays. */
bool session_run(Session *session, const Request *request, Error *error);

/* Decode each sentence of the request and call `visit` after each, with the result in
 * session->run->generated; then restore the session. */
bool session_generate(Session *session, const Request *request,
                      void (*visit)(Session *session), Error *error);

/* Run the model on the request, call `visit` with the session in that state, and
 * restore the current run. Whatever `visit` allocates in session->scratch stays. */
bool session_aside(Session *session, const Request *request,
                   bool (*visit)(Session *session, void *state, Error *error),
                   void *state, Error *error);

/* Discard the gradients and Adam's moments of a training step, since the model has been
 * replaced. What is needed to undo the step stays. */
void session_stop_learning(Session *session);

/* Discard everything about training steps. */
void session_end_learning(Session *session);

/* Run attention over the numbers of `typed`: see change/toy.h. If that fails, the
 * previous toy stays. Sentences do not affect it. */
bool session_toy(Session *session, const char *typed, Error *error);

/* Show sentence `row` of the batch, and keep only its decoding. */
bool session_choose(Session *session, int row, Error *error);

/* Decode sentence `row` and keep its steps. `chooser` NULL: greedy. */
bool session_decode(Session *session, int row, int limit, const Chooser *chooser,
                    Error *error);

/* Return the encoder's output for the current sentence: the one on `run`, or for a
 * batch a new one without padding, on `tape`. */
Encoded session_encoded(const Session *session, Tape *tape);

/* Call before the model is replaced. Fail if manual changes are in effect, since they
 * refer to its weights; discard those that were undone. */
bool session_without_changes(Session *session, Error *error);

/* Run the decoder on the target in session->run->target after the encoder. */
bool session_read_target(Session *session, Error *error);

/* Change the run and recompute what depends on the change. If the change makes the run
 * impossible, such as an id outside of the vocabulary, fail and leave it as it was. */
bool session_change(Session *session, const Change *change, Error *error);

/* Put the first `done` changes into effect, undoing or redoing the others. */
bool session_hold_changes(Session *session, int done, Error *error);

/* Return a snapshot of the current run. It shares the run's tensors unless `depth` says
 * otherwise. */
Snapshot session_snapshot(Session *session, SnapshotDepth depth, Arena *arena);

/* Return the run that was kept under that name, or NULL. */
KeptRun *session_kept(Session *session, const char *name);

/* Check that the run can be changed. Fail unless it has exactly one sentence. */
bool session_can_change(const Session *session, Error *error);

/* Withdraw the offer of another model, at the next stop, sentence or model. */
void session_forget_offer(Session *session);

/* Return an external text, safe to print, valid until the command ends. */
const char *session_safe(Session *session, const char *text);
