#include <string.h>

#include "base/language.h"
#include "lens/lens.h"
#include "ops/ops.h"

static const char *const stacks[] = {"encoder", "decoder", NULL};

bool lens_rollout_record(Tape *lens, const Story *story, const LensAim *aim,
                         Error *error) {
    (void)aim;
    /* R of layer n = A of layer n × R of layer n - 1, where A is half of the mean over
     * the heads plus half of the identity: Abnar and Zuidema 2020. */
    for (int s = 0; stacks[s]; s++) {
        Tensor *before = NULL;
        for (int n = 0; n < LAYERS_MAX; n++) {
            const char *layer = arena_print(&lens->arena, "%s.%d", stacks[s], n);
            Tensor *weights = tape_find(
                story->record.run,
                arena_print(&lens->arena, "%s.self_attention.weights", layer));
            if (!weights) break;
            Where outside = tape_enter(lens, layer);
            Tensor *mixed = head_mean(lens, "mixed", weights);
            before = before ? matmul(lens, "rollout", mixed, before)
                            : tape_alias(lens, "rollout", mixed);
            tape_leave(lens, outside);
        }
    }
    return lens->count || lens->failed ||
           fail(error,
                "lens rollout needs layers of self-attention, but this model has none");
}

/* Return the rollout after the last layer of a stack, or NULL. */
static const Tensor *last_of(const Tape *lens, const char *stack) {
    const char before[] = "lens.rollout.";
    const Tensor *last = NULL;
    for (int e = 0; e < lens->entries; e++) {
        const Entry *entry = &lens->entry[e];
        const char *name = entry->address + strlen(before);
        if (strcmp(entry->name, "rollout") == 0 &&
            strncmp(name, stack, strlen(stack)) == 0)
            last = entry->tensor;
    }
    return last;
}

/* Return the matrix of the story's sentence. */
static Figure matrix_of(const Tensor *tensor, const Story *story, Arena *arena) {
    Slice *slice = ARENA_ARRAY(arena, Slice, 1);
    *slice = slice_all(tensor);
    slice->from[0] = story->row;
    slice->to[0] = story->row + 1;
    return (Figure){.kind = FIGURE_HEATMAP,
                    .slice = slice,
                    .slices = 1,
                    .palette = story->palette,
                    .scale = SCALE_SHARES,
                    .row_sums = true};
}

void lens_rollout_say(const Tape *lens, const Story *story, int place, Page *page) {
    (void)place;
    Arena *arena = page->arena;
    for (int s = 0; stacks[s]; s++) {
        const Tensor *tensor = last_of(lens, stacks[s]);
        if (!tensor) continue;
        Figure figure = matrix_of(tensor, story, arena);
        page_figure(page, &figure);
        int cell = tensor_stride(tensor, 0) * story->row;
        page_hint(page, tr("one of them, explained"),
                  arena_print(arena, ":why %s", address_print(tensor, cell, arena)));
    }
}

/* Draw both stacks next to each other if they have the same size. A file has one
 * figure: that of the encoder. */
Figure lens_rollout_figure(const Tape *lens, const Story *story, int place,
                           Arena *arena) {
    (void)place;
    const Tensor *encoder = last_of(lens, "encoder");
    const Tensor *tensor = encoder ? encoder : last_of(lens, "decoder");
    Figure figure = matrix_of(tensor, story, arena);
    figure.title = trf(arena, "attention rollout: %s", tensor->name);
    return figure;
}
