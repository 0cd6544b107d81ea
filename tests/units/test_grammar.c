#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "grammar/derivation.h"
#include "grammar/grammar.h"
#include "text/unicode.h"
#include "text/vocabulary.h"

#include "sample.h"

#include <cmocka.h> /* last: it has a macro named fail */

#define TRANSLATION "assets/grammar/translation.json"

/* `make test` makes a third of the draws, which give more than half as many pairs. */
enum { DRAWS = 90000, WANTED_PAIRS = 60000, WANTED_WORDS = 400, SAMPLE = 8000 };

static Grammar *read_grammar(const char *path, Arena *arena) {
    Grammar *grammar = NULL;
    Error error;
    if (!grammar_read(path, arena, &grammar, &error)) fail_msg("%s", error.message);
    return grammar;
}

static void draw(const Grammar *grammar, Random *random, Arena *arena,
                 SentencePair *pair) {
    Error error;
    arena_reset(arena);
    if (!grammar_sentence(grammar, random, arena, pair, &error))
        fail_msg("%s", error.message);
}

static int add(Vocabulary *vocabulary, const char *word, Arena *arena) {
    return vocabulary_add(vocabulary, word, (int)strlen(word), arena);
}

static void every_draw_is_a_sentence_and_60000_differ(void **state) {
    (void)state;
    Arena arena = {0}, scratch = {0};
    const Grammar *grammar = read_grammar(TRANSLATION, &arena);
    Random random = random_new(3);
    Vocabulary sources = {0}, targets = {0};
    int *target_of = ARENA_ARRAY(&arena, int, DRAWS);
    int *source_of = ARENA_ARRAY(&arena, int, DRAWS);
    const int draws = checks_all() ? DRAWS : DRAWS / 3;
    for (int i = 0; i < draws; i++) {
        SentencePair pair;
        draw(grammar, &random, &scratch, &pair);
        int known_sources = sources.count, known_targets = targets.count;
        int source = add(&sources, pair.source.text, &arena);
        int target = add(&targets, pair.target.text, &arena);
        if (source == known_sources) target_of[source] = target;
        if (target == known_targets) source_of[target] = source;
        if (target_of[source] != target || source_of[target] != source)
            fail_msg("not one to one: '%s' - '%s'", pair.source.text, pair.target.text);
    }
    assert_true(sources.count >= (checks_all() ? WANTED_PAIRS : draws / 2));
    arena_free(&scratch);
    arena_free(&arena);
}

/* Count stored words: a noun once, a verb once by its stem, without particles and
 * endings. */
static void the_words_are_more_than_400(void **state) {
    (void)state;
    Arena arena = {0};
    const Grammar *grammar = read_grammar(TRANSLATION, &arena);
    Vocabulary words = {0};
    for (int i = 0; i < grammar->count; i++)
        for (int j = 0; j < grammar->category[i].count; j++) {
            const Alternative *word = &grammar->category[i].alternative[j];
            const char *stem = grammar_field(word, "stem");
            const char *text = stem ? stem : grammar_field(word, "ko");
            if (text && *text && !strpbrk(text, "{= ")) add(&words, text, &arena);
        }
    assert_true(words.count >= WANTED_WORDS);
    arena_free(&arena);
}

/* Return the final consonant of the last syllable; 0: none. */
static int last_final(const char *word) {
    int length, code = 0;
    for (const char *at = word; *at; at += length)
        code = unicode_decode(at, strlen(at), &length);
    assert_in_range(code, 0xac00, 0xd7a3);
    return (code - 0xac00) % 28;
}

static void check_particles(const Alternative *noun, const char *word, Arena *arena) {
    static const char *const pairs[][2] = {
        {"은", "는"}, {"이", "가"}, {"을", "를"}, {"과", "와"}, {"으로", "로"}};
    enum { L = 8 };
    const GrammarField slot = {"N", "noun"};
    const Alternative rule = {.slot = &slot, .slots = 1, .kinds = "*"};
    Derivation child = {.chosen = noun};
    const Derivation at = {.chosen = &rule, .child = &child, .children = 1};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const char *text = arena_print(arena, "{N.ko}%s/%s", pairs[i][0], pairs[i][1]);
        int final = last_final(word);
        bool left = final != 0 && !(final == L && strcmp(pairs[i][1], "로") == 0);
        const char *found;
        Error error;
        if (!derivation_text(&at, text, arena, &found, &error))
            fail_msg("%s", error.message);
        assert_string_equal(found,
                            arena_print(arena, "%s%s", word, pairs[i][left ? 0 : 1]));
    }
}

