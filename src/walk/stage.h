/* stage.h - what there is to say about each kind of tensor on the way: one row each.
 *
 * A row is found by the part of an address behind the stack and the layer or the step
 * of an LSTM: of "encoder.0.self_attention.scores" that is "self_attention.scores", of
 * "encoder.lstm.2.cell" it is "cell". */
#pragma once

#include <stdbool.h>

/* How a stage is shown. */
typedef enum {
    LOOK_TABLE,   /* tokens down, features across, as numbers */
    LOOK_TABLES,  /* the same of parts that may be apart on the tape: Q, K and V */
    LOOK_HEATMAP, /* query down, key across, shaded */
    LOOK_BARS,    /* the best few of each row as bars */
} StageLook;

enum { STAGE_PARTS = 7 };

typedef struct {
    const char *name;  /* for goto: "scores" */
    const char *parts; /* the addresses it shows, in order, with | between them */
    const char *stack; /* only in "encoder" or "decoder"; NULL: in both */
    const char *when;  /* only in a model of these options, as "norm=pre
                          scale_scores=false"; NULL: in any. config_holds() */
    StageLook look;
    const char *title; /* $token: the token that an LSTM reads there */
    const char *text;  /* one or two sentences: what happens and why; $op: what its
                          last operation says of itself */
} StageKind;

/* What a model of these options does otherwise than the paper, said at the stages that
 * show one of the parts, and among the boxes at the one it is about. Where "encoder."
 * or "decoder." stands before a part it is that of this stack only. */
typedef struct {
    const char *parts; /* as those of a StageKind */
    const char *box;   /* those that a box shows; NULL: none speaks of it */
    const char *when, *text;
} StageRemark;

extern const StageKind stage_kinds[];     /* ends with a row without name */
extern const StageRemark stage_remarks[]; /* ends with a row without text */

/* Is the part one of those of `list`, which have | between them? */
bool stage_lists(const char *list, const char *part);

/* Is the remark about this part, as a stage of its own or as a box? */
bool remark_stands(const StageRemark *remark, const char *stack, const char *part,
                   bool is_box);
