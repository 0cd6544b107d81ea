/* The pairs of the whole text are counted once. A merge changes only the counts of the
 * pairs next to it. So each pair has a list of its positions, in text order, and a heap
 * has the most frequent pair on top. */
#include <assert.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "base/interrupt.h"
#include "text/bytepair.h"
#include "text/letter_parts.h"

enum { NONE = -1, FIRST_SLOTS = 4096, BYTES = 256 };

/* A byte of the text's distinct pieces, which are concatenated. A token is stored at
 * the index of its first byte. */
typedef struct {
    int id;             /* of the token that starts here */
    int times;          /* how often this piece occurs in the text */
    int next, previous; /* neighbors in the piece, or NONE */
    int pair;           /* the pair of this token and the next one, or NONE */
    int later, earlier; /* other positions of that pair, or NONE */
} BytePlace;

typedef struct {
    int left, right; /* ids */
    int first, last; /* its first and last position, or NONE */
    long long count; /* how often it occurs in the text */
} TokenPair;

/* The values of a pair when it was pushed onto the heap. Later its count can only fall
 * and its first position only increase, so the top is checked and sifted down if it is
 * out of date. */
typedef struct {
    long long count;
    int first, pair;
} Candidate;

typedef struct {
    BytePlace *place;
    LetterParts *parts; /* by id */
    int part_capacity;
    TokenPair *pair;
    int pairs, pair_capacity;
    int *slot; /* a hash table of pairs + 1 by (left, right) */
    int slots;
    Candidate *heap;
    int candidates, heap_capacity;
    Arena arena;
} Learner;

static int *find_slot(const Learner *learner, int left, int right) {
    uint32_t mask = (uint32_t)learner->slots - 1;
    uint64_t key = (uint64_t)(uint32_t)left << 32 | (uint32_t)right;
    uint32_t hash = (uint32_t)(key * 0x9e3779b97f4a7c15u >> 32);
    for (uint32_t i = hash & mask;; i = (i + 1) & mask) {
        int *slot = &learner->slot[i];
        if (*slot == 0) return slot;
        const TokenPair *pair = &learner->pair[*slot - 1];
        if (pair->left == left && pair->right == right) return slot;
    }
}

static int find_pair(Learner *learner, int left, int right) {
    if (learner->pairs == learner->slots / 2) {
        learner->slots = learner->slots ? 2 * learner->slots : FIRST_SLOTS;
        learner->slot = ARENA_ARRAY(&learner->arena, int, learner->slots);
        for (int i = 0; i < learner->pairs; i++)
            *find_slot(learner, learner->pair[i].left, learner->pair[i].right) = i + 1;
    }
    int *slot = find_slot(learner, left, right);
    if (*slot) return *slot - 1;
    ARENA_GROW(&learner->arena, learner->pair, learner->pairs, learner->pair_capacity);
    learner->pair[learner->pairs] = (TokenPair){left, right, NONE, NONE, 0};
    *slot = ++learner->pairs;
    return *slot - 1;
}

/* Add the token at `here` and its successor to the pairs. */
static void enter(Learner *learner, int here) {
    if (here == NONE || learner->place[here].next == NONE) return;
    BytePlace *place = &learner->place[here];
    place->pair = find_pair(learner, place->id, learner->place[place->next].id);
    TokenPair *pair = &learner->pair[place->pair];
    place->earlier = pair->last;
    place->later = NONE;
    if (pair->last == NONE)
        pair->first = here;
    else
        learner->place[pair->last].later = here;
    pair->last = here;
    pair->count += place->times;
}

static void leave(Learner *learner, int here) {
    if (here == NONE || learner->place[here].pair == NONE) return;
    BytePlace *place = &learner->place[here];
    TokenPair *pair = &learner->pair[place->pair];
    if (place->earlier == NONE)
        pair->first = place->later;
    else
        learner->place[place->earlier].later = place->later;
    if (place->later == NONE)
        pair->last = place->earlier;
    else
        learner->place[place->later].earlier = place->earlier;
    pair->count -= place->times;
    place->pair = NONE;
}

/* Merge the token at `here` with its successor. */
static void join(Learner *learner, int here, int id) {
    BytePlace *place = &learner->place[here];
    int next = place->next;
    leave(learner, place->previous);
    leave(learner, here);
    leave(learner, next);
    place->id = id;
    place->next = learner->place[next].next;
    if (place->next != NONE) learner->place[place->next].previous = here;
    enter(learner, place->previous);
    enter(learner, here);
}

static bool is_better(Candidate one, Candidate other) {
    return one.count != other.count ? one.count > other.count : one.first < other.first;
}

/* Sift `candidate` down from the top of the heap. */
static void sink(Learner *learner, Candidate candidate) {
    Candidate *heap = learner->heap;
    int i = 0;
    for (int child; (child = 2 * i + 1) < learner->candidates; i = child) {
        if (child + 1 < learner->candidates && is_better(heap[child + 1], heap[child]))
            child++;
        if (!is_better(heap[child], candidate)) break;
        heap[i] = heap[child];
    }
    heap[i] = candidate;
}

static void push(Learner *learner, Candidate candidate) {
    ARENA_GROW(&learner->arena, learner->heap, learner->candidates,
               learner->heap_capacity);
    Candidate *heap = learner->heap;
    int i = learner->candidates++;
    for (int parent; i > 0 && is_better(candidate, heap[parent = (i - 1) / 2]);
         i = parent)
        heap[i] = heap[parent];
    heap[i] = candidate;
}

