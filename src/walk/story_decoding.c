#include <string.h>

#include "base/language.h"
#include "model/network.h"
#include "text/unicode.h"
#include "walk/decoded.h"
#include "walk/here.h"
#include "walk/ranking.h"
#include "walk/story.h"

static int last_row(const Tensor *tensor) {
    return tensor_size(tensor) / tensor_row(tensor) - 1;
}

/* What the last layer looked at in the source at this step, or NULL. */
static const Tensor *step_attention(const Story *story, int step, Arena *arena) {
    const char *alignment = network_alignment(&story->model->config, arena);
    return alignment ? decoded_part(story, step, alignment, arena) : NULL;
}

/* The last row of a step's attention: one row where the steps before are remembered. */
static void say_attention(const Story *story, int step, Page *page) {
    const Tensor *weights = step_attention(story, step, page->arena);
    if (!weights) return;
    Slice *slice = ARENA_ARRAY(page->arena, Slice, 1);
    *slice = slice_all(weights);
    int query = weights->rank - 2;
    slice->from[query] = weights->axis[query].size - 1;
    page_gap(page);
    page_note(page, tensor_axis(weights, "head") >= 0
                        ? N_("what this step looked at in the source, head by head:")
                        : N_("what this step looked at in the source:"));
    story_figure(story, slice, 1, page);
}

/* The text of the first `count` tokens that were chosen, safe to print: a model's words
 * come from a file. */
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

static void say_heading(const StoryPlace *place, Page *page) {
    page_heading(
        page, (HeadingBlock){place->number, place->count, place->title, place->name});
}

const char *story_decoding_whole(const Story *story, const StoryPlace *place,
                                 Page *page) {
    say_heading(place, page);
    page_prose(
        page,
        "So far the whole target was looked at. It came to be word by word: the "
        "decoder read <start> and what it had said, chose the most probable word, "
        "and read that, too, until <end>.");
    page_gap(page);
    story_decoding(story, page);
    Here here = here_of_decoding(story, page->arena);
    story_here(&here, page);
    page_gap(page);
    page_hint(page, N_("Decoded in other ways"),
              ":beam 3   :sample --step 0   :pick 1 2");
    return here.told;
}

void story_step(const Story *story, int step, const StoryPlace *place, Page *page) {
    Arena *arena = page->arena;
    const Tensor *probabilities = decoded_part(story, step, "probabilities", arena);
    say_heading(place, page);
    page_prose(page,
               "The decoder has read <start> and the tokens chosen so far. The most "
               "probable token is taken and read in the next step, until <end> or a "
               "limit.");
    page_gap(page);
    page_prose(page, say(arena, "so far: \"%s\"", chosen_text(story, step, arena)));
    page_gap(page);
    if (probabilities)
        ranking_say(probabilities, last_row(probabilities), story->candidates,
                    story->digits, page);
    Guess chosen = choice(story, step);
    const Tensor *made = decoded_part(story, step, "choice", arena);
    if (made && made->step == STEP_NONE)
        page_note(page, "picked by you: %s (id %d)", chosen.label, chosen.id);
    else
        page_note(page, "chosen: %s (id %d)", chosen.label, chosen.id);
    say_attention(story, step, page);
}

void story_decoding(const Story *story, Page *page) {
    const Generated *generated = story->generated;
    Guess *step = ARENA_ARRAY(page->arena, Guess, generated->count);
    for (int t = 0; t < generated->count; t++) {
        step[t] = choice(story, t);
        step[t].value = decoded_share(story, t, page->arena);
    }
    page_say(page, (Block){.kind = BLOCK_CHOICES, .choices = {step, generated->count}});
    page_gap(page);
    page_prose(page, arena_print(page->arena, "\"%s\"",
                                 chosen_text(story, generated->count, page->arena)));
    if (!generated->ended) page_note(page, "the limit came before <end>");
}
