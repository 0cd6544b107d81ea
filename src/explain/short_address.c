#include "explain/short_address.h"

#include <ctype.h>
#include <string.h>

#include "base/language.h"
#include "explain/reduction.h"
#include "tensor/address.h"

/* How near an address is, nearest first. */
typedef enum {
    NEAR_SHOWN,
    NEAR_BOX,
    NEAR_LAYER,
    NEAR_STACK,
    NEAR_RUN,
    NEAR_OTHER, /* on another tape, or in another decoding step */
    NEAR_WEIGHT,
    NEAR_KINDS
} Nearness;

static const char *const reasons[NEAR_KINDS] = {
    [NEAR_SHOWN] = N_("the tensor of this stage"),
    [NEAR_BOX] = N_("the tensor of this box"),
    [NEAR_LAYER] = N_("the tensor of this layer"),
    [NEAR_STACK] = N_("the next one in this stack"),
    [NEAR_RUN] = N_("the next one in the walk"),
    [NEAR_OTHER] = N_("the first one"),
    [NEAR_WEIGHT] = N_("the first learned one"),
};

static Nearness nearness(const WalkPlace *here, const Entry *walked, const Entry *entry,
                         const char *address) {
    for (int s = 0; s < here->count; s++)
        if (strcmp(here->shown[s], address) == 0) return NEAR_SHOWN;
    if (!entry) return NEAR_WEIGHT;
    const Where *where = &entry->where;
    if (!walked) return NEAR_OTHER;
    const Where *from = &walked->where;
    if (where->step != from->step) return NEAR_OTHER;
    if (!*from->stack || strcmp(where->stack, from->stack) != 0) return NEAR_RUN;
    if (where->layer != from->layer) return NEAR_STACK;
    return strcmp(where->box, from->box) == 0 ? NEAR_BOX : NEAR_LAYER;
}

const char *short_address(const WalkPlace *here, const char *typed, Arena *arena,
                          const char **note) {
    const char *name = address_name(typed, arena);
    const Tensor *tensor;
    Error error;
    if (strchr(name, '*') || record_find(&here->record, name, arena, &tensor, &error))
        return typed;
    for (int s = 0; s < here->stages; s++)
        if (strcmp(here->stage[s].name, name) == 0)
            return arena_print(arena, "%s%s", here->stage[s].address,
                               typed + strlen(name));
    const Entry *walked = NULL, *entry; /* the entry of the first address shown */
    int at = -1, fit = 0;
    for (int i = 0; here->count && (entry = record_entry(&here->record, i)); i++)
        if (strcmp(entry->address, here->shown[0]) == 0) {
            walked = entry;
            at = i;
            break;
        }
    const char *address, *best = NULL;
    Nearness nearest = NEAR_KINDS;
    bool best_is_behind = false; /* before the current stage; later ones go first */
    for (int i = 0; (address = record_address(&here->record, i)); i++) {
        if (!address_ends(address, name)) continue;
        fit++;
        Nearness near = nearness(here, walked, record_entry(&here->record, i), address);
        bool is_after = i < at;
        if (near > nearest || (near == nearest && (is_after || !best_is_behind)))
            continue;
        best = address;
        nearest = near;
        best_is_behind = is_after;
    }
    if (!best) return typed;
    if (fit > 1) *note = trf(arena, "%s: %s, %s", name, best, tr(reasons[nearest]));
    return arena_print(arena, "%s%s", best, typed + strlen(name));
}

/* "encoder.0.x" -> "encoder.1.x": replace the first number that is not a step. */
static bool choose_layer(const char **address, const char *layer, Arena *arena,
                         Error *error) {
    const char *chosen = address_in_layer(*address, layer, arena);
    if (!chosen) return fail(error, "%s is in no layer", *address);
    *address = chosen;
    return true;
}

/* "weights[query=1]" -> "weights[query=1, head=2]". */
static bool choose_head(const char **address, const char *head, Arena *arena,
                        Error *error) {
    (void)error;
    size_t length = strlen(*address);
    bool open = length && (*address)[length - 1] == ']';
    bool empty = open && (*address)[length - 2] == '[';
    *address = arena_print(arena, "%.*s%shead=%s]", (int)(open ? length - 1 : length),
                           *address,
                           empty  ? ""
                           : open ? ", "
                                  : "[",
                           head);
    return true;
}

/* Words that take a number. */
static const struct {
    const char *word;
    bool (*choose)(const char **address, const char *number, Arena *arena,
                   Error *error);
} choices[] = {{"layer", choose_layer}, {"head", choose_head}};

enum { CHOICES = sizeof choices / sizeof *choices };

const char *short_choice(int i) {
    return i < CHOICES ? choices[i].word : NULL;
}

/* The parsed words. */
typedef struct {
    const char **word; /* the words that are addresses */
    int words;
    const char *number[CHOICES]; /* NULL: not given */
} Words;

