#include "prompt/complete.h"

#include <ctype.h>
#include <string.h>

#include "command/command.h"
#include "command/figure_flags.h"
#include "explain/short_address.h"
#include "lens/lens.h"
#include "session/addresses.h"
#include "session/models.h"
#include "session/stops.h"
#include "text/label.h"
#include "walk/glossary.h"

/* A completion in progress, and its matches. */
typedef struct {
    const Session *session;
    const Command *command; /* command of the line, or NULL */
    const char *line;       /* up to the cursor */
    const char *word;       /* after its last space */
    const char *before;     /* the word before that */
    bool is_name;           /* the name of the command is being typed */
    Arena *arena;
    const char **match;
    int count, capacity;
} Completion;

static Completion completion_new(const Session *session, const char *line,
                                 const char *word, Arena *arena) {
    Completion c = {.session = session,
                    .line = line,
                    .word = word,
                    .is_name = !strchr(line, ' '),
                    .arena = arena};
    if (line[0] == ':')
        c.command = command_find(arena_copy(arena, line + 1, strcspn(line + 1, " ")));
    const char *end = line + strlen(line) - strlen(word);
    while (end > line && end[-1] == ' ') end--;
    const char *start = end;
    while (start > line && start[-1] != ' ') start--;
    c.before = arena_copy(arena, start, (size_t)(end - start));
    return c;
}

static bool begins(const char *text, const char *typed) {
    return strncmp(text, typed, strlen(typed)) == 0;
}

static void add_match(Completion *c, const char *match) {
    ARENA_GROW(c->arena, c->match, c->count, c->capacity);
    c->match[c->count++] = match;
}

/* Add a match, without duplicates. */
static void add_once(Completion *c, const char *match) {
    for (int i = 0; i < c->count; i++)
        if (strcmp(c->match[i], match) == 0) return;
    add_match(c, match);
}

/* Add it if it starts with what was typed. */
static void offer(Completion *c, const char *match) {
    if (begins(match, c->word)) add_once(c, match);
}

/* Add a dotted name up to the end of the next segment: if "enc" was typed, "encoder."
 * for "encoder.0.norm_1". */
static void offer_segment(Completion *c, const char *name, const char *typed) {
    size_t length = strlen(typed);
    if (!begins(name, typed)) return;
    length += strcspn(name + length, ".");
    length += name[length] == '.';
    add_once(c, arena_copy(c->arena, name, length));
}

/* Return the i-th name that can be completed, or NULL after the last. */
typedef const char *NameAt(const Session *session, int i, Arena *arena);

static const char *address_at(const Session *session, int i, Arena *arena) {
    (void)arena;
    Record record = session_record(session);
    return record_address(&record, i);
}

static const char *stop_at(const Session *session, int i, Arena *arena) {
    return i < stops_count(session) ? stops_name(session, i, arena) : NULL;
}

/* Offer names by segments, and continue while there is only one choice. */
static void offer_names(Completion *c, NameAt *name_at) {
    const char *typed = c->word;
    const char *name;
    for (;;) {
        c->count = 0;
        for (int i = 0; (name = name_at(c->session, i, c->arena)); i++)
            offer_segment(c, name, typed);
        if (c->count != 1) return;
        const char *only = c->match[0];
        if (strcmp(only, typed) == 0 || only[strlen(only) - 1] != '.') return;
        typed = only;
    }
}

/* Offer ends after a dot: "weights" of "encoder.0.self_attention.weights". */
static void offer_ends(Completion *c, NameAt *name_at) {
    const char *name;
    if (!isalpha((unsigned char)c->word[0])) return;
    for (int i = 0; (name = name_at(c->session, i, c->arena)); i++)
        for (const char *dot = strchr(name, '.'); dot; dot = strchr(dot + 1, '.'))
            offer_segment(c, dot + 1, c->word);
}

static void add_commands(Completion *c) {
    for (int i = 0; commands[i]; i++) offer(c, commands[i]->name);
    for (Group g = GROUP_NONE + 1; g < GROUPS; g++) offer(c, command_groups[g].name);
}

/* After an address, offer the words that select a part of it. */
static void add_addresses(Completion *c) {
    bool is_first = c->before[0] == ':';
    const char *choice;
    for (int i = 0;
         c->command->shows_here && !is_first && *c->word && (choice = short_choice(i));
         i++)
        offer(c, arena_print(c->arena, "%s ", choice));
    if (c->count == 0) offer_names(c, address_at);
    if (c->count == 0) offer_ends(c, address_at);
}

/* Offer stages, and ideas (walk/glossary.h) that are single words, so they can be typed
 * without quotes. */
static void add_stages(Completion *c) {
    offer_names(c, stop_at);
    if (!*c->word || c->count) return;
    offer_ends(c, stop_at);
    for (const Idea *idea = ideas; idea->words; idea++)
        for (const char *word = idea->words; *word; word += strspn(word, "|")) {
            size_t length = strcspn(word, "|");
            const char *copy = arena_copy(c->arena, word, length);
            if (!strchr(copy, ' ')) offer(c, copy);
            word += length;
        }
}

