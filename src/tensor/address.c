#include "tensor/address.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/builder.h"
#include "base/language.h"
#include "text/label.h"

enum { ITEMS_MAX = 16, LABELS_SHOWN = 8 };

/* One item inside the brackets: "axis=value" or "value". */
typedef struct {
    const char *axis;  /* NULL: not named; the next axis is meant */
    const char *value; /* without quotes */
    bool quoted;
    int occurrence; /* the 2 of "나는#2"; 1 if omitted */
} Item;

const char *address_name(const char *address, Arena *arena) {
    return arena_copy(arena, address, strcspn(address, "["));
}

const char *address_file_name(const char *address, Arena *arena) {
    char *name = arena_copy(arena, address, strlen(address));
    char *to = name;
    bool gap = false;
    for (const char *c = address; *c; c++) {
        bool keep =
            isalnum((unsigned char)*c) || (unsigned char)*c >= 0x80 || strchr("._", *c);
        if (keep && gap) *to++ = '-';
        if (keep) *to++ = *c;
        gap = !keep && to > name;
    }
    *to = '\0';
    return name;
}

/* Read text that is only a number, between least and INT_MAX. */
static bool read_number(const char *text, int min, int *number) {
    char *end;
    if (!isdigit((unsigned char)*text) && *text != '-') return false;
    long value = strtol(text, &end, 10);
    *number = (int)value;
    return *end == '\0' && value >= min && value <= INT_MAX;
}

/* INT_MAX is larger than any axis. */
static int clamp(long number) {
    return number > INT_MAX ? INT_MAX : (int)number;
}

const char *address_after_step(const char *address, int *step) {
    static const char prefix[] = "step.";
    *step = NOWHERE;
    if (strncmp(address, prefix, strlen(prefix)) != 0 ||
        !isdigit((unsigned char)address[strlen(prefix)]))
        return address;
    char *end;
    *step = clamp(strtol(address + strlen(prefix), &end, 10));
    return *end == '.' ? end + 1 : end;
}

/* Return the position of the layer's number, or of a * in its place, and its length;
 * NULL if the address is not in a layer. */
static const char *find_layer(const char *address, size_t *length) {
    int step;
    const char *c = address_after_step(address, &step);
    for (c += strcspn(c, ".["); *c == '.'; c += strcspn(c, ".[")) {
        c++;
        *length = *c == '*' ? 1 : strspn(c, "0123456789");
        if (*length && c[*length] == '.') return c;
    }
    return NULL;
}

const char *address_in_layer(const char *address, const char *layer, Arena *arena) {
    size_t length;
    const char *old = find_layer(address, &length);
    if (!old) return NULL;
    return arena_print(arena, "%.*s%s%s", (int)(old - address), address, layer,
                       old + length);
}

int address_layer(const char *address) {
    size_t length;
    const char *layer = find_layer(address, &length);
    return layer && *layer != '*' ? clamp(strtol(layer, NULL, 10)) : NOWHERE;
}

const char *address_item_end(const char *item) {
    for (bool quoted = false; *item && (quoted || !strchr(",]", *item)); item++)
        if (quoted && *item == '\\' && item[1])
            item++;
        else
            quoted = quoted != (*item == '"');
    return item;
}

static const char *skip_spaces(const char *c) {
    while (*c == ' ') c++;
    return c;
}

const char *address_item(const char *address, const char *axis) {
    for (const char *end = strchr(address, '['); end && (*end == '[' || *end == ',');) {
        const char *item = skip_spaces(end + 1);
        size_t length = strcspn(item, " =,]");
        if (length == strlen(axis) && strncmp(item, axis, length) == 0 &&
            *skip_spaces(item + length) == '=')
            return item;
        end = address_item_end(item);
    }
    return NULL;
}

/* Take "#2" from the end of the value. */
static bool take_occurrence(Item *item, Arena *arena) {
    const char *mark = strrchr(item->value, '#');
    int number;
    if (!mark || mark == item->value || !read_number(mark + 1, 1, &number))
        return false;
    item->occurrence = number;
    item->value = arena_copy(arena, item->value, (size_t)(mark - item->value));
    return true;
}

