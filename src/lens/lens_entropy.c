#include <math.h>
#include <string.h>

#include "base/language.h"
#include "lens/lens.h"
#include "ops/ops.h"

/* Attention weights [batch, head, query, key] and their mask. */
typedef struct {
    const Tensor *weights;
    const Step *mask;        /* NULL: nothing is masked */
    bool across, sees_ahead; /* cross-attention; later keys are visible */
} Attending;

/* Patterns in which one key gets all the attention of a query; `last` is the last token
 * that is not padding. */
typedef enum {
    KEY_BEFORE,
    KEY_FIRST,
    KEY_ITSELF,
    KEY_LAST,
    KEY_STOP,
    KEY_ALL
} HabitKey;

typedef struct {
    const char *name;
    const char *called;
    bool across; /* also applies to cross-attention */
    bool ahead;  /* only if later keys are visible; otherwise it is the token itself */
    HabitKey key;
} Habit;

static const Habit habits[] = {
    {"previous", N_("the previous token"), false, false, KEY_BEFORE},
    {"first", N_("the first token"), true, false, KEY_FIRST},
    {"itself", N_("itself"), false, false, KEY_ITSELF},
    {"last", N_("the last token"), true, true, KEY_LAST},
    {"stop", N_("the second to last, a full stop"), true, true, KEY_STOP},
    {"uniform", N_("all equally"), true, false, KEY_ALL},
    {0},
};

static int habit_key(HabitKey key, int query, int last) {
    switch (key) {
    case KEY_BEFORE:
        return query ? query - 1 : 0;
    case KEY_ITSELF:
        return query;
    case KEY_LAST:
        return last;
    case KEY_STOP:
        return last ? last - 1 : 0;
    default:
        return 0;
    }
}

static bool is_hidden(const Attending *attending, int batch, int query, int key) {
    const Tensor *w = attending->weights;
    int cell = ((batch * w->axis[1].size) * w->axis[2].size + query) * w->axis[3].size;
    return attending->mask && mask_reasons(attending->mask, cell + key) != 0;
}

/* Return how many keys a query sees. If all are masked, it attends to all equally. */
static int count_visible(const Attending *attending, int batch, int query) {
    int keys = attending->weights->axis[3].size;
    int count = 0;
    for (int k = 0; k < keys; k++) count += !is_hidden(attending, batch, query, k);
    return count ? count : keys;
}

/* Return the last key that the last query sees. */
static int last_visible(const Attending *attending, int batch) {
    int last = attending->weights->axis[3].size - 1;
    int query = attending->weights->axis[2].size - 1;
    while (last > 0 && is_hidden(attending, batch, query, last)) last--;
    return last;
}

static Tensor *habit_pattern(Tape *lens, const Habit *habit,
                             const Attending *attending) {
    const Tensor *w = attending->weights;
    const Axis axis[] = {w->axis[0], w->axis[2], w->axis[3]};
    Tensor *pattern = tape_given(lens, habit->name, 3, axis);
    int keys = w->axis[3].size;
    for (int i = 0; pattern && i < tensor_size(pattern); i++) {
        int key = i % keys;
        int query = i / keys % w->axis[2].size;
        int batch = i / keys / w->axis[2].size;
        int seen = count_visible(attending, batch, query);
        bool hidden = seen < keys && is_hidden(attending, batch, query, key);
        pattern->data[i] =
            habit->key != KEY_ALL
                ? (Number)(habit_key(habit->key, query,
                                     last_visible(attending, batch)) == key)
            : hidden ? 0
                     : 1 / (Number)seen;
    }
    return pattern;
}

static Tensor *habit_max(Tape *lens, const Attending *attending) {
    const Tensor *w = attending->weights;
    const Axis axis[] = {
        w->axis[0], w->axis[2], {.name = "most", .size = 1, .label_rows = 1}};
    Tensor *max = tape_given(lens, "most", 3, axis);
    for (int i = 0; max && i < tensor_size(max); i++)
        max->data[i] = (Number)log2(
            count_visible(attending, i / w->axis[2].size, i % w->axis[2].size));
    return max;
}

