#include "present/walk_back.h"

#include <math.h>
#include <string.h>

#include "base/language.h"
#include "explain/hidden.h"
#include "kernel/vector.h"
#include "learn/trainer.h"
#include "present/two_runs.h"
#include "text/unicode.h"
#include "walk/story_page.h"

static void say_change(const AdamChange *c, const SlowStep *step, Page *page) {
    const AdamOptions *adam = &step->adam.options;
    Arena *arena = page->arena;
    static const char *const headings[] = {N_("number"), N_("how"), NULL};
    const struct {
        const char *name, *how;
        double value;
    } line[] = {
        {tr("gradient g"), "", c->gradient},
        {tr("mean m"),
         arena_print(arena, "%g × %.6g + %.6g × g", adam->beta_1, c->mean_before,
                     1 - adam->beta_1),
         c->mean},
        {tr("mean of squares v"),
         arena_print(arena, "%g × %.6g + %.6g × g²", adam->beta_2, c->square_before,
                     1 - adam->beta_2),
         c->square},
        {tr("m corrected"),
         arena_print(arena, "m / (1 − %g^%d)", adam->beta_1, c->step),
         c->mean_corrected},
        {tr("v corrected"),
         arena_print(arena, "v / (1 − %g^%d)", adam->beta_2, c->step),
         c->square_corrected},
        {tr("step"),
         trf(arena, "−%g × m corrected / (√(v corrected) + %g)", step->options.rate,
             adam->epsilon),
         c->change},
        {tr("weight before"), "", c->before},
        {tr("weight after"), tr("weight before + step"), c->after},
    };
    TableWriter writer = table_begin(headings, arena);
    for (size_t l = 0; l < sizeof line / sizeof *line; l++) {
        table_row(&writer, line[l].name);
        table_print(&writer, "%.6g", line[l].value);
        table_put(&writer, line[l].how);
    }
    page_table(page, &writer.table);
}

static void learning_say_adam(Session *session, int count) {
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
    page_heading(page, (HeadingBlock){count, 0, count,
                                      tr("Adam: from gradient to step"), "adam"});
    page_prose(page,
               "For each weight, Adam keeps a running mean of the gradient and one "
               "of its square, and divides the first by the root of the second. In "
               "the first step every weight whose gradient is not 0 moves by nearly "
               "the learning rate, no matter how large the gradient is; later it moves "
               "less if its gradients disagree.");
    page_line(page,
              learning->weight < 0 ? N_("%s, one of those that moved most:") : "%s:",
              address);
    say_change(&change, step, page);
    page_prose(page, trf(arena,
                         "The whole gradient has the length %.4g. Loss: %.6g → "
                         "%.6g.",
                         step->norm, (double)step->loss->data[0], step->loss_after));
    for (int row = 0; row < session->run->source.rows; row++)
        two_runs_say_confidence(&learning->before[row], &learning->after[row], page);
    page_note(
        page,
        learning->steps == 1
            ? N_("The current model has learned %d step and now answers with it; its "
                 "folder does not change")
            : N_("The current model has been trained for %d steps and now answers "
                 "accordingly; its folder does not change"),
        learning->steps);
    page_hint(page, N_("Return to the weights before training"), ":learn undo");
}

static const char *safe(const char *text, Arena *arena) {
    return text ? unicode_escape(text, strlen(text), arena) : "";
}

static const char *number(double value, Arena *arena) {
    return arena_print(arena, fabs(value) >= 1e-3 || value == 0 ? "%.4f" : "%.2e",
                       value);
}

/* Return the label of id `id`. */
static const char *called(const Session *session, int id, Arena *arena) {
    const Tensor *logits = session->learning.step.logits;
    const Axis *axis = &logits->axis[logits->rank - 1];
    if (axis->size == 1) axis = NULL;
    return axis && id < axis->size ? address_label(axis, 0, id, arena)
                                   : arena_print(arena, "%d", id);
}

