#include "learn/bleu.h"

#include <math.h>
#include <string.h>

#include "base/builder.h"
#include "text/unicode.h"

/* Escapes in the texts of translation contests, in the order of replacement. */
static const struct {
    const char *from, *to;
} replacements[] = {
    {"<skipped>", ""}, {"-\n", ""},   {"\n", " "},   {"&quot;", "\""},
    {"&amp;", "&"},    {"&lt;", "<"}, {"&gt;", ">"},
};

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Insert a space between a period or comma and a neighbor that is not a digit, and
 * between a digit and a hyphen after it. If two such pairs overlap, only the first is
 * separated, as with a regular expression. Bytes of multi-byte characters do not count
 * as digits. */
static const char *part_pairs(const char *text, int rule, Arena *arena) {
    char *made = arena_take(arena, 2 * strlen(text) + 1);
    char *end = made;
    while (*text) {
        char a = text[0], b = text[1];
        bool stops = a == '.' || a == ',';
        bool is_stopped = b == '.' || b == ',';
        bool parts = b && (rule == 0   ? !is_digit(a) && is_stopped
                           : rule == 1 ? stops && !is_digit(b)
                                       : is_digit(a) && b == '-');
        if (parts && rule == 1) *end++ = ' ';
        *end++ = *text++;
        if (!parts) continue;
        *end++ = ' ';
        *end++ = *text++;
        if (rule != 1) *end++ = ' ';
    }
    return made;
}

const char *bleu_words(const char *text, Arena *arena) {
    static const char *const marks = "!\"#$%&()*+/:;<=>?@[\\]^_`{|}~";
    for (size_t r = 0; r < sizeof replacements / sizeof *replacements; r++) {
        const char *from = replacements[r].from;
        Builder made = {.arena = arena};
        for (const char *found; (found = strstr(text, from));
             text = found + strlen(from))
            build(&made, "%.*s%s", (int)(found - text), text, replacements[r].to);
        build_text(&made, text);
        text = builder_text(&made);
    }
    Builder parted = {.arena = arena}; /* each mark is a word */
    build_text(&parted, " ");
    for (; *text; text++) build(&parted, strchr(marks, *text) ? " %c " : "%c", *text);
    build_text(&parted, " ");
    text = builder_text(&parted);
    for (int rule = 0; rule < 3; rule++) text = part_pairs(text, rule, arena);
    size_t left = strlen(text);
    char *words = arena_take(arena, left + 1);
    char *end = words;
    bool space = false;
    for (int bytes; left; text += bytes, left -= (size_t)bytes) {
        if (unicode_kind(unicode_decode(text, left, &bytes)) == KIND_SPACE) {
            space = true;
            continue;
        }
        if (space && end > words) *end++ = ' '; /* one between words, none at the end */
        space = false;
        end = mempcpy(end, text, (size_t)bytes);
    }
    return words;
}

typedef struct {
    const char **word;
    int count;
} Words;

static Words cut(const char *text, Arena *arena) {
    Words words = {0};
    int capacity = 0;
    text = bleu_words(text, arena);
    while (*text) {
        size_t length = strcspn(text, " ");
        ARENA_GROW(arena, words.word, words.count, capacity);
        words.word[words.count++] = arena_copy(arena, text, length);
        text += length + strspn(text + length, " ");
    }
    return words;
}

/* Count the n-grams of the output that match one of the reference. */
static int count_right(const Words *said, const Words *expected, int length,
                       Arena *arena) {
    bool *taken = ARENA_ARRAY(arena, bool, expected->count);
    int right = 0;
    for (int i = 0; i + length <= said->count; i++)
        for (int j = 0; j + length <= expected->count; j++) {
            int same = 0;
            while (!taken[j] && same < length &&
                   strcmp(said->word[i + same], expected->word[j + same]) == 0)
                same++;
            if (same < length) continue;
            taken[j] = true;
            right++;
            break;
        }
    return right;
}

void bleu_add(Bleu *bleu, const char *said, const char *expected) {
    Arena scratch = {0};
    Words a = cut(said, &scratch);
    Words b = cut(expected, &scratch);
    bleu->said += a.count;
    bleu->expected += b.count;
    for (int length = 1; length <= BLEU_LONGEST; length++) {
        if (a.count >= length) bleu->runs[length - 1] += a.count - length + 1;
        bleu->right[length - 1] += count_right(&a, &b, length, &scratch);
    }
    arena_free(&scratch);
}

void bleu_join(Bleu *bleu, const Bleu *other) {
    for (int i = 0; i < BLEU_LONGEST; i++) {
        bleu->right[i] += other->right[i];
        bleu->runs[i] += other->runs[i];
    }
    bleu->said += other->said;
    bleu->expected += other->expected;
}

double bleu_score(const Bleu *bleu) {
    double logarithms = 0;
    double smoothing = 1;
    if (bleu->right[0] == 0) return 0; /* then longer n-grams cannot be right either */
    for (int i = 0; i < BLEU_LONGEST; i++) {
        if (bleu->runs[i] == 0) return 0;
        double right = (double)bleu->right[i];
        if (bleu->right[i] == 0) right = 1 / (smoothing *= 2);
        logarithms += log(right / (double)bleu->runs[i]);
    }
    double penalty = bleu->said < bleu->expected
                         ? 1 - (double)bleu->expected / (double)bleu->said
                         : 0;
    return 100 * exp(penalty + logarithms / BLEU_LONGEST);
}
