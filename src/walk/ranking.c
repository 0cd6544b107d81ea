#include "walk/ranking.h"

#include <math.h>
#include <string.h>

#include "tensor/address.h"

/* Probabilities are shares, logits are not. */
static bool is_shares(const Tensor *tensor) {
    return strcmp(tensor->short_name, "probabilities") == 0;
}

/* What is no number comes last. */
static bool ranks_above(Number a, Number b) {
    return a > b || (isnan(b) && !isnan(a));
}

void ranking_best(const Number *number, int count, int *best, int most) {
    int found = 0;
    for (int i = 0; i < count; i++) {
        int place = found;
        while (place > 0 && ranks_above(number[i], number[best[place - 1]])) place--;
        if (place == most) continue;
        if (found < most) found++;
        for (int j = found - 1; j > place; j--) best[j] = best[j - 1];
        best[place] = i;
    }
}

/* The best `most` of a row, without their labels. */
static Guess *best_guesses(const Tensor *tensor, int row, int most, Arena *arena) {
    int words = tensor_row(tensor);
    const Number *number = tensor->data + (size_t)row * (size_t)words;
    int *best = ARENA_ARRAY(arena, int, most);
    Guess *guess = ARENA_ARRAY(arena, Guess, most);
    ranking_best(number, words, best, most);
    for (int b = 0; b < most; b++)
        guess[b] =
            (Guess){.id = best[b], .value = tensor_printed((double)number[best[b]])};
    return guess;
}

void ranking_say(const Tensor *tensor, int row, int most, int digits, Page *page) {
    const Axis *words = &tensor->axis[tensor->rank - 1];
    if (most > words->size) most = words->size;
    Guess *guess = best_guesses(tensor, row, most, page->arena);
    for (int g = 0; g < most; g++) {
        const char *label = axis_label(words, 0, guess[g].id);
        guess[g].label = label ? label : "";
    }
    page_say(page, (Block){.kind = BLOCK_RANKING,
                           .ranking = {.guess = guess,
                                       .count = most,
                                       .shares = is_shares(tensor),
                                       .digits = digits}});
}

/* The best few at one place of the target, told apart as in addresses. */
static RankingBlock rank_place(const Tensor *tensor, int batch, int place, int digits,
                               Arena *arena) {
    enum { BEST = 3 };
    const Axis *target = &tensor->axis[1];
    const Axis *words = &tensor->axis[tensor->rank - 1];
    int most = words->size < BEST ? words->size : BEST;
    Guess *guess = best_guesses(tensor, batch * target->size + place, most, arena);
    for (int g = 0; g < most; g++)
        guess[g].label = address_label(words, 0, guess[g].id, arena);
    return (RankingBlock){.place = address_label(target, batch, place, arena),
                          .guess = guess,
                          .count = most,
                          .shares = is_shares(tensor),
                          .digits = digits};
}

void ranking_say_places(const Tensor *tensor, int batch, int most, int digits,
                        Page *page) {
    if (tensor->rank == 2) {
        ranking_say(tensor, batch, most, digits, page);
        return;
    }
    int places = tensor->axis[1].size;
    RankingBlock *ranking = ARENA_ARRAY(page->arena, RankingBlock, places);
    for (int i = 0; i < places; i++)
        ranking[i] = rank_place(tensor, batch, i, digits, page->arena);
    page_say(page, (Block){.kind = BLOCK_RANKINGS, .rankings = {ranking, places}});
}
