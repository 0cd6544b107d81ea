#include "present/beside.h"

#include <string.h>

#include "base/language.h"
#include "explain/drawing.h"
#include "explain/subtraction.h"
#include "present/figures.h"
#include "session/program.h"
#include "session/sentence.h"
#include "session/standing.h"
#include "session/variants.h"
#include "tensor/address.h"
#include "text/unicode.h"

enum { NAME_CELLS = 24 };

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
    const char *source = sentence_print(&session->run->source, arena);
    Request request = {.limit = session->run->limit};
    if (session->run->source.sentence[0].text)
        request.source = source;
    else
        request.source_ids = source;
    if (!session->run->target_given || session->run->target_borrowed) return request;
    const char *target = sentence_print(&session->run->target, arena);
    if (session->run->target.sentence[0].text)
        request.target = target;
    else
        request.target_ids = target;
    return request;
}

/* Another model would have nothing of what was done by hand, and the figure would say
 * that the model makes the difference. */
static bool is_untouched(const Session *session, Error *error) {
    if (session->what_if.changes.done)
        return fail(
            error,
            "changes hold on this run (%d), which another model or option would "
            "not have: :reset takes them back first",
            session->what_if.changes.done);
    return session->run->forks.at == 0 ||
           fail(error,
                "tokens were picked by hand, which another model or option would "
                "not take: type the sentence again first");
}

/* The same sentence, in a session of its own, through a model with these options. */
static bool look_through(Session *session, const char *model, const Arguments *options,
                         Other *other, Error *error) {
    if (!is_untouched(session, error)) return false;
    Arena arena = {0};
    Arena *kept = &session->scratch;
    Session *aside = session_new(&arena);
    aside->options = session->options;
    const Request request = request_of(session, kept);
    Error problem;
    bool opened =
        session_open(aside, model, error) && variants_take_flags(aside, options, error);
    bool done = opened && session_run(aside, &request, &problem) &&
                (session->run->row == 0 ||
                 session_choose(aside, session->run->row, &problem)) &&
                keep_slices(aside, other->arguments, kept, other, &problem);
    if (opened && !done) /* it is not the model at hand that cannot */
        fail(error, "%s: %s", other->value, problem.message);
    session_free(aside);
    arena_free(&arena);
    return done;
}

static bool look_at_model(Session *session, Other *other, Error *error) {
    const Arguments none = {.command = other->arguments->command};
    other->name_here = program_path(session->model.path, &session->scratch);
    other->name = other->value;
    return look_through(session, other->value, &none, other, error);
}

/* The model at hand, with one more of its options changed. */
static bool look_at_option(Session *session, Other *other, Error *error) {
    Arguments options = {.command = other->arguments->command};
    int count;
    const char *const *change = variants_changes(session, &session->scratch, &count);
    for (int c = 0; c <= count && c < WORDS_MAX; c++) {
        options.flag[c] = "option";
        options.value[c] = c < count ? change[c] : other->value;
        options.flags++;
    }
    other->name_here = said("as it is");
    other->name = other->value;
    return look_through(session, session->model.path, &options, other, error);
}

/* Is any of the addresses not one of the encoder? */
static bool reads_target(const Arguments *arguments) {
    static const char encoder[] = "encoder.";
    for (int w = 0; w < arguments->words; w++)
        if (strncmp(arguments->word[w], encoder, strlen(encoder)) != 0) return true;
    return false;
}

/* Only what a recipe names is kept. */
static bool are_kept(const Arguments *arguments, const Tape *kept, Error *error) {
    Arena arena = {0};
    bool done = true;
    for (int w = 0; done && w < arguments->words; w++) {
        const char *name = address_name(arguments->word[w], &arena);
        if (!strchr(name, '*') && !tape_find(kept, name))
            done = fail(error,
                        "the training did not keep %s: a recipe says what to keep by "
                        "\"snapshots\"",
                        name);
    }
    arena_free(&arena);
    return done;
}

/* What was kept of the training of the model at hand, at one step. */
static bool look_at_training(Session *session, Other *other, Error *error) {
    Arena arena = {0};
    Session *aside = session_new(&arena);
    int step;
    other->name_here = said("at the end");
    other->name = say(&session->scratch, "step %s of the training", other->value);
    aside->run->row = session->run->row;
    aside->shown = session->shown;
    bool done = beside_read_step(other->value, &step, error) &&
                beside_training(session, step, reads_target(other->arguments),
                                &aside->run->tape, error) &&
                are_kept(other->arguments, &aside->run->tape, error);
    aside->run->is_made = done;
    done =
        done && keep_slices(aside, other->arguments, &session->scratch, other, error);
    session_free(aside);
    arena_free(&arena);
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
    other->name_here = shorten(sentence_print(&session->run->source, arena), arena);
    other->name = shorten(other->value, arena);
    if (session->run->source.rows > 1 || strchr(other->value, '|'))
        return fail(error, "one sentence beside another one: no | for several of them");
    if (request.source)
        request.source = other->value;
    else
        request.source_ids = other->value;
    return session_aside(session, &request, look_aside, other, error);
}

static bool look_at_words(Session *session, Arguments *words, Other *other,
                          Error *error) {
    return expand_addresses(session, words, error) &&
           keep_slices(session, words, &session->scratch, other, error);
}

/* "step.2.decoder.output" or "decoder.output" -> "step.5.decoder.output". */
static bool look_at_step(Session *session, Other *other, Error *error) {
    Arena *arena = &session->scratch;
    Arguments words = *other->arguments;
    int step;
    if (!beside_read_step(other->value, &step, error)) return false;
    other->name_here = said("as a whole");
    for (int w = 0; w < words.words; w++) {
        int here;
        const char *rest = address_behind_step(words.word[w], &here);
        if (here != NOWHERE)
            other->name_here = say(arena, "step %s", arena_print(arena, "%d", here));
        words.word[w] = arena_print(arena, "step.%d.%s", step, rest);
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
    {"model=", look_at_model},       {"option=", look_at_option},
    {"source=", look_at_source},     {"step=", look_at_step},
    {"training=", look_at_training}, {"address=", look_at_address},
};

bool beside_look(Session *session, const char *flag, const char *what, Other *other,
                 Error *error) {
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        size_t length = strlen(kinds[k].word);
        if (strncmp(what, kinds[k].word, length) != 0 || !what[length]) continue;
        other->value = what + length;
        return kinds[k].look(session, other, error);
    }
    return fail_usage(error,
                      "--%s is '%s'; it must be model=NAME, option=NAME=VALUE, "
                      "source=TEXT, address=ADDRESS, step=N or training=N",
                      flag, what);
}
