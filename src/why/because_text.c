/* What happened at each kind of part, in a few words. */
#include <string.h>

#include "base/language.h"
#include "explain/change.h"
#include "why/because.h"
#include "why/origins.h"

enum { WORDS_MOST = 3 };

/* The first number that the part is made of. */
static int first_cell(const Part *part) {
    int i = 0;
    while (i + 1 < part->flow.count && part->flow.slope[i] == 0) i++;
    return part->flow.from + i;
}

static Place first_place(const Part *part) {
    return (Place){part->flow.tensor, first_cell(part)};
}

static double value_at(const Place *place) {
    return (double)place->tensor->data[place->cell];
}

static const char *token_of(const Part *part, Arena *arena) {
    const Tensor *tensor = part->flow.tensor;
    return origins_token(tensor, parts_token_axis(tensor), first_cell(part), arena);
}

/* The token that an LSTM or an RNN reads there: of the ids of the same stack. */
static const char *token_read(const Record *record, const Part *part, Arena *arena) {
    const Tape *tape = part->on_steps ? record->steps : record->run;
    for (int e = 0; tape && e < tape->entries; e++) {
        const Entry *entry = &tape->entry[e];
        if (strcmp(entry->part, "ids") != 0 || entry->where.step != part->where.step ||
            strcmp(entry->where.stack, part->where.stack) != 0)
            continue;
        const Tensor *ids = entry->tensor;
        const Tensor *made = part->flow.tensor;
        int batch = tensor_axis(made, "batch");
        int row = batch >= 0 ? tensor_index(made, batch, first_cell(part)) : 0;
        int tokens = ids->axis[ids->rank - 1].size;
        if (part->where.layer < tokens && row * tokens < tensor_size(ids))
            return origins_token(ids, ids->rank - 1, row * tokens + part->where.layer,
                                 arena);
    }
    return arena_print(arena, "%d", part->where.layer);
}

/* Sublayers; %d stands for the layer. */
static const char *sublayer_text(const Part *part, Arena *arena) {
    bool decodes = strcmp(part->where.stack, "decoder") == 0;
    const char *box = part->where.box;
    int layer = part->where.layer;
    if (strcmp(box, "self_attention") == 0)
        return decodes ? say(arena, "self-attention of decoder layer %d", layer)
                       : say(arena, "self-attention of encoder layer %d", layer);
    if (strcmp(box, "cross_attention") == 0)
        return say(arena, "cross-attention of decoder layer %d", layer);
    if (strcmp(box, "feed_forward") == 0)
        return decodes ? say(arena, "feed-forward network of decoder layer %d", layer)
                       : say(arena, "feed-forward network of encoder layer %d", layer);
    return NULL;
}

/* What passes from token to token. */
static const char *recurrent_text(const Record *record, const Part *part,
                                  Arena *arena) {
    const char *name = part->flow.tensor->short_name;
    if (part->where.layer == NOWHERE)
        return say(arena, "what %s brought itself", token_of(part, arena));
    const char *token = token_read(record, part, arena);
    if (strcmp(name, "cell_gate") == 0)
        return say(arena, "what the cell took in at %s", token);
    if (strcmp(name, "from_state") == 0)
        return say(arena, "the state that was there before %s", token);
    if (strcmp(part->where.stack, "decoder") == 0)
        return say(arena, "the decoder's state after %s", token);
    return say(arena, "the encoder's state after %s", token);
}

static const char *box_text(const Record *record, const Part *part, Arena *arena) {
    const char *box = part->where.box;
    const char *sublayer = sublayer_text(part, arena);
    if (sublayer) return sublayer;
    if (strcmp(box, "lstm") == 0 || strcmp(box, "rnn") == 0)
        return recurrent_text(record, part, arena);
    return part->flow.tensor->name;
}

/* The largest of a row of attention weights. */
static const char *head_text(const Part *part, Place *place, Arena *arena) {
    const Tensor *tensor = part->flow.tensor;
    int head = tensor_index(tensor, parts_head_axis(tensor), first_cell(part));
    const Tensor *weights = part->weight.tensor;
    if (!weights) return say(arena, "head %d", head);
    *place = part->weight;
    for (int key = 1; key < tensor_row(weights); key++) {
        const Place other = {weights, part->weight.cell + key};
        if (value_at(&other) > value_at(place)) *place = other;
    }
    return say(arena, "head %d, which took most from %s (%.2f)", head,
               origins_token(weights, weights->rank - 1, place->cell, arena),
               value_at(place));
}

