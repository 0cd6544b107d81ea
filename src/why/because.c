#include "why/because.h"

#include <math.h>
#include <string.h>

#include "base/language.h"
#include "explain/change.h"
#include "why/cell.h"
#include "why/flow_back.h"

enum { ORIGINS_MAX = 3 };

/* Return the first cell that contributes to the part. */
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

/* Return the token that an LSTM or RNN reads there, from the ids of its stack. */
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

/* Sublayers; %d is the layer. */
static const char *sublayer_text(const Part *part, Arena *arena) {
    bool decodes = strcmp(part->where.stack, "decoder") == 0;
    const char *box = part->where.box;
    int layer = part->where.layer;
    if (strcmp(box, "self_attention") == 0)
        return decodes ? trf(arena, "self-attention of decoder layer %d", layer)
                       : trf(arena, "self-attention of encoder layer %d", layer);
    if (strcmp(box, "cross_attention") == 0)
        return trf(arena, "cross-attention of decoder layer %d", layer);
    if (strcmp(box, "feed_forward") == 0)
        return decodes ? trf(arena, "feed-forward network of decoder layer %d", layer)
                       : trf(arena, "feed-forward network of encoder layer %d", layer);
    return NULL;
}

/* States that pass from token to token. */
static const char *recurrent_text(const Record *record, const Part *part,
                                  Arena *arena) {
    const char *name = part->flow.tensor->short_name;
    if (part->where.layer == NOWHERE)
        return trf(arena, "what %s itself contributes", token_of(part, arena));
    const char *token = token_read(record, part, arena);
    if (strcmp(name, "cell_gate") == 0)
        return trf(arena, "what the cell added at %s", token);
    if (strcmp(name, "from_state") == 0)
        return trf(arena, "the state before %s", token);
    if (strcmp(part->where.stack, "decoder") == 0)
        return trf(arena, "the decoder's state after %s", token);
    return trf(arena, "the encoder's state after %s", token);
}

/* Describe a head by its largest attention weight. */
static const char *head_text(const Part *part, Place *place, Arena *arena) {
    const Tensor *tensor = part->flow.tensor;
    int head = tensor_index(tensor, parts_head_axis(tensor), first_cell(part));
    const Tensor *weights = part->weight.tensor;
    if (!weights) return trf(arena, "head %d", head);
    *place = part->weight;
    for (int key = 1; key < tensor_row(weights); key++) {
        const Place other = {weights, part->weight.cell + key};
        if (value_at(&other) > value_at(place)) *place = other;
    }
    return trf(arena, "head %d, which attends most to %s (%.2f)", head,
               origins_token(weights, weights->rank - 1, place->cell, arena),
               value_at(place));
}

static const char *token_text(const Record *record, const Part *part, Place *place,
                              Arena *arena) {
    const char *token = token_of(part, arena);
    Origins origins = origins_of(record, &part->flow, arena);
    const char *words = origins_print(&origins, ORIGINS_MAX, arena);
    if (!part->weight.tensor) {
        *place = first_place(part);
        return *words ? trf(arena, "the row of %s: %s", token, words) : token;
    }
    *place = part->weight;
    double weight = value_at(place);
    if (!*words) return trf(arena, "%s, with weight %.2f", token, weight);
    return trf(arena, "%s, with weight %.2f; its value: %s", token, weight, words);
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
        return trf(arena, "the input of σ: %.2f", part->value);
    if (others == 0) return trf(arena, "its logit %.2f", value);
    bool is_logit = strcmp(tensor->short_name, "logits") == 0;
    if (part->value < 0)
        return is_logit ? trf(arena, "its logit %.2f, %.2f below the mean of %d others",
                              value, -part->value, others)
                        : trf(arena, "its score %.2f, %.2f below the mean of %d others",
                              value, -part->value, others);
    return is_logit ? trf(arena, "its logit %.2f, %.2f above the mean of %d others",
                          value, part->value, others)
                    : trf(arena, "its score %.2f, %.2f above the mean of %d others",
                          value, part->value, others);
}

static const char *plain_text(const Record *record, const Part *part, Place *place,
                              Arena *arena) {
    const Tensor *tensor = part->flow.tensor;
    const Step *step = record_step(record, tensor);
    if (part->flow.count > 1 && step && flow_mixes(record, step))
        return tr("the output of the attention");
    *place = first_place(part);
    int last = tensor->rank - 1;
    return part->flow.count == 1 ? address_print(tensor, place->cell, arena)
                                 : address_print_open(tensor, place->cell, last, arena);
}

