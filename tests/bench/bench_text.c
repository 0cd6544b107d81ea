/* Text and vocabularies: does the time grow linearly or quadratically with their
 * size? */
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "text/tokenizer.h"
#include "text/unicode.h"
#include "text/vocabulary.h"

enum { MARKS = 256 * 1024, MORE = 16 };

/* The text to read or encode, and its tokenizer. */
typedef struct {
    char *text;
    int length;
    const Tokenizer *tokenizer;
} Input;

static void clean(void *context) {
    const Input *input = context;
    Arena arena = {0};
    unicode_clean(input->text, (size_t)input->length, &arena);
    arena_free(&arena);
}

static void encode(void *context) {
    const Input *input = context;
    Arena arena = {0};
    Tokens tokens;
    Error error;
    if (!tokenizer_encode(input->tokenizer, input->text, input->length, &arena, &tokens,
                          &error))
        printf("%s\n", error.message);
    arena_free(&arena);
}

static void read_vocabulary(void *context) {
    const Input *input = context;
    Arena arena = {0};
    Vocabulary vocabulary;
    Error error;
    if (!vocabulary_read(&vocabulary, input->text, &arena, &error))
        printf("%s\n", error.message);
    arena_free(&arena);
}

/* `letter` repeated, at most `size` bytes. */
static Input repeated(const char *letter, int size, Arena *arena) {
    int bytes = (int)strlen(letter);
    char *text = arena_take(arena, (size_t)size + 1);
    Input input = {.text = text};
    for (; input.length + bytes <= size; input.length += bytes)
        memcpy(text + input.length, letter, (size_t)bytes);
    return input;
}

static void print(const char *what, Work *work, Input *few, Input *many) {
    double a = seconds(work, few);
    double b = seconds(work, many);
    printf("%s: %.2f ms, of %d times as much %.1f ms (%.0f times as long)\n", what,
           1e3 * a, MORE, 1e3 * b, b / a);
}

/* With merges that join a letter with itself, 2, 4, 8 ... times: the worst case. */
static void bench_bytepairs(Arena *arena) {
    Tokenizer tokenizer;
    Error error;
    Input sample = repeated("가", 4096, arena);
    Clean clean_sample = {.text = sample.text, .length = sample.length};
    if (!tokenizer_learn(&tokenizer, (TokenizerOptions){TOKENIZER_BPE, 290, false},
                         &clean_sample, arena, &error)) {
        printf("%s\n", error.message);
        return;
    }
    Input few = repeated("가", TOKENIZER_BYTES / MORE, arena);
    Input many = repeated("가", TOKENIZER_BYTES, arena);
    few.tokenizer = many.tokenizer = &tokenizer;
    print("byte pairs of one piece of 4 KiB", encode, &few, &many);
}

static void bench_vocabulary(Arena *arena) {
    char path[2][32] = {"/tmp/bench-text-XXXXXX", "/tmp/bench-text-XXXXXX"};
    for (int p = 0; p < 2; p++) {
        Vocabulary vocabulary = {0};
        Error error;
        int descriptor = mkstemp(path[p]);
        if (descriptor >= 0) close(descriptor);
        for (int i = 0; i < (p ? MORE : 1) * 8000; i++) {
            const char *word = arena_print(arena, "낱말%d", i);
            vocabulary_add(&vocabulary, word, (int)strlen(word), arena);
        }
        if (!vocabulary_save(&vocabulary, path[p], true, &error))
            printf("%s\n", error.message);
    }
    print("a vocabulary of 8,000 words", read_vocabulary, &(Input){.text = path[0]},
          &(Input){.text = path[1]});
    unlink(path[0]);
    unlink(path[1]);
}

int main(void) {
    Arena arena = {0};
    Input few = repeated("\u0301\u0323", 4 * MARKS / MORE, &arena);
    Input many = repeated("\u0301\u0323", 4 * MARKS, &arena);
    print("marks put in order, 64 KiB", clean, &few, &many);
    bench_bytepairs(&arena);
    bench_vocabulary(&arena);
    arena_free(&arena);
}