/* Read one "axis=value" or "value" at `c`; return the rest, or NULL if none. */
static const char *read_item(const char *c, Arena *arena, Item *item) {
    *item = (Item){.occurrence = 1};
    const char *equals = c + strcspn(c, "=,]");
    if (*c != '"' && *equals == '=') {
        size_t name = strcspn(c, " =,]");
        if (name == 0 || skip_spaces(c + name) != equals) return NULL;
        item->axis = arena_copy(arena, c, name);
        c = skip_spaces(equals + 1);
    }
    if (*c == '"') {
        /* A backslash escapes the next character. */
        char *value = arena_copy(arena, c, strlen(c));
        item->value = value;
        item->quoted = true;
        for (c++; *c && *c != '"'; c++) {
            if (*c == '\\' && c[1]) c++;
            *value++ = *c;
        }
        *value = '\0';
        c = *c == '"' ? c + 1 : c;
    } else {
        size_t length = strcspn(c, ",]");
        size_t end = length;
        while (!item->axis && end && c[end - 1] == ' ') end--;
        item->value = arena_copy(arena, c, end);
        c += length;
    }
    if (!item->quoted) take_occurrence(item, arena);
    if (item->quoted && *c == '#') {
        char *end;
        item->occurrence = (int)strtol(c + 1, &end, 10);
        c = end;
    }
    c = skip_spaces(c);
    return item->value[0] || item->quoted ? c : NULL;
}

static const char *const quoting =
    N_("; a label with , or \" is written key=\",\"#2 or key=\"\\\"\"");

static bool read_items(const char *address, Arena *arena, Item *item, int *count,
                       Error *error) {
    const char *c = address + strcspn(address, "[");
    *count = 0;
    if (*c == '\0') return true;
    do {
        c = skip_spaces(c + 1);
        if (*c == ']' && *count == 0) break;
        if (*count == ITEMS_MAX)
            return fail(error, "%s: a cell has at most %d axes", address, ITEMS_MAX);
        c = read_item(c, arena, &item[*count]);
        if (!c || (*c != ',' && *c != ']'))
            return fail(error,
                        "cannot read '%s': a cell is written as in "
                        "weights[head=0, query=1, key=2]%s",
                        address, c && !strchr(address, '"') ? "" : tr(quoting));
        ++*count;
    } while (*c == ',');
    if (c[1])
        return fail(error, "%s: '%s' follows the bracket; remove it", address, c + 1);
    return true;
}

/* Is it one of the names of label `index`? */
static bool is_name(const Axis *axis, int index, const char *typed) {
    for (int row = 0; axis->names && row < axis->name_rows; row++)
        if (strcmp(axis->names[row * axis->size + index], typed) == 0) return true;
    return false;
}

/* Count the matching labels up to the requested occurrence, and set `index` to that
 * one. */
static int count_labels(const Item *item, const Axis *axis, int row, bool with_space,
                        int *index) {
    int seen = 0;
    for (int i = 0; i < axis->size && seen < item->occurrence; i++) {
        const char *label = axis_label(axis, row, i);
        if (!label) continue;
        /* The space before a word, displayed as "·", is hard to type, so it may be
         * omitted. */
        const char *called = with_space ? label_after_space(label) : label;
        const bool is_label = called && strcmp(called, item->value) == 0;
        if (!is_label && !is_name(axis, i, item->value)) continue;
        *index = i;
        seen++;
    }
    return seen;
}

/* Return the bytes of a label, without the space before it: "<EB 82>" has two. */
static const char *label_bytes(const char *label, Arena *arena) {
    label = label_bare(label);
    size_t length = strlen(label);
    if (length < 4 || label[0] != '<' || label[length - 1] != '>' || length % 3 != 1 ||
        strspn(label + 1, "0123456789ABCDEF ") != length - 2)
        return label;
    char *bytes = arena_take(arena, length / 3 + 1);
    for (size_t b = 0; b < length / 3; b++)
        bytes[b] = (char)strtol(label + 1 + 3 * b, NULL, 16);
    return bytes;
}

/* Return the end of the labels, starting at `from`, that together form the typed word;
 * 0 if they do not. The first of them must start a word. */
static int word_end(const char *typed, const Axis *axis, int row, int from,
                    Arena *arena) {
    for (int i = from; i < axis->size; i++) {
        const char *label = axis_label(axis, row, i);
        if (!label || (i > from && label_after_space(label))) return 0;
        const char *bytes = label_bytes(label, arena);
        /* WordPiece's mark of a token that does not start a word. */
        if (i > from && strncmp(bytes, "##", 2) == 0) bytes += 2;
        size_t length = strlen(bytes);
        if (length == 0 || strncmp(typed, bytes, length) != 0) return 0;
        typed += length;
        if (!*typed) return i + 1;
    }
    return 0;
}

/* Indices from `from` up to, but not including, `to`. */
typedef struct {
    int from, to;
} Range;

/* Find the tokens of a split word; if it occurs several times, the requested one. */
static bool find_word(const Item *item, const Axis *axis, int row, Arena *arena,
                      Range *range) {
    int seen = 0;
    bool begins = true;
    for (int i = 0; i < axis->size && axis->labels; i++) {
        const char *label = axis_label(axis, row, i);
        bool is_start = label && (begins || label_after_space(label));
        begins = label && *label == '<' && label_bytes(label, arena) == label;
        int end = is_start ? word_end(item->value, axis, row, i, arena) : 0;
        if (end == 0 || ++seen < item->occurrence) continue;
        *range = (Range){i, end};
        return true;
    }
    return false;
}