static const char *because_text(const Record *record, const Part *part, Place *place,
                                Arena *arena) {
    const Tensor *tensor = part->flow.tensor;
    const char *box = part->where.box;
    const char *sublayer;
    *place = (Place){0};
    switch (part->kind) {
    case PART_FOLLOWED:
        return followed_text(part, place, arena);
    case PART_BOX:
        sublayer = sublayer_text(part, arena);
        if (sublayer) return sublayer;
        return strcmp(box, "lstm") == 0 || strcmp(box, "rnn") == 0
                   ? recurrent_text(record, part, arena)
                   : tensor->name;
    case PART_HEAD:
        return head_text(part, place, arena);
    case PART_TOKEN:
        return token_text(record, part, place, arena);
    case PART_FACTOR:
        if (strncmp(tensor->short_name, "query", strlen("query")) == 0)
            return trf(arena, "the query of %s (one factor of the product)",
                       token_of(part, arena));
        if (flow_spreads(&part->flow, parts_token_axis(tensor)))
            return tr(
                "the keys of this token and of the others (one factor of the product)");
        return trf(arena, "the key of %s (one factor of the product)",
                   token_of(part, arena));
    case PART_WORD:
        return trf(arena, "%s itself", token_of(part, arena));
    case PART_POSITION:
        return trf(arena, "its position in the sentence: row %d of %s",
                   first_cell(part) / tensor_row(tensor), tensor->name);
    case PART_GIVEN:
        return plain_text(record, part, place, arena);
    case PART_CONSTANT:
        return record->changes && record->changes->done
                   ? tr("biases and changes")
                   : tr("biases, equal for every sentence");
    case PART_PLAIN:
        break;
    }
    return plain_text(record, part, place, arena);
}

enum { CHILDREN_MAX = 3, LEVELS_MAX = 3 };

/* Smaller parts are not listed, and branches with a smaller fraction of the whole stay
 * closed. */
static const double share_min = 0.04;
static const double branch_min = 0.2;

/* A tree in progress. */
typedef struct {
    const Record *record;
    Arena *arena;
    int numbers;
} Growth;

/* A branch of the tree. */
typedef struct {
    int level;
    double whole; /* its fraction of the number that is traced */
    bool is_main; /* the largest of its siblings, like all its ancestors */
} Branch;

static void grow(Growth *growth, BecauseNode *node, Branch branch) {
    const Parts parts = parts_of(growth->record, &node->part, growth->arena);
    /* Split the parts into children and a rest; no children if there are no shares. */
    double size = 0;
    for (int p = 0; p < parts.count; p++) size += fabs(parts.part[p].value);
    if (size == 0 || !isfinite(size)) return;
    int listed = 1;
    while (listed < parts.count && listed < CHILDREN_MAX &&
           fabs(parts.part[listed].value) >= share_min * size)
        listed++;
    /* If the rest is a single part, list it too. */
    node->children = listed + 1 == parts.count ? parts.count : listed;
    node->child = ARENA_ARRAY(growth->arena, BecauseNode, node->children);
    for (int p = 0; p < parts.count; p++) {
        const Part *part = &parts.part[p];
        double share = fabs(part->value) / size;
        if (p < node->children) {
            node->child[p] = (BecauseNode){.part = *part, .share = share};
            continue;
        }
        node->rest++;
        node->rest_value += part->value;
        node->rest_share += share;
    }
    for (int c = 0; c < node->children; c++) {
        BecauseNode *child = &node->child[c];
        const Branch next = {branch.level + 1, branch.whole * child->share,
                             branch.is_main && c == 0};
        child->text =
            because_text(growth->record, &child->part, &child->place, growth->arena);
        if (!parts_open(&child->part)) continue;
        child->number = ++growth->numbers;
        if (next.level <= LEVELS_MAX && (next.is_main || next.whole >= branch_min))
            grow(growth, child, next);
    }
}

/* Grow the whole tree. */
static void grow_stem(Growth *growth, BecauseNode *node) {
    grow(growth, node, (Branch){.level = 1, .whole = 1, .is_main = true});
}

