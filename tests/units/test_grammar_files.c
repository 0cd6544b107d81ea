#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "grammar/grammar.h"
#include "text/vocabulary.h"

#include "sample.h"

#include <cmocka.h> /* last: it has a macro named fail */

#define TRANSLATION "assets/grammar/translation.json"

static Grammar *read_grammar(const char *path, Arena *arena) {
    Grammar *grammar = NULL;
    Error error;
    if (!grammar_read(path, arena, &grammar, &error)) fail_msg("%s", error.message);
    return grammar;
}

static Bytes read_bytes(const char *folder, const char *name, Arena *arena) {
    Bytes bytes;
    Error error;
    if (!file_read(file_join(arena, folder, name), 1 << 26, arena, &bytes, &error))
        fail_msg("%s", error.message);
    return bytes;
}

static void export_to(const Grammar *grammar, const char *folder, bool reversed) {
    Error error;
    if (!grammar_export(grammar, folder, reversed, true, NULL, &error))
        fail_msg("%s", error.message);
}

static void check_same(const char *folder, const char *name, const char *other,
                       const char *other_name) {
    Arena arena = {0};
    Bytes first = read_bytes(folder, name, &arena);
    Bytes second = read_bytes(other, other_name, &arena);
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.bytes, second.bytes, first.size);
    arena_free(&arena);
}

static const char *make_folder(Arena *arena) {
    char path[] = "/tmp/grammar-XXXXXX";
    assert_non_null(mkdtemp(path));
    return arena_print(arena, "%s", path);
}

static void remove_folder(const char *folder, Arena *arena) {
    for (int i = 0; i < SPLITS; i++)
        unlink(arena_print(arena, "%s/%s.tsv", folder, split_names[i]));
    rmdir(folder);
}

static void the_same_seed_gives_the_same_bytes_and_another_does_not(void **state) {
    (void)state;
    Arena arena = {0};
    Grammar *grammar = read_grammar(TRANSLATION, &arena);
    grammar->size[SPLIT_TRAINING] = 2000;
    grammar->size[SPLIT_VALIDATION] = grammar->size[SPLIT_TEST] = 50;
    grammar->word_at_least = 1;
    const char *first = make_folder(&arena), *second = make_folder(&arena);
    export_to(grammar, first, false);
    export_to(grammar, second, false);
    for (int i = 0; i < SPLITS; i++) {
        const char *name = arena_print(&arena, "%s.tsv", split_names[i]);
        check_same(first, name, second, name);
    }
    grammar->seed++;
    export_to(grammar, second, false);
    Bytes one = read_bytes(first, "training.tsv", &arena);
    Bytes other = read_bytes(second, "training.tsv", &arena);
    assert_true(one.size != other.size ||
                memcmp(one.bytes, other.bytes, one.size) != 0);
    remove_folder(first, &arena);
    remove_folder(second, &arena);
    arena_free(&arena);
}

static void a_reversed_line_has_the_sides_changed(void **state) {
    (void)state;
    Arena arena = {0};
    Grammar *grammar = read_grammar(TRANSLATION, &arena);
    grammar->size[SPLIT_TRAINING] = 1;
    grammar->size[SPLIT_VALIDATION] = grammar->size[SPLIT_TEST] = 0;
    const char *folder = make_folder(&arena);
    export_to(grammar, folder, false);
    const char *plain = read_bytes(folder, "training.tsv", &arena).bytes;
    export_to(grammar, folder, true);
    const char *reversed = read_bytes(folder, "training.tsv", &arena).bytes;
    size_t source = strcspn(plain, "\t");
    size_t target = strcspn(plain + source + 1, "\t");
    assert_int_equal(strcspn(reversed, "\t"), target);
    assert_memory_equal(reversed, plain + source + 1, target);
    assert_memory_equal(reversed + target + 1, plain, source);
    remove_folder(folder, &arena);
    arena_free(&arena);
}

/* Add the words of a line's source, then those of its target. */
static void add_words(Vocabulary *words, const char *line, size_t length,
                      Arena *arena) {
    for (const char *at = line; at < line + length;) {
        size_t size = strcspn(at, " \t\n.,?!");
        if (size) vocabulary_add(words, at, (int)size, arena);
        at += size + 1;
    }
}

/* Return the position of the second tab of a line. */
static size_t both_sides(const char *line) {
    size_t source = strcspn(line, "\t") + 1;
    return source + strcspn(line + source, "\t");
}