/* Return the name of the i-th value of an option, if its values have names. */
static const char *option_value(const Option *option, int i) {
    static const char *const truths[] = {"false", "true"};
    if (option->kind == &option_truth) return i < 2 ? truths[i] : NULL;
    bool named = option->kind == &option_choice || option->kind == &option_set_of;
    return named ? option_choice_name(option, i) : NULL;
}

/* Offer the names of options or, after a name, its values. */
static void add_options(Completion *c) {
    const Option *before = option_find_flag(config_keys, c->before);
    const char *value;
    for (int i = 0; before && (value = option_value(before, i)); i++) offer(c, value);
    if (before && before->kind->separator) offer(c, "none");
    if (before) return;
    for (const Option *key = config_keys; key->name; key++) offer(c, key->name);
    if (c->before[0] == ':') offer(c, "reset");
}

static void add_presets(Completion *c) {
    for (const Preset *preset = presets; preset->name; preset++) offer(c, preset->name);
}

static void add_truths(Completion *c) {
    offer(c, "on");
    offer(c, "off");
}

static void add_settings(Completion *c) {
    for (const Option *option = display_options; option->name; option++) {
        const char *name = arena_print(c->arena, "%s=", option->name);
        bool is_whole = begins(c->word, name);
        const char *value;
        if (!is_whole) offer(c, name);
        for (int i = 0; is_whole && (value = option_value(option, i)); i++)
            offer(c, arena_print(c->arena, "%s%s", name, value));
    }
}

/* Offer models that have a name; other models are folders, completed as files. */
static void add_models(Completion *c) {
    ModelList list;
    Error unread;
    models_list(&list, c->arena, &unread);
    for (int i = 0; i < list.count; i++) offer(c, list.model[i].name);
}

/* A term may have several words, and some may precede the current one. */
static void add_terms(Completion *c) {
    const char *typed = strchr(c->line, ' ');
    typed += strspn(typed, " ");
    size_t done = strlen(typed) - strlen(c->word);
    for (const Glossary *glossary = glossaries; glossary->title; glossary++)
        for (const GlossaryTerm *term = glossary->term; term->term; term++)
            if (begins(term->term, typed)) add_once(c, term->term + done);
}

static void add_lenses(Completion *c) {
    for (const Lens *lens = lenses; lens->name; lens++) offer(c, lens->name);
}

static void (*const adders[])(Completion *c) = {
    [CHOICE_COMMAND] = add_commands,
    [CHOICE_ADDRESS] = add_addresses,
    [CHOICE_STAGE] = add_stages,
    [CHOICE_SETTING] = add_settings,
    [CHOICE_MODEL] = add_models,
    [CHOICE_TERM] = add_terms,
    [CHOICE_OPTION] = add_options,
    [CHOICE_PRESET] = add_presets,
    [CHOICE_TRUTH] = add_truths,
    [CHOICE_LENS] = add_lenses,
    [CHOICE_FILE] = NULL,
};

/* Return the open bracket of an address at the end of the line, or NULL. */
static const char *open_bracket(const char *line) {
    const char *bracket;
    while ((bracket = strchr(line, '['))) {
        line = bracket + 1;
        while (*(line = address_item_end(line)) == ',') line++;
        if (!*line) return bracket;
    }
    return NULL;
}

/* Return the tensor named before the bracket or, without a name, the first tensor of
 * the stage; NULL if there is none. */
static const Tensor *tensor_before(const Completion *c, const char *bracket) {
    const WalkPlace here = walk_place(c->session, c->arena);
    const char *start = bracket;
    const char *note;
    const Tensor *tensor;
    Error error;
    while (start > c->line && start[-1] != ' ' && start[-1] != '\'') start--;
    const char *name = arena_copy(c->arena, start, (size_t)(bracket - start));
    if (!*name && here.count) name = here.shown[0];
    name = short_address(&here, name, c->arena, &note);
    return record_find(&here.record, name, c->arena, &tensor, &error) ? tensor : NULL;
}

/* The items of a bracket: those that are complete, and the one at the cursor. */
typedef struct {
    const Tensor *tensor;
    bool given[RANK_MAX];
    const char *last;   /* "qu", "query=나" */
    const char *equals; /* in it, or NULL */
    int axis;           /* axis of that name; -1: none */
} Items;

static Items read_items(const Tensor *tensor, const char *bracket, Arena *arena) {
    Items items = {.tensor = tensor, .axis = -1};
    const char *end = bracket;
    do { /* `end` is the bracket or comma before an item */
        if (items.axis >= 0) items.given[items.axis] = true;
        const char *item = items.last = end + 1 + strspn(end + 1, " ");
        end = address_item_end(item);
        items.equals = *item == '"' ? NULL : memchr(item, '=', (size_t)(end - item));
        const char *name =
            items.equals ? arena_copy(arena, item, (size_t)(items.equals - item)) : "";
        items.axis = tensor_axis(tensor, name);
    } while (*end);
    return items;
}

/* Offer labels as they are written in an address. If none matches, compare the text
 * inside their quotes, then the text after the leading space. All matches use the same
 * method, so that their common prefix is what was typed. */
