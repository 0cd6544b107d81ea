/* session.h - all that the program has in hand: a model, a sentence and what the model
 * made of it, and where the person stands in it. The only state there is. */
#pragma once

#include "base/options.h"
#include "explain/answer.h"
#include "explain/because.h"
#include "explain/cell.h"
#include "explain/story.h"
#include "learn/slow_step.h"
#include "shell/history.h"

enum { ROWS_MAX = 64, SENTENCE_LIMIT = 12, QUESTIONS_MAX = 64 };

/* One sentence of the batch, on one side. */
typedef struct {
    const char *text; /* as typed, in normal form C; NULL where ids were given */
    Tokens tokens;    /* without <start> and <end> */
    int *id;          /* what the model reads: with <end> (source), <start> (target) */
    const char **label; /* one for each id, or NULL without a tokenizer */
    int count;
    bool was_decomposed; /* it came in another form */
    int malformed;       /* parts that were no UTF-8 */
} Sentence;

/* One side of the batch; shorter sentences are padded. */
typedef struct {
    Sentence sentence[ROWS_MAX];
    int rows;
    Ids ids;
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
    int color;      /* an index of color_modes */
    int language;   /* an index of languages */
    int palette;    /* an index of palettes; 0: each figure's own */
    bool pager;     /* what is longer than the screen waits for a key */
} Display;

/* Its rows: what `:options` lists and changes; ends with a row without name. */
extern const Option display_options[];

/* Something that was asked: why a number is as it is. See question.h. */
typedef struct {
    bool because;         /* for a tree, not for the terms of one step */
    const Tensor *tensor; /* NULL: about a branch of the tree before */
    int cell, branch;
} Question;

/* The last one, and those that it followed from. */
typedef struct {
    Question asked[QUESTIONS_MAX];
    int count;
    Why why;         /* what the last one was answered, or this is: */
    Because because; /* without a tensor where the other one is */
} Questions;

/* Where a run keeps what it makes. */
typedef struct {
    Tape run, steps;
    Arena sentence, why;
} RunMemory;

/* A step of learning, and what it takes to undo it: see learning.h. */
typedef struct {
    SlowStep step;
    bool is_begun, has_gradients, drops;
    Gradients gradients;
    Walk walk;        /* of its tape */
    int stop;         /* where the walk back stands */
    bool walks;       /* Enter goes back, from the loss to the first stage */
    int steps;        /* that were learned */
    int weight, cell; /* whose step is taken apart; -1: the largest */
    Tensor *tensor;   /* the weights as they were before, in `kept` */
    int tensors;
    Arena arena, kept;
} Learning;

typedef struct Session {
    Model model;
    bool has_model;
    Model original;  /* of `model`, where options were changed: see variants.h */
    bool is_variant; /* they were */
    bool drops;      /* dropout drops, as in training */
    unsigned long long drop_seed;
    const bool *unlearned; /* of the model: see unlearned_rows(); once it is known */
    bool knows_unlearned;
    Arena sentence; /* source, target, walk and labels of the current sentence */
    Side source, target;
    bool target_given;    /* teacher forcing; if not, the target was generated */
    bool target_borrowed; /* it is the source again, for want of another */
    int limit;            /* of that generation, 0 if it was the usual one */
    bool has_run;
    Tape run;        /* the whole batch */
    Encoded encoded; /* what its encoder hands to the decoder, or NULL */
    /* The decoding of sentence `row`, empty if nothing was generated. It reads what the
     * encoder made on `run`, or in a batch encodes its sentence again, unpadded. */
    Tape steps;
    Generated generated;     /* what came of it */
    Answer answer[ROWS_MAX]; /* of each sentence that was decoded */
    Tape toy;                /* attention over numbers that were typed, or empty */
    const char *toy_typed;   /* what it was made of, in its arena */
    Walk walk;
    int stage;       /* where the walk stands: an index of stops, -1 before the first */
    int row;         /* the sentence of the batch that is shown */
    RunMemory spare; /* the next run is made there: one that fails loses nothing */
    const char *told; /* the address of the cell that the stage at hand spoke of, in the
                         arena of the sentence; NULL: it spoke of none */
    Questions questions; /* for `:why 3` and `:up` */
    Arena why_arena;     /* the answers to them */
    Arena scratch;       /* of one line that was typed; emptied before the next */
    Learning learning;
    ShownTokens shown; /* of a long sentence; names in `shown_arena` */
    Arena shown_arena;
    Display options;
    const char *command; /* the line being run, for the footers of figures */
    History history;
    Page page;      /* what the command says, in `scratch` */
    Page messages;  /* and what is said beside it: warnings, how far it is */
    bool is_prompt; /* somebody types the lines, and sees what they say */
    bool done;
    bool input_failed; /* standard input could not be read, or a line of it failed */
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

/* What is to be read: sentences separated by |, or ids as "5,7,9,2|5,2". */
typedef struct {
    const char *source, *source_ids, *target, *target_ids; /* NULL: not given */
    int limit; /* of the decoding; 0: as options.limit says */
} Request;

/* Forget the sentence and all that the model made of it. */
void session_forget(Session *session);

/* The limit of a sentence that was typed: what has not learned rarely comes to an end.
 */
int session_usual_limit(const Session *session);

/* Run the model on it. What was run before is forgotten; it stays where this fails. */
bool session_run(Session *session, const Request *request, Error *error);

/* Decode each sentence of the request and call `say` after it, with what was generated
 * in session->generated; then the session is as it was. */
bool session_generate(Session *session, const Request *request,
                      void (*say)(Session *session), Error *error);

/* Run attention over the numbers of `typed`: see explain/toy.h. The toy before it stays
 * if that fails, and goes otherwise; sentences do not touch it. */
bool session_toy(Session *session, const char *typed, Error *error);

/* Show sentence `row` of the batch: its own decoding is kept. */
bool session_choose(Session *session, int row, Error *error);

/* Decode sentence `row` and keep its steps. */
bool session_decode(Session *session, int row, int limit, Error *error);

/* A text that came from outside as it may be printed, until the command ends. */
const char *session_safe(Session *session, const char *text);

/* The names of the values of Options.color, ending with NULL. */
extern const char *const color_modes[];