/* Write the files of one of the project's grammars, in a temporary folder. */
static const char *write_all(const char *name, bool reversed, Arena *arena) {
    const char *path = arena_print(arena, "assets/grammar/%s.json", name);
    const char *folder = make_folder(arena);
    export_to(read_grammar(path, arena), folder, reversed);
    return folder;
}

/* The test sentences of a shipped model are those of its grammar: different from all
 * training sentences, with the same words. Each source has one target. */
static void check_held_out(const char *name, bool reversed, const char *model) {
    Arena arena = {0};
    const char *folder = write_all(name, reversed, &arena);
    check_same(folder, "test.tsv", arena_print(&arena, "assets/models/%s", model),
               "held-out.tsv");
    Vocabulary trained = {0}, sentences = {0}, pairs = {0};
    const char *line = read_bytes(folder, "training.tsv", &arena).bytes;
    for (; *line; line += strcspn(line, "\n") + 1) {
        add_words(&trained, line, both_sides(line), &arena);
        vocabulary_add(&sentences, line, (int)strcspn(line, "\t"), &arena);
        vocabulary_add(&pairs, line, (int)both_sides(line), &arena);
    }
    assert_true(sentences.count > 2000);
    assert_int_equal(sentences.count, pairs.count);
    int words = trained.count;
    line = read_bytes(folder, "test.tsv", &arena).bytes;
    for (; *line; line += strcspn(line, "\n") + 1) {
        add_words(&trained, line, both_sides(line), &arena);
        assert_int_equal(vocabulary_find(&sentences, line, (int)strcspn(line, "\t")),
                         -1);
    }
    assert_int_equal(trained.count, words);
    remove_folder(folder, &arena);
    arena_free(&arena);
}

static void the_held_out_files_are_new_sentences_of_known_words(void **state) {
    (void)state;
    check_held_out("classifier", false, "classifier");
    check_held_out("chatbot", false, "chatbot");
    if (checks_all()) { /* the largest ones */
        check_held_out("korean-english", false, "ko-en");
        check_held_out("english-korean", false, "en-ko");
        check_held_out("passive", false, "passive");
    }
    check_same("assets/models/ko-en", "held-out.tsv", "assets/models/seq2seq-ko-en",
               "held-out.tsv");
}

/* Texts have one side: no held-out story is in the training, and all its words are. */
static void the_held_out_stories_are_new(void **state) {
    (void)state;
    Arena arena = {0};
    const char *folder = write_all("stories", false, &arena);
    check_same(folder, "test.tsv", "assets/models/stories", "held-out.tsv");
    Vocabulary words = {0}, texts = {0};
    const char *line = read_bytes(folder, "training.tsv", &arena).bytes;
    for (; *line; line += strcspn(line, "\n") + 1) {
        add_words(&words, line, strcspn(line, "\n"), &arena);
        vocabulary_add(&texts, line, (int)strcspn(line, "\n"), &arena);
    }
    assert_int_equal(texts.count, 40000);
    int known = words.count;
    line = read_bytes(folder, "test.tsv", &arena).bytes;
    for (; *line; line += strcspn(line, "\n") + 1) {
        add_words(&words, line, strcspn(line, "\n"), &arena);
        assert_int_equal(vocabulary_find(&texts, line, (int)strcspn(line, "\n")), -1);
    }
    assert_int_equal(words.count, known);
    remove_folder(folder, &arena);
    arena_free(&arena);
}

static void the_chatbot_knows_150_answers_by_two_questions_each(void **state) {
    (void)state;
    Arena arena = {0};
    Vocabulary answers = {0};
    int questions[1000] = {0};
    const char *folder = write_all("chatbot", false, &arena);
    const char *line = read_bytes(folder, "training.tsv", &arena).bytes;
    for (; *line; line += strcspn(line, "\n") + 1) {
        const char *answer = line + strcspn(line, "\t") + 1;
        int length = (int)strcspn(answer, "\t");
        questions[vocabulary_add(&answers, answer, length, &arena)]++;
        assert_in_range(answers.count, 1, 1000);
    }
    assert_true(answers.count >= 150);
    for (int i = 0; i < answers.count; i++) assert_true(questions[i] >= 2);
    line = read_bytes(folder, "test.tsv", &arena).bytes;
    for (; *line; line += strcspn(line, "\n") + 1) {
        const char *answer = line + strcspn(line, "\t") + 1;
        assert_true(vocabulary_find(&answers, answer, (int)strcspn(answer, "\t")) >= 0);
    }
    remove_folder(folder, &arena);
    arena_free(&arena);
}

