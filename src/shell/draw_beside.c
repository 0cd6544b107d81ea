#include "shell/draw_beside.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

#include "base/language.h"
#include "base/options.h"
#include "explain/drawing.h"
#include "explain/subtraction.h"
#include "shell/figures.h"
#include "shell/sentence.h"
#include "shell/standing.h"
#include "text/unicode.h"

enum { NAME_CELLS = 24 };

const Flag flags_beside[] = {
    {"beside", 0, "WHAT",
     N_("a second map: model=NAME, source=TEXT, step=N, address=ADDRESS")},
    {"minus", 0, "WHAT", N_("that one taken away: the difference, 0 in the middle")},
    {0},
};

/* The other map, and what it is called. */
typedef struct {
    const Arguments *arguments;
    const char *value; /* behind the = */
    const char *name_here, *name;
    bool is_address; /* and these are addresses */
    Slice *slice;
    const unsigned char **hidden, **marked; /* see Figure */
    int count;
} Other;

/* Keep what the addresses mean in `from`, which may be gone soon. */
static bool keep_slices(Session *from, const Arguments *arguments, Arena *arena,
                        Other *other, Error *error) {
    Slice *slices;
    if (!figures_slices(from, arguments, arena, &slices, &other->count, error))
        return false;
    Record record = session_record(from);
    const Figure figure = drawing_new(&record, slices, other->count, NULL, arena);
    other->slice = ARENA_ARRAY(arena, Slice, other->count);
    other->hidden = ARENA_ARRAY(arena, const unsigned char *, other->count);
    other->marked = ARENA_ARRAY(arena, const unsigned char *, other->count);
    for (int s = 0; s < other->count; s++) {
        other->slice[s] = subtraction_copy(&figure.slice[s], arena);
        other->hidden[s] = figure.hidden[s];
        other->marked[s] = figure.marked ? figure.marked[s] : NULL;
    }
    return true;
}

/* The sentences at hand, as they would be asked for again. */
static Request request_of(const Session *session, Arena *arena) {
    const char *source = sentence_print(&session->source, arena);
    Request request = {.limit = session->limit};
    if (session->source.sentence[0].text)
        request.source = source;
    else
        request.source_ids = source;
    if (!session->target_given || session->target_borrowed) return request;
    const char *target = sentence_print(&session->target, arena);
    if (session->target.sentence[0].text)
        request.target = target;
    else
        request.target_ids = target;
    return request;
}

/* The same sentence, in a session of its own. */
static bool look_at_model(Session *session, Other *other, Error *error) {
    Arena arena = {0};
    Arena *kept = &session->scratch;
    Session *aside = session_new(&arena);
    aside->options = session->options;
    const Request request = request_of(session, kept);
    bool done = session_open(aside, other->value, error) &&
                session_run(aside, &request, error) &&
                (session->row == 0 || session_choose(aside, session->row, error)) &&
                keep_slices(aside, other->arguments, kept, other, error);
    session_free(aside);
    arena_free(&arena);
    other->name_here = figures_path(session->model.path, kept);
    other->name = other->value;
    return done;
}

static bool look_aside(Session *session, void *state, Error *error) {
    Other *other = state;
    return keep_slices(session, other->arguments, &session->scratch, other, error);
}

static const char *shorten(const char *sentence, Arena *arena) {
    return arena_print(arena, "“%s”", unicode_cut(sentence, NAME_CELLS, arena));
}

static bool look_at_source(Session *session, Other *other, Error *error) {
    Arena *arena = &session->scratch;
    Request request = request_of(session, arena);
    other->name_here = shorten(sentence_print(&session->source, arena), arena);
    other->name = shorten(other->value, arena);
    if (session->source.rows > 1 || strchr(other->value, '|'))
        return fail(error, "one sentence beside another one: no | for several of them");
    if (request.source)
        request.source = other->value;
    else
        request.source_ids = other->value;
    return session_aside(session, &request, look_aside, other, error);
}

