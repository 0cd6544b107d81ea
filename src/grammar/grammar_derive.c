#include <string.h>

#include "grammar/grammar_derivation.h"

typedef struct {
    Demand asked;
    double count;
} Known;

typedef struct {
    const Grammar *grammar;
    Random *random; /* drawing */
    int number;
    Known *known; /* counting: what was counted before */
    int knowns, capacity;
    int depth;
    Arena *arena;
    Error *error;
} DeriveState;

/* Is the word among those of `list`, which has spaces between? */
static bool has_word(const char *list, const char *word, size_t length) {
    for (const char *at = list; *at; at++) {
        size_t same = 0;
        while (same < length && at[same] == word[same]) same++;
        if (same == length && (at[same] == ' ' || at[same] == '\0')) return true;
        at += same;
        while (*at && *at != ' ') at++;
        if (!*at) return false;
    }
    return false;
}

bool grammar_fits(const char *kinds, const char *asked) {
    if (strcmp(kinds, "*") == 0 || *asked == '\0') return true;
    bool fits = false;
    for (const char *at = asked;; at += strspn(at, " ")) {
        size_t length = strcspn(at, " &");
        if (length > 0 && has_word(kinds, at, length)) fits = true;
        at += length;
        at += strspn(at, " ");
        if (*at == '\0') return fits;
        if (*at != '&') continue;
        if (!fits) return false;
        fits = false;
        at++;
    }
}

bool grammar_ask(const Grammar *grammar, const Derivation *at, const char *spec,
                 Arena *arena, Demand *asked, Error *error) {
    *asked = (Demand){grammar_category(grammar, spec), ""}; /* also "[a|b]" */
    if (asked->category) return true;
    /* Without the rules around it, what a rule can be does not depend on its place. */
    Derivation alone = *at;
    alone.parent = NULL;
    const char *text;
    if (!grammar_text(&alone, spec, arena, &text, error)) return false;
    size_t length = strcspn(text, ":");
    const char *name = arena_copy(arena, text, length);
    *asked = (Demand){grammar_category(grammar, name),
                      text[length] ? text + length + 1 : ""};
    return asked->category || fail(error, "%s: no category '%s' for the slot '%s'",
                                   grammar->path, name, spec);
}

static bool nothing_fits(const DeriveState *walk, Demand asked) {
    return fail(walk->error, "%s: nothing in '%s' is '%s'", walk->grammar->path,
                asked.category->name, asked.kinds);
}

static bool too_deep(const DeriveState *walk, Demand asked) {
    return fail(walk->error, "%s: the rules of '%s' use themselves without end",
                walk->grammar->path, asked.category->name);
}

static const Alternative *draw(DeriveState *walk, Demand asked) {
    const Category *category = asked.category;
    const Alternative **fitting =
        ARENA_ARRAY(walk->arena, const Alternative *, category->count);
    int count = 0;
    double total = 0;
    for (int i = 0; i < category->count; i++) {
        const Alternative *alternative = &category->alternative[i];
        if (!grammar_fits(alternative->kinds, asked.kinds)) continue;
        fitting[count++] = alternative;
        total += alternative->weight;
    }
    if (count == 0) return NULL;
    double left = random_unit(walk->random) * total;
    int index = 0;
    while (index < count - 1 && (left -= fitting[index]->weight) >= 0) index++;
    return fitting[index];
}

static bool derive(DeriveState *walk, Demand asked, const Derivation *parent,
                   Derivation *derivation) {
    const Alternative *chosen = draw(walk, asked);
    if (!chosen) return nothing_fits(walk, asked);
    if (++walk->depth > RULES_DEEPEST) return too_deep(walk, asked);
    if (walk->number >= RULES_MAX)
        return fail(walk->error, "%s: a sentence uses more than %d rules",
                    walk->grammar->path, RULES_MAX);
    Derivation *child = ARENA_ARRAY(walk->arena, Derivation, chosen->slots);
    *derivation = (Derivation){.chosen = chosen,
                               .parent = parent,
                               .child = child,
                               .asked = asked.kinds,
                               .number = walk->number++};
    for (int i = 0; i < chosen->slots; i++) {
        Demand next;
        if (!grammar_ask(walk->grammar, derivation, chosen->slot[i].text, walk->arena,
                         &next, walk->error) ||
            !derive(walk, next, derivation, &child[i]))
            return false;
        derivation->children++;
    }
    walk->depth--;
    return true;
}

static Demand whole_sentence(const Grammar *grammar) {
    return (Demand){grammar_category(grammar, "sentence"), ""};
}