/* Read a grammar of two files, head.json and words.json, in a new folder. */
static Grammar *grammar_of(const char *head, const char *words, const char **folder,
                           Arena *arena) {
    Error error;
    *folder = make_folder(arena);
    const char *path = file_join(arena, *folder, "head.json");
    const char *other = file_join(arena, *folder, "words.json");
    assert_true(file_save(path, head, strlen(head), true, &error));
    assert_true(file_save(other, words, strlen(words), true, &error));
    return read_grammar(path, arena);
}

/* A text contains the information only of choices that appear in it: which name fills
 * the last slot is not visible. */
static void a_text_has_the_information_of_its_choices(void **state) {
    (void)state;
    static const char head[] = "{\"source\": \"text\", \"files\": [\"words.json\"], "
                               "\"sentences\": {\"training\": 8}}";
    static const char words[] =
        "{\"sentence\": {\"rules\": [{\"slots\": {\"N\": \"name\", \"R\": \"rest\", "
        "\"U\": \"name\"}, \"text\": \"{N.is} {R.text}\"}]}, "
        "\"name\": {\"fields\": [\"is\", \"she\"], "
        "\"words\": [[\"Anna\", \"she\"], [\"Ben\", \"he\"]]}, "
        "\"rest\": {\"rules\": [{\"weight\": 3, \"text\": \"and {N.she}\"}, "
        "{\"text\": \"[or|but] {N.is}\"}]}}";
    static const struct {
        const char *text;
        double probability;
    } texts[] = {
        {"Anna and she", 0.375},   {"Ben and he", 0.375},  {"Anna or Anna", 0.0625},
        {"Anna but Anna", 0.0625}, {"Ben or Ben", 0.0625}, {"Ben but Ben", 0.0625},
    };
    enum { TEXTS = sizeof texts / sizeof *texts };
    Arena arena = {0};
    Error error;
    const char *folder;
    Grammar *grammar = grammar_of(head, words, &folder, &arena);
    Random random = random_new(1);
    int seen[TEXTS] = {0};
    for (int i = 0; i < 200; i++) {
        SentencePair pair;
        if (!grammar_sentence(grammar, &random, &arena, &pair, &error))
            fail_msg("%s", error.message);
        size_t which = 0;
        while (which < TEXTS && strcmp(pair.source.text, texts[which].text) != 0)
            which++;
        assert_true(which < TEXTS);
        seen[which]++;
        assert_true(fabs(pair.nats + log(texts[which].probability)) < 1e-12);
    }
    for (size_t i = 0; i < TEXTS; i++) assert_true(seen[i] > 0);
    grammar->size[SPLIT_TRAINING] = 6;
    double nats[SPLITS];
    assert_false(grammar_export(grammar, folder, true, true, nats, &error));
    assert_non_null(strstr(error.message, "has no 'target'"));
    assert_true(grammar_export(grammar, folder, false, true, nats, &error));
    double all = 0;
    for (size_t i = 0; i < TEXTS; i++) all -= log(texts[i].probability);
    assert_true(fabs(nats[SPLIT_TRAINING] - all / TEXTS) < 1e-12);
    Bytes lines = read_bytes(folder, "training.tsv", &arena);
    for (size_t i = 0; i < TEXTS; i++)
        assert_non_null(
            strstr(lines.bytes, arena_print(&arena, "%s\n", texts[i].text)));
    unlink(file_join(&arena, folder, "head.json"));
    unlink(file_join(&arena, folder, "words.json"));
    remove_folder(folder, &arena);
    arena_free(&arena);
}

/* How many words a category of the passives has. */
static int count_words_of(const Grammar *grammar, const char *category,
                          const char *field) {
    Arena arena = {0};
    Vocabulary words = {0};
    const Category *found = grammar_category(grammar, category);
    assert_non_null(found);
    for (int i = 0; i < found->count; i++) {
        const char *word = grammar_field(&found->alternative[i], field);
        if (word && !strpbrk(word, " {"))
            vocabulary_add(&words, word, (int)strlen(word), &arena);
    }
    int count = words.count;
    arena_free(&arena);
    return count;
}

static void the_passives_have_600_stems_and_120_verbs(void **state) {
    (void)state;
    Arena arena = {0};
    const Grammar *grammar = read_grammar("assets/grammar/passive.json", &arena);
    int verbs = count_words_of(grammar, "verb", "base");
    assert_true(verbs >= 120);
    assert_true(verbs + count_words_of(grammar, "intransitive", "base") +
                    count_words_of(grammar, "noun", "one") +
                    count_words_of(grammar, "adjective", "en") +
                    count_words_of(grammar, "name", "name") >=
                600);
    arena_free(&arena);
}

