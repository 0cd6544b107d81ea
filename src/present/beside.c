#include "present/beside.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/builder.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/language.h"
#include "base/options.h"
#include "change/snapshot.h"
#include "explain/drawing.h"
#include "learn/pictures.h"
#include "model/ids.h"
#include "present/figures.h"
#include "present/two_maps.h"
#include "session/addresses.h"
#include "session/program.h"
#include "session/sentence.h"
#include "session/variants.h"
#include "store/safetensors.h"
#include "tensor/address.h"
#include "text/unicode.h"

/* The other map and its name. */
typedef struct {
    Arguments words;   /* the addresses */
    Arena *arena;      /* of the command */
    const char *value; /* text after the = */
    const char *name_here, *name;
    bool is_address; /* `value` is one or more addresses */
    Figure maps;
} Other;

static bool beside_read_step(const char *typed, int *step, Error *error) {
    long long read;
    if (!option_whole(typed, &read) || read < 0 || read > INT_MAX)
        return fail_usage(error, "step %s: a step is a whole number, 0 or more", typed);
    *step = (int)read;
    return true;
}

/* Check that the file's tensors belong to the current sentence. Otherwise its rows
 * would be labeled with the wrong words. */
static bool check_ids(const Session *session, const SafeTensors *file, bool is_target,
                      Arena *arena, Error *error) {
    const Tensor *ids =
        tape_find(&session->run->tape, is_target ? "decoder.ids" : "encoder.ids");
    const char *kept =
        safetensors_note(file, is_target ? SNAPSHOT_TARGET : SNAPSHOT_SOURCE);
    if (!kept)
        return fail(error,
                    "%s does not say which sentence it belongs to: it comes from an "
                    "older training",
                    file->path);
    if (!ids) return true;
    int *id = ARENA_ARRAY(arena, int, tensor_size(ids));
    for (int i = 0; i < tensor_size(ids); i++) id[i] = (int)ids->data[i];
    if (strcmp(ids_print(id, tensor_size(ids), arena), kept) == 0) return true;
    return is_target ? fail(error,
                            "the training kept another target; give it with "
                            "--target-ids %s",
                            kept)
                     : fail(error,
                            "the training kept another sentence; give it with "
                            "--source-ids %s",
                            kept);
}

/* Load the snapshots of training step `step` of the current model onto `tape`, with the
 * addresses and tokens of the current run. Fail if there are none, or if they are of
 * another sentence or, with `needs_target`, another target. */
static bool beside_training(const Session *session, int step, bool needs_target,
                            Tape *tape, Error *error) {
    Arena *arena = &tape->arena;
    const char *path = file_join(arena, session->model.path, SNAPSHOT_FILE);
    SafeTensors file;
    if (!session->model.path || !file_exists(path))
        return fail(error,
                    "the training of %s kept nothing; set what it keeps with "
                    "\"snapshots\" in the recipe",
                    program_path(session->model.path, arena));
    if (session->run->source.rows > 1)
        return fail(error, "the training kept only one sentence, so no batch");
    if (!safetensors_read(&file, path, arena, error)) return false;
    int found = 0;
    long last = -1;
    Builder steps = {.arena = arena}; /* "0, 20, 40": those with snapshots */
    for (int t = 0; t < file.count; t++) {
        const char *name = file.tensor[t].name;
        char *end;
        if (strncmp(name, SNAPSHOT_NAME, strlen(SNAPSHOT_NAME)) != 0) continue;
        long at = strtol(name + strlen(SNAPSHOT_NAME), &end, 10);
        if (at != last) build_item(&steps, ", ", "%ld", at);
        last = at;
        if (at != step || *end != '.') continue;
        found++;
        /* Add it under its address, if it has the size of the current run's. */
        const StoredTensor *stored = &file.tensor[t];
        const Tensor *like = tape_find(&session->run->tape, end + 1);
        Number *number;
        if (!like || stored->count != (size_t)tensor_size(like) ||
            !safetensors_numbers(stored, arena, &number))
            continue;
        Tensor *tensor = tape_given(tape, like->name, like->rank, like->axis);
        if (!tensor) continue;
        tensor->holds_ids = like->holds_ids;
        memcpy(tensor->data, number, stored->count * sizeof *number);
    }
    if (!interrupt_none(error) || !check_ids(session, &file, false, arena, error))
        return false;
    if (found == 0)
        return fail(error, "nothing was kept at step %d; kept steps: %s", step,
                    builder_text(&steps));
    return !needs_target || check_ids(session, &file, true, arena, error);
}