bool lens_entropy_record(Tape *lens, const Story *story, const LensAim *aim,
                         Error *error) {
    (void)aim;
    const Record *record = &story->record;
    for (int e = 0; e < record->run->entries; e++) {
        const Entry *entry = &record->run->entry[e];
        const Step *softmax = record_step(record, entry->tensor);
        /* Skip aliases of the weights. */
        if (strcmp(entry->name, "weights") != 0 || entry->tensor->rank != 4 ||
            !softmax || softmax->op != &op_softmax)
            continue;
        const Step *mask = record_step(record, softmax->input[0]);
        Attending attending = {.weights = entry->tensor,
                               .mask = mask && mask->op == &op_mask ? mask : NULL,
                               .across =
                                   strcmp(entry->where.box, "self_attention") != 0};
        attending.sees_ahead =
            !attending.mask || !(attending.mask->setting.count & MASK_LATER);
        Tensor *padding =
            tape_find(record->run,
                      arena_print(&lens->arena, "%s.padding_mask", entry->where.stack));
        size_t length = strlen(entry->address) - strlen(".weights");
        Where before =
            tape_enter(lens, arena_copy(&lens->arena, entry->address, length));
        mean(lens, "entropy", row_entropy(lens, "entropies", entry->tensor), padding);
        mean(lens, "entropy_max", habit_max(lens, &attending), padding);
        for (int h = 0; habits[h].name; h++) {
            if ((attending.across && !habits[h].across) ||
                (habits[h].ahead && !attending.sees_ahead))
                continue;
            Tensor *pattern = habit_pattern(lens, &habits[h], &attending);
            const char *rows = arena_print(&lens->arena, "from_%s", habits[h].name);
            const char *name = arena_print(&lens->arena, "distance_%s", habits[h].name);
            mean(lens, name, row_distance(lens, rows, entry->tensor, pattern), padding);
        }
        tape_leave(lens, before);
    }
    return lens->count || lens->failed ||
           fail(error, "lens entropy needs attention heads, but this model has none");
}

/* A row of the table: a head. */
typedef struct {
    const char *box; /* "encoder.0.self_attention" */
    const Tensor *entropy;
    int cell; /* cell of the head in it */
    double max;
    int nearest; /* nearest pattern */
    double distance;
} HeadRow;

static double share_of(const HeadRow *head) {
    return head->max > 0 ? (double)head->entropy->data[head->cell] / head->max : 0;
}

static HeadRow read_head(const Tape *lens, const char *box, const Tensor *entropy,
                         int cell, Arena *arena) {
    const Tensor *max =
        tape_find(lens, arena_print(arena, "lens.entropy.%s.entropy_max", box));
    HeadRow head = {.box = box,
                    .entropy = entropy,
                    .cell = cell,
                    .max = (double)max->data[tensor_index(entropy, 0, cell)],
                    .distance = NAN};
    for (int h = 0; habits[h].name; h++) {
        const Tensor *distance =
            tape_find(lens, arena_print(arena, "lens.entropy.%s.distance_%s", box,
                                        habits[h].name));
        if (!distance || isnan(distance->data[cell]) ||
            (double)distance->data[cell] >= head.distance)
            continue;
        head.distance = (double)distance->data[cell];
        head.nearest = h;
    }
    return head;
}

typedef struct {
    HeadRow *head;
    int count;
    int boxes, heads_max; /* in a box */
} HeadTable;

