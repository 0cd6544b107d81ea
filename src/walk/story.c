#include "walk/story.h"

#include <math.h>
#include <string.h>

#include "base/language.h"
#include "tensor/address.h"

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

int story_added(const Story *story) {
    const bool decodes = story->model->config.encoder_layers == 0 && story->generated;
    return decodes && story->generated->count ? story->generated->count - 1 : 0;
}

int *hidden_places(const Tape *run, const Config *config, int row, Arena *arena,
                   int *count) {
    const Tensor *ids = config->masked_words ? tape_find(run, "encoder.ids") : NULL;
    int tokens = ids ? ids->axis[1].size : 0;
    int *place = ARENA_ARRAY(arena, int, tokens);
    *count = 0;
    for (int t = 0; t < tokens; t++)
        if ((int)ids->data[row * tokens + t] == config->mask_id) place[(*count)++] = t;
    return place;
}

void ranking_best(const Number *number, int count, int *best, int max) {
    int found = 0;
    for (int i = 0; i < count; i++) {
        int place = found;
        while (place > 0) { /* largest first; NaN comes last */
            const Number other = number[best[place - 1]];
            if (!(number[i] > other || (isnan(other) && !isnan(number[i])))) break;
            place--;
        }
        if (place == max) continue;
        if (found < max) found++;
        for (int j = found - 1; j > place; j--) best[j] = best[j - 1];
        best[place] = i;
    }
}

/* Rank the best `max` of a row; if `apart`, with labels as in addresses. */
static RankingBlock rank_row(const Tensor *tensor, int row, int max, bool apart,
                             int digits, Arena *arena) {
    const Axis *words = &tensor->axis[tensor->rank - 1];
    if (max > words->size) max = words->size;
    const Number *number = tensor->data + (size_t)row * (size_t)words->size;
    int *best = ARENA_ARRAY(arena, int, max);
    Guess *guess = ARENA_ARRAY(arena, Guess, max);
    ranking_best(number, words->size, best, max);
    for (int g = 0; g < max; g++) {
        const char *label = apart ? address_label(words, 0, best[g], arena)
                                  : axis_label(words, 0, best[g]);
        guess[g] = (Guess){.label = label ? label : "",
                           .id = best[g],
                           .value = tensor_printed((double)number[best[g]])};
    }
    return (RankingBlock){.guess = guess,
                          .count = max,
                          .shares = strcmp(tensor->short_name, "probabilities") == 0,
                          .digits = digits};
}

void ranking_say(const Tensor *tensor, int row, int max, int digits, Page *page) {
    page_say(page, (Block){.kind = BLOCK_RANKING,
                           .ranking =
                               rank_row(tensor, row, max, false, digits, page->arena)});
}

void ranking_say_places(const Story *story, const Tensor *tensor, Places shown,
                        int digits, Page *page) {
    enum { BEST = 3 };
    const Config *config = &story->model->config;
    int batch = story->row;
    if (tensor->rank == 2) {
        ranking_say(tensor, batch, story->candidates, digits, page);
        return;
    }
    int places;
    const int *place =
        hidden_places(story->record.run, config, batch, page->arena, &places);
    if (!places) place = NULL;
    const Axis *target = &tensor->axis[1];
    if (!place) places = target->size;
    const int all = places;
    int from = 0;
    if (shown.max > 0 && shown.max < all) {
        places = shown.max;
        from = all - places;
        if (!place && shown.around >= 0 && shown.around < from)
            from = shown.around > places / 2 ? shown.around - places / 2 : 0;
    }
    RankingBlock *ranking = ARENA_ARRAY(page->arena, RankingBlock, places);
    for (int i = 0; i < places; i++) {
        int at = place ? place[from + i] : from + i;
        ranking[i] = rank_row(tensor, batch * target->size + at, BEST, true, digits,
                              page->arena);
        ranking[i].place = address_label(target, batch, at, page->arena);
    }
    page_say(page, (Block){.kind = BLOCK_RANKINGS,
                           .rankings = {ranking, places, config->masked_words}});
    if (places < all)
        page_hint(page, trf(page->arena, "%d of %d positions; all", places, all),
                  ":heat");
}

Slice story_slice(const Story *story, const Tensor *tensor, int shown_head,
                  Arena *arena) {
    Slice slice = slice_all(tensor);
    int batch = tensor_axis(tensor, "batch");
    int head = tensor_axis(tensor, "head");
    if (batch >= 0) slice.from[batch] = story->row;
    if (batch >= 0) slice.to[batch] = story->row + 1;
    if (head >= 0) {
        /* With grouped-query attention, several heads share one key and value head. */
        int sharing = story->model->config.attention_heads / tensor->axis[head].size;
        slice.from[head] = sharing > 1 ? shown_head / sharing : shown_head;
        slice.to[head] = slice.from[head] + 1;
    }
    return shown_slice(&story->shown, &slice, arena);
}

bool story_is_centred(const Story *story, const Tensor *tensor) {
    const Record *record = &story->record;
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