bool grammar_sentence(const Grammar *grammar, Random *random, Arena *arena,
                      SentencePair *pair, Error *error) {
    DeriveState walk = {
        .grammar = grammar, .random = random, .arena = arena, .error = error};
    Derivation sentence;
    return derive(&walk, whole_sentence(grammar), NULL, &sentence) &&
           grammar_pair(grammar, &sentence, arena, pair, error);
}

static bool count_asked(DeriveState *walk, Demand asked, double *count);
static bool count_alternative(DeriveState *walk, const Alternative *alternative,
                              const char *kinds, double *count);
static bool count_slots(DeriveState *walk, Derivation *at, Derivation *child,
                        double *count);

/* Does a slot behind slot `index` ask by what fills it? */
static bool matters_later(const Alternative *alternative, int index) {
    size_t length = strlen(alternative->slot[index].name);
    for (int i = index + 1; i < alternative->slots; i++)
        for (const char *at = strchr(alternative->slot[i].text, '{'); at;
             at = strchr(at + 1, '{'))
            if (strncmp(at + 1, alternative->slot[index].name, length) == 0 &&
                at[1 + length] == '.')
                return true;
    return false;
}

/* The ways to fill the slots of `at` from slot `index` on, which later ones ask by: it
 * is gone through. */
static bool count_each(DeriveState *walk, Derivation *at, Derivation *child,
                       Demand asked, double *count) {
    int index = at->children - 1;
    *count = 0;
    for (int i = 0; i < asked.category->count; i++) {
        const Alternative *filling = &asked.category->alternative[i];
        double ways = 0, rest = 0;
        if (!grammar_fits(filling->kinds, asked.kinds)) continue;
        if (!count_alternative(walk, filling, asked.kinds, &ways)) return false;
        child[index] = (Derivation){.chosen = filling, .asked = asked.kinds};
        if (!count_slots(walk, at, child, &rest)) return false;
        *count += ways * rest;
    }
    return true;
}

/* The same where slot `index` is of no influence on later ones: the ways multiply. */
static bool count_product(DeriveState *walk, Derivation *at, Derivation *child,
                          Demand asked, double *count) {
    double ways = 0, rest = 0;
    child[at->children - 1] =
        (Derivation){.chosen = &asked.category->alternative[0], .asked = asked.kinds};
    if (!count_asked(walk, asked, &ways) || !count_slots(walk, at, child, &rest))
        return false;
    *count = ways * rest;
    return true;
}

/* The ways to fill the slots of `at` that are still empty. */
static bool count_slots(DeriveState *walk, Derivation *at, Derivation *child,
                        double *count) {
    const Alternative *alternative = at->chosen;
    int index = at->children;
    Demand asked;
    *count = 1;
    if (index == alternative->slots) return true;
    if (!grammar_ask(walk->grammar, at, alternative->slot[index].text, walk->arena,
                     &asked, walk->error))
        return false;
    at->children++;
    bool done = matters_later(alternative, index)
                    ? count_each(walk, at, child, asked, count)
                    : count_product(walk, at, child, asked, count);
    at->children--;
    return done;
}

static bool count_alternative(DeriveState *walk, const Alternative *alternative,
                              const char *kinds, double *count) {
    Derivation *child = ARENA_ARRAY(walk->arena, Derivation, alternative->slots);
    Derivation at = {.chosen = alternative, .child = child, .asked = kinds};
    return count_slots(walk, &at, child, count);
}

static const Known *find_known(const DeriveState *walk, Demand asked) {
    for (int i = 0; i < walk->knowns; i++)
        if (walk->known[i].asked.category == asked.category &&
            strcmp(walk->known[i].asked.kinds, asked.kinds) == 0)
            return &walk->known[i];
    return NULL;
}

static bool count_asked(DeriveState *walk, Demand asked, double *count) {
    const Known *known = find_known(walk, asked);
    *count = known ? known->count : 0;
    if (known) return true;
    if (++walk->depth > RULES_DEEPEST) return too_deep(walk, asked);
    for (int i = 0; i < asked.category->count; i++) {
        const Alternative *alternative = &asked.category->alternative[i];
        double ways = 0;
        if (!grammar_fits(alternative->kinds, asked.kinds)) continue;
        if (!count_alternative(walk, alternative, asked.kinds, &ways)) return false;
        *count += ways;
    }
    walk->depth--;
    if (*count == 0) return nothing_fits(walk, asked);
    ARENA_GROW(walk->arena, walk->known, walk->knowns, walk->capacity);
    walk->known[walk->knowns++] = (Known){asked, *count};
    return true;
}

bool grammar_count(const Grammar *grammar, double *count, Error *error) {
    Arena arena = {0};
    DeriveState walk = {.grammar = grammar, .arena = &arena, .error = error};
    bool done = count_asked(&walk, whole_sentence(grammar), count);
    arena_free(&arena);
    return done;
}
