#include "explain/gradients.h"

#include <string.h>

#include "base/language.h"
#include "explain/gradient_way.h"
#include "ops/term.h"

static void add_one(Gradients *gradients, const Tensor *tensor, Arena *arena) {
    if (!tensor->grad || tensor->holds_ids || tensor_size(tensor) == 0 ||
        gradients_of(gradients, tensor))
        return;
    Tensor *gradient = &gradients->tensor[gradients->count];
    *gradient = *tensor;
    gradient->name = arena_print(arena, "%s.grad", tensor->name);
    gradient->short_name = "grad";
    gradient->data = tensor->grad;
    gradient->grad = NULL;
    gradient->step = STEP_NONE;
    gradients->of[gradients->count++] = tensor;
}

Gradients gradients_new(const Tape *tape, const Weights *weights, Arena *arena) {
    int most = tape->entries + weights->count;
    Gradients gradients = {.tape = tape,
                           .tensor = ARENA_ARRAY(arena, Tensor, most),
                           .of = ARENA_ARRAY(arena, const Tensor *, most)};
    for (int e = 0; e < tape->entries; e++)
        add_one(&gradients, tape->entry[e].tensor, arena);
    for (int w = 0; w < weights->count; w++)
        add_one(&gradients, weights->weight[w].tensor, arena);
    return gradients;
}

const Tensor *gradients_find(const Gradients *gradients, const char *name) {
    for (int g = 0; gradients && g < gradients->count; g++)
        if (strcmp(gradients->tensor[g].name, name) == 0) return &gradients->tensor[g];
    return NULL;
}

const Tensor *gradients_of(const Gradients *gradients, const Tensor *tensor) {
    for (int g = 0; g < gradients->count; g++)
        if (gradients->of[g] == tensor) return &gradients->tensor[g];
    return NULL;
}

bool gradients_have(const Gradients *gradients, const Tensor *tensor) {
    return gradients && tensor >= gradients->tensor &&
           tensor < gradients->tensor + gradients->count;
}

static bool is_loss(const Gradients *gradients, const Tensor *tensor) {
    return gradients->tape->count && tensor->step == gradients->tape->count - 1;
}

void gradients_explain(const Gradients *gradients, const Tensor *tensor, int cell,
                       Arena *arena, Explanation *explanation) {
    const Tape *tape = gradients->tape;
    const Tensor *of = gradients->of[tensor - gradients->tensor];
    GradientWay way = {.gradients = gradients, .cell = cell, .arena = arena};
    const char *formula =
        N_("of each number that was made of this one: its gradient × how much it "
           "moves with this one");
    for (int s = 0; s < tape->count; s++)
        for (int i = 0; i < tape->step[s].inputs; i++) {
            way.step = &tape->step[s];
            way.input = i;
            if (way.step->input[i] == of) gradient_way(&way);
        }
    if (is_loss(gradients, of))
        gradient_add(&way, (Term){1, said("the loss moves with itself"), {{0}}});
    *explanation = terms_new(arena, &rule_sum, formula, way.count);
    if (way.count)
        memcpy(explanation->term, way.term, (size_t)way.count * sizeof *way.term);
    else
        explanation->note = said("nothing that leads to the loss was made of it");
}