static const char *words_of(const Record *record, const Part *part, Arena *arena) {
    enum { WORDS_MAX = 6 };
    if (!part->flow.tensor) return "";
    Origins origins = origins_of(record, &part->flow, arena);
    return origins_print(&origins, WORDS_MAX, arena);
}

Because because_of(const Record *record, const Tensor *tensor, int cell, Arena *arena) {
    Because because = {
        .tensor = tensor,
        .cell = cell,
        .address = address_print(tensor, cell, arena),
        .value = tensor_printed((double)tensor->data[cell]),
    };
    if (!record_step(record, tensor)) {
        because.given = cell_explain(record, tensor, cell, 1, arena).given;
        return because;
    }
    Growth growth = {.record = record, .arena = arena};
    const Part whole = parts_whole(record, tensor, cell, arena);
    BecauseNode *root = &because.root;
    if (whole.kind != PART_FOLLOWED) {
        root->part = whole;
        grow_stem(&growth, root);
    } else if (whole.value != 0 && isfinite(whole.value)) {
        /* The only child of a number that is not a sum is the number that replaces
         * it. */
        root->part = whole;
        root->children = 1;
        root->child = ARENA_ARRAY(arena, BecauseNode, 1);
        root->child[0] = (BecauseNode){.part = whole, .share = 1};
        root->child[0].text =
            because_text(record, &whole, &root->child[0].place, arena);
        grow_stem(&growth, &root->child[0]);
    }
    root->place = (Place){tensor, cell};
    root->text = arena_print(arena, "%s = %.4g", because.address, because.value);
    because.numbers = growth.numbers;
    because.words = words_of(record, &root->part, arena);
    return because;
}

static const BecauseNode *find(const BecauseNode *node, int number) {
    if (node->number == number) return node;
    for (int c = 0; c < node->children; c++) {
        const BecauseNode *found = find(&node->child[c], number);
        if (found) return found;
    }
    return NULL;
}

bool because_open(const Record *record, const Because *because, int number,
                  Arena *arena, Because *opened) {
    const BecauseNode *node = number > 0 ? find(&because->root, number) : NULL;
    if (!node) return false;
    Growth growth = {.record = record, .arena = arena};
    *opened = *because;
    opened->root = (BecauseNode){.part = node->part, .place = node->place, .share = 1};
    opened->root.text =
        trf(arena, "%s (of %s = %.4g)", node->text, because->address, because->value);
    grow_stem(&growth, &opened->root);
    opened->numbers = growth.numbers;
    opened->words = words_of(record, &node->part, arena);
    return true;
}

static TreeNode draw(const BecauseNode *node, Arena *arena) {
    int count = node->children + (node->rest > 0);
    TreeNode *child = ARENA_ARRAY(arena, TreeNode, count);
    for (int c = 0; c < node->children; c++) child[c] = draw(&node->child[c], arena);
    if (node->rest)
        child[count - 1] = (TreeNode){.text = trf(arena, "%d more", node->rest),
                                      .share = node->rest_share,
                                      .is_against = node->rest_value < 0};
    return (TreeNode){.text = node->text,
                      .share = node->share,
                      .is_against = node->part.value < 0,
                      .number = node->number,
                      .child = child,
                      .children = count};
}

void because_say(const Because *because, Page *page) {
    if (because->given) {
        page_line(page, "%s = %.4g", because->address, because->value);
        page_note(page, "%s.", tr(because->given));
        return;
    }
    TreeNode *root = ARENA_ARRAY(page->arena, TreeNode, 1);
    *root = draw(&because->root, page->arena);
    page_say(page, (Block){.kind = BLOCK_TREE, .tree = {root}});
    if (!because->root.children) {
        if (!isfinite(because->value))
            page_prose(page,
                       "It is not finite, so it cannot be split into contributions.");
        else
            page_prose(page, "Nothing that it was computed from varies, so there is no "
                             "contribution to follow.");
        return;
    }
    page_gap(page);
    if (*because->words)
        page_prose(page, trf(page->arena,
                             "Summed over all paths, it comes from the tokens "
                             "%s.",
                             because->words));
    page_prose(
        page,
        "A percentage is the size of gradient × number, compared with the others of "
        "the branch; − reduces the number. Attention weights, gates and the standard "
        "deviation of layer norms are treated as constants; where they come from is "
        "left out.");
}