static bool find_label(const Item *item, const Axis *axis, int row, Arena *arena,
                       Range *range, Error *error) {
    int *index = &range->from;
    /* A word of explain/reduction.h, which does not name a single cell. */
    const bool is_of_all = !item->quoted && (strcmp(item->value, "mean") == 0 ||
                                             strcmp(item->value, "max") == 0 ||
                                             strcmp(item->value, "min") == 0);
    if (is_of_all && (!axis->labels || !count_labels(item, axis, row, false, index)))
        return fail(error,
                    "%s=%s combines all cells along %s, but one cell is needed here; "
                    "give an index, 0 to %d (draw, :heat and :show take a combination)",
                    axis->name, item->value, axis->name, axis->size - 1);
    if (!axis->labels)
        return fail(error, "%s=%s: this axis has no labels, only indices from 0 to %d",
                    axis->name, item->value, axis->size - 1);
    int seen = count_labels(item, axis, row, false, index);
    if (seen == 0) seen = count_labels(item, axis, row, true, index);
    range->to = range->from + 1;
    if (seen == item->occurrence) return true;
    if (!seen && find_word(item, axis, row, arena, range)) return true;
    Item inside = *item; /* ",#2" for ","#2 */
    if (!seen && item->quoted && item->occurrence == 1 &&
        take_occurrence(&inside, arena))
        return find_label(&inside, axis, row, arena, range, error);
    if (seen)
        return fail(error, "%s=%s#%d is out of range: there are only %d", axis->name,
                    item->value, item->occurrence, seen);
    Builder list = {.arena = arena};
    for (int i = 0; i < axis->size && i < LABELS_SHOWN; i++)
        build_item(&list, ", ", "%s", address_label(axis, row, i, arena));
    if (axis->size > LABELS_SHOWN) build_text(&list, ", ...");
    return fail(error, "%s=%s: there is no such label; the labels are: %s", axis->name,
                item->value, builder_text(&list));
}

static bool choose(const Item *item, int a, Arena *arena, Slice *slice, Error *error) {
    const Axis *axis = &slice->tensor->axis[a];
    int batch = tensor_axis(slice->tensor, "batch");
    int row = batch >= 0 ? slice->from[batch] : 0;
    Range range = {0};
    int *from = &range.from;
    const char *text = item->value;
    const char *colon = strchr(text, ':');
    const bool is_range =
        colon && !strchr(colon + 1, ':') && strspn(text, "0123456789:") == strlen(text);
    if (!item->quoted && read_number(text, INT_MIN, from)) {
        range.to = *from < axis->size ? *from + 1 : *from; /* INT_MAX can be typed */
    } else if (!item->quoted && is_range) { /* "1:4", ":4", "1:" or ":" */
        range.from = colon == text ? 0 : clamp(strtol(text, NULL, 10));
        range.to = colon[1] ? clamp(strtol(colon + 1, NULL, 10)) : axis->size;
    } else if (!find_label(item, axis, row, arena, &range, error)) {
        return false;
    }
    if (range.from < 0 || range.to > axis->size || range.from >= range.to)
        return fail(error, "%s=%s is out of range: %s has %d along %s, 0 to %d",
                    axis->name, item->value, slice->tensor->name, axis->size,
                    axis->name, axis->size - 1);
    slice->from[a] = range.from;
    slice->to[a] = range.to;
    return true;
}

/* Assign the items without an axis to the remaining axes, in order. */
static bool name_items(const char *address, const Tensor *tensor, Item *item, int count,
                       bool *is_short, Error *error) {
    bool named[RANK_MAX] = {0};
    /* Mark the axes that are named; count the items without an axis. */
    int unnamed = 0;
    for (int i = 0; i < count; i++) {
        int a = item[i].axis ? tensor_axis(tensor, item[i].axis) : -1;
        if (a >= 0) named[a] = true;
        unnamed += !item[i].axis;
    }
    *is_short = unnamed > 0;
    if (unnamed == 0) return true;
    /* If there are more axes than items for them, omit batch first, then head. */
    static const char *const left_out[] = {"batch", "head"};
    int axes = 0;
    for (int a = 0; a < tensor->rank; a++) axes += !named[a];
    for (int l = 0; l < 2 && unnamed < axes; l++) {
        int a = tensor_axis(tensor, left_out[l]);
        if (a < 0 || named[a]) continue;
        named[a] = true;
        axes--;
    }
    if (unnamed > axes)
        return fail(error, "%s: more labels than axes; %s has the axes %s", address,
                    tensor->name, shape_text(tensor).text);
    int a = 0;
    for (int i = 0; i < count; i++) {
        if (item[i].axis) continue;
        while (named[a]) a++;
        item[i].axis = tensor->axis[a++].name;
    }
    return true;
}

