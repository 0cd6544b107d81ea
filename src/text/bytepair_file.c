#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "text/bytepair.h"
#include "text/unicode.h"

enum { FILE_BYTES = 64 * 1024 * 1024, BYTES = 256 };

static const char version[] = "#version: 0.2";

/* GPT-2's table: which character stands for a byte in the files. Bytes that Latin-1
 * prints stand for themselves, the others follow from U+0100 on. */
static const struct {
    int first, last, character;
} byte_table[] = {
    {0x00, 0x20, 0x100}, {0x21, 0x7E, 0x21},  {0x7F, 0xA0, 0x121},
    {0xA1, 0xAC, 0xA1},  {0xAD, 0xAD, 0x143}, {0xAE, 0xFF, 0xAE},
};

enum { ROWS = sizeof byte_table / sizeof *byte_table };

static int character_of(int byte) {
    int row = 0;
    while (byte > byte_table[row].last) row++;
    return byte_table[row].character + byte - byte_table[row].first;
}

static int byte_of(int character) {
    for (int row = 0; row < ROWS; row++) {
        int byte = character - byte_table[row].character + byte_table[row].first;
        if (byte >= byte_table[row].first && byte <= byte_table[row].last) return byte;
    }
    return -1;
}

const char *bytepair_bytes(const char *word, int *length, Arena *arena) {
    size_t size = strlen(word);
    char *bytes = arena_take(arena, size + 1);
    *length = 0;
    for (size_t i = 0; i < size;) {
        int used;
        int byte = byte_of(unicode_decode(word + i, size - i, &used));
        if (byte < 0) return NULL;
        bytes[(*length)++] = (char)byte;
        i += (size_t)used;
    }
    return bytes;
}

const char *bytepair_word(const char *bytes, int length, Arena *arena) {
    char *word = arena_take(arena, 2 * (size_t)length + 1);
    char *end = word;
    for (int i = 0; i < length; i++) {
        int character = character_of((unsigned char)bytes[i]);
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

/* A line of the file while it is read. */
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

static bool read_merge(const MergeLine *line, Merge *merge, Error *error) {
    const char *left = line->text;
    const char *space = memchr(left, ' ', (size_t)line->length);
    int left_length = space ? (int)(space - left) : line->length;
    int right_length = line->length - left_length - 1;
    if (left_length == 0 || right_length < 1 ||
        memchr(space + 1, ' ', (size_t)right_length))
        return fail(error, "%s:%d: found '%s'; expected two words and a space between",
                    line->path, line->number,
                    vocabulary_show(left, line->length, line->scratch));
    const char *right = space + 1;
    if (!find_word(line, left, left_length, &merge->left, error)) return false;
    if (!find_word(line, right, right_length, &merge->right, error)) return false;
    char *joined = arena_take(line->scratch, (size_t)(left_length + right_length));
    memcpy(joined, left, (size_t)left_length);
    memcpy(joined + left_length, right, (size_t)right_length);
    return find_word(line, joined, left_length + right_length, &merge->joined, error);
}

static bool add_line(BytePair *merges, const MergeLine *line, Arena *arena,
                     Error *error) {
    Merge merge = {0};
    if (line->number == 1 && strncmp(line->text, "#version", strlen("#version")) == 0)
        return true;
    if (!read_merge(line, &merge, error)) return false;
    int rank = bytepair_rank(merges, merge.left, merge.right);
    if (rank >= 0)
        return fail(error, "%s:%d: '%s' stands in an earlier line, too", line->path,
                    line->number,
                    vocabulary_show(line->text, line->length, line->scratch));
    bytepair_add(merges, merge, arena);
    return true;
}

static bool read_lines(BytePair *merges, MergeLine line, Arena *arena, Error *error) {
    Bytes bytes;
    if (!file_read_regular(line.path, FILE_BYTES, line.scratch, &bytes, error))
        return false;
    const char *end = bytes.bytes + bytes.size;
    for (line.text = bytes.bytes; line.text < end;) {
        const char *next = memchr(line.text, '\n', (size_t)(end - line.text));
        const char *stop = next ? next : end;
        line.length = (int)(stop - line.text);
        if (line.length > 0 && stop[-1] == '\r') line.length--;
        line.number++;
        if (!add_line(merges, &line, arena, error)) return false;
        line.text = stop + 1;
    }
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
    MergeLine first = {.path = path, .vocabulary = vocabulary, .scratch = &scratch};
    bool done = read_lines(merges, first, arena, error);
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
