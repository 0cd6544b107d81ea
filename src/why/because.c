#include "why/because.h"

#include <math.h>

#include "base/language.h"
#include "why/cell.h"
#include "why/origins.h"

enum { CHILDREN_MOST = 3, LEVELS_MOST = 3 };

/* A part of less is not shown alone, and a branch of less of the whole stays closed. */
static const double share_least = 0.04;
static const double branch_least = 0.2;

/* A tree in the making. */
typedef struct {
    const Record *record;
    Arena *arena;
    int numbers;
} Growth;

/* Where a branch stands in it. */
typedef struct {
    int level;
    double whole; /* its share of all that is followed */
    bool is_main; /* it is the largest, and so is all that it grows from */
} Branch;

/* The sizes of all parts; 0 where nothing can be shared out. */
static double size_of(const Parts *parts) {
    double size = 0;
    for (int p = 0; p < parts->count; p++) size += fabs(parts->part[p].value);
    return isfinite(size) ? size : 0;
}

/* How many are shown: the last of them is not left alone. */
static int count_shown(const Parts *parts, double size) {
    int shown = 1;
    while (shown < parts->count && shown < CHILDREN_MOST &&
           fabs(parts->part[shown].value) >= share_least * size)
        shown++;
    return shown + 1 == parts->count ? parts->count : shown;
}

/* The parts as children and a rest; no children where nothing can be shared out. */
static void share_out(Growth *growth, BecauseNode *node, const Parts *parts) {
    double size = size_of(parts);
    if (size == 0) return;
    node->children = count_shown(parts, size);
    node->child = ARENA_ARRAY(growth->arena, BecauseNode, node->children);
    for (int p = 0; p < parts->count; p++) {
        const Part *part = &parts->part[p];
        double share = fabs(part->value) / size;
        if (p < node->children) {
            node->child[p] = (BecauseNode){.part = *part, .share = share};
            continue;
        }
        node->rest++;
        node->rest_value += part->value;
        node->rest_share += share;
    }
}

static void grow(Growth *growth, BecauseNode *node, Branch branch) {
    const Parts parts = parts_of(growth->record, &node->part, growth->arena);
    share_out(growth, node, &parts);
    for (int c = 0; c < node->children; c++) {
        BecauseNode *child = &node->child[c];
        const Branch next = {branch.level + 1, branch.whole * child->share,
                             branch.is_main && c == 0};
        child->text =
            because_text(growth->record, &child->part, &child->place, growth->arena);
        if (!parts_open(&child->part)) continue;
        child->number = ++growth->numbers;
        if (next.level <= LEVELS_MOST && (next.is_main || next.whole >= branch_least))
            grow(growth, child, next);
    }
}

/* All of it, from its stem on. */
static void grow_stem(Growth *growth, BecauseNode *node) {
    grow(growth, node, (Branch){.level = 1, .whole = 1, .is_main = true});
}

/* A probability is no sum: what is followed instead is its only child. */
static void grow_followed(Growth *growth, Because *because, const Part *whole) {
    BecauseNode *root = &because->root;
    if (whole->kind != PART_FOLLOWED) {
        root->part = *whole;
        grow_stem(growth, root);
        return;
    }
    if (whole->value == 0 || !isfinite(whole->value)) return;
    root->part = *whole;
    root->children = 1;
    root->child = ARENA_ARRAY(growth->arena, BecauseNode, 1);
    root->child[0] = (BecauseNode){.part = *whole, .share = 1};
    root->child[0].text =
        because_text(growth->record, whole, &root->child[0].place, growth->arena);
    grow_stem(growth, &root->child[0]);
}

static const char *words_of(const Record *record, const Part *part, Arena *arena) {
    enum { WORDS_MOST = 6 };
    if (!part->flow.tensor) return "";
    Origins origins = origins_of(record, &part->flow, arena);
    return origins_print(&origins, WORDS_MOST, arena);
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
    grow_followed(&growth, &because, &whole);
    because.root.place = (Place){tensor, cell};
    because.root.text = arena_print(arena, "%s = %.4g", because.address, because.value);
    because.numbers = growth.numbers;
    because.words = words_of(record, &because.root.part, arena);
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
        say(arena, "%s (of %s = %.4g)", node->text, because->address, because->value);
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
        child[count - 1] = (TreeNode){.text = say(arena, "%d more", node->rest),
                                      .share = node->rest_share,
                                      .is_against = node->rest_value < 0};
    return (TreeNode){.text = node->text,
                      .share = node->share,
                      .is_against = node->part.value < 0,
                      .number = node->number,
                      .child = child,
                      .children = count};
}

static void say_shares(const Because *because, Page *page) {
    page_gap(page);
    if (*because->words)
        page_prose(page,
                   say(page->arena, "All ways together it comes from the words %s.",
                       because->words));
    page_prose(
        page,
        "Shares are gradient × number, by size beside the others of the branch; − "
        "takes away from the number. Attention weights, gates and the deviation "
        "of layer norms are taken as they are; why they are so is left out.");
    if (because->numbers)
        page_hint(page, "open a branch",
                  because->numbers > 1
                      ? say(page->arena, ":why 1 … :why %d", because->numbers)
                      : ":why 1");
}

void because_say(const Because *because, Page *page) {
    if (because->given) {
        page_line(page, "%s = %.4g", because->address, because->value);
        page_note(page, "%s.", said(because->given));
        return;
    }
    TreeNode *root = ARENA_ARRAY(page->arena, TreeNode, 1);
    *root = draw(&because->root, page->arena);
    page_say(page, (Block){.kind = BLOCK_TREE, .tree = {root}});
    if (because->root.children)
        say_shares(because, page);
    else if (!isfinite(because->value))
        page_prose(page, "It is no finite number, so that nothing can be shared out.");
    else
        page_prose(page, "Nothing stands behind it that differs from one number to the "
                         "next: there is no share to follow.");
}
