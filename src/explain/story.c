#include "explain/story.h"

#include <string.h>

#include "base/language.h"
#include "explain/drawing.h"
#include "explain/formula.h"
#include "explain/normed.h"
#include "explain/ranking.h"

void story_numbers(const Story *story, const Slice *slice, Page *page) {
    page_say(page, (Block){.kind = BLOCK_NUMBERS,
                           .numbers = {
                               .title = tensor_describe(slice->tensor, page->arena),
                               .slice = *slice,
                               .digits = story->digits,
                               .moments = normed_rows(&story->record, slice->tensor),
                           }});
}

void story_figure(const Story *story, const Slice *slices, int count, Page *page) {
    Figure figure =
        drawing_new(&story->record, slices, count, story->palette, page->arena);
    page_figure(page, &figure);
}

static void say_shape(const Story *story, const Stage *stage, int t, Page *page) {
    const Tensor *tensor = stage->tensor[t];
    const Step *step = record_step(&story->record, tensor);
    ShapeBlock shape = {.address = stage->address[t], .tensor = tensor};
    if (step) {
        shape.operation = step->op->name;
        shape.input = step->input;
        shape.inputs = step->inputs;
    }
    page_say(page, (Block){.kind = BLOCK_SHAPE, .shape = shape});
}

/* The part of a tensor that a stage shows: the current sentence, head 0. */
static Slice stage_slice(const Story *story, const Tensor *tensor) {
    Slice slice = slice_all(tensor);
    int batch = tensor_axis(tensor, "batch");
    int head = tensor_axis(tensor, "head");
    if (batch >= 0) slice.from[batch] = story->row;
    if (batch >= 0) slice.to[batch] = story->row + 1;
    if (head >= 0) slice.to[head] = 1;
    return slice;
}

/* A number for each token is shown whole, of others as many as stand in a line. */
static void say_numbers(const Story *story, const Stage *stage, int t, Page *page) {
    const Tensor *tensor = stage->tensor[t];
    bool whole = tensor->holds_ids || strcmp(tensor->short_name, "padding_mask") == 0;
    NumbersBlock numbers = {
        .title = stage->called[t],
        .slice = stage_slice(story, tensor),
        .digits = story->digits,
        .columns_most = whole ? 0 : story->columns,
        .all = arena_print(page->arena, ":show %s", stage->address[t]),
        .moments = normed_rows(&story->record, tensor),
    };
    page_say(page, (Block){.kind = BLOCK_NUMBERS, .numbers = numbers});
}

static void say_heatmap(const Story *story, const Stage *stage, int t, Page *page) {
    const Tensor *tensor = stage->tensor[t];
    Slice *slice = ARENA_ARRAY(page->arena, Slice, 1);
    *slice = stage_slice(story, tensor);
    story_figure(story, slice, 1, page);
    int head = tensor_axis(tensor, "head");
    if (head >= 0 && tensor->axis[head].size > 1)
        page_hint(
            page,
            say(page->arena, "head 0 of %d; all of them", tensor->axis[head].size),
            arena_print(page->arena, ":heat %s", stage->address[t]));
}

static void say_bars(const Story *story, const Stage *stage, int t, Page *page) {
    ranking_say_places(stage->tensor[t], story->row, story->candidates, story->digits,
                       page);
}

typedef void SayPart(const Story *story, const Stage *stage, int t, Page *page);

static SayPart *const say_part[] = {
    [LOOK_TABLE] = say_numbers,
    [LOOK_HEATMAP] = say_heatmap,
    [LOOK_BARS] = say_bars,
};

static bool shows_part(const Stage *stage, const char *const *part) {
    for (int p = 0; p < STAGE_PARTS && part[p]; p++)
        for (int t = 0; t < stage->tensors; t++)
            if (strcmp(part[p], stage->part[t]) == 0) return true;
    return false;
}

/* What this model does otherwise than the paper. */
static void say_remarks(const Story *story, const Stage *stage, Page *page) {
    for (const StageRemark *remark = stage_remarks; remark->text; remark++)
        if (shows_part(stage, remark->part) &&
            (!remark->stack || strcmp(remark->stack, stage->stack) == 0) &&
            config_holds(&story->model->config, remark->when))
            page_prose(page, remark->text);
}

/* What was computed, a line for each step; equal lines once. */
static void say_formulas(const Story *story, const Stage *stage, Page *page) {
    const char *said[STAGE_PARTS];
    int lines = 0;
    for (int t = 0; t < stage->tensors; t++) {
        const Step *step = record_step(&story->record, stage->tensor[t]);
        if (!step) continue;
        said[lines] = formula_print(step, stage->place, page->arena);
        bool is_new = true;
        for (int l = 0; l < lines; l++)
            is_new = is_new && strcmp(said[l], said[lines]) != 0;
        lines += is_new;
    }
    page_formulas(page, said, lines);
}

void story_stage(const Story *story, const Stage *stage, int number, int count,
                 Page *page) {
    const StageKind *kind = stage->kind;
    page_heading(page, (HeadingBlock){number, count, stage->title, stage->name});
    page_prose(page, kind->text);
    say_remarks(story, stage, page);
    say_formulas(story, stage, page);
    for (int t = 0; t < stage->tensors; t++) say_shape(story, stage, t, page);
    for (int t = 0; t < stage->tensors; t++)
        say_part[kind->look](story, stage, t, page);
}
