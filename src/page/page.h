/* page.h - output as blocks that have meaning but no layout.
 *
 * Commands and explanations output one block after another: a heading, prose, a
 * formula, the numbers of a slice. A window draws each block as it comes; only the
 * window knows widths, colors and files. So the same page is text at the prompt, and
 * can become a screen or HTML. Without a window it is a list of blocks, which tests
 * examine.
 *
 * Everything a block points to must live as long as the page: allocate it in
 * page->arena, or use the run that is shown. Texts must be safe to print: call
 * unicode_escape() on text from outside. */
#pragma once

#include "figure/figure.h"
#include "page/table.h"
#include "tensor/explanation.h"

typedef enum {
    BLOCK_HEADING,     /* the current stop of a walk */
    BLOCK_ANSWER,      /* what the model says, and its confidence */
    BLOCK_SECTION,     /* the title of a part */
    BLOCK_GAP,         /* space between two thoughts */
    BLOCK_PROSE,       /* sentences */
    BLOCK_ITEM,        /* an item of a list, with its mark */
    BLOCK_NOTE,        /* a short remark on the block next to it */
    BLOCK_LINE,        /* a result that scripts can read: one line of any length */
    BLOCK_DOCUMENT,    /* a whole text for another program, with its line breaks */
    BLOCK_FORMULA,     /* the formula of a step */
    BLOCK_HINT,        /* a command that shows more */
    BLOCK_LIST,        /* names, each with a description */
    BLOCK_SHAPE,       /* the axes of a tensor and of its inputs */
    BLOCK_NUMBERS,     /* the numbers of a slice */
    BLOCK_TABLE,       /* words and numbers in rows and columns */
    BLOCK_FIGURE,      /* a heatmap, a grid of them, curves */
    BLOCK_TERMS,       /* how one number was computed */
    BLOCK_TREE,        /* a number traced back, branch by branch */
    BLOCK_RANKING,     /* the best guesses with their numbers */
    BLOCK_RANKINGS,    /* the best few at each position, one line per position */
    BLOCK_CHOICES,     /* the choice of each step */
    BLOCK_TOKENS,      /* the tokens of a sentence */
    BLOCK_SAMPLE,      /* a sentence and its target, or its answer */
    BLOCK_MERGES,      /* how tokens were merged */
    BLOCK_FREQUENCIES, /* how often something occurred */
    BLOCK_PROGRESS,    /* progress of a training run; see page_progress() */
    BLOCK_COUNTING,    /* progress by number; see page_counting() */
    BLOCK_KINDS
} BlockKind;

typedef struct {
    /* Stop `number` of `count`. `part` counts the stops that a finer walk adds after
     * it; 0: the stop itself. */
    int number, part, count;
    const char *title, *name;
} HeadingBlock;

typedef struct {
    const char *text; /* "I met a friend." */
    const char *sure; /* the confidence, in words */
} AnswerBlock;

typedef struct {
    const char *const *line; /* "scaled = scores / √16" */
    int count;
    bool is_close; /* to the blocks before and after it */
} FormulaBlock;

typedef struct {
    const char *text;    /* "head 0 of 4; all of them" */
    const char *command; /* ":heat encoder.0.self_attention.weights" */
} HintBlock;

typedef struct {
    int level;        /* nesting depth, from 1 */
    const char *mark; /* "-", "2)" */
    const char *text;
} ItemBlock;

/* The kind of list: a window may give each kind its own columns. */
typedef enum {
    LIST_STAGES,
    LIST_SENTENCES,     /* of a batch */
    LIST_SETTINGS,      /* of the program */
    LIST_MODEL_OPTIONS, /* with their values */
    LIST_MODEL_FLAGS,   /* the same, written as flags of a command */
    LIST_RECIPE_KEYS,
    LIST_MODELS,
    LIST_LESSONS,
    LIST_FIRST_COMMANDS, /* with the group's name before its first command */
    LIST_COMMANDS,
    LIST_TERMS, /* short names */
    LIST_FLAGS,
    LIST_KEYS,
    LIST_KINDS
} ListKind;

typedef struct {
    bool here;                       /* the user's current position */
    int number, part;                /* of stages and sentences; see HeadingBlock */
    const char *name, *value, *text; /* NULL if the kind has none */
} ListItem;

typedef struct {
    ListKind kind;
    const ListItem *item;
    int count;
} ListBlock;

typedef struct {
    const char *address;
    const Tensor *tensor;
    const char *operation; /* that computed it; NULL: it was given */
    Tensor *const *input;  /* of the operation */
    int inputs;
} ShapeBlock;

typedef struct {
    const char *title; /* NULL: the title has already been shown */
    Slice slice;
    int digits;        /* after the decimal point */
    int columns_max;   /* per row; 0: all of them, on any number of lines */
    int column_first;  /* the first column shown */
    int rows_left_out; /* rows of the tensor that the slice omits */
    const char *all;   /* the command that shows everything, if some is omitted */
    const unsigned char *marked; /* the highlighted cells, see Matrix; or NULL */
    bool moments;                /* also show mean and deviation of each whole row */
} NumbersBlock;

