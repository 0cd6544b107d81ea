#include "present/draw_beside.h"

#include <string.h>

#include "base/language.h"
#include "explain/subtraction.h"
#include "present/beside.h"
#include "session/standing.h"
#include "text/unicode.h"

const Flag flags_beside[] = {
    {"beside", 0, "WHAT",
     N_("a second map: model=, option=, source=, address=, step=, training=")},
    {"minus", 0, "WHAT", N_("that one taken away: the difference, 0 in the middle")},
    {0},
};

/* The slice in a tensor of another name: what is the same elsewhere has one name in the
 * title. */
static Slice renamed(const Slice *slice, const char *name, Arena *arena) {
    Tensor *tensor = ARENA_ARRAY(arena, Tensor, 1);
    *tensor = *slice->tensor;
    tensor->name = name;
    Slice same = *slice;
    same.tensor = tensor;
    return same;
}

/* Both lists, one behind the other. */
static const unsigned char *const *join(const unsigned char *const *here, int count,
                                        const unsigned char *const *there, int more,
                                        Arena *arena) {
    const unsigned char **both =
        ARENA_ARRAY(arena, const unsigned char *, count + more);
    for (int i = 0; i < count; i++) both[i] = here[i];
    for (int i = 0; i < more; i++) both[count + i] = there[i];
    return both;
}

static void name_both(const Other *other, int count, Figure *figure, Arena *arena) {
    if (other->is_address) return; /* the addresses themselves tell them apart */
    const char **called = ARENA_ARRAY(arena, const char *, count + other->count);
    for (int s = 0; s < count; s++) called[s] = other->name_here;
    for (int s = 0; s < other->count; s++) called[count + s] = other->name;
    figure->called = called;
    figure->behind = say(arena, "%s beside %s", other->name_here, other->name);
}

static void put_beside(const Other *other, Figure *figure, Arena *arena) {
    int count = figure->slices;
    Slice *slice = ARENA_ARRAY(arena, Slice, count + other->count);
    for (int s = 0; s < count; s++) slice[s] = figure->slice[s];
    for (int s = 0; s < other->count; s++) {
        bool same = !other->is_address && s < count;
        slice[count + s] = same
                               ? renamed(&other->slice[s], slice[s].tensor->name, arena)
                               : other->slice[s];
    }
    figure->hidden = join(figure->hidden, count, other->hidden, other->count, arena);
    if (figure->marked)
        figure->marked =
            join(figure->marked, count, other->marked, other->count, arena);
    if (figure->kind == FIGURE_HEATMAP) figure->kind = FIGURE_GRID;
    figure->slice = slice;
    figure->slices = count + other->count;
    figure->row_sums = false;
    name_both(other, count, figure, arena);
}

static bool subtract(const Other *other, Figure *figure, Arena *arena, Error *error) {
    if (figure->slices != other->count)
        return fail(error, "there are %d maps here and %d there: name one to subtract",
                    figure->slices, other->count);
    Slice *slice = ARENA_ARRAY(arena, Slice, other->count);
    const unsigned char **hidden =
        ARENA_ARRAY(arena, const unsigned char *, other->count);
    for (int s = 0; s < other->count; s++) {
        if (figure->slice[s].tensor->holds_ids)
            return fail(error, "%s holds ids or marks, whose difference says nothing",
                        figure->slice[s].tensor->name);
        if (!subtraction_slice(&figure->slice[s], &other->slice[s], arena, &slice[s],
                               error))
            return false;
        hidden[s] = subtraction_hidden(&figure->slice[s], figure->hidden[s],
                                       &other->slice[s], other->hidden[s], arena);
    }
    figure->slice = slice;
    figure->hidden = hidden;
    figure->marked = NULL; /* two words were taken */
    figure->scale = SCALE_SIGNED;
    figure->row_sums = false;
    if (figure->palette && !figure->palette->diverges) figure->palette = NULL;
    const char *both = say(arena, "%s less %s", other->name_here, other->name);
    if (other->is_address)
        figure->title = both;
    else
        figure->behind = both;
    return true;
}

static const char *flag_of(const Arguments *arguments, const char **what) {
    const char *beside = arguments_flag(arguments, "beside");
    const char *minus = arguments_flag(arguments, "minus");
    *what = beside ? beside : minus;
    return beside ? "beside" : minus ? "minus" : NULL;
}

bool draw_is_double(const Arguments *arguments) {
    const char *what;
    return flag_of(arguments, &what) != NULL;
}

bool draw_beside(Session *session, const Arguments *arguments, Figure *figure,
                 Error *error) {
    const char *what;
    const char *flag = flag_of(arguments, &what);
    Other other = {.arguments = arguments};
    if (arguments_flag(arguments, "beside") && arguments_flag(arguments, "minus"))
        return fail_usage(error, "give --beside or --minus, not both");
    if (!session->run->is_made || arguments_flag(arguments, "toy"))
        return fail(error, "--%s needs a sentence: type one, or give --source", flag);
    if (!beside_look(session, flag, what, &other, error)) return false;
    if (strcmp(flag, "minus") == 0)
        return subtract(&other, figure, &session->scratch, error);
    put_beside(&other, figure, &session->scratch);
    return true;
}

void draw_beside_write_out(Session *session, Arguments *arguments) {
    static const char word[] = "address=";
    Arena *arena = &session->scratch;
    const char *note = NULL;
    for (int f = 0; f < arguments->flags; f++) {
        const char *value = arguments->value[f];
        const char *flag = arguments->flag[f];
        bool is_map = strcmp(flag, "beside") == 0 || strcmp(flag, "minus") == 0;
        if (!is_map || strncmp(value, word, strlen(word)) != 0) continue;
        const Standing here = standing_here(session, arena);
        const char *typed = value + strlen(word);
        arguments->value[f] =
            arena_print(arena, "%s%s", word, short_address(&here, typed, arena, &note));
    }
}

void draw_beside_tell(const Arguments *arguments, Figure *figure, Arena *arena) {
    const char *what;
    const char *flag = flag_of(arguments, &what);
    if (!flag) return;
    Fact *fact = ARENA_ARRAY(arena, Fact, figure->facts + 1);
    int count = 0;
    for (int f = 0; f < figure->facts; f++) {
        if (strcmp(figure->fact[f].name, "command") == 0)
            fact[count++] =
                (Fact){strcmp(flag, "minus") == 0 ? N_("minus") : N_("beside"),
                       unicode_escape(what, strlen(what), arena)};
        fact[count++] = figure->fact[f];
    }
    figure->fact = fact;
    figure->facts = count;
}
