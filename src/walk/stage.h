/* stage.h - the table of stages: title, text and layout of each kind of tensor.
 *
 * A row is found by the part of an address after the stack and the layer (or the step
 * of an LSTM): "self_attention.scores" for "encoder.0.self_attention.scores", "cell"
 * for "encoder.lstm.2.cell". */
#pragma once

#include <stdbool.h>

/* Layout of a stage. */
typedef enum {
    LOOK_TABLE,   /* numbers, with tokens as rows and features as columns */
    LOOK_TABLES,  /* the same, for tensors that may be apart on the tape: Q, K and V */
    LOOK_HEATMAP, /* shaded, with queries as rows and keys as columns */
    LOOK_BARS,    /* bars for the best few of each row */
} StageLook;

enum { STAGE_PARTS = 7 };

typedef struct {
    const char *name;  /* for :goto: "scores" */
    const char *parts; /* the addresses it shows, in order, separated by | */
    const char *stack; /* only in "encoder" or "decoder"; NULL: in both */
    const char *when;  /* only in a model with these options, as "norm=pre
                          scale_scores=false"; NULL: in any. See config_holds() */
    StageLook look;
    const char *title; /* $token: the token that an LSTM reads in this step */
    const char *text;  /* one or two sentences: what happens and why; $op: the
                          description of the stage's last operation */
} StageKind;

/* How a model with these options differs from the paper: shown at stages that show one
 * of the parts and, in the walk by boxes, at the box it is about. A part that starts
 * with "encoder." or "decoder." matches only in that stack. */
typedef struct {
    const char *parts; /* as in StageKind */
    const char *box;   /* the parts that a box shows; NULL: no box */
    const char *when, *text;
} StageRemark;

extern const StageKind stage_kinds[];     /* terminated by a row without a name */
extern const StageRemark stage_remarks[]; /* terminated by a row without text */

/* Return true if the part is in `list`, whose items are separated by |. */
bool stage_lists(const char *list, const char *part);

/* Return true if the remark belongs to this part, as a stage or as a box. */
bool remark_stands(const StageRemark *remark, const char *stack, const char *part,
                   bool is_box);
