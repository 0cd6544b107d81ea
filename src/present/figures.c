#include "present/figures.h"

#include <string.h>

#include "base/builder.h"
#include "base/language.h"
#include "command/arguments.h"
#include "command/figure_flags.h"
#include "explain/reduction.h"
#include "session/branches.h"
#include "session/program.h"
#include "session/sentence.h"
#include "session/variants.h"
#include "text/unicode.h"

/* Return true if `address` matches `pattern`, in which * matches anything except a dot.
 */
static bool fits(const char *pattern, const char *address) {
    for (; *pattern; pattern++, address++) {
        if (*pattern == '*') {
            size_t length = strcspn(address, ".");
            return fits(pattern + 1, address + length);
        }
        if (*pattern != *address) return false;
    }
    return *address == '\0';
}

/* Return true if both have the same shape. */
static bool is_alike(const Slice *a, const Slice *b) {
    if (a->tensor->rank != b->tensor->rank) return false;
    for (int i = 0; i < a->tensor->rank; i++)
        if (a->to[i] - a->from[i] != b->to[i] - b->from[i]) return false;
    return true;
}

/* The slices of one or several figures. */
typedef struct {
    Slice *slice;
    int count, capacity;
} Slices;

/* Add the part of tensor `name` that the brackets of `address` select. */
static bool add_named(const Session *session, const char *address, const char *name,
                      Arena *arena, Slices *slices, Error *error) {
    Record record = session_record(session);
    const Tensor *tensor;
    ARENA_GROW(arena, slices->slice, slices->count, slices->capacity);
    Slice *slice = &slices->slice[slices->count++];
    if (!record_find(&record, name, arena, &tensor, error) ||
        !reduction_slice(&record, address, tensor, arena, slice, error))
        return false;
    /* The current sentence, unless the address selects one. */
    int batch = tensor_axis(slice->tensor, "batch");
    int row = session->run->row;
    if (batch >= 0 && !strstr(address, "batch=") &&
        row < slice->tensor->axis[batch].size) {
        slice->from[batch] = row;
        slice->to[batch] = row + 1;
    }
    *slice = shown_slice(&session->focus.tokens, slice, arena);
    if (slice_size(slice) > 0) return true;
    return fail(error, "%s has no numbers", tensor->name);
}

bool figures_slices(const Session *session, const Arguments *arguments, Arena *arena,
                    Slice **slices, int *count, Error *error) {
    const Record record = session_record(session);
    Slices all = {0};
    for (int w = 0; w < arguments->words; w++) {
        const char *address = arguments->word[w];
        const char *name = address_name(address, arena);
        const bool is_pattern = strchr(name, '*') != NULL;
        const int before = all.count;
        const char *found;
        if (!is_pattern && !add_named(session, address, name, arena, &all, error))
            return false;
        for (int i = 0; is_pattern && (found = record_address(&record, i)); i++)
            if (fits(name, found) &&
                !add_named(session, address, found, arena, &all, error))
                return false;
        if (all.count == before)
            return fail(error, "no address matches '%s'; :stages lists them", name);
    }
    *slices = all.slice;
    *count = all.count;
    return true;
}

int figures_alike(const Slice *slices, int count) {
    int alike = 1;
    while (alike < count && is_alike(&slices[0], &slices[alike])) alike++;
    return alike;
}

static const char *add_flag(const char *command, const char *name, const char *value,
                            Arena *arena) {
    return arena_print(arena, "%s --%s %s", command, name, shell_word(value, arena));
}

/* Return the name that opens the model. */
static const char *model_name(const Session *session, Arena *arena) {
    return program_path(session->model.path, arena);
}

/* Add "source", or "source-ids" if only the ids were given. */
static const char *add_side(const char *command, const char *name, const Side *side,
                            Arena *arena) {
    if (!side->sentence[0].text) name = arena_print(arena, "%s-ids", name);
    return add_flag(command, name, sentence_print(side, arena), arena);
}

/* Return true if the session already provides the flag, or if it is useless in a
 * command that makes the figure again. */
static bool is_told(const char *name) {
    static const Flag *const groups[] = {flags_model, flags_sentence, flags_target,
                                         flags_toy, NULL};
    for (int g = 0; groups[g]; g++)
        for (const Flag *flag = groups[g]; flag->name; flag++)
            if (strcmp(flag->name, name) == 0) return true;
    return strcmp(name, "force") == 0 || strcmp(name, "resume") == 0;
}

static const char *add_flags(const Arguments *arguments, const char *command,
                             Arena *arena) {
    for (int f = 0; f < arguments->flags; f++) {
        const char *name = arguments->flag[f];
        if (is_told(name)) continue;
        const Flag *flag = command_flag_named(arguments->command, name);
        command = flag->value ? add_flag(command, name, arguments->value[f], arena)
                              : arena_print(arena, "%s --%s", command, name);
    }
    /* A figure whose words are not in English needs --language, whatever the language
     * of the machine. */
    const char *language = language_name();
    if (strcmp(language, "en") == 0 || arguments_flag(arguments, "language") ||
        !figure_flags_taken(arguments->command))
        return command;
    return add_flag(command, "language", language, arena);
}

