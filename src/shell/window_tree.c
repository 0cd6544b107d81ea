#include "shell/window_draw.h"
#include "text/unicode.h"

/* How wide the numbers of branches and the shares are, with what stands around them. */
typedef struct {
    int number, share;
} TreeColumns;

/* "2) " or as many spaces. */
static const char *number_text(const TreeNode *node, int width, Arena *arena) {
    const char *number = node->number ? arena_print(arena, "%d)", node->number) : "";
    return unicode_pad(number, width, true, arena);
}

static const char *share_text(const TreeNode *node, Arena *arena) {
    const double half = 0.005; /* what is shown as 0 has no sign */
    return arena_print(arena, "%s%.0f %%",
                       node->is_against && node->share >= half ? "−" : "",
                       100 * node->share);
}

/* As wide as the widest of siblings needs. */
static TreeColumns measure(const TreeNode *node, Arena *arena) {
    TreeColumns columns = {0};
    for (int c = 0; c < node->children; c++) {
        const TreeNode *child = &node->child[c];
        int number =
            child->number ? unicode_width(arena_print(arena, "%d)", child->number)) : 0;
        int share = unicode_width(share_text(child, arena));
        if (number > columns.number) columns.number = number;
        if (share > columns.share) columns.share = share;
    }
    return columns;
}

/* Each branch on a line of its own, behind the lines of those that go on below it. */
static void write_branches(TextWindow *text, const TreeNode *node, const char *before) {
    Arena *arena = &text->arena;
    const TreeColumns columns = measure(node, arena);
    for (int c = 0; c < node->children; c++) {
        const TreeNode *child = &node->child[c];
        bool is_last = c + 1 == node->children;
        const char *number =
            columns.number
                ? arena_print(arena, "%s ", number_text(child, columns.number, arena))
                : "";
        const char *line = arena_print(
            arena, "%s%s %s%s  %s", before, is_last ? "└─" : "├─", number,
            unicode_pad(share_text(child, arena), columns.share, true, arena),
            child->text);
        fprintf(text->out, "%s\n", unicode_cut(line, window_text_width(text), arena));
        write_branches(text, child,
                       arena_print(arena, "%s%s", before, is_last ? "   " : "│  "));
    }
}

void window_tree(TextWindow *text, const Block *block) {
    window_folded(text, 0, block->tree.root->text);
    write_branches(text, block->tree.root, "");
}
