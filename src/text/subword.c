#include "text/subword.h"

#include <stdio.h>
#include <string.h>

#include "text/unicode.h"

/* The tokens found so far. */
typedef struct {
    const Subword *model;
    int *id, *bytes;
    int count;
    int left_out; /* bytes not covered by a token yet */
} Found;

static void add(Found *found, int id, int bytes) {
    found->id[found->count] = id;
    found->bytes[found->count++] = bytes + found->left_out;
    found->left_out = 0;
}

/* Add a token for each byte; false if a byte has none. */
static bool add_bytes(Found *found, const char *text, int length) {
    int id[4];
    for (int b = 0; b < length; b++) {
        char word[sizeof "<0xEA>"];
        int size = snprintf(word, sizeof word, "<0x%02X>", (unsigned char)text[b]);
        id[b] = vocabulary_find(found->model->vocabulary, word, size);
        if (id[b] < 0) return false;
    }
    for (int b = 0; b < length; b++) add(found, id[b], 1);
    return true;
}

static void add_unknown(Found *found, int bytes) {
    const Subword *model = found->model;
    bool again = found->count > 0 && found->id[found->count - 1] == model->unknown;
    if (model->unknown < 0)
        found->left_out += bytes;
    else if (again && model->fuse_unknown)
        found->bytes[found->count - 1] += bytes;
    else
        add(found, model->unknown, bytes);
}

static int find(const Subword *model, const char *text, int length) {
    return vocabulary_find(model->vocabulary, text, length);
}

static int letter_bytes(const char *text, int left) {
    int bytes;
    unicode_decode(text, (size_t)left, &bytes);
    return bytes;
}

static void begin(Found *found, const char *piece, int length) {
    const Subword *model = found->model;
    for (int i = 0, size; i < length; i += size) {
        size = letter_bytes(piece + i, length - i);
        int id = find(model, piece + i, size);
        if (id >= 0)
            add(found, id, size);
        else if (!model->byte_fallback || !add_bytes(found, piece + i, size))
            add_unknown(found, size);
    }
}

int subword_begin(const Subword *model, const char *piece, int length, int *id,
                  int *bytes) {
    Found found = {.model = model};
    found.id = id;
    found.bytes = bytes;
    begin(&found, piece, length);
    if (found.count) bytes[found.count - 1] += found.left_out;
    return found.count;
}

static void cut_pairs(Found *found, const char *piece, int length, Arena *scratch) {
    const Subword *model = found->model;
    int whole = model->ignore_merges ? find(model, piece, length) : -1;
    if (whole >= 0) {
        add(found, whole, length);
        return;
    }
    begin(found, piece, length);
    found->count =
        bytepair_join(&model->merges, found->id, found->bytes, found->count, scratch);
}

/* Return the longest token at the start of `text`, or -1; `*size` becomes its
 * length. */
static int longest(const Subword *model, const char *text, int *size, bool inside,
                   Arena *scratch) {
    size_t mark = inside ? strlen(model->continuing) : 0;
    char *word = arena_take_raw(scratch, mark + (size_t)*size);
    memcpy(word, model->continuing, mark);
    memcpy(word + mark, text, (size_t)*size);
    for (; *size > 0; --*size) {
        bool cuts_letter = (text[*size] & 0xC0) == 0x80;
        int id = cuts_letter ? -1 : find(model, word, (int)mark + *size);
        if (id >= 0) return id;
    }
    return -1;
}

/* If any part of a word matches no token, the whole word is unknown. */
static void cut_longest(Found *found, const char *piece, int length, Arena *scratch) {
    const Subword *model = found->model;
    int letters = 0;
    for (int i = 0; i < length; i++) letters += (piece[i] & 0xC0) != 0x80;
    bool known = letters <= model->letters_max;
    const char *ended = arena_copy(scratch, piece, (size_t)length);
    for (int at = 0, size; known && at < length; at += size) {
        size = length - at;
        int room = VOCABULARY_WORD_BYTES; /* the longest possible token */
        if (size > room) size = room;
        int id = longest(model, ended + at, &size, at > 0, scratch);
        known = id >= 0;
        if (known) add(found, id, size);
    }
    if (known) return;
    found->count = 0;
    add_unknown(found, length);
}

/* The best path to a byte of the piece: Viterbi's algorithm. */
typedef struct {
    double score;
    int from; /* the byte where its last token starts; -1: not reached yet */
    int id;
} Way;

static void offer(Way *way, double score, int from, int id) {
    if (way->from < 0 || score > way->score) *way = (Way){score, from, id};
}

static void cut_best(Found *found, const char *piece, int length, Arena *scratch) {
    const double penalty = 10; /* puts an unknown character below the rarest token */
    const Subword *model = found->model;
    Way *way = ARENA_ARRAY(scratch, Way, length + 1);
    for (int i = 0; i <= length; i++) way[i].from = -1;
    for (int at = 0, letter; at < length; at += letter) {
        letter = letter_bytes(piece + at, length - at);
        bool single = false;
        int max = length - at < model->longest ? length - at : model->longest;
        for (int size = letter; size <= max;) {
            int id = find(model, piece + at, size);
            if (id >= 0) {
                offer(&way[at + size], way[at].score + model->score[id], at, id);
                single |= size == letter;
            }
            if (size == max) break;
            size += letter_bytes(piece + at + size, length - at - size);
        }
        if (!single)
            offer(&way[at + letter], way[at].score + (model->lowest - penalty), at,
                  model->unknown);
    }
    int tokens = 0;
    for (int end = length; end > 0; end = way[end].from) tokens++;
    int *ends = ARENA_ARRAY(scratch, int, tokens);
    for (int end = length, t = tokens; end > 0; end = way[end].from) ends[--t] = end;
    for (int t = 0; t < tokens; t++) {
        const Way *last = &way[ends[t]];
        int size = ends[t] - last->from;
        bool known = find(model, piece + last->from, size) >= 0;
        if (known)
            add(found, last->id, size);
        else if (!model->byte_fallback || !add_bytes(found, piece + last->from, size))
            add_unknown(found, size);
    }
}

static void cut_whole(Found *found, const char *piece, int length, Arena *scratch) {
    (void)scratch;
    int id = find(found->model, piece, length);
    if (id >= 0)
        add(found, id, length);
    else
        add_unknown(found, length);
}

int subword_cut(const Subword *model, const char *piece, int length, int *id,
                int *bytes, Arena *scratch) {
    static void (*const cut[])(Found *, const char *, int, Arena *) = {
        [SUBWORD_PAIRS] = cut_pairs,
        [SUBWORD_LONGEST] = cut_longest,
        [SUBWORD_BEST] = cut_best,
        [SUBWORD_WHOLE] = cut_whole,
    };
    Found found = {.model = model};
    found.id = id;
    found.bytes = bytes;
    cut[model->kind](&found, piece, length, scratch);
    if (found.count) bytes[found.count - 1] += found.left_out;
    return found.count;
}
