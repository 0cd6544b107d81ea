#include "walk/stage.h"

#include <stddef.h>

const StageKind *const stage_kinds[] = {
    stage_kinds_classifier, stage_kinds_seq2seq, stage_kinds_ends,
    stage_kinds_attention,  stage_kinds_layer,   NULL,
};
