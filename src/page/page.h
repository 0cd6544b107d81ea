/* page.h - what there is to say, as blocks that hold meaning and no layout.
 *
 * Commands and explanations say one block after the other: a heading, prose, a formula,
 * the numbers of a slice. A window draws each as it is said; it alone knows of widths,
 * colours and files. So the same page is text at the prompt, and can be a screen or
 * HTML; without a window it is the list of its blocks, which is what tests look at.
 *
 * What a block points at must live as long as the page: take it from page->arena, or
 * from the run that is shown. Texts are safe to print: unicode_escape() what comes from
 * outside. */
#pragma once

#include "figure/figure.h"
#include "page/table.h"
#include "tensor/explanation.h"

typedef enum {
    BLOCK_HEADING,     /* where a walk is */
    BLOCK_ANSWER,      /* what the model says, and how sure it is */
    BLOCK_SECTION,     /* the title of a part */
    BLOCK_GAP,         /* a new thought begins */
    BLOCK_PROSE,       /* sentences, to be read */
    BLOCK_ITEM,        /* one of several things, with its mark */
    BLOCK_NOTE,        /* a short remark on what is beside it */
    BLOCK_LINE,        /* a result, which a script may read: one line, however long */
    BLOCK_DOCUMENT,    /* a whole text for another program, with its own lines */
    BLOCK_FORMULA,     /* what a step computes */
    BLOCK_HINT,        /* a command that shows more */
    BLOCK_LIST,        /* names, each with what there is to say about it */
    BLOCK_SHAPE,       /* the axes of a tensor and of those it was made of */
    BLOCK_NUMBERS,     /* the numbers of a slice */
    BLOCK_TABLE,       /* words and numbers in rows and columns */
    BLOCK_FIGURE,      /* a heatmap, a grid of them, curves */
    BLOCK_TERMS,       /* one number taken apart */
    BLOCK_TREE,        /* one number followed back, branch by branch */
    BLOCK_RANKING,     /* the best guesses, each with its number */
    BLOCK_RANKINGS,    /* the best few at each place, a line for each */
    BLOCK_CHOICES,     /* what was chosen, step by step */
    BLOCK_TOKENS,      /* a sentence in pieces */
    BLOCK_SAMPLE,      /* a sentence and what belongs to it, or was said to it */
    BLOCK_MERGES,      /* how pieces were joined */
    BLOCK_FREQUENCIES, /* how often something was met */
    BLOCK_PROGRESS,    /* how far a training is; see page_progress() */
    BLOCK_COUNTING,    /* how many are done; see page_counting() */
    BLOCK_KINDS
} BlockKind;

typedef struct {
    int number, part, count; /* the stop `number` of `count`; `part` of those that a
                                finer walk adds behind it; 0: the stop itself */
    const char *title, *name;
} HeadingBlock;

typedef struct {
    const char *text; /* "I met a friend." */
    const char *sure; /* "sure: 93 % a token" */
} AnswerBlock;

typedef struct {
    const char *const *line; /* "scaled = scores / √16" */
    int count;
    bool is_close; /* to what is above and below */
} FormulaBlock;

typedef struct {
    const char *text;    /* "head 0 of 4; all of them" */
    const char *command; /* ":heat encoder.0.self_attention.weights" */
} HintBlock;

typedef struct {
    int level;        /* how deep it stands, from 1 on */
    const char *mark; /* "-", "2)" */
    const char *text;
} ItemBlock;

/* What a list is of: a window may give each its own columns. */
typedef enum {
    LIST_STAGES,
    LIST_SENTENCES,     /* of a batch */
    LIST_SETTINGS,      /* of the program */
    LIST_MODEL_OPTIONS, /* with their values */
    LIST_MODEL_FLAGS,   /* the same as flags of a command */
    LIST_RECIPE_KEYS,
    LIST_MODELS,
    LIST_LESSONS,
    LIST_FIRST_COMMANDS, /* the group's name before its first command */
    LIST_COMMANDS,
    LIST_TERMS, /* short names */
    LIST_FLAGS,
    LIST_KEYS,
    LIST_KINDS
} ListKind;

typedef struct {
    bool here;                       /* the one where the person is */
    int number, part;                /* of stages and sentences; see HeadingBlock */
    const char *name, *value, *text; /* NULL where the kind has none */
} ListItem;

typedef struct {
    ListKind kind;
    const ListItem *item;
    int count;
} ListBlock;

typedef struct {
    const char *address;
    const Tensor *tensor;
    const char *operation; /* that made it; NULL: it was given */
    Tensor *const *input;  /* of the operation */
    int inputs;
} ShapeBlock;

typedef struct {
    const char *title; /* NULL: it was said above */
    Slice slice;
    int digits;        /* behind the point */
    int columns_most;  /* of a row; 0: all, however many lines they take */
    int column_first;  /* where they begin, if they are not all */
    int rows_left_out; /* of the tensor's, by the slice */
    const char *all;   /* the command that shows all of them, where some are left out */
    const unsigned char
        *marked;  /* the cells that are pointed out, see Matrix; or NULL */
    bool moments; /* also the mean and the deviation of each row, whole */
} NumbersBlock;

/* Where a term is. */
typedef struct {
    const char *index;    /* within `common`: "d_head=3", and `place` is empty; or "" */
    const char *place[2]; /* the addresses of its numbers, or NULL */
} TermLabel;

typedef struct {
    const char *address;
    double value;
    const char *given;              /* what it is where nothing computed it, or NULL */
    const char *formula, *note;     /* note: NULL where there is none */
    const Explanation *explanation; /* NULL with `given` */
    const int *order; /* its terms in the order they are shown, `shown` one by one */
    int shown;
    double rest;            /* of the others together */
    const TermLabel *label; /* of the first `shown` in `order` */
    const char *common[2];  /* the address most of them share, or NULL */
} TermsBlock;

