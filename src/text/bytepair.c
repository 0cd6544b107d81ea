#include "text/bytepair.h"

#include <stdint.h>
#include <string.h>

enum { FIRST_SLOTS = 512 };

/* The slot that holds the merge of these two, or the free one where it belongs. */
static int *find_slot(const BytePair *merges, int left, int right) {
    uint32_t mask = (uint32_t)merges->slots - 1;
    uint64_t key = (uint64_t)(uint32_t)left << 32 | (uint32_t)right;
    uint32_t hash = (uint32_t)(key * 0x9e3779b97f4a7c15u >> 32);
    for (uint32_t i = hash & mask;; i = (i + 1) & mask) {
        int *slot = &merges->slot[i];
        if (*slot == 0) return slot;
        const Merge *merge = &merges->merge[*slot - 1];
        if (merge->left == left && merge->right == right) return slot;
    }
}

int bytepair_rank(const BytePair *merges, int left, int right) {
    if (merges->slots == 0) return -1;
    return *find_slot(merges, left, right) - 1;
}

/* The table is at most half full, so `slots` / 2 is also the room for merges. */
static void grow(BytePair *merges, Arena *arena) {
    BytePair old = *merges;
    merges->slots = old.slots ? 2 * old.slots : FIRST_SLOTS;
    merges->slot = ARENA_ARRAY(arena, int, merges->slots);
    merges->merge = ARENA_ARRAY(arena, Merge, merges->slots / 2);
    for (int rank = 0; rank < old.count; rank++) {
        merges->merge[rank] = old.merge[rank];
        int *slot = find_slot(merges, old.merge[rank].left, old.merge[rank].right);
        if (*slot == 0) *slot = rank + 1;
    }
}

void bytepair_add(BytePair *merges, Merge merge, Arena *arena) {
    if (merges->count == merges->slots / 2) grow(merges, arena);
    int *slot = find_slot(merges, merge.left, merge.right);
    merges->merge[merges->count++] = merge;
    if (*slot == 0) *slot = merges->count;
}

/* A piece while it is encoded: a chain of tokens, each at the place of its first byte,
 * and a heap of the merges that could be made, lowest rank and place on top. An entry
 * of the heap may be out of date; it is checked when it comes up. */
typedef struct {
    const BytePair *merges;
    int *id;   /* by place; -1: inside of a token */
    int *next; /* the place of the neighbour, -1: none */
    int *previous;
    int *joined;    /* places of the tokens that one merge made */
    uint64_t *heap; /* rank << 32 | place */
    int waiting;    /* entries of the heap */
} Chain;

static void push(Chain *chain, uint64_t entry) {
    uint64_t *heap = chain->heap;
    int i = chain->waiting++;
    for (int parent; i > 0 && heap[parent = (i - 1) / 2] > entry; i = parent)
        heap[i] = heap[parent];
    heap[i] = entry;
}

static uint64_t pop(Chain *chain) {
    uint64_t *heap = chain->heap;
    uint64_t top = heap[0];
    uint64_t last = heap[--chain->waiting];
    int i = 0;
    for (int child; (child = 2 * i + 1) < chain->waiting; i = child) {
        if (child + 1 < chain->waiting && heap[child + 1] < heap[child]) child++;
        if (heap[child] >= last) break;
        heap[i] = heap[child];
    }
    heap[i] = last;
    return top;
}

/* The rank of the token at `place` with the one behind it, or -1. */
static int rank_at(const Chain *chain, int place) {
    if (place < 0 || chain->id[place] < 0 || chain->next[place] < 0) return -1;
    return bytepair_rank(chain->merges, chain->id[place],
                         chain->id[chain->next[place]]);
}

static void offer(Chain *chain, int place) {
    int rank = rank_at(chain, place);
    if (rank >= 0) push(chain, (uint64_t)rank << 32 | (uint32_t)place);
}

static void join(Chain *chain, int place, int id) {
    int gone = chain->next[place];
    int behind = chain->next[gone];
    chain->id[place] = id;
    chain->id[gone] = -1;
    chain->next[place] = behind;
    if (behind >= 0) chain->previous[behind] = place;
}

