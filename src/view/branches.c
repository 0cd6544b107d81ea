#include "view/branches.h"

int branches_next(const Branches *branches, int parent, int child) {
    /* Children come behind their parents. */
    for (int b = child < 0 ? parent + 1 : child + 1; b < branches->count; b++)
        if (branches->branch[b].parent == parent) return b;
    return -1;
}

BranchesLayout branches_plan(const Branches *branches, Canvas *canvas, Arena *arena) {
    return canvas->metrics.characters ? branches_plan_text(branches, canvas, arena)
                                      : branches_plan_picture(branches, canvas, arena);
}
