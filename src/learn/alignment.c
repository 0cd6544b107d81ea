#include "learn/alignment.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int start, end; /* bytes */
} Word;

static bool is_stop(char c) {
    return c && strchr(".,?!", c);
}

/* The next word from `word->end` on; false where there is none. */
static bool next_word(const char *text, Word *word) {
    int start = word->end + (int)strspn(text + word->end, " ");
    if (!text[start]) return false;
    int length = is_stop(text[start]) ? 1 : (int)strcspn(text + start, " .,?!");
    *word = (Word){start, start + length};
    return true;
}

static int count_words(const char *text) {
    int count = 0;
    for (Word word = {0}; next_word(text, &word);) count++;
    return count;
}

/* A number, and whether another one of the same word follows. */
typedef struct {
    long value;
    bool goes_on;
} Named;

/* The next number; false at the end, and at what is none. */
static bool next_number(const char **numbers, Named *number) {
    char *end;
    const char *begin = *numbers + strspn(*numbers, " ");
    number->value = strtol(begin, &end, 10);
    number->goes_on =
        number->value >= 0 && *end == '+' && isdigit((unsigned char)end[1]);
    bool found = end != begin && (number->goes_on || *end == ' ' || *end == '\0');
    *numbers = end + (found && number->goes_on);
    return found;
}

/* Do the numbers fit the pair's words? */
static bool fits(const Pair *pair, const char *numbers, Error *error) {
    int source = count_words(pair->source);
    int target = count_words(pair->target);
    int count = 0;
    for (Named named; next_number(&numbers, &named); count += !named.goes_on)
        if (named.value < -1 || named.value >= source)
            return fail(error,
                        "the alignment says %ld, but the source has the words 0 to %d",
                        named.value, source - 1);
    if (*numbers)
        return fail(error,
                    "the alignment must be whole numbers with spaces between, or "
                    "as 2+3 where a word translates two");
    return count == target ||
           fail(error, "the alignment has %d numbers, but the target %d words", count,
                target);
}

static bool read_column(const CorpusFile *file, const char *column, Arena *arena,
                        Corpus *third, Error *error) {
    CorpusFile alone = *file;
    alone.source = column;
    alone.target = "";
    return corpus_read(third, &alone, arena, error);
}

/* The numbers, for each pair of the corpus: "" where the row has none. */
static const char *const *match_lines(const Corpus *corpus, const Corpus *third,
                                      Arena *arena) {
    const char **numbers = ARENA_ARRAY(arena, const char *, corpus->count);
    for (int p = 0, t = 0; p < corpus->count; p++) {
        while (t < third->count && third->pair[t].line < corpus->pair[p].line) t++;
        bool found = t < third->count && third->pair[t].line == corpus->pair[p].line;
        numbers[p] = found ? third->pair[t].source : "";
    }
    return numbers;
}

bool alignment_read(const CorpusFile *file, const char *column, Corpus *corpus,
                    Arena *arena, const char *const **numbers, Error *error) {
    Corpus third;
    Error ignored;
    *numbers = NULL;
    if (column && !*column) return true;
    if (column) {
        if (!read_column(file, column, arena, &third, error)) return false;
    } else if (read_column(file, "alignment", arena, &third, &ignored)) {
        CorpusFile headed = *file;
        headed.header = HEADER_YES;
        if (!corpus->has_header && !corpus_read(corpus, &headed, arena, error))
            return false;
    } else if (corpus->has_header || !read_column(file, "3", arena, &third, &ignored) ||
               third.pair[0].line != corpus->pair[0].line ||
               !fits(&corpus->pair[0], third.pair[0].source, &ignored)) {
        return true;
    }
    *numbers = match_lines(corpus, &third, arena);
    return true;
}

/* The word that each token shares a byte with, the first of several. */
static const int *find_words(const char *text, const Tokens *tokens, Arena *arena) {
    int *found = ARENA_ARRAY(arena, int, tokens->count);
    Word word = {0};
    bool more = next_word(text, &word);
    int number = 0;
    for (int t = 0; t < tokens->count; t++) {
        const Token *token = &tokens->token[t];
        for (; more && word.end <= token->start; number++)
            more = next_word(text, &word);
        found[t] = more && word.start < token->end ? number : -1;
    }
    return found;
}

static bool encode(const Tokenizer *tokenizer, const char *text, Arena *arena,
                   const int **word, int *tokens, Error *error) {
    Tokens made;
    if (!tokenizer_encode(tokenizer, text, (int)strlen(text), arena, &made, error))
        return false;
    *word = find_words(text, &made, arena);
    *tokens = made.count;
    return true;
}

static void read_numbers(Alignment *alignment, const char *numbers, Arena *arena) {
    int words = alignment->target_words;
    bool *aligned = ARENA_ARRAY(arena, bool, words * alignment->source_words);
    bool *translates = ARENA_ARRAY(arena, bool, words);
    int word = 0;
    for (Named named; next_number(&numbers, &named); word += !named.goes_on) {
        if (named.value < 0) continue;
        aligned[word * alignment->source_words + named.value] = true;
        alignment->content += !translates[word];
        translates[word] = true;
    }
    alignment->aligned = aligned;
    alignment->translates = translates;
}

bool alignment_new(Alignment *alignment, const Pair *pair, const char *numbers,
                   const Model *model, Arena *arena, Error *error) {
    *alignment = (Alignment){0};
    if (!fits(pair, numbers, error) ||
        !encode(&model->source, pair->source, arena, &alignment->source_word,
                &alignment->sources, error) ||
        !encode(&model->target, pair->target, arena, &alignment->target_word,
                &alignment->targets, error))
        return false;
    alignment->source_words = count_words(pair->source);
    alignment->target_words = count_words(pair->target);
    read_numbers(alignment, numbers, arena);
    return true;
}

int alignment_heads(const Tensor *weights) {
    int head = tensor_axis(weights, "head");
    return head < 0 ? 1 : weights->axis[head].size;
}

/* Add the row of a query to the words' sums; the last sum is for all that is no word.
 */
static void add_row(const Alignment *alignment, const Number *row, double *sum) {
    for (int key = 0; key <= alignment->sources; key++) {
        int word = key < alignment->sources ? alignment->source_word[key] : -1;
        sum[word >= 0 ? word : alignment->source_words] += (double)row[key];
    }
}

/* The source word with the largest weight, as the target word's tokens see it. */
static int strongest(const Alignment *alignment, const Tensor *weights, int head,
                     int target_word, double *sum) {
    int heads = alignment_heads(weights);
    int queries = weights->axis[weights->rank - 2].size;
    int keys = tensor_row(weights);
    for (int word = 0; word <= alignment->source_words; word++) sum[word] = 0;
    for (int h = 0; h < heads; h++) {
        if (head >= 0 && head != h) continue;
        for (int t = 0; t < alignment->targets; t++)
            if (alignment->target_word[t] == target_word)
                add_row(alignment, weights->data + (h * queries + t) * keys, sum);
    }
    int best = alignment->source_words;
    for (int word = 0; word < alignment->source_words; word++)
        if (sum[word] > sum[best]) best = word;
    return best;
}

int alignment_right(const Alignment *alignment, const Tensor *weights, int head) {
    Arena scratch = {0};
    double *sum = ARENA_ARRAY(&scratch, double, alignment->source_words + 1);
    int right = 0;
    for (int word = 0; word < alignment->target_words; word++) {
        if (!alignment->translates[word]) continue;
        int best = strongest(alignment, weights, head, word, sum);
        right += best < alignment->source_words &&
                 alignment->aligned[word * alignment->source_words + best];
    }
    arena_free(&scratch);
    return right;
}