/* Make the merge on top of the heap wherever it can be made, from left to right. Only
 * then are the new pairs looked at, as in GPT-2: a file may rank them lower. */
static void merge_all(Chain *chain) {
    int rank = (int)(chain->heap[0] >> 32);
    int count = 0;
    while (chain->waiting > 0 && (int)(chain->heap[0] >> 32) == rank) {
        int place = (int)(pop(chain) & UINT32_MAX);
        if (rank_at(chain, place) != rank) continue;
        join(chain, place, chain->merges->merge[rank].joined);
        chain->joined[count++] = place;
    }
    for (int i = 0; i < count; i++) {
        offer(chain, chain->previous[chain->joined[i]]);
        offer(chain, chain->joined[i]);
    }
}

int bytepair_encode(const BytePair *merges, const char *piece, int length, int *id,
                    Arena *scratch) {
    size_t places = (size_t)length * sizeof(int);
    Chain chain = {
        .merges = merges,
        .id = id,
        .next = arena_take_raw(scratch, places),
        .previous = arena_take_raw(scratch, places),
        .joined = arena_take_raw(scratch, places),
        /* One entry for each pair at the start, two for each of the merges. */
        .heap = arena_take_raw(scratch, 3 * (size_t)length * sizeof(uint64_t)),
    };
    for (int i = 0; i < length; i++) {
        id[i] = merges->byte[(unsigned char)piece[i]];
        chain.next[i] = i + 1 < length ? i + 1 : -1;
        chain.previous[i] = i - 1;
    }
    for (int i = 0; i < length; i++) offer(&chain, i);
    while (chain.waiting > 0) merge_all(&chain);
    int count = 0;
    for (int i = 0; i < length; i++)
        if (id[i] >= 0) id[count++] = id[i];
    return count;
}

static MergeStep first_step(const BytePair *merges, const char *piece, int length,
                            Arena *arena) {
    int *id = ARENA_ARRAY(arena, int, length);
    int *bytes = ARENA_ARRAY(arena, int, length);
    for (int i = 0; i < length; i++) {
        id[i] = merges->byte[(unsigned char)piece[i]];
        bytes[i] = 1;
    }
    return (MergeStep){-1, id, bytes, length};
}

/* The lowest rank among the pairs of neighbours, or -1. */
static int lowest_rank(const BytePair *merges, const MergeStep *step) {
    int lowest = -1;
    for (int i = 0; i + 1 < step->count; i++) {
        int rank = bytepair_rank(merges, step->id[i], step->id[i + 1]);
        if (rank >= 0 && (lowest < 0 || rank < lowest)) lowest = rank;
    }
    return lowest;
}

static MergeStep step_after(const MergeStep *step, const Merge *merge, int rank,
                            Arena *arena) {
    int *id = ARENA_ARRAY(arena, int, step->count);
    int *bytes = ARENA_ARRAY(arena, int, step->count);
    int count = 0;
    for (int i = 0; i < step->count; i++, count++) {
        bool joins = i + 1 < step->count && step->id[i] == merge->left &&
                     step->id[i + 1] == merge->right;
        id[count] = joins ? merge->joined : step->id[i];
        bytes[count] = joins ? step->bytes[i] + step->bytes[i + 1] : step->bytes[i];
        i += joins;
    }
    return (MergeStep){rank, id, bytes, count};
}

int bytepair_watch(const BytePair *merges, const char *piece, int length,
                   MergeStep **step, Arena *arena) {
    *step = NULL;
    if (length < 1 || length > BYTEPAIR_WATCH_BYTES) return 0;
    /* Each merge makes the chain shorter by one at least. */
    MergeStep *steps = ARENA_ARRAY(arena, MergeStep, length);
    *step = steps;
    steps[0] = first_step(merges, piece, length, arena);
    for (int count = 1;; count++) {
        int rank = lowest_rank(merges, &steps[count - 1]);
        if (rank < 0) return count;
        steps[count] = step_after(&steps[count - 1], &merges->merge[rank], rank, arena);
    }
}