/* How an address names its axes. */
typedef struct {
    bool is_short;
    bool given[RANK_MAX];
} Naming;

/* Resolve the items in the order of the tensor's axes, batch first, since the labels of
 * other axes depend on it. */
static bool resolve(const char *address, const Tensor *tensor, Arena *arena,
                    Slice *slice, Naming *naming, Error *error) {
    bool *given = naming->given;
    Item item[ITEMS_MAX];
    int count;
    if (!read_items(address, arena, item, &count, error) ||
        !name_items(address, tensor, item, count, &naming->is_short, error))
        return false;
    *slice = slice_all(tensor);
    for (int i = 0; i < count; i++) {
        int a = tensor_axis(tensor, item[i].axis);
        if (a < 0)
            return fail(error, "%s has no axis '%s': its axes are %s", tensor->name,
                        item[i].axis, shape_text(tensor).text);
        if (given[a])
            return fail(error, "%s: the axis '%s' is given twice", address,
                        item[i].axis);
        given[a] = true;
    }
    for (int a = 0; a < tensor->rank; a++)
        for (int i = 0; i < count; i++)
            if (tensor_axis(tensor, item[i].axis) == a &&
                !choose(&item[i], a, arena, slice, error))
                return false;
    return true;
}

bool address_slice(const char *address, const Tensor *tensor, Arena *arena,
                   Slice *slice, Error *error) {
    Naming naming = {0};
    return resolve(address, tensor, arena, slice, &naming, error);
}

static bool wants_one(const char *address, const Tensor *tensor, int a, Arena *arena,
                      Error *error) {
    return fail(error, "%s: expected one cell; give the %s (0 to %d), as in %s",
                address, tensor->axis[a].name, tensor->axis[a].size - 1,
                address_print(tensor, 0, arena));
}

bool address_cells(const char *address, const Tensor *tensor, Arena *arena,
                   AxisCells *cells, Error *error) {
    Naming naming = {0};
    Slice slice;
    *cells = (AxisCells){.tensor = tensor, .count = 1};
    if (!resolve(address, tensor, arena, &slice, &naming, error)) return false;
    int head = tensor_axis(tensor, "head");
    if (naming.is_short && head >= 0 && slice.from[head] == 0 &&
        slice.to[head] == tensor->axis[head].size)
        slice.to[head] = 1;
    for (int a = 0; a < tensor->rank; a++) {
        const Axis *axis = &tensor->axis[a];
        int count = slice.to[a] - slice.from[a];
        if (axis->size == 0) return fail(error, "%s has no cells", tensor->name);
        if (count > 1 && (!naming.given[a] || cells->count > 1))
            return wants_one(address, tensor, a, arena, error);
        if (count > 1)
            *cells = (AxisCells){tensor, cells->cell, count, tensor_stride(tensor, a)};
        cells->cell += slice.from[a] * tensor_stride(tensor, a);
    }
    return true;
}

bool address_cell(const char *address, const Tensor *tensor, Arena *arena, int *cell,
                  Error *error) {
    AxisCells cells;
    if (!address_cells(address, tensor, arena, &cells, error)) return false;
    *cell = cells.cell;
    int several = 0;
    while (cells.count > 1 && tensor_stride(tensor, several) != cells.stride) several++;
    return cells.count == 1 || wants_one(address, tensor, several, arena, error);
}

Slice slice_all(const Tensor *tensor) {
    Slice slice = {.tensor = tensor};
    for (int a = 0; a < tensor->rank; a++) slice.to[a] = tensor->axis[a].size;
    return slice;
}

int slice_size(const Slice *slice) {
    int size = 1;
    for (int a = 0; a < slice->tensor->rank; a++) size *= slice->to[a] - slice->from[a];
    return size;
}

bool slice_next(const Slice *slice, int axes, int *index) {
    for (int a = axes - 1; a >= 0; a--) {
        if (++index[a] < slice->to[a]) return true;
        index[a] = slice->from[a];
    }
    return false;
}

bool address_ends(const char *address, const char *ending) {
    size_t length = strlen(address);
    size_t end = strlen(ending);
    if (end == 0 || length < end) return false;
    const char *at = address + length - end;
    if (at > address && at[-1] != '.') return false;
    for (; *at; at++, ending++)
        if ((*at == '-' ? '_' : *at) !=
            (*ending == '-' ? '_' : tolower((unsigned char)*ending)))
            return false;
    return true;
}