static HeadTable read_heads(const Tape *lens, const Story *story, Arena *arena) {
    enum { PREFIX = sizeof "lens.entropy." - 1 };
    HeadTable table = {0};
    int capacity = 0;
    for (int e = 0; e < lens->entries; e++) {
        const Entry *entry = &lens->entry[e];
        if (strcmp(entry->name, "entropy") != 0) continue;
        size_t length = strlen(entry->address) - PREFIX - strlen(".entropy");
        const char *box = arena_copy(arena, entry->address + PREFIX, length);
        int heads = tensor_row(entry->tensor);
        table.boxes++;
        if (heads > table.heads_max) table.heads_max = heads;
        for (int h = 0; h < heads; h++) {
            ARENA_GROW(arena, table.head, table.count, capacity);
            table.head[table.count++] =
                read_head(lens, box, entry->tensor, story->row * heads + h, arena);
        }
    }
    return table;
}

/* A head with more than half of its attention elsewhere has no pattern, as printed with
 * two digits. */
#define DISTANCE_NONE 0.505

void lens_entropy_say(const Tape *lens, const Story *story, int place, Page *page) {
    (void)place;
    static const char *const headings[] = {N_("bits"),     N_("of the maximum"),  "",
                                           N_("distance"), N_("nearest pattern"), NULL};
    Arena *arena = page->arena;
    const HeadTable table = read_heads(lens, story, arena);
    for (int first = 0; first < table.count;) {
        int end = first + 1;
        while (end < table.count && table.head[end].box == table.head[first].box) end++;
        page_section(page, table.head[first].box);
        TableWriter writer = table_begin(headings, page->arena);
        for (; first < end; first++) {
            static const char *const none[] = {"nan", "nan", "", "nan", ""};
            const HeadRow *head = &table.head[first];
            const char *number =
                trf(arena, "head %d", tensor_index(head->entropy, 1, head->cell));
            table_row(&writer, number);
            for (int c = 0; c < 5 && isnan(head->distance); c++) /* NaN weights */
                table_put(&writer, none[c]);
            if (isnan(head->distance)) continue;
            table_print(&writer, "%.2f", (double)head->entropy->data[head->cell]);
            table_print(&writer, "%.0f%%", 100 * share_of(head));
            table_put(&writer, lens_bar(share_of(head), 1, false, arena));
            table_print(&writer, "%.2f", head->distance);
            table_put(&writer, head->distance > DISTANCE_NONE
                                   ? tr("none")
                                   : tr(habits[head->nearest].called));
        }
        page_table(page, &writer.table);
    }
    page_gap(page);
    page_prose(page, tr("All numbers are averages over the queries. The maximum is "
                        "log2 of the number of keys that a query may see. The "
                        "distance, 0 to 1, is the fraction of attention that would "
                        "have to move to match that pattern (total variation). Above "
                        "0.50, no pattern fits."));
    const HeadRow *first = &table.head[0];
    page_hint(page, tr("one of them, explained"),
              arena_print(arena, ":why %s",
                          address_print(first->entropy, first->cell, arena)));
}

/* The entropy as a fraction of the maximum: [box, head]. */
Figure lens_entropy_figure(const Tape *lens, const Story *story, int place,
                           Arena *arena) {
    (void)place;
    const HeadTable table = read_heads(lens, story, arena);
    const char **label = ARENA_ARRAY(arena, const char *, table.boxes);
    const Axis axis[] = {
        {.name = "attention", .size = table.boxes, .labels = label, .label_rows = 1},
        {.name = "head", .size = table.heads_max}};
    Tensor *drawn = tensor_new(arena, "lens.entropy", 2, axis);
    for (int i = 0; i < tensor_size(drawn); i++) drawn->data[i] = (Number)NAN;
    int box = -1;
    for (int h = 0; h < table.count; h++) {
        const HeadRow *head = &table.head[h];
        int number = tensor_index(head->entropy, 1, head->cell);
        if (number == 0) label[++box] = head->box;
        drawn->data[box * table.heads_max + number] = (Number)share_of(head);
    }
    Slice *slice = ARENA_ARRAY(arena, Slice, 1);
    *slice = slice_all(drawn);
    return (Figure){.kind = FIGURE_HEATMAP,
                    .slice = slice,
                    .slices = 1,
                    .title = tr("entropy of each head, as a fraction of its maximum"),
                    .palette = story->palette,
                    .scale = SCALE_SHARES};
}