static int say_places(Session *session, Page *page) {
    static const char *const headings[] = {N_("expected"),   N_("probability"),
                                           N_("−log of it"), N_("predicted"),
                                           N_("with"),       NULL};
    Arena *arena = page->arena;
    const Tape *tape = &session->learning.step.tape;
    const Tensor *expected = tape->step[tape->count - 1].input[1]; /* of the loss */
    const Tensor *logits = session->learning.step.logits;
    const Config *config = &session->model.config;
    bool labels = config->model_type == MODEL_CLASSIFIER;
    int size = tensor_size(expected);
    TableWriter writer = table_begin(headings, arena);
    for (int i = 0; i < size; i++) {
        int id = (int)expected->data[i];
        if (!labels && id == config->pad_id) continue;
        LogitPair pair;
        int count;
        const Number *logit = loss_row(logits, i, pair, &count);
        const double top = (double)vector_largest(logit, count);
        double sum = 0;
        for (int l = 0; l < count; l++) sum += exp((double)logit[l] - top);
        const double probability = exp((double)logit[id] - top) / sum;
        const int tokens = logits->axis[1].size;
        table_row(&writer, logits->rank == 2
                               ? arena_print(arena, "%d", i)
                               : safe(address_label(&logits->axis[1], i / tokens,
                                                    i % tokens, arena),
                                      arena));
        table_put(&writer, called(session, id, arena));
        table_put(&writer, number(probability, arena));
        table_put(&writer, number(-log(probability), arena));
        table_put(&writer, called(session, loss_said(logit, count), arena));
        table_put(&writer, number(1 / sum, arena));
    }
    writer.table.corner = labels                 ? tr("sentence")
                          : config->masked_words ? tr("masked position")
                                                 : tr("after");
    page_table(page, &writer.table);
    return writer.table.rows;
}

static void learning_say_loss(Session *session, int count) {
    const SlowStep *step = &session->learning.step;
    Page *page = &session->page;
    page_heading(
        page, (HeadingBlock){1, 0, count, tr("Loss: how wrong the model is"), "loss"});
    page_prose(
        page,
        session->model.config.model_type == MODEL_CLASSIFIER
            ? N_("The loss of a sentence is −log of the probability of its label: 0 "
                 "if the model is certain of it, large if not. For several "
                 "sentences, the loss is their mean.")
        : session->model.config.masked_words
            ? N_("The loss at each masked position is −log of the probability of the "
                 "correct token: 0 if the model is certain of it, large if not. "
                 "Their mean is the loss.")
            : N_("The loss at each position is −log of the probability of the "
                 "correct next token: 0 if the model is certain of it, large if not. "
                 "Their mean is the loss."));
    const int places = say_places(session, page);
    const double loss = (double)step->loss->data[0];
    page_prose(page,
               places == 1
                   ? trf(page->arena, "Loss: %.6g.", loss)
                   : trf(page->arena,
                         "Loss: %.6g, the mean over %d positions. Some programs use "
                         "the sum, here %.6g, which makes gradients larger.",
                         loss, places, loss * places));
    page_hint(page, N_("the step is done; this walk shows it slowly. Undo with"),
              ":learn undo");
    if (step->options.smoothing > 0)
        page_prose(
            page,
            trf(page->arena,
                session->model.config.model_type == MODEL_CLASSIFIER
                    ? N_("With label smoothing %g: the correct label counts %g, and "
                         "the mean of −log over all labels %g.")
                    : N_("With label smoothing %g: the correct token counts %g, and "
                         "the mean of −log over the whole vocabulary %g."),
                step->options.smoothing, 1 - step->options.smoothing,
                step->options.smoothing));
    page_gap(page);
    page_hint(page,
              session->lesson.is_open
                  ? N_("Where the loss came from")
                  : N_("Enter goes back, stage by stage; where the loss came from"),
              ":why loss.grad[0]");
}

/* A summary of a gradient. */
typedef struct {
    const Tensor *tensor, *of;
    double length;
    int min, max; /* cells of the extremes that are not masked */
} Summed;

static int largest_cell(const Summed *summed) {
    const Number *data = summed->tensor->data;
    return fabs((double)data[summed->min]) > fabs((double)data[summed->max])
               ? summed->min
               : summed->max;
}

