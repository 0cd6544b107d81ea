#include "walk/story_page.h"

#include <string.h>

#include "base/language.h"
#include "explain/drawing.h"
#include "explain/hidden.h"
#include "model/network.h"
#include "text/unicode.h"
#include "walk/followed.h"
#include "walk/path_page.h"

void story_numbers(const Story *story, const Slice *slice, Page *page) {
    page_say(page, (Block){.kind = BLOCK_NUMBERS,
                           .numbers = {
                               .title = tensor_describe(slice->tensor, page->arena),
                               .slice = *slice,
                               .digits = story->digits,
                               .moments = story_is_centred(story, slice->tensor),
                           }});
}

void story_figure(const Story *story, const Slice *slices, int count, Page *page) {
    Figure figure =
        drawing_new(&story->record, slices, count, story->palette, page->arena);
    page_figure(page, &figure);
}

/* A stage to show, and what a walk follows through its attention. */
typedef struct {
    const Story *story;
    const Stage *stage;
    const StageView *view;
    const Followed *followed;
    int head; /* the head that is shown */
    Page *page;
} Saying;

/* Show tensors with one number per token in full, others up to story->columns. */
static void say_numbers(const Saying *say, int t) {
    const Story *story = say->story;
    const Tensor *tensor = say->stage->tensor[t];
    Arena *arena = say->page->arena;
    bool whole = tensor->holds_ids || strcmp(tensor->short_name, "padding_mask") == 0;
    NumbersBlock numbers = {
        .title = say->stage->called[t],
        .slice = story_slice(story, tensor, say->head, arena),
        .digits = story->digits,
        .columns_max = whole ? 0 : story->columns,
        .all = arena_print(arena, ":show %s", say->stage->address[t]),
        .marked = followed_marks(say->view, say->followed, tensor),
        .moments = story_is_centred(story, tensor),
    };
    if (numbers.marked) followed_columns(say->followed, tensor, &numbers.column_first);
    if (numbers.slice.tensor != tensor) numbers.marked = NULL; /* no marks for a copy */
    page_say(say->page, (Block){.kind = BLOCK_NUMBERS, .numbers = numbers});
}

static void say_heatmap(const Saying *say, int t) {
    const Story *story = say->story;
    const Tensor *tensor = say->stage->tensor[t];
    Page *page = say->page;
    Slice *slice = ARENA_ARRAY(page->arena, Slice, 1);
    *slice = story_slice(story, tensor, say->head, page->arena);
    const unsigned char **marked = ARENA_ARRAY(page->arena, const unsigned char *, 1);
    if (slice->tensor == tensor)
        marked[0] = followed_marks(say->view, say->followed, tensor);
    Figure figure = drawing_new(&story->record, slice, 1, story->palette, page->arena);
    figure.marked = marked;
    page_figure(page, &figure);
    int head = tensor_axis(tensor, "head");
    if (head >= 0 && tensor->axis[head].size > 1)
        page_hint(page,
                  trf(page->arena, "head %d (of heads 0 to %d); all of them", say->head,
                      tensor->axis[head].size - 1),
                  arena_print(page->arena, ":heat %s", say->stage->address[t]));
}

static void say_bars(const Saying *say, int t) {
    ranking_say_places(say->story, say->stage->tensor[t], (Places){-1, 0},
                       say->story->digits, say->page);
}

typedef void SayPart(const Saying *say, int t);

static SayPart *const say_part[] = {
    [LOOK_TABLE] = say_numbers,
    [LOOK_TABLES] = say_numbers,
    [LOOK_HEATMAP] = say_heatmap,
    [LOOK_BARS] = say_bars,
};

/* An LSTM reads padding like words, but decoding used the sentence without padding. Say
 * so at the first stage and at the one whose words may differ from the answer. */
static void say_padded(const Story *story, const Stage *stage, Page *page) {
    const Tensor *ids = tape_find(story->record.run, "encoder.ids");
    bool tells = strcmp(stage->name, "encoder.ids") == 0 ||
                 strcmp(stage->kind->name, "probabilities") == 0;
    if (!tells || story->model->config.model_type != MODEL_SEQ2SEQ || !ids ||
        !story->generated || !story->generated->count ||
        unpadded_size(&ids->axis[1], story->row) == ids->axis[1].size)
        return;
    page_prose(page, N_("This sentence is padded to the length of the longest, and the "
                        "LSTM reads padding like words. So these numbers differ from "
                        "those of the sentence alone, which gave the answer."));
}

/* A walk by boxes shows only the first of several layers; a walk by steps shows only
 * the boxes of later layers. Say so. */