/* "Hello" and "hello", as people type it. */
static void a_sentence_begins_with_a_capital_unless_it_is_lower(void **state) {
    (void)state;
    static const char head[] = "{\"source\": \"text\", \"files\": [\"words.json\"]}";
    static const char words[] = "{\"sentence\": {\"rules\": [{\"text\": \"hello\"}, "
                                "{\"text\": \"hi\", \"lower\": \"yes\"}]}}";
    Arena arena = {0};
    Error error;
    const char *folder;
    Grammar *grammar = grammar_of(head, words, &folder, &arena);
    Random random = random_new(1);
    int capitals = 0, others = 0;
    for (int i = 0; i < 40; i++) {
        SentencePair pair;
        assert_true(grammar_sentence(grammar, &random, &arena, &pair, &error));
        capitals += strcmp(pair.source.text, "Hello") == 0;
        others += strcmp(pair.source.text, "hi") == 0;
    }
    assert_true(capitals > 0 && others > 0);
    assert_int_equal(capitals + others, 40);
    unlink(file_join(&arena, folder, "head.json"));
    unlink(file_join(&arena, folder, "words.json"));
    rmdir(folder);
    arena_free(&arena);
}

/* A grammar of one file, with `categories` between its braces. */
static void check_message(const char *categories, const char *message) {
    Arena arena = {0};
    const char *folder = make_folder(&arena);
    const char *head = file_join(&arena, folder, "head.json");
    const char *words = file_join(&arena, folder, "words.json");
    static const char text[] = "{\"source\": \"a\", \"target\": \"b\", "
                               "\"files\": [\"words.json\"]}";
    Error error;
    assert_true(file_save(head, text, sizeof text - 1, true, &error));
    assert_true(file_save(words, categories, strlen(categories), true, &error));
    Grammar *grammar;
    Random random = random_new(1);
    SentencePair pair;
    bool done = grammar_read(head, &arena, &grammar, &error) &&
                grammar_sentence(grammar, &random, &arena, &pair, &error);
    assert_false(done);
    if (!strstr(error.message, message))
        fail_msg("expected '%s' in '%s'", message, error.message);
    unlink(head);
    unlink(words);
    rmdir(folder);
    arena_free(&arena);
}

static void a_mistake_in_the_data_is_named(void **state) {
    (void)state;
    check_message("{\"x\": {\"words\": [[\"1\"]], \"fields\": [\"ko\"]}}",
                  "no category 'sentence'");
    check_message("{\"x\": {}}", "category x needs a list");
    check_message("{\"x\": {\"fields\": [\"ko\", \"en\"], \"words\": [[\"1\"]]}}",
                  "the row of '1' has 1 texts for 2 fields");
    check_message("{\"sentence\": {\"rules\": [{\"a\": \"{N.ko}\", \"b\": \"\"}]}}",
                  "no slot 'N'");
    check_message("{\"sentence\": {\"rules\": [{\"slots\": {\"N\": \"nuon\"}}]}}",
                  "no category 'nuon'");
    check_message("{\"sentence\": {\"rules\": [{\"slots\": {\"N\": \"n:big\"}}]}, "
                  "\"n\": {\"rules\": [{\"kinds\": \"small\"}]}}",
                  "nothing in 'n' is 'big'");
    check_message("{\"sentence\": {\"rules\": [{\"slots\": {\"N\": \"sentence\"}}]}}",
                  "use themselves without end");
    check_message("{\"x\": {\"fields\": [\"weight\"], \"words\": [[\"2x\"]]}}",
                  "is '2x'; expected a positive number");
    check_message("{\"sentence\": {\"rules\": [{\"a\": \"[x|y\"}]}}", "[ without ]");
    check_message("{\"sentence\": {\"rules\": [{\"a\": \"{a}\", \"b\": \"b\"}]}}",
                  "without end");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_seed_gives_the_same_bytes_and_another_does_not),
        cmocka_unit_test(a_reversed_line_has_the_sides_changed),
        cmocka_unit_test(the_held_out_files_are_new_sentences_of_known_words),
        cmocka_unit_test(the_held_out_stories_are_new),
        cmocka_unit_test(the_chatbot_knows_150_answers_by_two_questions_each),
        cmocka_unit_test(a_text_has_the_information_of_its_choices),
        cmocka_unit_test(the_passives_have_600_stems_and_120_verbs),
        cmocka_unit_test(a_sentence_begins_with_a_capital_unless_it_is_lower),
        cmocka_unit_test(a_mistake_in_the_data_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