/* "[head=2, query=나는, key=·친구]", without the name before it. */
static const char *bracket(const Tensor *tensor, int cell, Arena *arena) {
    const char *address = address_print(tensor, cell, arena);
    const char *open = strchr(address, '[');
    return open ? open : address;
}

/* The gradients of a stage: those of its tensors and of the weights that made them. */
enum { GRADIENTS_MAX = 24 };

typedef struct {
    Summed gradient[GRADIENTS_MAX];
    int count;
} Shown;

/* Return true if no weight contributes to the tensor, as in sinusoidal positions. */
static bool is_constant(const Session *session, const Tensor *tensor) {
    if (tensor->step == STEP_NONE)
        return !gradients_of(&session->learning.gradients, tensor);
    const Step *step = &session->learning.step.tape.step[tensor->step];
    for (int i = 0; i < step->inputs; i++)
        if (!is_constant(session, step->input[i])) return false;
    return true;
}

static void add_gradient(const Session *session, const Tensor *of, Shown *shown) {
    const Tensor *tensor = gradients_of(&session->learning.gradients, of);
    if (!tensor || is_constant(session, of) || shown->count == GRADIENTS_MAX) return;
    for (int s = 0; s < shown->count; s++)
        if (shown->gradient[s].of == of) return;
    const Record record = {.run = &session->learning.step.tape};
    Summed summed = {.tensor = tensor, .of = of, .min = -1, .max = -1};
    Arena arena = {0};
    const unsigned char *hidden = masked_cells(&record, of, &arena);
    double squares = 0;
    for (int i = 0; i < tensor_size(tensor); i++) {
        const Number value = tensor->data[i];
        squares += (double)value * (double)value;
        if (hidden && hidden[i]) continue;
        if (summed.min < 0 || value < tensor->data[summed.min]) summed.min = i;
        if (summed.max < 0 || value > tensor->data[summed.max]) summed.max = i;
    }
    if (summed.min < 0) summed.min = summed.max = 0; /* all are masked */
    summed.length = sqrt(squares);
    arena_free(&arena);
    shown->gradient[shown->count++] = summed;
}

static Shown shown_at(const Session *session, const Stage *stage) {
    const Tape *tape = &session->learning.step.tape;
    Shown shown = {.count = 0};
    for (int t = 0; t < stage->tensors; t++)
        add_gradient(session, stage->tensor[t], &shown);
    for (int t = 0; t < stage->tensors; t++) {
        if (stage->tensor[t]->step == STEP_NONE) continue;
        const Step *step = &tape->step[stage->tensor[t]->step];
        for (int i = 0; i < step->inputs; i++)
            if (step->input[i]->step == STEP_NONE)
                add_gradient(session, step->input[i], &shown);
    }
    return shown;
}

/* Return the name of a cell of a gradient as used in a sentence. */
static const char *moved(const Session *session, const Summed *summed, int cell,
                         Arena *arena) {
    const char *name = summed->of->short_name;
    const int words = tensor_row(summed->tensor);
    if (strcmp(name, "logits") != 0 || words == 1)
        return arena_print(arena, "%s%s", name, bracket(summed->tensor, cell, arena));
    return trf(arena, "the logit of \"%s\"",
               safe(called(session, cell % words, arena), arena));
}

/* Report which numbers to raise and which to lower to reduce the loss. */
static void say_direction(const Session *session, const Summed *summed, Page *page) {
    Arena *arena = page->arena;
    const Tensor *gradient = summed->tensor;
    const Number *data = gradient->data;
    if (summed->length == 0) {
        page_prose(page, "Here: nothing at this stage affects the loss.");
        return;
    }
    const double min = (double)data[summed->min];
    const double max = (double)data[summed->max];
    const char *rises =
        min < 0 ? trf(arena, "%s rises (slope %s)",
                      moved(session, summed, summed->min, arena), number(min, arena))
                : "";
    const char *falls =
        max > 0 ? trf(arena, "%s falls (slope %s)",
                      moved(session, summed, summed->max, arena), number(max, arena))
                : "";
    page_prose(page, *rises && *falls
                         ? trf(arena, "Here: the loss falls fastest if %s and if %s.",
                               rises, falls)
                         : trf(arena, "Here: the loss falls fastest if %s.",
                               *rises ? rises : falls));
}