/* Add the palette chosen with :options, if the command takes one. */
static const char *add_palette(const Session *session, const Arguments *arguments,
                               const char *command, Arena *arena) {
    const Palette *palette = session_story(session).palette;
    const char *name = palette ? palette->name : NULL;
    if (!name || arguments_flag(arguments, "palette") ||
        !command_flag_named(arguments->command, "palette"))
        return command;
    return add_flag(command, "palette", name, arena);
}

/* Return true if the address is in the toy. */
static bool is_of_toy(const Session *session, const Arguments *arguments) {
    Arena arena = {0};
    const char *name = arguments->words ? address_name(arguments->word[0], &arena) : "";
    bool toy = session->toy.tape.count && tape_find(&session->toy.tape, name);
    arena_free(&arena);
    return toy;
}

/* Return true if the figure shows the sentence. */
static bool shows_run(const Session *session, const Needs *needs) {
    return needs->run || (needs->run_if_any && session->run->is_made);
}

const char *figures_command(const Session *session, const Arguments *arguments,
                            Arena *arena) {
    const char *command = arena_print(arena, "glassbox %s", arguments->command->name);
    for (int w = 0; w < arguments->words; w++)
        command =
            arena_print(arena, "%s %s", command, shell_word(arguments->word[w], arena));
    if (is_of_toy(session, arguments)) {
        command = add_flag(command, "toy", session->toy.typed, arena);
        return add_flags(arguments, add_palette(session, arguments, command, arena),
                         arena);
    }
    const Needs needs = command_needs(arguments);
    if (needs.model)
        command = add_flag(command, "model", model_name(session, arena), arena);
    int changes;
    const char *const *change = variants_changes(session, arena, &changes);
    for (int c = 0; needs.model && c < changes; c++)
        command = add_flag(command, "option", change[c], arena);
    if (shows_run(session, &needs)) {
        const Run *run = session->run;
        const char *picks = branches_picks(session, arena);
        if (run->is_made) command = add_side(command, "source", &run->source, arena);
        if (run->is_made && run->target_given)
            command = add_side(command, "target", &run->target, arena);
        else if (run->is_made && run->target.rows && run->limit)
            command = arena_print(arena, "%s --limit %d", command, run->limit);
        if (run->row) command = arena_print(arena, "%s --batch %d", command, run->row);
        if (picks) command = add_flag(command, "picks", picks, arena);
    }
    command = add_palette(session, arguments, command, arena);
    return add_flags(arguments, command, arena);
}

static void add_fact(Fact *fact, Figure *figure, const char *name, const char *value,
                     Arena *arena) {
    if (!value || !*value) return;
    fact[figure->facts++] = (Fact){name, unicode_escape(value, strlen(value), arena)};
}

void figures_add_facts(const Session *session, const Arguments *arguments,
                       const char *changes, const char *command, Figure *figure,
                       Arena *arena) {
    enum { FACTS = 11 };
    Fact *fact = ARENA_ARRAY(arena, Fact, FACTS);
    figure->fact = fact;
    bool toy = is_of_toy(session, arguments);
    const Needs needs = toy ? (Needs){0} : command_needs(arguments);
    if (toy) add_fact(fact, figure, N_("toy"), session->toy.typed, arena);
    if (shows_run(session, &needs)) {
        add_fact(fact, figure, N_("sentence"),
                 sentence_print(&session->run->source, arena), arena);
        const Side *target = &session->run->target;
        Builder text = {.arena = arena}; /* if it was generated */
        for (int r = 0; r < target->rows && !session->run->target_given; r++)
            build_item(&text, " | ", "%s",
                       tokenizer_decode(&session->model.target, target->sentence[r].id,
                                        target->sentence[r].count, arena));
        add_fact(fact, figure, N_("target"),
                 session->run->target_given ? sentence_print(target, arena)
                                            : builder_text(&text),
                 arena);
        add_fact(fact, figure, N_("changes"),
                 changes ? changes : changes_text(&session->what_if.changes, arena),
                 arena);
    }
    if (needs.model) {
        add_fact(fact, figure, N_("model"), model_name(session, arena), arena);
        add_fact(fact, figure, N_("options"), variants_print(session, arena), arena);
        add_fact(fact, figure, N_("seed"), session->model.seed, arena);
    }
    if (needs.run)
        add_fact(fact, figure, N_("tokens"), shown_print(&session->focus.tokens, arena),
                 arena);
    figure->in_words = toy || (needs.run && !figure->branches && !figure->stands_alone);
    if (figure->in_words)
        add_fact(fact, figure, N_("address"), arguments_text(arguments, arena), arena);
    add_fact(fact, figure, N_("beside"), arguments_flag(arguments, "beside"), arena);
    add_fact(fact, figure, N_("minus"), arguments_flag(arguments, "minus"), arena);
    add_fact(fact, figure, N_("command"),
             command ? command : figures_command(session, arguments, arena), arena);
}

bool figures_write(Session *session, const Arguments *arguments, const Figure *figure,
                   const char *path, Error *error) {
    const char *warning;
    if (!figure_save(figure, path, arguments_replace(arguments), &session->scratch,
                     &warning, error))
        return false;
    if (warning) page_line(&session->messages, "%s", session_safe(session, warning));
    return true;
}

bool figures_save(Session *session, const Arguments *arguments, const Figure *figure,
                  const char *path, Error *error) {
    if (!figures_write(session, arguments, figure, path, error)) return false;
    page_line(&session->page, "wrote %s", session_safe(session, path));
    return true;
}
