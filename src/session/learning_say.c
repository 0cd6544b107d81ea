#include "session/learning_say.h"

#include <math.h>
#include <string.h>

#include "base/language.h"
#include "explain/drawing.h"
#include "ops/vector.h"
#include "text/unicode.h"

static const char *safe(const char *text, Arena *arena) {
    return text ? unicode_escape(text, strlen(text), arena) : "";
}

static const char *number(double value, Arena *arena) {
    return arena_print(arena, fabs(value) >= 1e-3 || value == 0 ? "%.4f" : "%.2e",
                       value);
}

static void heading(Page *page, int at, int count, const char *title,
                    const char *name) {
    page_heading(page, (HeadingBlock){at, count, title, name});
}

/* What id `id` is called. */
static const char *called(const Session *session, int id, Arena *arena) {
    const Tensor *logits = session->learning.step.logits;
    const Axis *axis = &logits->axis[logits->rank - 1];
    if (axis->size == 1) axis = NULL;
    const char *label = axis && id < axis->size ? axis_label(axis, 0, id) : NULL;
    return label ? label : arena_print(arena, "%d", id);
}

/* One place: what was read there, what should follow, and what the model says. */
typedef struct {
    int row, wanted, says;
    double probability, most;
} LossPlace;

static LossPlace place_at(const Session *session, int row, int wanted) {
    LogitPair pair;
    int count;
    const Number *logit = loss_row(session->learning.step.logits, row, pair, &count);
    double top = (double)vector_largest(logit, count);
    double sum = 0;
    for (int i = 0; i < count; i++) sum += exp((double)logit[i] - top);
    int says = loss_said(logit, count);
    return (LossPlace){row, wanted, says, exp((double)logit[wanted] - top) / sum,
                       1 / sum};
}

enum { LOSS_COLUMNS = 5 };

static void fill_row(const Session *session, const LossPlace *place, const char **cell,
                     Arena *arena) {
    cell[0] = called(session, place->wanted, arena);
    cell[1] = number(place->probability, arena);
    cell[2] = number(-log(place->probability), arena);
    cell[3] = called(session, place->says, arena);
    cell[4] = number(place->most, arena);
}

/* What stands before the place: the token that was read. */
static const char *read_at(const Session *session, int row, Arena *arena) {
    const Tensor *logits = session->learning.step.logits;
    if (logits->rank == 2) return arena_print(arena, "%d", row);
    int tokens = logits->axis[1].size;
    return address_label(&logits->axis[1], row / tokens, row % tokens, arena);
}

/* The step at the end of the tape: the loss. */
static const Step *loss_step(const Session *session) {
    const Tape *tape = &session->learning.step.tape;
    return &tape->step[tape->count - 1];
}

static void say_places(Session *session, Page *page) {
    Arena *arena = page->arena;
    const Tensor *wanted = loss_step(session)->input[1];
    const Config *config = &session->model.config;
    bool labels = config->model_type == MODEL_CLASSIFIER;
    int size = tensor_size(wanted);
    const char **cell = ARENA_ARRAY(arena, const char *, LOSS_COLUMNS *size);
    const char **row = ARENA_ARRAY(arena, const char *, size);
    const char **column = ARENA_ARRAY(arena, const char *, LOSS_COLUMNS);
    column[0] = said("wanted");
    column[1] = said("probability");
    column[2] = said("−log of it");
    column[3] = said("the model says");
    column[4] = said("with");
    int rows = 0;
    for (int i = 0; i < size; i++) {
        int id = (int)wanted->data[i];
        if (!labels && id == config->pad_id) continue;
        const LossPlace place = place_at(session, i, id);
        row[rows] = safe(read_at(session, i, arena), arena);
        fill_row(session, &place, cell + LOSS_COLUMNS * rows++, arena);
    }
    const Table table = {.corner = labels ? said("sentence") : said("after"),
                         .rows = rows,
                         .columns = LOSS_COLUMNS,
                         .row_label = row,
                         .column_label = column,
                         .cell = cell};
    page_table(page, &table);
}

void learning_say_loss(Session *session, int count) {
    const SlowStep *step = &session->learning.step;
    Page *page = &session->page;
    heading(page, 1, count, said("Loss: how wrong the model is"), "loss");
    page_prose(page, "At each place the loss is −log of the probability of the word "
                     "that should follow: 0 where the model is sure of it, large where "
                     "it is not. Their mean is the loss.");
    say_places(session, page);
    page_prose(page, say(page->arena, "Loss: %.6g.", (double)step->loss->data[0]));
    page_hint(page, N_("the step is taken; this walk tells it slowly. Back"),
              ":learn undo");
    if (step->options.smoothing > 0)
        page_prose(page, say(page->arena,
                             "With label smoothing %g: the wanted word counts %g, and "
                             "the mean of −log over the whole vocabulary %g.",
                             step->options.smoothing, 1 - step->options.smoothing,
                             step->options.smoothing));
    page_gap(page);
    page_hint(page, N_("Enter goes back, stage by stage; where the loss came from"),
              ":why loss.grad[0]");
}

/* A gradient summed up. */
typedef struct {
    const Tensor *tensor;
    double length;
    int least, most; /* the cells that lie lowest and highest */
} Summed;