/* The position of a term. */
typedef struct {
    const char *index;    /* within `common`, with empty `place`: "d_head=3"; or "" */
    const char *place[2]; /* the addresses of its numbers, or NULL */
} TermLabel;

typedef struct {
    const char *address;
    double value;
    const char *given;              /* what it is if it was not computed, or NULL */
    const char *formula, *note;     /* note: or NULL */
    const Explanation *explanation; /* NULL with `given` */
    const int *order; /* the order of its terms; the first `shown` are listed */
    int shown;
    double rest;            /* the sum of the other terms */
    const TermLabel *label; /* for the first `shown` in `order` */
    const char *common[2];  /* the address that most of them share, or NULL */
} TermsBlock;

/* A branch and its children. */
typedef struct TreeNode {
    const char *text;
    double share;    /* fraction of its parent, 0 to 1; unused for the root */
    bool is_against; /* its sign is opposite */
    int number;      /* number that opens it; 0: it has no children */
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
    const char *place;  /* the token before them; NULL if it is shown elsewhere */
    const Guess *guess; /* the best first */
    int count;
    bool shares; /* they are probabilities, not scores */
    int digits;  /* for scores */
} RankingBlock;

typedef struct {
    const RankingBlock *ranking;
    int count;
    bool in_place; /* guesses for this position; else for the next one */
} RankingsBlock;

typedef struct {
    const Guess *step; /* the token of each step, with its probability */
    int count;
    int first; /* the number of the first step */
} ChoicesBlock;

/* One token of a sentence; special ones such as <end> have no bytes. */
typedef struct {
    const char *label;
    int id;
    const char *bytes;  /* of the text, in hexadecimal; or NULL */
    int start, end;     /* their positions */
    const char *letter; /* the character that it is only a part of, or NULL */
} TokenRow;

typedef struct {
    const TokenRow *row;
    int count;
} TokensBlock;

typedef struct {
    int line; /* line number in its file; 0: not from a file */
    const char *source;
    const char *target;   /* NULL: none */
    const char *expected; /* the correct target; NULL: `target` is correct */
} SampleBlock;

typedef struct {
    int rank;                 /* of the merge, or -1: the initial bytes */
    const char *left, *right; /* the merged tokens */
    const char *pieces;       /* the tokens afterwards: "나 | 는" */
} MergeRow;

typedef struct {
    const char *word;
    const MergeRow *row;
    int count;
    bool letters; /* the first row has characters, not bytes */
} MergesBlock;

typedef struct {
    int first, last; /* range, 1 to 3 for example */
    int count;
} Frequency;

typedef struct {
    const Frequency *bar;
    int count;
    int max; /* the largest count */
} FrequenciesBlock;

/* Progress of a training run. */
typedef struct {
    int step, total;      /* the current step, the last step */
    double loss;          /* at that step */
    double speed;         /* tokens per second */
    double seconds;       /* remaining */
    const double *losses; /* means over equal parts of the steps, and their number */
    const int *counts;
    int shares;
    bool ended; /* final: it will not be updated */
    /* Return a tensor of one sentence in its current state, for a window that shows it.
     * This runs the model; the result is valid until the next call. NULL: no tensor to
     * watch. */
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

/* The object that draws blocks. */
typedef struct {
    void *state;
    /* Draw one block. Fails if there is nothing to draw, or if the user interrupted
     * it. */
    bool (*draw)(void *state, const Block *block, Error *error);
    /* Make everything drawn so far visible. */
    void (*flush)(void *state);
    /* Maximum size of a stop in a walk; 0: a terminal of 24 lines and 80 columns, in
     * which the prompt takes two lines. */
    int stop_lines, stop_columns;
} Window;

/* Like a tape, a page keeps its first failure and ignores later blocks. */
typedef struct {
    Arena *arena;         /* for its blocks and everything they point to */
    const Window *window; /* NULL: only collect the blocks */
    Block *first, *last;
    bool failed;
    Error error;
} Page;

/* Remove all blocks; then the arena may be reset. */
void page_clear(Page *page);

/* If the page has failed, return false and its first failure. */
bool page_done(const Page *page, Error *error);

/* Make everything so far visible. */
void page_flush(const Page *page);

/* Add a block. Blocks with many fields are filled in by the caller. */
void page_say(Page *page, Block block);

/* Add other blocks. The sentences of headings, sections, prose and hints, and the
 * formats of notes and lines, are in English and translated here. Texts are kept, not
 * copied; page_note() and page_line() format into the arena. */
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
/* Add a table as lines of any width, whose last column may hold sentences. */
void page_table_lines(Page *page, const Table *table);
void page_figure(Page *page, const Figure *figure);

/* These are shown, not kept: each replaces the one before. */
void page_progress(Page *page, const ProgressBlock *progress);
void page_counting(Page *page, int done, int all, const char *what);