static void learning_say_stage(Session *session, const Stage *stage, int at,
                               int count) {
    Page *page = &session->page;
    Arena *arena = page->arena;
    const Shown shown = shown_at(session, stage);
    page_heading(page, (HeadingBlock){at, 0, count,
                                      trf(arena, "Backwards: %s", tr(stage->title)),
                                      arena_print(arena, "%s.grad", stage->name)});
    if (shown.count == 0) {
        page_prose(page, "Nothing here can be learned or moved: it is given, or "
                         "follows from a fixed formula.");
        return;
    }
    if (at == 2)
        page_prose(page,
                   "A gradient is a slope: for each number it says how fast the loss "
                   "grows when only this number grows. So the loss falls when a "
                   "number with a positive gradient decreases, or one with a "
                   "negative gradient increases. The gradients of a stage follow "
                   "from those of the next stage (the chain rule).");
    const Summed *first = &shown.gradient[0];
    page_gap(page);
    for (int s = 0; s < shown.count; s++) { /* the tensor, and its size */
        const Summed *summed = &shown.gradient[s];
        const int cell = largest_cell(summed);
        page_line(page, "%s", tensor_describe(summed->tensor, page->arena));
        page_note(page, "length %s, largest %s at %s",
                  number(summed->length, page->arena),
                  number((double)summed->tensor->data[cell], page->arena),
                  bracket(summed->tensor, cell, page->arena));
    }
    if (stage->kind->look == LOOK_HEATMAP) {
        const Tensor *gradient = first->tensor;
        const Story story = session_story(session);
        Slice *slice = ARENA_ARRAY(arena, Slice, 1);
        *slice = slice_all(gradient);
        for (int a = 0; a < gradient->rank - 2; a++) {
            slice->from[a] = tensor_index(gradient, a, largest_cell(first));
            slice->to[a] = slice->from[a] + 1;
        }
        story_figure(&story, slice, 1, page);
    }
    say_direction(session, first, page);
    page_hint(page, N_("Try"),
              arena_print(arena, ":why %s",
                          address_print(first->tensor, largest_cell(first), arena)));
}

/* Every walk back visits the logits, where the gradients start. */
static bool visits(const Session *session, const Stage *stage) {
    return (int)depth_of(stage, &session->model.config) >= session->options.depth ||
           strcmp(stage->kind->name, "logits") == 0;
}

/* Return the number of stops: the loss, the stages from last to first, Adam. */
static int stops(const Session *session) {
    const Learning *learning = &session->learning;
    int count = 2;
    for (int s = 0; s < learning->walk.count; s++)
        count += visits(session, &learning->walk.stage[s]);
    return count;
}

static void show_stop(Session *session) {
    const Learning *learning = &session->learning;
    const int count = stops(session);
    session_did(session, DID_LEARN);
    if (learning->stop == 0) {
        learning_say_loss(session, count);
        return;
    }
    int stop = 0;
    for (int s = learning->walk.count - 1; s >= 0; s--)
        if (visits(session, &learning->walk.stage[s]) && ++stop == learning->stop) {
            learning_say_stage(session, &learning->walk.stage[s], stop + 1, count);
            return;
        }
    learning_say_adam(session, count);
}

bool walk_back_next(Session *session) {
    Learning *learning = &session->learning;
    session->run->walks_back = learning->stop + 1 < stops(session);
    if (!session->run->walks_back) return false;
    learning->stop++;
    show_stop(session);
    return true;
}

bool walk_back_previous(Session *session) {
    session->run->walks_back = session->learning.stop > 0;
    if (!session->run->walks_back) return false;
    session->learning.stop--;
    show_stop(session);
    return true;
}

void walk_back_all(Session *session) {
    Learning *learning = &session->learning;
    for (learning->stop = 0; learning->stop < stops(session); learning->stop++) {
        if (learning->stop) page_gap(&session->page);
        show_stop(session);
    }
    learning->stop = stops(session) - 1;
}