enum { NAME_CELLS = 24 };

/* Copy the slices that the addresses mean in `from`, which may be freed soon. */
static bool keep_slices(Session *from, void *state, Error *error) {
    Other *other = state;
    Arena *arena = other->arena;
    Slice *slices;
    int count;
    if (!figures_slices(from, &other->words, arena, &slices, &count, error))
        return false;
    Record record = session_record(from);
    const Figure figure = drawing_new(&record, slices, count, NULL, arena);
    Slice *slice = ARENA_ARRAY(arena, Slice, count);
    for (int s = 0; s < count; s++) {
        slice[s] = figure.slice[s];
        slice[s].tensor = snapshot_tensor(figure.slice[s].tensor, arena);
    }
    other->maps = figure;
    other->maps.slice = slice;
    return true;
}

/* Run the same sentence in a separate session, through `model` with these options. */
static bool look_through(Session *session, const char *model, const Arguments *options,
                         Other *other, Error *error) {
    /* Reject manual changes: the other model would not have them, so the figure would
     * blame the model for the difference. */
    if (session->what_if.changes.done)
        return fail(
            error,
            "this run has changes (%d) that another model or option would not have; "
            "undo them first with :reset",
            session->what_if.changes.done);
    if (session->run->branches.at)
        return fail(error,
                    "you picked tokens that another model or option would not pick; "
                    "type the sentence again first");
    Arena arena = {0};
    Session *aside = session_new(&arena);
    aside->options = session->options;
    const Request request = variants_request(session, true, &session->scratch);
    Error problem;
    bool opened =
        session_open(aside, model, error) && variants_take_flags(aside, options, error);
    bool done = opened && session_run(aside, &request, &problem) &&
                (session->run->row == 0 ||
                 session_choose(aside, session->run->row, &problem)) &&
                keep_slices(aside, other, &problem);
    if (opened && !done) /* name the model that failed */
        fail(error, "%s: %s", other->value, problem.message);
    session_free(aside);
    arena_free(&arena);
    return done;
}

static bool look_at_model(Session *session, Other *other, Error *error) {
    other->name_here = program_path(session->model.path, &session->scratch);
    return look_through(session, other->value, &(Arguments){0}, other, error);
}

/* The current model with one more changed option. */
static bool look_at_option(Session *session, Other *other, Error *error) {
    Arguments options = {0};
    int count;
    const char *const *change = variants_changes(session, &session->scratch, &count);
    other->name_here = tr("as it is");
    for (int c = 0; c <= count && c < WORDS_MAX; c++) {
        options.flag[c] = "option";
        options.value[c] = c < count ? change[c] : other->value;
        options.flags++;
    }
    return look_through(session, session->model.path, &options, other, error);
}

/* A snapshot of the current model's training at one step. */
static bool look_at_training(Session *session, Other *other, Error *error) {
    static const char encoder[] = "encoder.";
    const Arguments *words = &other->words;
    Arena arena = {0};
    Session *aside = session_new(&arena);
    Tape *kept = &aside->run->tape;
    int step = 0;
    bool reads_target = false; /* an address is outside of the encoder */
    other->name_here = tr("at the end");
    other->name = trf(&session->scratch, "step %s of the training", other->value);
    for (int w = 0; w < words->words; w++)
        reads_target |= strncmp(words->word[w], encoder, strlen(encoder)) != 0;
    bool done = beside_read_step(other->value, &step, error) &&
                beside_training(session, step, reads_target, kept, error);
    for (int w = 0; done && w < words->words; w++) {
        const char *name = address_name(words->word[w], &session->scratch);
        if (!strchr(name, '*') && !tape_find(kept, name))
            done = fail(error,
                        "the training did not keep %s; set what it keeps with "
                        "\"snapshots\" in the recipe",
                        name);
    }
    aside->run->row = session->run->row;
    aside->focus.tokens = session->focus.tokens;
    aside->run->is_made = done;
    done = done && keep_slices(aside, other, error);
    session_free(aside);
    arena_free(&arena);
    return done;
}

static const char *shorten(const char *sentence, Arena *arena) {
    return arena_print(arena, "“%s”", unicode_cut(sentence, NAME_CELLS, arena));
}