static Summed sum_up(const Tensor *tensor) {
    Summed summed = {.tensor = tensor};
    double squares = 0;
    for (int i = 0; i < tensor_size(tensor); i++) {
        double value = (double)tensor->data[i];
        squares += value * value;
        if (tensor->data[i] < tensor->data[summed.least]) summed.least = i;
        if (tensor->data[i] > tensor->data[summed.most]) summed.most = i;
    }
    summed.length = sqrt(squares);
    return summed;
}

static int largest_cell(const Summed *summed) {
    const Number *data = summed->tensor->data;
    return fabs((double)data[summed->least]) > fabs((double)data[summed->most])
               ? summed->least
               : summed->most;
}

/* "[head=2, query=나는, key=·친구]", without the name in front. */
static const char *bracket(const Tensor *tensor, int cell, Arena *arena) {
    const char *address = address_print(tensor, cell, arena);
    const char *open = strchr(address, '[');
    return open ? open : address;
}

/* The gradients of a stage: of its tensors, and of the weights that made them. */
enum { GRADIENTS_MOST = 24 };

typedef struct {
    const Tensor *tensor[GRADIENTS_MOST];
    int count;
} Shown;

static void show(const Session *session, const Tensor *of, Shown *shown) {
    const Tensor *gradient = gradients_of(&session->learning.gradients, of);
    if (!gradient || shown->count == GRADIENTS_MOST) return;
    for (int s = 0; s < shown->count; s++)
        if (shown->tensor[s] == gradient) return;
    shown->tensor[shown->count++] = gradient;
}

static Shown shown_at(const Session *session, const Stage *stage) {
    const Tape *tape = &session->learning.step.tape;
    Shown shown = {.count = 0};
    for (int t = 0; t < stage->tensors; t++) show(session, stage->tensor[t], &shown);
    for (int t = 0; t < stage->tensors; t++) {
        if (stage->tensor[t]->step == STEP_NONE) continue;
        const Step *step = &tape->step[stage->tensor[t]->step];
        for (int i = 0; i < step->inputs; i++)
            if (step->input[i]->step == STEP_NONE)
                show(session, step->input[i], &shown);
    }
    return shown;
}

/* Two lines for each: what it is the gradient of, and how large. */
static void say_gradients(const Shown *shown, Page *page) {
    Arena *arena = page->arena;
    page_gap(page);
    for (int s = 0; s < shown->count; s++) {
        const Summed summed = sum_up(shown->tensor[s]);
        const int cell = largest_cell(&summed);
        page_line(page, "%s", tensor_describe(shown->tensor[s], arena));
        page_note(page, "length %s, largest %s at %s", number(summed.length, arena),
                  number((double)summed.tensor->data[cell], arena),
                  bracket(summed.tensor, cell, arena));
    }
}

/* Which way the loss falls: what to raise and what to lower. */
static void say_direction(const Session *session, const Stage *stage,
                          const Tensor *gradient, Page *page) {
    Arena *arena = page->arena;
    const Summed summed = sum_up(gradient);
    const Number *data = gradient->data;
    if (summed.length == 0) {
        page_prose(page, "Here: nothing of this has any influence on the loss.");
        return;
    }
    const char *up = bracket(gradient, summed.least, arena);
    const char *down = bracket(gradient, summed.most, arena);
    const double raised = -(double)data[summed.least];
    const double lowered = (double)data[summed.most];
    const char *name = stage->called[0];
    if (strcmp(name, "logits") == 0 && tensor_row(gradient) > 1) {
        int words = tensor_row(gradient);
        page_prose(page,
                   say(arena,
                       "Here: the logit of %s is pushed up by %.4f, that of %s "
                       "down by %.4f.",
                       safe(called(session, summed.least % words, arena), arena),
                       raised, safe(called(session, summed.most % words, arena), arena),
                       lowered));
        return;
    }
    page_prose(page,
               say(arena,
                   "Here: of %s the loss wants %s larger (by %s for each step of "
                   "1) and %s smaller (by %s).",
                   name, up, number(raised, arena), down, number(lowered, arena)));
}

static void say_heatmap(Session *session, const Stage *stage, Page *page) {
    const Tensor *gradient =
        gradients_of(&session->learning.gradients, stage->tensor[0]);
    const Record record = session_record(session);
    if (!gradient || stage->kind->look != LOOK_HEATMAP) return;
    const Summed summed = sum_up(gradient);
    Slice *slice = ARENA_ARRAY(page->arena, Slice, 1);
    *slice = slice_all(gradient);
    for (int a = 0; a < gradient->rank - 2; a++) {
        slice->from[a] = tensor_index(gradient, a, largest_cell(&summed));
        slice->to[a] = slice->from[a] + 1;
    }
    const Figure figure =
        drawing_new(&record, slice, 1, session_story(session).palette, page->arena);
    page_figure(page, &figure);
}

void learning_say_stage(Session *session, const Stage *stage, int at, int count) {
    Page *page = &session->page;
    Arena *arena = page->arena;
    const Shown shown = shown_at(session, stage);
    heading(page, at, count, say(arena, "Backwards: %s", said(stage->title)),
            arena_print(arena, "%s.grad", stage->name));
    if (shown.count == 0) {
        page_prose(page, "Nothing here can be learned or moved: it was given.");
        return;
    }
    say_gradients(&shown, page);
    say_heatmap(session, stage, page);
    say_direction(session, stage, shown.tensor[0], page);
    const Summed summed = sum_up(shown.tensor[0]);
    page_hint(page, N_("Try"),
              arena_print(arena, ":why %s",
                          address_print(summed.tensor, largest_cell(&summed), arena)));
}