static bool look_at_words(Session *session, Arguments *words, Other *other,
                          Error *error) {
    return standing_write_out(session, words, error) &&
           keep_slices(session, words, &session->scratch, other, error);
}

/* "step.2.decoder.output" or "decoder.output" -> "step.5.decoder.output". */
static bool look_at_step(Session *session, Other *other, Error *error) {
    static const char word[] = "step.";
    Arena *arena = &session->scratch;
    Arguments words = *other->arguments;
    long long step;
    if (!option_whole(other->value, &step) || step < 0 || step > INT_MAX)
        return fail_usage(error, "step=%s: a step is a whole number from 0 on",
                          other->value);
    other->name_here = said("as a whole");
    for (int w = 0; w < words.words; w++) {
        const char *rest = words.word[w];
        if (strncmp(rest, word, strlen(word)) == 0) {
            const char *number = rest + strlen(word);
            size_t digits = strspn(number, "0123456789");
            other->name_here = say(arena, "step %s", arena_copy(arena, number, digits));
            rest = number + digits + (number[digits] == '.');
        }
        words.word[w] = arena_print(arena, "step.%lld.%s", step, rest);
    }
    other->name = say(arena, "step %s", other->value);
    return look_at_words(session, &words, other, error);
}

static bool look_at_address(Session *session, Other *other, Error *error) {
    Arguments words = *other->arguments;
    words.word[0] = other->value;
    words.words = 1;
    other->name_here = other->arguments->word[0];
    other->name = other->value;
    if (!look_at_words(session, &words, other, error)) return false;
    other->name = words.word[0];
    other->is_address = true;
    return true;
}

/* What can stand in front of the =. */
static const struct {
    const char *word;
    bool (*look)(Session *session, Other *other, Error *error);
} kinds[] = {
    {"model=", look_at_model},
    {"source=", look_at_source},
    {"step=", look_at_step},
    {"address=", look_at_address},
};

static bool look(Session *session, const char *flag, const char *what, Other *other,
                 Error *error) {
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        size_t length = strlen(kinds[k].word);
        if (strncmp(what, kinds[k].word, length) != 0 || !what[length]) continue;
        other->value = what + length;
        return kinds[k].look(session, other, error);
    }
    return fail_usage(error,
                      "--%s is '%s'; it must be model=NAME, source=TEXT, step=N or "
                      "address=ADDRESS",
                      flag, what);
}

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

static void put_beside(const Other *other, Figure *figure, Arena *arena) {
    int count = figure->slices + other->count;
    Slice *slice = ARENA_ARRAY(arena, Slice, count);
    const unsigned char **hidden = ARENA_ARRAY(arena, const unsigned char *, count);
    const unsigned char **marked = ARENA_ARRAY(arena, const unsigned char *, count);
    const char **called = ARENA_ARRAY(arena, const char *, count);
    for (int s = 0; s < count; s++) {
        int o = s - figure->slices;
        slice[s] = o < 0 ? figure->slice[s] : other->slice[o];
        hidden[s] = o < 0 ? figure->hidden[s] : other->hidden[o];
        if (figure->marked) marked[s] = o < 0 ? figure->marked[s] : other->marked[o];
        called[s] = o < 0 ? other->name_here : other->name;
        if (o >= 0 && !other->is_address && o < figure->slices)
            slice[s] = renamed(&slice[s], slice[o].tensor->name, arena);
    }
    if (figure->kind == FIGURE_HEATMAP) figure->kind = FIGURE_GRID;
    if (figure->marked) figure->marked = marked;
    figure->slice = slice;
    figure->hidden = hidden;
    figure->slices = count;
    figure->row_sums = false;
    if (other->is_address) return; /* the addresses themselves tell them apart */
    figure->called = called;
    figure->behind = say(arena, "%s beside %s", other->name_here, other->name);
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
    if (!session->has_run || arguments_flag(arguments, "toy"))
        return fail(error, "--%s needs a sentence: type one, or give --source", flag);
    if (!look(session, flag, what, &other, error)) return false;
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
        if (strncmp(value, word, strlen(word)) != 0) continue;
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
