#include "text/bytepair.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/interrupt.h"
#include "text/unicode.h"

enum { FIRST_SLOTS = 512 };

/* Return the slot of the merge of this pair, or the free slot where it belongs. */
static int *find_slot(const BytePair *merges, int left, int right) {
    uint32_t mask = (uint32_t)merges->slots - 1;
    uint64_t key = (uint64_t)(uint32_t)left << 32 | (uint32_t)right;
    key = (key ^ merges->seed) * 0x9e3779b97f4a7c15u;
    uint32_t hash = (uint32_t)((key ^ key >> 32) * 0xbf58476d1ce4e5b9u >> 32);
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

void bytepair_add(BytePair *merges, Merge merge, Arena *arena) {
    /* The table is at most half full, so `slots` / 2 is also the capacity of
     * `merge`. */
    if (merges->count == merges->slots / 2) {
        const Merge *old = merges->merge;
        if (!merges->slots) merges->seed = vocabulary_seed();
        merges->slots = merges->slots ? 2 * merges->slots : FIRST_SLOTS;
        merges->slot = ARENA_ARRAY(arena, int, merges->slots);
        merges->merge = ARENA_ARRAY(arena, Merge, merges->slots / 2);
        for (int rank = 0; rank < merges->count; rank++) {
            merges->merge[rank] = old[rank];
            int *slot = find_slot(merges, old[rank].left, old[rank].right);
            if (*slot == 0) *slot = rank + 1;
        }
    }
    int *slot = find_slot(merges, merge.left, merge.right);
    merges->merge[merges->count++] = merge;
    if (*slot == 0) *slot = merges->count;
}

/* A piece while it is being encoded: a linked list of tokens, each stored at the index
 * of its first part, and a heap of possible merges, ordered by rank, then position. A
 * heap entry may be out of date; it is checked when it is popped. */
typedef struct {
    const BytePair *merges;
    int *id;    /* by position; -1: inside a token */
    int *bytes; /* covered by the token */
    int *next;  /* position of the neighbor, -1: none */
    int *previous;
    int *joined;    /* positions of the tokens that one merge made */
    uint64_t *heap; /* rank << 32 | position */
    int waiting;    /* number of heap entries */
} Chain;

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

/* Return the rank of merging the token at `place` with its successor, or -1. */
static int rank_at(const Chain *chain, int place) {
    if (place < 0 || chain->id[place] < 0 || chain->next[place] < 0) return -1;
    return bytepair_rank(chain->merges, chain->id[place],
                         chain->id[chain->next[place]]);
}

static void offer(Chain *chain, int place) {
    int rank = rank_at(chain, place);
    if (rank < 0) return;
    uint64_t entry = (uint64_t)rank << 32 | (uint32_t)place;
    uint64_t *heap = chain->heap;
    int i = chain->waiting++;
    for (int parent; i > 0 && heap[parent = (i - 1) / 2] > entry; i = parent)
        heap[i] = heap[parent];
    heap[i] = entry;
}

/* Apply the merge on top of the heap: everywhere, from left to right, or once. Push the
 * new pairs only afterwards: a file may give them a lower rank. */
static void merge_all(Chain *chain) {
    int rank = (int)(chain->heap[0] >> 32);
    int count = 0;
    while (chain->waiting > 0 && (int)(chain->heap[0] >> 32) == rank) {
        if (count == 1 && chain->merges->one_by_one) break;
        int place = (int)(pop(chain) & UINT32_MAX);
        if (rank_at(chain, place) != rank) continue;
        int gone = chain->next[place];
        int after = chain->next[gone];
        chain->id[place] = chain->merges->merge[rank].joined;
        chain->bytes[place] += chain->bytes[gone];
        chain->id[gone] = -1;
        chain->next[place] = after;
        if (after >= 0) chain->previous[after] = place;
        chain->joined[count++] = place;
    }
    for (int i = 0; i < count; i++) {
        offer(chain, chain->previous[chain->joined[i]]);
        offer(chain, chain->joined[i]);
    }
}

int bytepair_join(const BytePair *merges, int *id, int *bytes, int count,
                  Arena *scratch) {
    size_t places = (size_t)count * sizeof(int);
    Chain chain = {
        .merges = merges,
        .id = id,
        .bytes = bytes,
        .next = arena_take_raw(scratch, places),
        .previous = arena_take_raw(scratch, places),
        .joined = arena_take_raw(scratch, places),
        /* one entry for each initial pair, two for each merge */
        .heap = arena_take_raw(scratch, 3 * (size_t)count * sizeof(uint64_t)),
    };
    for (int i = 0; i < count; i++) {
        chain.next[i] = i + 1 < count ? i + 1 : -1;
        chain.previous[i] = i - 1;
    }
    for (int i = 0; i < count; i++) offer(&chain, i);
    while (chain.waiting > 0) merge_all(&chain);
    int left = 0;
    for (int i = 0; i < count; i++) {
        if (id[i] < 0) continue;
        bytes[left] = bytes[i];
        id[left++] = id[i];
    }
    return left;
}

void bytepair_begin(const BytePair *merges, const char *piece, int length, int *id,
                    int *bytes) {
    for (int i = 0; i < length; i++) {
        id[i] = merges->byte[(unsigned char)piece[i]];
        bytes[i] = 1;
    }
}

int bytepair_watch(const BytePair *merges, const int *id, const int *bytes, int count,
                   MergeStep **step, Arena *arena) {
    *step = NULL;
    if (count < 1 || count > BYTEPAIR_WATCH_MAX) return 0;
    /* Each merge shortens the list by at least one. */
    MergeStep *steps = ARENA_ARRAY(arena, MergeStep, count);
    *step = steps;
    steps[0] = (MergeStep){-1, id, bytes, count};
    for (int made = 1;; made++) {
        const MergeStep *before = &steps[made - 1];
        int rank = -1; /* the lowest rank of two adjacent tokens */
        for (int i = 0; i + 1 < before->count; i++) {
            int own = bytepair_rank(merges, before->id[i], before->id[i + 1]);
            if (own >= 0 && (rank < 0 || own < rank)) rank = own;
        }
        if (rank < 0) return made;
        const Merge *merge = &merges->merge[rank];
        int *ids = ARENA_ARRAY(arena, int, before->count);
        int *sizes = ARENA_ARRAY(arena, int, before->count);
        int left = 0;
        bool done = false;
        for (int i = 0; i < before->count; i++, left++) {
            bool joins = !done && i + 1 < before->count &&
                         before->id[i] == merge->left &&
                         before->id[i + 1] == merge->right;
            if (joins && merges->one_by_one) done = true;
            ids[left] = joins ? merge->joined : before->id[i];
            sizes[left] = before->bytes[i] + (joins ? before->bytes[i + 1] : 0);
            i += joins;
        }
        steps[made] = (MergeStep){rank, ids, sizes, left};
    }
}

enum { FILE_BYTES = 64 * 1024 * 1024, BYTES = 256 };

static const char version[] = "#version: 0.2";

/* GPT-2's table: the character that represents a byte in the files. Printable Latin-1
 * bytes represent themselves; the others are numbered from U+0100. */
static const struct {
    int first, last, character;
} byte_table[] = {
    {0x00, 0x20, 0x100}, {0x21, 0x7E, 0x21},  {0x7F, 0xA0, 0x121},
    {0xA1, 0xAC, 0xA1},  {0xAD, 0xAD, 0x143}, {0xAE, 0xFF, 0xAE},
};

enum { ROWS = sizeof byte_table / sizeof *byte_table };

const char *bytepair_bytes(const char *word, int *length, Arena *arena) {
    size_t size = strlen(word);
    char *bytes = arena_take(arena, size + 1);
    *length = 0;
    for (size_t i = 0; i < size;) {
        int used, row = 0, byte = 0;
        int character = unicode_decode(word + i, size - i, &used);
        for (; row < ROWS; row++) {
            byte = character - byte_table[row].character + byte_table[row].first;
            if (byte >= byte_table[row].first && byte <= byte_table[row].last) break;
        }
        if (row == ROWS) return NULL;
        bytes[(*length)++] = (char)byte;
        i += (size_t)used;
    }
    return bytes;
}

const char *bytepair_word(const char *bytes, int length, Arena *arena) {
    char *word = arena_take(arena, 2 * (size_t)length + 1);
    char *end = word;
    for (int i = 0; i < length; i++) {
        int byte = (unsigned char)bytes[i];
        int row = 0;
        while (byte > byte_table[row].last) row++;
        int character = byte_table[row].character + byte - byte_table[row].first;
        if (character >= 0x80) *end++ = (char)(0xC0 | character >> 6);
        *end++ = (char)(character < 0x80 ? character : 0x80 | (character & 0x3F));
    }
    return word;
}

int bytepair_find_bytes(BytePair *merges, const Vocabulary *vocabulary) {
    Arena scratch = {0};
    int missing = -1;
    for (int i = BYTES - 1; i >= 0; i--) {
        const char *word = bytepair_word(&(char){(char)i}, 1, &scratch);
        merges->byte[i] = vocabulary_find(vocabulary, word, (int)strlen(word));
        if (merges->byte[i] < 0) missing = i;
    }
    arena_free(&scratch);
    return missing;
}

/* A line of the file being read. */
typedef struct {
    const char *path;
    int number;
    const char *text;
    int length;
    const Vocabulary *vocabulary;
    Arena *scratch;
} MergeLine;

static bool find_word(const MergeLine *line, const char *word, int length, int *id,
                      Error *error) {
    *id = vocabulary_find(line->vocabulary, word, length);
    if (*id >= 0) return true;
    return fail(error, "%s:%d: the vocabulary has no word '%s'", line->path,
                line->number, vocabulary_show(word, length, line->scratch));
}

static bool add_line(BytePair *merges, const MergeLine *line, Arena *arena,
                     Error *error) {
    const char *left = line->text;
    if (line->number == 1 && strncmp(left, "#version", strlen("#version")) == 0)
        return true;
    const char *space = memchr(left, ' ', (size_t)line->length);
    int left_length = space ? (int)(space - left) : line->length;
    int right_length = line->length - left_length - 1;
    if (left_length == 0 || right_length < 1 ||
        memchr(space + 1, ' ', (size_t)right_length))
        return fail(error,
                    "%s:%d: found '%s'; expected two words separated by a "
                    "space",
                    line->path, line->number,
                    vocabulary_show(left, line->length, line->scratch));
    Merge merge;
    const char *right = space + 1;
    char *joined = arena_take(line->scratch, (size_t)(left_length + right_length));
    memcpy(joined, left, (size_t)left_length);
    memcpy(joined + left_length, right, (size_t)right_length);
    if (!find_word(line, left, left_length, &merge.left, error) ||
        !find_word(line, right, right_length, &merge.right, error) ||
        !find_word(line, joined, left_length + right_length, &merge.joined, error))
        return false;
    int rank = bytepair_rank(merges, merge.left, merge.right);
    if (rank >= 0)
        return fail(error, "%s:%d: '%s' is already in an earlier line", line->path,
                    line->number,
                    vocabulary_show(line->text, line->length, line->scratch));
    bytepair_add(merges, merge, arena);
    return true;
}

bool bytepair_read(BytePair *merges, const Vocabulary *vocabulary, const char *path,
                   Arena *arena, Error *error) {
    *merges = (BytePair){0};
    int missing = bytepair_find_bytes(merges, vocabulary);
    if (missing >= 0)
        return fail(error, "%s: the vocabulary has no word for the byte %02X", path,
                    (unsigned)missing);
    Arena scratch = {0};
    Bytes rest;
    MergeLine line = {.path = path, .vocabulary = vocabulary, .scratch = &scratch};
    bool done = file_read_regular(path, FILE_BYTES, &scratch, &rest, error);
    while (done && rest.size) {
        const char *next = memchr(rest.bytes, '\n', rest.size);
        const size_t length = next ? (size_t)(next - rest.bytes) : rest.size;
        line.text = rest.bytes;
        line.length = (int)length;
        if (length && line.text[length - 1] == '\r') line.length--;
        line.number++;
        done = interrupt_none(error) && add_line(merges, &line, arena, error);
        rest.bytes += length + (next != NULL);
        rest.size -= length + (next != NULL);
    }
    arena_free(&scratch);
    return done;
}

bool bytepair_save(const BytePair *merges, const Vocabulary *vocabulary,
                   const char *path, bool replace, Error *error) {
    FileSave save;
    if (!file_save_begin(&save, path, replace, error)) return false;
    fprintf(save.stream, "%s\n", version);
    for (int rank = 0; rank < merges->count; rank++)
        fprintf(save.stream, "%s %s\n", vocabulary->word[merges->merge[rank].left],
                vocabulary->word[merges->merge[rank].right]);
    return file_save_end(&save, error);
}

static const char *const contractions[] = {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"};

static Kind kind_at(const char *text, int left, int *length) {
    return unicode_kind(unicode_decode(text, (size_t)left, length));
}

/* Return the length of the run of one kind at `text`, and the start of its last
 * character. */
static int run_of_kind(const char *text, int left, Kind kind, int *last) {
    int end = 0;
    *last = 0;
    while (end < left) {
        int length;
        if (kind_at(text + end, left - end, &length) != kind) break;
        *last = length;
        end += length;
    }
    return end;
}

int bytepair_piece(const char *text, int left) {
    for (size_t i = 0; i < sizeof contractions / sizeof *contractions; i++) {
        int own = (int)strlen(contractions[i]);
        if (own <= left && memcmp(text, contractions[i], (size_t)own) == 0) return own;
    }
    int last;
    int spaces = run_of_kind(text, left, KIND_SPACE, &last);
    /* The last of several spaces belongs to the word after them. */
    if (spaces > last && spaces < left) return spaces - last;
    if (spaces == left || (spaces && text[0] != ' ')) return spaces;
    int length;
    Kind kind = kind_at(text + spaces, left - spaces, &length);
    return spaces + run_of_kind(text + spaces, left - spaces, kind, &last);
}