static void say_layers(const Story *story, const Stage *stage, Depth depth,
                       Page *page) {
    const Config *config = &story->model->config;
    Arena *arena = page->arena;
    bool is_encoder = strcmp(stage->stack, "encoder") == 0;
    int layers = is_encoder ? config->encoder_layers : config->decoder_layers;
    if (strcmp(stage->part[0], "self_attention.weights") != 0 || layers < 2) return;
    if (depth == DEPTH_BOXES && stage->layer == 0)
        page_prose(page,
                   config->share_layers
                       ? trf(arena,
                             "The sentence goes through this layer %d times. Here is "
                             "the first; + also shows the others.",
                             layers)
                       : trf(arena,
                             "There are %d such layers, each with its own weights. "
                             "Here is layer 0, the first; + also shows the others.",
                             layers));
    if (depth == DEPTH_STEPS && stage->layer > 0)
        page_prose(
            page,
            trf(arena,
                config->share_layers
                    ? N_("Layer %d of %d, counted from 0: the same layer again. Here "
                         "are only its boxes, so numbers are skipped; + shows all "
                         "steps.")
                    : N_("Layer %d of %d, counted from 0: the same again, with its own "
                         "weights. Here are only its boxes, so numbers are skipped; + "
                         "shows all steps."),
                stage->layer, layers));
}

const char *story_stage(const Story *story, const Stage *stage, const StoryPlace *place,
                        Page *page) {
    const StopWords *words = stop_words(stage, &story->model->config, place->depth);
    bool is_box = words && place->depth == DEPTH_BOXES;
    page_heading(page, place->heading);
    /* Replace $op by the description of the stage's last operation. */
    const char *text = words ? words->text : stage->kind->text;
    const char *told = tr(text);
    const char *mark = strstr(told, "$op");
    const Step *last = record_step(&story->record, stage->tensor[stage->tensors - 1]);
    if (mark)
        text = arena_print(page->arena, "%.*s%s%s", (int)(mark - told), told,
                           last && last->op->says ? tr(last->op->says) : "",
                           mark + strlen("$op"));
    page_prose(page, text);
    say_layers(story, stage, place->depth, page);
    /* How this model differs from the paper. */
    for (const StageRemark *remark = stage_remarks; remark->text; remark++) {
        bool stands = false;
        for (int t = 0; t < stage->tensors; t++)
            stands |= remark_stands(remark, stage->stack, stage->part[t], is_box);
        if (stands && config_holds(&story->model->config, remark->when))
            page_prose(page, remark->text);
    }
    say_padded(story, stage, page);
    const StageView view = stage_view(story, stage, page->arena);
    const Here here = here_of(&view);
    const Followed followed = followed_in_stage(&view);
    const int head = here.head >= 0            ? here.head
                     : followed.pair.cell >= 0 ? followed.pair.head
                                               : 0;
    const PathStop stop = {story, stage, &view, place, &here, &followed, head};
    if (place->depth == DEPTH_NUMBERS) {
        const Saying say = {story, stage, &view, &followed, head, page};
        const char *said[STAGE_PARTS];
        page_formulas(page, said,
                      path_formulas(story, stage, said, 0, STAGE_PARTS, page->arena));
        for (int t = 0; t < stage->tensors; t++) {
            const Step *step = record_step(&story->record, stage->tensor[t]);
            ShapeBlock shape = {.address = stage->address[t],
                                .tensor = stage->tensor[t]};
            if (step) {
                shape.operation = step->op->name;
                shape.input = step->input;
                shape.inputs = step->inputs;
            }
            page_say(page, (Block){.kind = BLOCK_SHAPE, .shape = shape});
        }
        for (int t = 0; t < stage->tensors; t++) say_part[stage->kind->look](&say, t);
    } else {
        const StageLook look = stage->kind->look;
        if (!is_box) path_say_shapes(&stop, page);
        /* A table of numbers would distract from the text of a box. */
        if (!is_box || look == LOOK_HEATMAP || look == LOOK_BARS)
            path_say_picture(&stop, page);
    }
    here_say(&here, page);
    return here.told;
}

/* Return the text of the first `count` chosen tokens, made safe to print because a
 * model's words come from a file. */
static const char *chosen_text(const Story *story, int count, Arena *arena) {
    const char *text =
        tokenizer_decode(&story->model->target, story->generated->id, count, arena);
    return unicode_escape(text, strlen(text), arena);
}

static Guess choice(const Story *story, int step) {
    int id = story->generated->id[step];
    const char *label = tokenizer_label(&story->model->target, id);
    return (Guess){.label = label ? label : "", .id = id};
}

