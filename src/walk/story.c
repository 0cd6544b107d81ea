#include "walk/story.h"

const Tensor *decoded_part(const Story *story, int step, const char *part,
                           Arena *arena) {
    return tape_find(story->record.steps, arena_print(arena, "step.%d.%s", step, part));
}

int decoded_cell(const Story *story, int step, const Tensor *probabilities) {
    return tensor_size(probabilities) - tensor_row(probabilities) +
           story->generated->id[step];
}

double decoded_share(const Story *story, int step, Arena *arena) {
    const Tensor *p = decoded_part(story, step, "probabilities", arena);
    return p ? tensor_printed((double)p->data[decoded_cell(story, step, p)]) : 0;
}
