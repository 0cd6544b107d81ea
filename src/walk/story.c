#include "walk/story.h"

#include <string.h>

#include "base/language.h"
#include "explain/drawing.h"
#include "walk/formula.h"
#include "walk/here.h"
#include "walk/ranking.h"

/* Mean and deviation of its rows are what an operation is about that read or made it.
 */
static bool is_centred(const Record *record, const Tensor *tensor) {
    const Tape *const tape[] = {record->run, record->steps};
    for (int t = 0; t < 2; t++)
        for (int s = 0; tape[t] && s < tape[t]->count; s++) {
            const Step *step = &tape[t]->step[s];
            if (step->op->centres &&
                (step->output == tensor || step->input[0] == tensor))
                return true;
        }
    return false;
}

void story_numbers(const Story *story, const Slice *slice, Page *page) {
    page_say(page, (Block){.kind = BLOCK_NUMBERS,
                           .numbers = {
                               .title = tensor_describe(slice->tensor, page->arena),
                               .slice = *slice,
                               .digits = story->digits,
                               .moments = is_centred(&story->record, slice->tensor),
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

/* The part of a tensor that a stage shows: the current sentence, one head. */
static Slice stage_slice(const Story *story, const Tensor *tensor, int shown_head,
                         Arena *arena) {
    Slice slice = slice_all(tensor);
    int batch = tensor_axis(tensor, "batch");
    int head = tensor_axis(tensor, "head");
    if (batch >= 0) slice.from[batch] = story->row;
    if (batch >= 0) slice.to[batch] = story->row + 1;
    if (head >= 0) slice.from[head] = shown_head;
    if (head >= 0) slice.to[head] = shown_head + 1;
    return shown_slice(&story->shown, &slice, arena);
}

/* A number for each token is shown whole, of others as many as stand in a line. */
static void say_numbers(const Story *story, const Stage *stage, int t, int shown_head,
                        Page *page) {
    (void)shown_head; /* tables begin at the first */
    const Tensor *tensor = stage->tensor[t];
    bool whole = tensor->holds_ids || strcmp(tensor->short_name, "padding_mask") == 0;
    NumbersBlock numbers = {
        .title = stage->called[t],
        .slice = stage_slice(story, tensor, 0, page->arena),
        .digits = story->digits,
        .columns_most = whole ? 0 : story->columns,
        .all = arena_print(page->arena, ":show %s", stage->address[t]),
        .moments = is_centred(&story->record, tensor),
    };
    page_say(page, (Block){.kind = BLOCK_NUMBERS, .numbers = numbers});
}

static void say_heatmap(const Story *story, const Stage *stage, int t, int shown_head,
                        Page *page) {
    const Tensor *tensor = stage->tensor[t];
    Slice *slice = ARENA_ARRAY(page->arena, Slice, 1);
    *slice = stage_slice(story, tensor, shown_head, page->arena);
    story_figure(story, slice, 1, page);
    int head = tensor_axis(tensor, "head");
    if (head >= 0 && tensor->axis[head].size > 1)
        page_hint(page,
                  say(page->arena, "head %d of %d; all of them", shown_head,
                      tensor->axis[head].size),
                  arena_print(page->arena, ":heat %s", stage->address[t]));
}

static void say_bars(const Story *story, const Stage *stage, int t, int shown_head,
                     Page *page) {
    (void)shown_head;
    ranking_say_places(stage->tensor[t], story->row, story->candidates, story->digits,
                       page);
}

typedef void SayPart(const Story *story, const Stage *stage, int t, int shown_head,
                     Page *page);

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

/* Where a walk tells only the first of several layers: that there are more. */
static void say_layers(const Story *story, const Stage *stage, Page *page) {
    const Config *config = &story->model->config;
    bool is_encoder = strcmp(stage->stack, "encoder") == 0;
    int layers = is_encoder ? config->encoder_layers : config->decoder_layers;
    bool opens_layer = strcmp(stage->part[0], "self_attention.weights") == 0;
    if (!opens_layer || stage->layer != 0 || layers < 2) return;
    page_prose(page,
               config->share_layers
                   ? say(page->arena,
                         "The sentence goes through this layer %d times; here is "
                         "the first.",
                         layers)
                   : say(page->arena,
                         "There are %d such layers, one after the other, each with "
                         "weights of its own; here is layer 0, the first.",
                         layers));
}

/* At the boxes and steps a table of numbers would hide what is told; but ids are few.
 */
static void say_parts(const Story *story, const Stage *stage, Depth depth, int head,
                      Page *page) {
    StageLook look = stage->kind->look;
    for (int t = 0; t < stage->tensors; t++)
        if (depth == DEPTH_NUMBERS || look != LOOK_TABLE || stage->tensor[t]->holds_ids)
            say_part[look](story, stage, t, head, page);
}

void story_here(const Here *here, Page *page) {
    if (!here->text) return;
    page_gap(page);
    page_prose(page, say(page->arena, "Here: %s", here->text));
    if (here->command) page_hint(page, N_("Try"), here->command);
}

/* What happens there. What an option chooses speaks for itself: in the place of $op
 * stands what the last operation of the stage says. */
static const char *stage_text(const Story *story, const Stage *stage, Arena *arena) {
    const char *text = said(stage->kind->text);
    const char *mark = strstr(text, "$op");
    const Step *step = record_step(&story->record, stage->tensor[stage->tensors - 1]);
    if (!mark) return stage->kind->text;
    return arena_print(arena, "%.*s%s%s", (int)(mark - text), text,
                       step && step->op->says ? said(step->op->says) : "",
                       mark + strlen("$op"));
}

const char *story_stage(const Story *story, const Stage *stage, const StoryPlace *place,
                        Page *page) {
    const BoxKind *box =
        place->depth == DEPTH_BOXES ? box_of(stage, &story->model->config) : NULL;
    page_heading(
        page, (HeadingBlock){place->number, place->count, place->title, place->name});
    page_prose(page, box ? box->text : stage_text(story, stage, page->arena));
    if (place->depth == DEPTH_BOXES) say_layers(story, stage, page);
    for (const Stage *passed = place->first; passed <= stage; passed++)
        if (passed == stage || passed->layer <= 0) say_remarks(story, passed, page);
    if (place->depth < DEPTH_BOXES) {
        say_formulas(story, stage, page);
        for (int t = 0; t < stage->tensors; t++) say_shape(story, stage, t, page);
    }
    Here here = here_of(story, stage, page->arena);
    say_parts(story, stage, place->depth, here.head < 0 ? 0 : here.head, page);
    story_here(&here, page);
    return here.told;
}