static const char *token_text(const Record *record, const Part *part, Place *place,
                              Arena *arena) {
    const char *token = token_of(part, arena);
    Origins origins = origins_of(record, &part->flow, arena);
    const char *words = origins_print(&origins, WORDS_MOST, arena);
    if (!part->weight.tensor) {
        *place = first_place(part);
        return *words ? say(arena, "the row of %s: %s", token, words) : token;
    }
    *place = part->weight;
    double weight = value_at(place);
    if (!*words) return say(arena, "%s, by a weight of %.2f", token, weight);
    return say(arena, "%s, by a weight of %.2f; its value: %s", token, weight, words);
}

static const char *followed_text(const Part *part, Place *place, Arena *arena) {
    const Tensor *tensor = part->flow.tensor;
    int others = 0;
    *place = first_place(part);
    for (int i = 0; i < part->flow.count; i++) {
        if (part->flow.slope[i] == 1) place->cell = part->flow.from + i;
        others += part->flow.slope[i] < 0;
    }
    double value = value_at(place);
    if (part->flow.count == 1 && strcmp(tensor->short_name, "logits") != 0)
        return say(arena, "the sum that σ was taken of: %.2f", part->value);
    if (others == 0) return say(arena, "its logit %.2f", value);
    bool is_logit = strcmp(tensor->short_name, "logits") == 0;
    if (part->value < 0)
        return is_logit ? say(arena, "its logit %.2f, %.2f below the mean of %d others",
                              value, -part->value, others)
                        : say(arena, "its score %.2f, %.2f below the mean of %d others",
                              value, -part->value, others);
    return is_logit ? say(arena, "its logit %.2f, %.2f above the mean of %d others",
                          value, part->value, others)
                    : say(arena, "its score %.2f, %.2f above the mean of %d others",
                          value, part->value, others);
}

static const char *factor_text(const Part *part, Arena *arena) {
    const char *name = part->flow.tensor->short_name;
    const char *token = token_of(part, arena);
    if (strncmp(name, "query", strlen("query")) == 0)
        return say(arena, "the query of %s (one half of the product)", token);
    if (flow_spreads(&part->flow, parts_token_axis(part->flow.tensor)))
        return said("the keys, of this and the others (one half of the product)");
    return say(arena, "the key of %s (one half of the product)", token);
}

/* The place of a sinusoid or of a learned position. */
static const char *position_text(const Part *part, Arena *arena) {
    const Tensor *tensor = part->flow.tensor;
    return say(arena, "its place in the sentence: row %d of %s",
               first_cell(part) / tensor_row(tensor), tensor->name);
}

static const char *plain_text(const Record *record, const Part *part, Place *place,
                              Arena *arena) {
    const Tensor *tensor = part->flow.tensor;
    const Step *step = record_step(record, tensor);
    if (part->flow.count > 1 && step && flow_mixes(record, step))
        return said("what the attention found");
    *place = first_place(part);
    int last = tensor->rank - 1;
    return part->flow.count == 1 ? address_print(tensor, place->cell, arena)
                                 : address_print_open(tensor, place->cell, last, arena);
}

const char *because_text(const Record *record, const Part *part, Place *place,
                         Arena *arena) {
    *place = (Place){0};
    switch (part->kind) {
    case PART_FOLLOWED:
        return followed_text(part, place, arena);
    case PART_BOX:
        return box_text(record, part, arena);
    case PART_HEAD:
        return head_text(part, place, arena);
    case PART_TOKEN:
        return token_text(record, part, place, arena);
    case PART_FACTOR:
        return factor_text(part, arena);
    case PART_WORD:
        return say(arena, "%s itself", token_of(part, arena));
    case PART_POSITION:
        return position_text(part, arena);
    case PART_GIVEN:
        return plain_text(record, part, place, arena);
    case PART_CONSTANT:
        return record->changes && record->changes->done
                   ? said("biases, and what was changed by hand")
                   : said("biases, which are the same for every sentence");
    case PART_PLAIN:
        break;
    }
    return plain_text(record, part, place, arena);
}
