#include "base/language.h"
#include "session/learning_say.h"

enum { LINES = 8 };

static void say_change(const AdamChange *c, const SlowStep *step, Page *page) {
    const AdamOptions *adam = &step->adam.options;
    Arena *arena = page->arena;
    const char **row = ARENA_ARRAY(arena, const char *, LINES);
    const char **cell = ARENA_ARRAY(arena, const char *, 2 * LINES);
    const char **column = ARENA_ARRAY(arena, const char *, 2);
    const struct {
        const char *name, *how;
        double value;
    } line[LINES] = {
        {said("gradient g"), "", c->gradient},
        {said("mean m"),
         arena_print(arena, "%g × %.6g + %.6g × g", adam->beta_1, c->mean_before,
                     1 - adam->beta_1),
         c->mean},
        {said("mean of squares v"),
         arena_print(arena, "%g × %.6g + %.6g × g²", adam->beta_2, c->square_before,
                     1 - adam->beta_2),
         c->square},
        {said("m corrected"),
         arena_print(arena, "m / (1 − %g^%d)", adam->beta_1, c->step),
         c->mean_corrected},
        {said("v corrected"),
         arena_print(arena, "v / (1 − %g^%d)", adam->beta_2, c->step),
         c->square_corrected},
        {said("step"),
         say(arena, "−%g × m corrected / (√(v corrected) + %g)", step->options.rate,
             adam->epsilon),
         c->change},
        {said("weight before"), "", c->before},
        {said("weight after"), said("weight before + step"), c->after},
    };
    column[0] = said("number");
    column[1] = said("how");
    for (int l = 0; l < LINES; l++) {
        row[l] = line[l].name;
        cell[2 * l] = arena_print(arena, "%.6g", line[l].value);
        cell[2 * l + 1] = line[l].how;
    }
    const Table table = {.rows = LINES,
                         .columns = 2,
                         .row_label = row,
                         .column_label = column,
                         .cell = cell};
    page_table(page, &table);
}

void learning_say_adam(Session *session, int count) {
    const Learning *learning = &session->learning;
    const SlowStep *step = &learning->step;
    Page *page = &session->page;
    Arena *arena = page->arena;
    int w = learning->weight;
    int cell = learning->cell;
    if (w < 0) slow_step_largest(step, &w, &cell);
    const Tensor *tensor = step->model.weights.weight[w].tensor;
    const AdamChange change = slow_step_change(step, w, cell);
    const char *address = address_print(tensor, cell, arena);
    page_heading(page,
                 (HeadingBlock){count, count, said("Adam: from the gradient to a step"),
                                "adam"});
    page_prose(page,
               "Adam keeps two running means for each weight, of the gradient and "
               "of its square, and divides one by the root of the other: every "
               "weight moves about as far as the learning rate says, however "
               "steep its gradient is.");
    page_line(page, learning->weight < 0 ? N_("%s, which moved as far as any:") : "%s:",
              address);
    say_change(&change, step, page);
    page_prose(page, say(arena,
                         "The whole gradient has the length %.4g. Loss: %.6g → "
                         "%.6g.",
                         step->norm, (double)step->loss->data[0], step->loss_after));
    page_note(
        page,
        learning->steps == 1
            ? N_("The model at hand has learned %d step, and answers with it from "
                 "now on; its folder stays as it is")
            : N_("The model at hand has learned %d steps, and answers with them "
                 "from now on; its folder stays as it is"),
        learning->steps);
    page_hint(page, N_("Back to the weights before"), ":learn undo");
}
