#include "lens/lens.h"

#include <math.h>
#include <string.h>

#include "base/language.h"
#include "kernel/vector.h"

const Lens lenses[] = {
    {
        .name = "logit",
        .summary = N_("what each layer would predict if it were the last"),
        .caution =
            N_("It shows which tokens a layer's numbers already point at when the "
               "output matrix reads them, not that the layer \"thinks\" them: only "
               "the last layer was trained to be read this way, and an earlier one "
               "may represent a token in a form that this matrix does not see "
               "(nostalgebraist 2020; Belrose et al. 2023)."),
        .takes_place = true,
        .record = lens_logit_record,
        .say = lens_logit_say,
        .figure = lens_logit_figure,
    },
    {
        .name = "rollout",
        .summary = N_("how attention leads back to each token, over all layers"),
        .caution = N_(
            "It shows where something could have come from if each head copied its "
            "tokens unchanged, not what was copied or whether it mattered: values, "
            "norms, feed-forward and cross-attention are left out (Abnar and Zuidema "
            "2020; Jain and Wallace 2019)."),
        .record = lens_rollout_record,
        .say = lens_rollout_say,
        .figure = lens_rollout_figure,
    },
    {
        .name = "entropy",
        .summary =
            N_("how spread out each head is, and which simple pattern it resembles "
               "most"),
        .caution =
            N_("It shows how widely a head spreads its attention over this sentence, "
               "not what the head is for: a spread-out head may be needed and a "
               "sharp one not, which only removing it can show (Michel, Levy and "
               "Neubig 2019; Voita et al. 2019)."),
        .record = lens_entropy_record,
        .say = lens_entropy_say,
        .figure = lens_entropy_figure,
    },
    {
        .name = "gradient",
        .summary = N_("which tokens the score of a predicted token depends on"),
        .caution =
            N_("It shows how the score would start to change if this token's numbers "
               "grew a little, not what would happen without the token: the values "
               "do not add up to the score, and where a curve is flat they are small "
               "even if the token matters (Simonyan et al. 2013; Sundararajan et al. "
               "2017)."),
        .takes_word = true,
        .record = lens_gradient_record,
        .say = lens_gradient_say,
        .figure = lens_gradient_figure,
    },
    {0},
};

const Lens *lens_find(const char *name) {
    for (const Lens *lens = lenses; lens->name; lens++)
        if (strcmp(lens->name, name) == 0) return lens;
    return NULL;
}

const Lens *lens_of_address(const char *address) {
    static const char before[] = "lens.";
    if (strncmp(address, before, strlen(before)) != 0) return NULL;
    const char *name = address + strlen(before);
    for (const Lens *lens = lenses; lens->name; lens++) {
        size_t length = strlen(lens->name);
        if (strncmp(lens->name, name, length) == 0 && name[length] == '.') return lens;
    }
    return NULL;
}

bool lens_record(const Lens *lens, Tape *tape, const Story *story, const LensAim *aim,
                 Error *error) {
    tape_reset(tape);
    Where before = tape_enter(tape, "lens");
    tape_enter(tape, lens->name);
    bool done = lens->record(tape, story, aim, error);
    tape_leave(tape, before);
    done = done && tape_done(tape, error);
    if (!done) tape_reset(tape);
    return done;
}

/* Return the ids at the positions where the model predicts: those that the decoder
 * reads, or all tokens of a masked language model; else NULL. */
static const Tensor *target_ids(const Story *story) {
    return tape_find(story->record.run,
                     story->model->config.masked_words ? "encoder.ids" : "decoder.ids");
}

int lens_places(const Story *story) {
    const Tensor *ids = target_ids(story);
    if (!ids) return 1;
    int places = ids->axis[1].size;
    const Number *id = ids->data + story->row * places;
    while (places > 1 && (int)id[places - 1] == story->model->config.pad_id) places--;
    return places;
}

int lens_chosen(const Story *story, int place) {
    const Tensor *ids = target_ids(story);
    const Tensor *logits = tape_find(story->record.run, "logits");
    bool is_next = !story->model->config.masked_words;
    if (ids && is_next && place + 1 < lens_places(story))
        return (int)ids->data[story->row * ids->axis[1].size + place + 1];
    int places = logits->rank > 2 ? logits->axis[1].size : 1;
    int width = tensor_row(logits);
    return vector_largest_place(logits->data + (story->row * places + place) * width,
                                width);
}

bool lens_least_sure(const Story *story, LensAim *aim, Error *error) {
    const Tensor *shares = tape_find(story->record.run, "probabilities");
    if (!shares) return fail(error, "this model predicts nothing: it has no logits");
    *aim = (LensAim){.word = lens_chosen(story, 0)};
    if (shares->rank < 3) return true;
    Arena scratch = {0};
    int width = tensor_row(shares);
    int hidden;
    const int *hides = hidden_places(story->record.run, &story->model->config,
                                     story->row, &scratch, &hidden);
    const Number *row = shares->data + story->row * shares->axis[1].size * width;
    Number min = INFINITY;
    for (int i = 0; i < (hidden ? hidden : lens_places(story)); i++) {
        int place = hidden ? hides[i] : i;
        int word = lens_chosen(story, place);
        if (!(row[place * width + word] < min)) continue;
        min = row[place * width + word];
        *aim = (LensAim){place, word};
    }
    arena_free(&scratch);
    return true;
}

const char *lens_bar(double value, double max, bool is_signed, Arena *arena) {
    enum { CELLS = 12 };
    bool is_bar = isfinite(value) && max > 0;
    int length = is_bar ? (int)lround(fabs(value) / max * CELLS) : 0;
    if (length > CELLS) length = CELLS;
    const char *cells = "";
    for (int i = 0; i < length; i++) cells = arena_print(arena, "%s█", cells);
    if (!is_signed) return cells;
    return value < 0 ? arena_print(arena, "%*s%s│", CELLS - length, "", cells)
                     : arena_print(arena, "%*s│%s", CELLS, "", cells);
}