/* A branch, and those that grow from it. */
typedef struct TreeNode {
    const char *text;
    double share;    /* of what it grows from, 0 to 1; the root has none */
    bool is_against; /* it takes away from that */
    int number;      /* to open it by; 0: it leads no further */
    const struct TreeNode *child;
    int children;
} TreeNode;

typedef struct {
    const TreeNode *root;
} TreeBlock;

typedef struct {
    const char *label;
    int id;
    double value;
} Guess;

typedef struct {
    const char *place;  /* the token they come after; NULL where it is said elsewhere */
    const Guess *guess; /* the best first */
    int count;
    bool shares; /* they are shares of 1, not scores */
    int digits;  /* of a score */
} RankingBlock;

typedef struct {
    const RankingBlock *ranking;
    int count;
    bool in_place; /* what may stand there; else what comes next */
} RankingsBlock;

typedef struct {
    const Guess *step; /* what each step took, with its share */
    int count;
    int first; /* the number of the first of them */
} ChoicesBlock;

/* One id of a sentence; special ones such as <end> have no bytes. */
typedef struct {
    const char *label;
    int id;
    const char *bytes;  /* of the text, in hexadecimal; NULL: it has none */
    int start, end;     /* where they are */
    const char *letter; /* the letter that it is only a part of, or NULL */
} TokenRow;

typedef struct {
    const TokenRow *row;
    int count;
} TokensBlock;

typedef struct {
    int line; /* of the file it comes from; 0: of none */
    const char *source;
    const char *target; /* NULL: none */
    const char *wanted; /* instead of that target; NULL: it is right */
} SampleBlock;

typedef struct {
    int rank;                 /* of the merge, or -1: the bytes before any */
    const char *left, *right; /* what was joined */
    const char *pieces;       /* what there is now: "나 | 는" */
} MergeRow;

typedef struct {
    const char *word;
    const MergeRow *row;
    int count;
    bool letters; /* the first row has letters, not bytes */
} MergesBlock;

typedef struct {
    int first, last; /* from and to, as 1 to 3 */
    int count;
} Frequency;

typedef struct {
    const Frequency *bar;
    int count;
    int most; /* the largest count */
} FrequenciesBlock;

/* How far a training is. */
typedef struct {
    int step, total;      /* the one it is at, the last one */
    double loss;          /* of that step */
    double speed;         /* tokens a second */
    double seconds;       /* that are left */
    const double *losses; /* means over equal shares of the steps, and of how many */
    const int *counts;
    int shares;
    bool ended; /* it stays as it is now */
    /* A tensor of one sentence as it stands now, for a window that shows it; a pass of
     * the model is computed for it, and it holds until the next call. NULL: there is
     * none. */
    const Tensor *(*watch)(void *watched);
    void *watched;
} ProgressBlock;

typedef struct {
    int done, all;
    const char *what; /* "sentences" */
} CountingBlock;

typedef struct Block {
    BlockKind kind;
    union {
        const char *text; /* section, prose, note, line, document */
        AnswerBlock answer;
        FormulaBlock formula;
        HeadingBlock heading;
        HintBlock hint;
        ItemBlock item;
        ListBlock list;
        ShapeBlock shape;
        NumbersBlock numbers;
        Table table;
        Figure figure;
        TermsBlock terms;
        TreeBlock tree;
        RankingBlock ranking;
        RankingsBlock rankings;
        ChoicesBlock choices;
        TokensBlock tokens;
        SampleBlock sample;
        MergesBlock merges;
        FrequenciesBlock frequencies;
        ProgressBlock progress;
        CountingBlock counting;
    };
    struct Block *next;
} Block;

/* Who draws blocks. */
typedef struct {
    void *state;
    /* Draw one block. Fails where it has nothing to draw, or the person stopped it. */
    bool (*draw)(void *state, const Block *block, Error *error);
    /* What was drawn so far is to be seen now. */
    void (*flush)(void *state);
    /* What a stop of a walk should fill at most; 0: a terminal of 24 lines and 80
     * columns, in which the prompt takes two lines. */
    int stop_lines, stop_columns;
} Window;

/* Like a tape, it keeps the first failure and ignores what is said after it. */
typedef struct {
    Arena *arena;         /* of its blocks and of what they point at */
    const Window *window; /* NULL: nobody looks */
    Block *first, *last;
    bool failed;
    Error error;
} Page;

/* Begin again, without blocks: the arena may be reset then. */
void page_clear(Page *page);

/* False and its first failure, where it has failed. */
bool page_done(const Page *page, Error *error);

/* What was said so far is to be seen now. */
void page_flush(const Page *page);

/* Say a block: those with many parts are written where they are made. */
void page_say(Page *page, Block block);

/* The others. Texts are kept, not copied; page_note() and page_line() format into the
 * arena. */
void page_heading(Page *page, HeadingBlock heading);
void page_section(Page *page, const char *title);
void page_gap(Page *page);
void page_prose(Page *page, const char *text);
__attribute__((format(printf, 2, 3))) void page_note(Page *page, const char *format,
                                                     ...);
__attribute__((format(printf, 2, 3))) void page_line(Page *page, const char *format,
                                                     ...);
void page_document(Page *page, const char *text);
void page_formulas(Page *page, const char *const *line, int count);
void page_hint(Page *page, const char *text, const char *command);
void page_list(Page *page, ListKind kind, const ListItem *item, int count);
void page_table(Page *page, const Table *table);
void page_figure(Page *page, const Figure *figure);

/* These are shown and not kept: each takes the place of the one before. */
void page_progress(Page *page, const ProgressBlock *progress);
void page_counting(Page *page, int done, int all, const char *what);