/* A pair that occurs once never becomes more frequent, so do not push it. */
static void push_pairs(Learner *learner, int from) {
    for (int i = from; i < learner->pairs; i++) {
        const TokenPair *pair = &learner->pair[i];
        if (pair->count > 1) push(learner, (Candidate){pair->count, pair->first, i});
    }
}

/* Pop the most frequent pair, or return NONE. */
static int take_best(Learner *learner) {
    while (learner->candidates > 0) {
        Candidate top = learner->heap[0];
        const TokenPair *pair = &learner->pair[top.pair];
        Candidate now = {pair->count, pair->first, top.pair};
        bool is_true = now.count == top.count && now.first == top.first;
        if (is_true || now.count < 2)
            sink(learner, learner->heap[--learner->candidates]);
        else
            sink(learner, now);
        if (is_true) return top.pair;
    }
    return NONE;
}

static void lay_out(Learner *learner, const Vocabulary *pieces, const int *times,
                    const int *byte) {
    int places = 0;
    for (int i = 0; i < pieces->count; i++) places += pieces->length[i];
    learner->place = ARENA_ARRAY(&learner->arena, BytePlace, places);
    BytePlace *place = learner->place;
    for (int i = 0, here = 0; i < pieces->count; i++)
        for (int k = 0; k < pieces->length[i]; k++, here++)
            place[here] = (BytePlace){
                .id = byte[(unsigned char)pieces->word[i][k]],
                .times = times[i],
                .next = k + 1 < pieces->length[i] ? here + 1 : NONE,
                .previous = k > 0 ? here - 1 : NONE,
                .pair = NONE,
            };
    for (int here = 0; here < places && !interrupt_signal(); here++)
        enter(learner, here);
    push_pairs(learner, 0);
}

static void learn_merges(Learner *learner, int words, Vocabulary *vocabulary,
                         BytePair *merges, Arena *arena) {
    while (vocabulary->count < words && !interrupt_signal()) {
        int best = take_best(learner);
        if (best == NONE) return;
        TokenPair pair = learner->pair[best];
        LetterParts joined;
        if (!letter_parts_join(learner->parts[pair.left], learner->parts[pair.right],
                               &joined))
            continue;
        const int length =
            vocabulary->length[pair.left] + vocabulary->length[pair.right];
        if (length > VOCABULARY_WORD_BYTES) continue;
        const char *word =
            arena_print(&learner->arena, "%s%s", vocabulary->word[pair.left],
                        vocabulary->word[pair.right]);
        if (vocabulary_find(vocabulary, word, length) >= 0) continue; /* it exists */
        int id = vocabulary_add(vocabulary, word, length, arena);
        ARENA_GROW(&learner->arena, learner->parts, id, learner->part_capacity);
        learner->parts[id] = joined;
        bytepair_add(merges, (Merge){pair.left, pair.right, id}, arena);
        int known = learner->pairs;
        while (learner->pair[best].first != NONE)
            join(learner, learner->pair[best].first, id);
        push_pairs(learner, known);
    }
}

static bool begin_vocabulary(Vocabulary *vocabulary, const TextToLearn *from,
                             Arena *arena, Error *error) {
    int count = 0;
    *vocabulary = (Vocabulary){0};
    for (const char *const *word = from->special; *word; word++, count++)
        vocabulary_add(vocabulary, *word, (int)strlen(*word), arena);
    for (int i = 0; i < BYTES; i++) {
        const char *word = bytepair_word(&(char){(char)i}, 1, arena);
        vocabulary_add(vocabulary, word, (int)strlen(word), arena);
    }
    if (vocabulary->count < count + BYTES)
        return fail(error,
                    "the special words must differ from each other and be longer "
                    "than one character");
    if (from->words < vocabulary->count)
        return fail(error,
                    "a vocabulary of byte pairs needs at least %d words, for the "
                    "special words and the bytes; found %d",
                    vocabulary->count, from->words);
    return true;
}

bool bytepair_learn(const TextToLearn *from, Vocabulary *vocabulary, BytePair *merges,
                    Arena *arena, Error *error) {
    *merges = (BytePair){0};
    if (from->size > INT_MAX / 2)
        return fail(error, "the text has %zu bytes; the limit for learning is %d",
                    from->size, INT_MAX / 2);
    if (!begin_vocabulary(vocabulary, from, arena, error)) return false;
    bytepair_find_bytes(merges, vocabulary);
    Learner learner = {0};
    Vocabulary pieces = {0};
    int *times = NULL;
    /* The distinct pieces of the text, and how often each occurs. */
    int capacity = 0;
    const int size = (int)from->size;
    for (int i = 0, length; i < size && !interrupt_signal(); i += length) {
        length = bytepair_piece(from->text + i, size - i);
        int count = pieces.count;
        int piece = vocabulary_add(&pieces, from->text + i, length, &learner.arena);
        if (piece == count) ARENA_GROW(&learner.arena, times, count, capacity);
        assert(times);
        times[piece] += 1;
    }
    lay_out(&learner, &pieces, times, merges->byte);
    learner.part_capacity = vocabulary->count;
    learner.parts = ARENA_ARRAY(&learner.arena, LetterParts, vocabulary->count);
    for (int i = 0; i < BYTES; i++)
        learner.parts[merges->byte[i]] = letter_parts_of_byte(i);
    learn_merges(&learner, from->words, vocabulary, merges, arena);
    arena_free(&learner.arena);
    return interrupt_none(error);
}