static void particles_follow_the_final_consonant_of_every_noun(void **state) {
    (void)state;
    Arena arena = {0};
    const Category *nouns = grammar_category(read_grammar(TRANSLATION, &arena), "noun");
    for (int i = 0; i < nouns->count; i++) {
        const char *word = grammar_field(&nouns->alternative[i], "ko");
        if (!strpbrk(word, "= ")) check_particles(&nouns->alternative[i], word, &arena);
    }
    arena_free(&arena);
}

static bool starts_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

static void an_is_used_exactly_before_vowels(void **state) {
    (void)state;
    Arena arena = {0}, scratch = {0};
    const Grammar *grammar = read_grammar(TRANSLATION, &arena);
    Random random = random_new(5);
    int found = 0;
    for (int i = 0; i < (checks_all() ? SAMPLE : SAMPLE / 4); i++) {
        SentencePair pair;
        draw(grammar, &random, &scratch, &pair);
        for (const char *at = strchr(pair.target.text, ' '); at;
             at = strchr(at + 1, ' ')) {
            bool a = starts_with(at, " a "), an = starts_with(at, " an ");
            if (!a && !an) continue;
            const char *next = at + (an ? 4 : 3);
            bool vowel = strchr("aeiou", *next) && !starts_with(next, "uni") &&
                         !starts_with(next, "use");
            if (vowel != an) fail_msg("'%s'", pair.target.text);
            found += an;
        }
    }
    assert_true(found > 0);
    arena_free(&scratch);
    arena_free(&arena);
}

static bool is_function_word(const Grammar *grammar, const char *word, size_t length) {
    if (strchr(".,?!", *word)) return true;
    for (int i = 0; i < grammar->function_words; i++)
        if (strlen(grammar->function_word[i]) == length &&
            strncasecmp(grammar->function_word[i], word, length) == 0)
            return true;
    return false;
}

static void check_alignments(const PairWord *word, const PairSide *other) {
    for (int a = 0; a < word->alignments; a++)
        assert_in_range(word->aligned[a], 0, other->words - 1);
}

static void every_content_word_is_aligned_to_a_word_of_the_source(void **state) {
    (void)state;
    Arena arena = {0}, scratch = {0};
    const Grammar *grammar = read_grammar(TRANSLATION, &arena);
    Random random = random_new(7);
    for (int i = 0; i < (checks_all() ? SAMPLE : SAMPLE / 4); i++) {
        SentencePair pair;
        draw(grammar, &random, &scratch, &pair);
        for (int j = 0; j < pair.target.words; j++) {
            PairWord word = pair.target.word[j];
            check_alignments(&word, &pair.source);
            const char *text = pair.target.text + word.start;
            if (word.alignments == 0 &&
                !is_function_word(grammar, text, (size_t)(word.end - word.start)))
                fail_msg("'%s': word %d of '%s' is aligned to nothing",
                         pair.source.text, j, pair.target.text);
        }
        for (int j = 0; j < pair.source.words; j++)
            check_alignments(&pair.source.word[j], &pair.target);
    }
    arena_free(&scratch);
    arena_free(&arena);
}

/* Count the words of the target that are known; each must be aligned with its
 * source. */