static bool read_words(const char *const *word, int words, Words *read, Error *error) {
    for (int w = 0; w < words; w++) {
        int choice = 0;
        while (choice < CHOICES && strcmp(word[w], choices[choice].word) != 0) choice++;
        if (choice == CHOICES) {
            read->word[read->words++] = word[w];
            continue;
        }
        /* "layer *" is all layers, "head mean" a reduction of all heads. */
        const bool is_all = w + 1 < words && (choices[choice].choose == choose_layer
                                                  ? strcmp(word[w + 1], "*") == 0
                                                  : is_reduction(word[w + 1]));
        if (is_all) {
            read->number[choice] = word[++w];
            continue;
        }
        if (w + 1 == words || !isdigit((unsigned char)word[w + 1][0]))
            return fail(error, "'%s' needs a number, as in %s 1", word[w], word[w]);
        if (strspn(word[w + 1], "0123456789:") != strlen(word[w + 1]))
            return fail(error, "%s %s: '%s' is not a number", word[w], word[w + 1],
                        word[w + 1]);
        read->number[choice] = word[++w];
    }
    return true;
}

/* "x[head=mean, layer=*]" -> "x[head=mean]", and the selected layer. */
static bool take_layer(const char **address, Arena *arena, Error *error) {
    const char *item = address_item(*address, "layer");
    if (!item) return true;
    const char *from = item - 1; /* the bracket or comma before it */
    while (*from == ' ') from--;
    const char *number = strchr(item, '=') + 1;
    number += strspn(number, " ");
    size_t length = strcspn(number, " ,]");
    const char *layer = arena_copy(arena, number, length);
    const char *end = number + length + strspn(number + length, " ");
    if (*end != ',' && *end != ']') return true; /* the caller reports the error */
    bool is_number = *layer && strspn(layer, "0123456789") == strlen(layer);
    if (!is_number && strcmp(layer, "*") != 0)
        return fail(error, "layer=%s: expected a number, or * for all layers", layer);
    /* Remove "[layer=1]", but keep the bracket of "[layer=1, ". */
    bool first = *from == '[';
    const char *open = first && *end == ',' ? "[" : "";
    const char *rest = first ? end + 1 : end;
    *address =
        arena_print(arena, "%.*s%s%s", (int)(from - *address), *address, open, rest);
    return choose_layer(address, layer, arena, error);
}

static bool apply_choices(const Words *words, const char **address, Arena *arena,
                          Error *error) {
    if (!take_layer(address, arena, error)) return false;
    for (int c = 0; c < CHOICES; c++)
        if (words->number[c] &&
            !choices[c].choose(address, words->number[c], arena, error))
            return false;
    return true;
}

/* Add all tensors shown that have such a part: of Q, K and V, "[query=3]" selects Q. If
 * none has it, report the first error. */
static bool add_shown(const WalkPlace *here, const Words *words, const char *bracket,
                      Arena *arena, Meant *meant, Error *error) {
    Error first;
    int before = meant->count;
    if (here->count == 0)
        return fail(error,
                    "no stage is shown, so write an address first; :stages lists them");
    for (int s = 0; s < here->count; s++) {
        const char *address = arena_print(arena, "%s%s", here->shown[s], bracket);
        Error *problem = s == 0 ? &first : error;
        Slice slice;
        const Tensor *tensor;
        bool plain = !*bracket;
        for (int c = 0; c < CHOICES; c++) plain = plain && !words->number[c];
        if (!plain && !apply_choices(words, &address, arena, problem)) continue;
        const char *name = address_name(address, arena);
        bool is_checked = plain || strchr(name, '*'); /* the latter when it is drawn */
        if (is_checked ||
            (record_find(&here->record, name, arena, &tensor, problem) &&
             reduction_slice(&here->record, address, tensor, arena, &slice, problem)))
            meant->address[meant->count++] = address;
    }
    if (meant->count == before) *error = first;
    return meant->count > before;
}

bool short_meant(const WalkPlace *here, const char *const *word, int words,
                 Arena *arena, Meant *meant, Error *error) {
    Words read = {.word = ARENA_ARRAY(arena, const char *, words + 1)};
    *meant = (Meant){
        .address = ARENA_ARRAY(arena, const char *, words + (words + 1) * here->count)};
    if (!read_words(word, words, &read, error)) return false;
    if (read.words == 0) return add_shown(here, &read, "", arena, meant, error);
    for (int w = 0; w < read.words; w++) {
        if (read.word[w][0] == '[') {
            if (!add_shown(here, &read, read.word[w], arena, meant, error))
                return false;
            continue;
        }
        const char *note = NULL;
        const char *near = short_address(here, read.word[w], arena, &note);
        const char *address = near;
        if (!apply_choices(&read, &address, arena, error)) return false;
        /* If a layer was selected, the nearest one was not used. */
        if (note && strncmp(near, address, strlen(address_name(near, arena))) != 0)
            note = trf(arena, "%s: %s", read.word[w], address_name(address, arena));
        if (note) meant->note = note;
        meant->address[meant->count++] = address;
    }
    return true;
}