static bool look_at_source(Session *session, Other *other, Error *error) {
    Arena *arena = &session->scratch;
    Request request =
        variants_request(session, !session->model.config.masked_words, arena);
    other->name_here = shorten(sentence_print(&session->run->source, arena), arena);
    other->name = shorten(other->value, arena);
    if (session->run->source.rows > 1 || strchr(other->value, '|'))
        return fail(error, "one sentence is compared with one other; give no | for "
                           "several");
    if (request.source)
        request.source = other->value;
    else if (arguments_flag(&other->words, "minus") &&
             !session->run->source.sentence[0].label)
        return fail(error,
                    "ids have no words to align the sentences by, so they cannot be "
                    "subtracted; --beside draws both");
    else
        request.source_ids = other->value;
    return session_aside(session, &request, keep_slices, other, error);
}

/* "step.2.decoder.output" or "decoder.output" -> "step.5.decoder.output". */
static bool look_at_step(Session *session, Other *other, Error *error) {
    Arena *arena = &session->scratch;
    Arguments *words = &other->words;
    int step = 0;
    if (!beside_read_step(other->value, &step, error)) return false;
    other->name_here = tr("as a whole");
    for (int w = 0; w < words->words; w++) {
        int here;
        const char *rest = address_after_step(words->word[w], &here);
        if (here != NOWHERE)
            other->name_here = trf(arena, "step %s", arena_print(arena, "%d", here));
        words->word[w] = arena_print(arena, "step.%d.%s", step, rest);
    }
    other->name = trf(arena, "step %s", other->value);
    return expand_addresses(session, words, error) &&
           keep_slices(session, other, error);
}

static bool look_at_address(Session *session, Other *other, Error *error) {
    Arguments *words = &other->words;
    other->name_here = words->word[0];
    words->word[0] = other->value;
    words->words = 1;
    if (!expand_addresses(session, words, error)) return false;
    other->name = words->word[0];
    other->is_address = true;
    return keep_slices(session, other, error);
}

/* The names before the =. */
static const struct {
    const char *word;
    bool (*look)(Session *session, Other *other, Error *error);
} kinds[] = {
    {"model=", look_at_model},       {"option=", look_at_option},
    {"source=", look_at_source},     {"step=", look_at_step},
    {"training=", look_at_training}, {"address=", look_at_address},
};

const Flag flags_beside[] = {
    {"beside", 0, "WHAT",
     N_("a second map: model=, option=, source=, address=, step=, training=")},
    {"minus", 0, "WHAT",
     N_("subtract that map: shows the difference, 0 in the middle")},
    {0},
};

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
    Other other = {.words = *arguments, .arena = &session->scratch};
    if (arguments_flag(arguments, "beside") && arguments_flag(arguments, "minus"))
        return fail_usage(error, "give --beside or --minus, not both");
    if (!session->run->is_made || arguments_flag(arguments, "toy"))
        return fail(error, "--%s needs a sentence; type one, or give --source", flag);
    size_t k = 0;
    size_t length = 0;
    for (; k < sizeof kinds / sizeof *kinds; k++) {
        length = strlen(kinds[k].word);
        if (strncmp(what, kinds[k].word, length) == 0 && what[length]) break;
    }
    if (k == sizeof kinds / sizeof *kinds)
        return fail_usage(error,
                          "--%s is '%s'; expected model=NAME, option=NAME=VALUE, "
                          "source=TEXT, address=ADDRESS, step=N or training=N",
                          flag, what);
    other.value = other.name = what + length;
    if (!kinds[k].look(session, &other, error)) return false;
    const char *const called[] = {other.name_here, other.name};
    if (strcmp(flag, "beside") == 0) {
        maps_beside(figure, &other.maps, other.is_address ? NULL : called,
                    &session->scratch);
        return true;
    }
    for (int s = 0; s < figure->slices; s++)
        if (figure->slice[s].tensor->holds_ids)
            return fail(error, "%s holds ids or marks, whose difference means nothing",
                        figure->slice[s].tensor->name);
    if (!maps_subtract(figure, &other.maps, called, &session->scratch, error))
        return false;
    if (other.is_address) {
        figure->title = figure->after;
        figure->after = NULL;
    }
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
        const WalkPlace here = walk_place(session, arena);
        const char *typed = value + strlen(word);
        arguments->value[f] =
            arena_print(arena, "%s%s", word, short_address(&here, typed, arena, &note));
    }
}