static int check_known(const SentencePair *pair) {
    static const char *const known[][2] = {
        {"사과", "apple"},       {"소설", "novel"},    {"도서관", "library"},
        {"읽", "read"},          {"월요일", "Monday"}, {"싶", "want"},
        {"재미", "interesting"}, {"민수", "Minsu"},    {"싫어", "dislike"}};
    int found = 0;
    for (int i = 0; i < pair->target.words; i++)
        for (size_t j = 0; j < sizeof known / sizeof *known; j++) {
            PairWord word = pair->target.word[i];
            size_t length = strlen(known[j][1]);
            if ((size_t)(word.end - word.start) != length ||
                strncmp(pair->target.text + word.start, known[j][1], length) != 0)
                continue;
            PairWord source = pair->source.word[word.aligned[0]];
            if (!starts_with(pair->source.text + source.start, known[j][0]))
                fail_msg("'%s' in '%s'", known[j][1], pair->source.text);
            found++;
        }
    return found;
}

static void alignment_names_the_word_that_was_translated(void **state) {
    (void)state;
    Arena arena = {0}, scratch = {0};
    const Grammar *grammar = read_grammar(TRANSLATION, &arena);
    Random random = random_new(11);
    int found = 0;
    for (int i = 0; i < SAMPLE; i++) {
        SentencePair pair;
        draw(grammar, &random, &scratch, &pair);
        found += check_known(&pair);
    }
    assert_true(found > 500);
    arena_free(&scratch);
    arena_free(&arena);
}

/* Return the split of the pair, computed only from its cells. */
static Split split_of(const Grammar *grammar, const char *cells, Arena *arena) {
    Split split = SPLIT_TRAINING;
    while (*cells) {
        const char *bar = strstr(cells, " | ");
        size_t length = bar ? (size_t)(bar - cells) : strlen(cells);
        Split of_cell = grammar_split(grammar, arena_copy(arena, cells, length));
        if (of_cell > split) split = of_cell;
        cells += length + (bar ? 3 : 0);
    }
    return split;
}

static void no_cell_of_the_held_out_is_trained_on(void **state) {
    (void)state;
    Arena arena = {0}, scratch = {0};
    const Grammar *grammar = read_grammar(TRANSLATION, &arena);
    Random random = random_new(13);
    int found[SPLITS] = {0};
    for (int i = 0; i < (checks_all() ? SAMPLE : SAMPLE / 4); i++) {
        SentencePair pair;
        draw(grammar, &random, &scratch, &pair);
        assert_int_equal(pair.split, split_of(grammar, pair.cells, &scratch));
        found[pair.split]++;
    }
    for (int i = 0; i < SPLITS; i++) assert_true(found[i] > 0);
    assert_true(found[SPLIT_TEST] * 10 < found[SPLIT_TRAINING]);
    arena_free(&scratch);
    arena_free(&arena);
}

static void the_polite_and_plain_endings_follow_the_person(void **state) {
    (void)state;
    Arena arena = {0}, scratch = {0};
    const Grammar *grammar = read_grammar(TRANSLATION, &arena);
    Random random = random_new(17);
    int seen = 0;
    for (int i = 0; i < (checks_all() ? SAMPLE : SAMPLE / 4); i++) {
        SentencePair pair;
        draw(grammar, &random, &scratch, &pair);
        const char *source = pair.source.text, *target = pair.target.text;
        bool polite = strstr(source, "요.") != NULL;
        if (starts_with(target, "I ") || starts_with(target, "We ")) {
            if (!polite) fail_msg("'%s' - '%s'", source, target);
            seen++;
        } else if (polite && !starts_with(target, "Please ")) {
            fail_msg("'%s' - '%s'", source, target);
        }
        if ((strstr(target, ", sir?") != NULL) != starts_with(source, "선생님은"))
            fail_msg("'%s' - '%s'", source, target);
    }
    assert_true(seen > 0);
    arena_free(&scratch);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_draw_is_a_sentence_and_60000_differ),
        cmocka_unit_test(the_words_are_more_than_400),
        cmocka_unit_test(particles_follow_the_final_consonant_of_every_noun),
        cmocka_unit_test(an_is_used_exactly_before_vowels),
        cmocka_unit_test(every_content_word_is_aligned_to_a_word_of_the_source),
        cmocka_unit_test(alignment_names_the_word_that_was_translated),
        cmocka_unit_test(no_cell_of_the_held_out_is_trained_on),
        cmocka_unit_test(the_polite_and_plain_endings_follow_the_person),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
