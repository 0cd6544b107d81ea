#include "prompt/matches.h"

#include <ctype.h>
#include <string.h>

#include "explain/idea.h"
#include "session/stops.h"

void matches_add(Matches *matches, const char *word) {
    for (int i = 0; i < matches->count; i++)
        if (strcmp(matches->word[i], word) == 0) return;
    ARENA_GROW(matches->arena, matches->word, matches->count, matches->capacity);
    matches->word[matches->count++] = word;
}

void matches_offer(Matches *matches, const char *word, const char *typed) {
    if (strncmp(word, typed, strlen(typed)) == 0) matches_add(matches, word);
}

/* The same of a name with dots, up to the end of the next segment: of
 * "encoder.0.norm_1" typed "enc" that is "encoder.". */
static void offer_segment(Matches *matches, const char *name, const char *typed) {
    size_t length = strlen(typed);
    if (strncmp(name, typed, length) != 0) return;
    length += strcspn(name + length, ".");
    length += name[length] == '.';
    matches_add(matches, arena_copy(matches->arena, name, length));
}

/* The i-th name that can be completed, or NULL after the last. */
typedef const char *NameAt(const Session *session, int i, Arena *arena);

static const char *address_at(const Session *session, int i, Arena *arena) {
    (void)arena;
    Record record = session_record(session);
    return record_address(&record, i);
}

static const char *stop_at(const Session *session, int i, Arena *arena) {
    return i < stops_count(session) ? stops_name(session, i, arena) : NULL;
}

/* Whole names, and further where there is only one way. */
static void offer_names(Matches *matches, const Session *session, NameAt *name_at,
                        const char *typed) {
    for (;;) {
        const char *name;
        matches->count = 0;
        for (int i = 0; (name = name_at(session, i, matches->arena)); i++)
            offer_segment(matches, name, typed);
        if (matches->count != 1) return;
        const char *only = matches->word[0];
        if (strcmp(only, typed) == 0 || only[strlen(only) - 1] != '.') return;
        typed = only;
    }
}

/* What begins behind a dot: "weights" of "encoder.0.self_attention.weights". */
static void offer_ends(Matches *matches, const Session *session, NameAt *name_at,
                       const char *typed) {
    const char *name;
    if (!isalpha((unsigned char)typed[0])) return;
    for (int i = 0; (name = name_at(session, i, matches->arena)); i++)
        for (const char *dot = strchr(name, '.'); dot; dot = strchr(dot + 1, '.'))
            offer_segment(matches, dot + 1, typed);
}

void matches_addresses(Matches *matches, const Session *session, const char *typed) {
    offer_names(matches, session, address_at, typed);
    if (matches->count == 0) offer_ends(matches, session, address_at, typed);
}

/* The words of an idea that are one word, so that they can be typed as they stand. */
static void offer_idea(Matches *matches, const Idea *idea, const char *typed) {
    for (const char *word = idea->words; *word; word += strspn(word, "|")) {
        size_t length = strcspn(word, "|");
        const char *copy = arena_copy(matches->arena, word, length);
        if (!strchr(copy, ' ')) matches_offer(matches, copy, typed);
        word += length;
    }
}

void matches_stages(Matches *matches, const Session *session, const char *typed) {
    offer_names(matches, session, stop_at, typed);
    if (!*typed || matches->count) return;
    offer_ends(matches, session, stop_at, typed);
    for (const Idea *idea = ideas; idea->words; idea++)
        offer_idea(matches, idea, typed);
}