static void offer_values(Completion *c, const Axis *axis, const char *typed) {
    enum { WRITTEN, LABEL, WORD, WAYS };
    int row = c->session->run->row;
    const char **choice = address_list(axis, row, 0, axis->size, true, c->arena);
    const char **label = address_list(axis, row, 0, axis->size, false, c->arena);
    for (int way = WRITTEN; way < WAYS && c->count == 0; way++)
        for (int i = 0; i < axis->size; i++) {
            const char *text = way == WRITTEN ? choice[i]
                               : way == LABEL ? label[i]
                                              : label_after_space(label[i]);
            if (text && begins(text, typed))
                add_match(c, choice[i]); /* labels are unique */
        }
    long long index; /* a label can also be chosen by index */
    if (c->count == 0 && option_whole(typed, &index) && index >= 0 &&
        index < axis->size)
        add_once(c, typed);
}

/* Inside the bracket of an address: axes, and after = labels and indices, quoted if
 * necessary. */
static void add_cells(Completion *c, const char *bracket) {
    const Tensor *tensor = tensor_before(c, bracket);
    if (!tensor) return;
    const Items items = read_items(tensor, bracket, c->arena);
    const char *typed = items.equals ? items.equals + 1 : items.last;
    if (items.equals && items.axis < 0) return;
    if (items.equals) offer_values(c, &tensor->axis[items.axis], typed);
    bool more = false; /* after a complete value: the next axis, or the end */
    for (int a = 0; a < tensor->rank; a++) {
        const char *name = tensor->axis[a].name;
        const char *gap = !*items.last && items.last[-1] == ',' ? " " : "";
        if (items.given[a] || tensor->axis[a].size == 1) continue;
        more = more || (a != items.axis && a != tensor_axis(tensor, "batch"));
        if (!items.equals && begins(name, items.last))
            add_once(c, arena_print(c->arena, "%s%s=", gap, name));
    }
    if (items.equals && c->count == 1 && strcmp(c->match[0], typed) == 0)
        c->match[0] = arena_print(c->arena, "%s%s", typed, more ? ", " : "]");
    /* Matches replace `typed`, but readline replaces the word, which may be longer or
     * shorter. */
    size_t word_length = strlen(c->word);
    size_t length = strlen(typed);
    size_t cut = length > word_length ? length - word_length : 0;
    size_t kept = cut ? 0 : word_length - length;
    int count = 0;
    for (int i = 0; i < c->count; i++)
        if (strncmp(c->match[i], typed, cut) == 0)
            c->match[count++] =
                arena_print(c->arena, "%.*s%s", (int)kept, c->word, c->match[i] + cut);
    c->count = count;
}

static bool wants_model(const Completion *c) {
    return c->command->choice == CHOICE_MODEL || strcmp(c->before, "--model") == 0;
}

/* Offer the words of a command, and its flags. */
static void add_arguments(Completion *c) {
    const char *bracket = open_bracket(c->line);
    const char *value;
    int values = 0;
    if (bracket && c->command->choice == CHOICE_ADDRESS) {
        add_cells(c, bracket);
        return;
    }
    if (c->word[0] == '-') {
        const Flag *flag;
        for (int f = 0; (flag = command_flag(c->command, f)); f++)
            offer(c, arena_print(c->arena, "--%s", flag->name));
        bool takes_options = c->command->takes_options;
        for (const Option *key = config_keys; takes_options && key->name; key++)
            offer(c, arena_print(c->arena, "--%s", option_flag(key, c->arena)));
        return;
    }
    for (; (value = figure_flags_choice(c->command, c->before, values)); values++)
        offer(c, value);
    if (values) return;
    if (wants_model(c))
        add_models(c);
    else if (adders[c->command->choice])
        adders[c->command->choice](c);
}

const char *const *complete_words(const Session *session, const char *line,
                                  const char *word, Arena *arena, int *count) {
    Completion c = completion_new(session, line, word, arena);
    if (c.is_name && line[0] == ':')
        for (int i = 0; commands[i]; i++)
            offer(&c, arena_print(arena, ":%s", commands[i]->name));
    else if (c.command)
        add_arguments(&c);
    *count = c.count;
    return c.match;
}

bool complete_is_whole(const char *line, const char *word) {
    Arena arena = {0};
    const Completion c = completion_new(NULL, line, word, &arena);
    arena_free(&arena);
    bool grows =
        c.command && !c.is_name &&
        (c.command->choice == CHOICE_ADDRESS || c.command->choice == CHOICE_STAGE);
    return word[0] && !strchr(word, '=') && (!grows || word[0] == '-');
}

/* True for a flag whose value is a file, and for words of commands that take files. */
bool complete_wants_file(const char *line, const char *word) {
    Arena arena = {0};
    const Completion c = completion_new(NULL, line, word, &arena);
    bool wants =
        c.command && !c.is_name && word[0] != '-' &&
        (c.command->choice == CHOICE_FILE || (wants_model(&c) && strchr(word, '/')) ||
         strcmp(c.before, "-o") == 0 || strcmp(c.before, "--output") == 0);
    arena_free(&arena);
    return wants;
}
