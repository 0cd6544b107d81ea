#include <string.h>

#include "learn/grammar_derivation.h"

enum { DEEPEST = 32 }; /* a rule that uses itself for ever ends here */

typedef struct {
    const Category *category;
    const char *asked;
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
} Walk;

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
                 Arena *arena, const Category **category, const char **asked,
                 Error *error) {
    if ((*category = grammar_category(grammar, spec)) != NULL) { /* also "[a|b]" */
        *asked = "";
        return true;
    }
    /* Without the rules around it, what a rule can be does not depend on its place. */
    Derivation alone = *at;
    alone.parent = NULL;
    const char *text;
    if (!grammar_text(&alone, spec, arena, &text, error)) return false;
    size_t length = strcspn(text, ":");
    const char *name = arena_copy(arena, text, length);
    *asked = text[length] ? text + length + 1 : "";
    *category = grammar_category(grammar, name);
    return *category || fail(error, "%s: no category '%s' for the slot '%s'",
                             grammar->path, name, spec);
}

static bool nothing_fits(const Walk *walk, const Category *category,
                         const char *asked) {
    return fail(walk->error, "%s: nothing in '%s' is '%s'", walk->grammar->path,
                category->name, asked);
}

static const Alternative *draw(Walk *walk, const Category *category,
                               const char *asked) {
    const Alternative **fitting =
        ARENA_ARRAY(walk->arena, const Alternative *, category->count);
    int count = 0;
    double total = 0;
    for (int i = 0; i < category->count; i++) {
        const Alternative *alternative = &category->alternative[i];
        if (!grammar_fits(alternative->kinds, asked)) continue;
        fitting[count++] = alternative;
        total += alternative->weight;
    }
    if (count == 0) return NULL;
    double left = random_unit(walk->random) * total;
    int index = 0;
    while (index < count - 1 && (left -= fitting[index]->weight) >= 0) index++;
    return fitting[index];
}

static bool derive(Walk *walk, const Category *category, const char *asked,
                   const Derivation *parent, Derivation *derivation) {
    const Alternative *chosen = draw(walk, category, asked);
    if (!chosen) return nothing_fits(walk, category, asked);
    if (++walk->depth > DEEPEST)
        return fail(walk->error, "%s: the rules of '%s' use themselves without end",
                    walk->grammar->path, category->name);
    Derivation *child = ARENA_ARRAY(walk->arena, Derivation, chosen->slots);
    *derivation = (Derivation){.chosen = chosen,
                               .parent = parent,
                               .child = child,
                               .asked = asked,
                               .number = walk->number++};
    for (int i = 0; i < chosen->slots; i++) {
        const Category *next;
        if (!grammar_ask(walk->grammar, derivation, chosen->slot[i].text, walk->arena,
                         &next, &asked, walk->error) ||
            !derive(walk, next, asked, derivation, &child[i]))
            return false;
        derivation->children++;
    }
    walk->depth--;
    return true;
}

bool grammar_sentence(const Grammar *grammar, Random *random, Arena *arena, Pair *pair,
                      Error *error) {
    Walk walk = {.grammar = grammar, .random = random, .arena = arena, .error = error};
    Derivation sentence;
    return derive(&walk, grammar_category(grammar, "sentence"), "", NULL, &sentence) &&
           grammar_pair(grammar, &sentence, arena, pair, error);
}

static bool count_category(Walk *walk, const Category *category, const char *asked,
                           double *count);
static bool count_alternative(Walk *walk, const Alternative *alternative,
                              const char *asked, double *count);

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

/* The ways to fill the slots of `at` that are still empty. One that later slots ask
 * by is gone through; the others multiply. */
static bool count_slots(Walk *walk, Derivation *at, Derivation *child, double *count) {
    const Alternative *alternative = at->chosen;
    int index = at->children;
    *count = 1;
    if (index == alternative->slots) return true;
    const Category *category;
    const char *asked;
    if (!grammar_ask(walk->grammar, at, alternative->slot[index].text, walk->arena,
                     &category, &asked, walk->error))
        return false;
    double ways, rest;
    at->children++;
    if (!matters_later(alternative, index)) {
        child[index] =
            (Derivation){.chosen = &category->alternative[0], .asked = asked};
        if (!count_category(walk, category, asked, &ways) ||
            !count_slots(walk, at, child, &rest))
            return false;
        *count = ways * rest;
    } else {
        *count = 0;
        for (int i = 0; i < category->count; i++) {
            const Alternative *filling = &category->alternative[i];
            if (!grammar_fits(filling->kinds, asked)) continue;
            if (!count_alternative(walk, filling, asked, &ways)) return false;
            child[index] = (Derivation){.chosen = filling, .asked = asked};
            if (!count_slots(walk, at, child, &rest)) return false;
            *count += ways * rest;
        }
    }
    at->children--;
    return true;
}

static bool count_alternative(Walk *walk, const Alternative *alternative,
                              const char *asked, double *count) {
    Derivation *child = ARENA_ARRAY(walk->arena, Derivation, alternative->slots);
    Derivation at = {.chosen = alternative, .child = child, .asked = asked};
    return count_slots(walk, &at, child, count);
}

static bool count_category(Walk *walk, const Category *category, const char *asked,
                           double *count) {
    for (int i = 0; i < walk->knowns; i++)
        if (walk->known[i].category == category &&
            strcmp(walk->known[i].asked, asked) == 0) {
            *count = walk->known[i].count;
            return true;
        }
    if (++walk->depth > DEEPEST)
        return fail(walk->error, "%s: the rules of '%s' use themselves without end",
                    walk->grammar->path, category->name);
    *count = 0;
    for (int i = 0; i < category->count; i++) {
        const Alternative *alternative = &category->alternative[i];
        if (!grammar_fits(alternative->kinds, asked)) continue;
        double ways;
        if (!count_alternative(walk, alternative, asked, &ways)) return false;
        *count += ways;
    }
    walk->depth--;
    if (*count == 0) return nothing_fits(walk, category, asked);
    ARENA_GROW(walk->arena, walk->known, walk->knowns, walk->capacity);
    walk->known[walk->knowns++] = (Known){category, asked, *count};
    return true;
}

bool grammar_count(const Grammar *grammar, double *count, Error *error) {
    Arena arena = {0};
    Walk walk = {.grammar = grammar, .arena = &arena, .error = error};
    bool done = count_category(&walk, grammar_category(grammar, "sentence"), "", count);
    arena_free(&arena);
    return done;
}