/* Show the last `max` steps; 0: all. */
static void say_choices(const Story *story, int max, Page *page) {
    const int all = story->generated->count;
    const int count = max > 0 && max < all ? max : all;
    Guess *step = ARENA_ARRAY(page->arena, Guess, count);
    for (int t = 0; t < count; t++) {
        step[t] = choice(story, all - count + t);
        step[t].value = decoded_share(story, all - count + t, page->arena);
    }
    page_say(page,
             (Block){.kind = BLOCK_CHOICES, .choices = {step, count, all - count}});
    if (count < all)
        page_hint(page, trf(page->arena, "the last %d of %d steps; all", count, all),
                  ":decode");
}

static void say_text_and_end(const Story *story, Page *page) {
    const Generated *generated = story->generated;
    page_gap(page);
    page_prose(page, arena_print(page->arena, "\"%s\"",
                                 chosen_text(story, generated->count, page->arena)));
    if (!generated->ended) page_note(page, "the limit came before <end>");
}

const char *story_decoding_whole(const Story *story, const StoryPlace *place,
                                 Page *page) {
    page_heading(page, place->heading);
    bool has_prompt = story->model->config.encoder_layers == 0;
    page_prose(
        page,
        has_prompt
            ? N_("So far, the stages showed the whole text at once. The continuation "
                 "of the prompt was generated token by token: the model read the "
                 "prompt and the tokens so far, chose the most probable token, and "
                 "read that as well.")
            : N_("So far, the stages showed the whole target at once. It was generated "
                 "token by token: the decoder read <start> and the tokens so far, "
                 "chose the most probable token, and read that as well, until <end>."));
    const bool is_path = place->depth == DEPTH_PATH;
    const Here here = here_of_decoding(story, page->arena);
    enum { AROUND = 4 }; /* two hints, each with a blank line */
    if (is_path) path_say_decoding(story, page);
    page_gap(page);
    const int left = path_lines_left(&here, page);
    say_choices(story, is_path ? left - AROUND : 0, page);
    if (!is_path) say_text_and_end(story, page);
    here_say(&here, page);
    page_gap(page);
    page_hint(page, N_("Other ways to decode"),
              ":beam 3   :sample --step 0   :pick 1 2");
    return here.told;
}

void story_step(const Story *story, int step, const StoryPlace *place, Page *page) {
    Arena *arena = page->arena;
    const Tensor *probabilities = decoded_part(story, step, "probabilities", arena);
    page_heading(page, place->heading);
    bool has_prompt = story->model->config.encoder_layers == 0;
    page_prose(page, has_prompt
                         ? N_("The model has read the prompt and the tokens so far. It "
                              "chooses the most probable token and reads it in the "
                              "next step, until <end> or a limit.")
                         : N_("The decoder has read <start> and the tokens so far. It "
                              "chooses the most probable token and reads it in the "
                              "next step, until <end> or a limit."));
    page_gap(page);
    page_prose(page, trf(arena, "so far: \"%s\"", chosen_text(story, step, arena)));
    page_gap(page);
    if (probabilities)
        ranking_say(probabilities,
                    tensor_size(probabilities) / tensor_row(probabilities) - 1,
                    story->candidates, story->digits, page);
    Guess chosen = choice(story, step);
    const Tensor *made = decoded_part(story, step, "choice", arena);
    if (made && made->step == STEP_NONE)
        page_note(page, "picked by you: %s (id %d)", chosen.label, chosen.id);
    else
        page_note(page, "chosen: %s (id %d)", chosen.label, chosen.id);
    /* Show the last row of a step's attention. With a KV cache there is only one row.
     */
    const char *alignment = network_alignment(&story->model->config, page->arena);
    const Tensor *weights =
        alignment ? decoded_part(story, step, alignment, page->arena) : NULL;
    if (!weights) return;
    Slice *slice = ARENA_ARRAY(page->arena, Slice, 1);
    *slice = slice_all(weights);
    int query = weights->rank - 2;
    slice->from[query] = weights->axis[query].size - 1;
    page_gap(page);
    bool has_heads = tensor_axis(weights, "head") >= 0;
    if (story->model->config.encoder_layers == 0)
        page_note(page, N_("what this step attends to, by head:"));
    else
        page_note(page, has_heads
                            ? N_("what this step attends to in the source, by head:")
                            : N_("what this step attends to in the source:"));
    story_figure(story, slice, 1, page);
}

void story_decoding(const Story *story, Page *page) {
    say_choices(story, 0, page);
    say_text_and_end(story, page);
}
