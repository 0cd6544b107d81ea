#include "text/vocabulary.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "base/file.h"
#include "base/interrupt.h"
#include "base/json.h"
#include "text/unicode.h"

enum {
    FIRST_SLOTS = 64,
    FILE_BYTES = 64 * 1024 * 1024,
    CELLS_SHOWN = 40,
    BYTES_SHOWN = 256
};

uint64_t vocabulary_seed(void) {
    uint64_t seed = 0;
    /* Without random bytes, a table is only easier to slow down. */
    if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) < 0) seed = 0;
    return seed;
}

/* FNV-1a. */
static uint32_t hash(uint64_t seed, const char *word, int length) {
    uint64_t hash = 14695981039346656037u ^ seed;
    for (int i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)word[i]) * 1099511628211u;
    return (uint32_t)(hash ^ hash >> 32);
}

/* Return the slot of the word, or the free slot where it belongs. */
static int *find_slot(const Vocabulary *vocabulary, const char *word, int length) {
    uint32_t mask = (uint32_t)vocabulary->slots - 1;
    for (uint32_t i = hash(vocabulary->seed, word, length) & mask;;
         i = (i + 1) & mask) {
        int *slot = &vocabulary->slot[i];
        int id = *slot - 1;
        if (id < 0) return slot;
        if (vocabulary->length[id] == length &&
            memcmp(vocabulary->word[id], word, (size_t)length) == 0)
            return slot;
    }
}

/* The table is at most half full, so `slots` / 2 is also the capacity for words. */
static void grow(Vocabulary *vocabulary, int slots, Arena *arena) {
    Vocabulary grown = {.count = vocabulary->count, .slots = slots};
    grown.seed = vocabulary->slots ? vocabulary->seed : vocabulary_seed();
    grown.word = ARENA_ARRAY(arena, const char *, slots / 2);
    grown.length = ARENA_ARRAY(arena, int, slots / 2);
    grown.slot = ARENA_ARRAY(arena, int, slots);
    for (int id = 0; id < grown.count; id++) {
        grown.word[id] = vocabulary->word[id];
        grown.length[id] = vocabulary->length[id];
        *find_slot(&grown, grown.word[id], grown.length[id]) = id + 1;
    }
    *vocabulary = grown;
}

int vocabulary_find(const Vocabulary *vocabulary, const char *word, int length) {
    if (vocabulary->slots == 0) return -1;
    return *find_slot(vocabulary, word, length) - 1;
}

int vocabulary_add(Vocabulary *vocabulary, const char *word, int length, Arena *arena) {
    int slots = vocabulary->slots;
    if (vocabulary->count == slots / 2)
        grow(vocabulary, slots ? 2 * slots : FIRST_SLOTS, arena);
    int *slot = find_slot(vocabulary, word, length);
    if (*slot) return *slot - 1;
    int id = vocabulary->count++;
    vocabulary->word[id] = arena_copy(arena, word, (size_t)length);
    vocabulary->length[id] = length;
    *slot = id + 1;
    return id;
}

const char *vocabulary_show(const char *word, int length, Arena *arena) {
    size_t shown = (size_t)(length < BYTES_SHOWN ? length : BYTES_SHOWN);
    return unicode_cut(unicode_escape(word, shown, arena), CELLS_SHOWN, arena);
}

static const char *show(const Json *entry, Arena *scratch) {
    return vocabulary_show(entry->name, (int)strlen(entry->name), scratch);
}

static bool read_words(Vocabulary *vocabulary, const char *path, Arena *arena,
                       Arena *scratch, Error *error) {
    Bytes bytes;
    const Json *json;
    if (!file_read_regular(path, FILE_BYTES, scratch, &bytes, error)) return false;
    if (!json_read(bytes, path, scratch, &json, error)) return false;
    if (json->type != JSON_MAP)
        return fail(error, "%s: found %s; expected an object of words and ids", path,
                    json_type_name(json));
    if (json->count == 0) return fail(error, "%s: it has no words", path);
    const Json **by_id = ARENA_ARRAY(scratch, const Json *, json->count);
    for (int i = 0; i < json->count; i++) {
        const Json *entry = &json->child[i];
        size_t length = strlen(entry->name);
        if (!interrupt_none(error)) return false;
        if (length == 0 || length > VOCABULARY_WORD_BYTES)
            return fail(error, "%s: the word '%s' has %zu bytes; a word has 1 to %d",
                        path, show(entry, scratch), length, VOCABULARY_WORD_BYTES);
        if (entry->type != JSON_WHOLE)
            return fail(error, "%s: the id of '%s' is %s; expected a whole number",
                        path, show(entry, scratch), json_type_name(entry));
        if (entry->whole < 0 || entry->whole >= json->count)
            return fail(
                error, "%s: '%s' has the id %lld; the ids of %d words are 0 to %d",
                path, show(entry, scratch), entry->whole, json->count, json->count - 1);
        const Json *other = by_id[entry->whole];
        if (other)
            return fail(error, "%s: '%s' and '%s' have the same id %lld", path,
                        show(other, scratch), show(entry, scratch), entry->whole);
        by_id[entry->whole] = entry;
    }
    int slots = FIRST_SLOTS;
    while (slots / 2 < json->count) slots *= 2;
    *vocabulary = (Vocabulary){0};
    grow(vocabulary, slots, arena);
    for (int id = 0; id < json->count && !interrupt_signal(); id++)
        vocabulary_add(vocabulary, by_id[id]->name, (int)strlen(by_id[id]->name),
                       arena);
    return interrupt_none(error);
}

bool vocabulary_read(Vocabulary *vocabulary, const char *path, Arena *arena,
                     Error *error) {
    Arena scratch = {0};
    bool done = read_words(vocabulary, path, arena, &scratch, error);
    arena_free(&scratch);
    return done;
}

bool vocabulary_save(const Vocabulary *vocabulary, const char *path, bool replace,
                     Error *error) {
    FileSave save;
    if (!file_save_begin(&save, path, replace, error)) return false;
    Arena scratch = {0};
    for (int id = 0; id < vocabulary->count; id++) {
        const char *before = id ? ",\n" : "{\n";
        fprintf(save.stream, "%s%s: %d", before,
                json_quote(vocabulary->word[id], &scratch), id);
        arena_reset(&scratch);
    }
    fprintf(save.stream, "%s}\n", vocabulary->count ? "\n" : "{");
    arena_free(&scratch);
    return file_save_end(&save, error);
}
