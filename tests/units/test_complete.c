/* Tab completion at the prompt, for a user who presses Tab after each letter. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "commands/commands.h"
#include "player/line.h"
#include "prompt/complete.h"
#include "session/stops.h"
#include "text/unicode.h"
#include "walk/glossary.h"

/* Last: its fail() would replace the one of base/error.h. */
#include <cmocka.h>

static Arena arena;
static Session *session;
static Error error;

static void type(const char *line) {
    if (!line_run(session, line, &error)) fail_msg("%s", error.message);
}

static int begin(void **state) {
    (void)state;
    session = session_new(&arena);
    if (!session_open(session, "assets/models/ko-en", &error)) return -1;
    type("나는 어제 부산에서 \"친구\", [를] 만났다.");
    return 0;
}

static int end(void **state) {
    (void)state;
    session_free(session);
    arena_free(&arena);
    return 0;
}

/* Return the length of the common prefix. */
static size_t in_common(const char *const *word, int count) {
    size_t length = count ? strlen(word[0]) : 0;
    for (int i = 1; i < count; i++)
        while (strncmp(word[0], word[i], length) != 0) length--;
    return length;
}

/* Type `expected` after `command` using Tab, and type a letter of it whenever Tab does
 * not continue. Returns the number of letters typed. Tab must never insert anything
 * else. */
static int tab(const char *command, const char *expected) {
    enum { ROOM = 512, TABS_MAX = 400 };
    char typed[ROOM] = "";
    int letters = 0;
    for (int t = 0; t < TABS_MAX && strcmp(typed, expected) != 0; t++) {
        Arena scratch = {0};
        int count;
        const char *line = arena_print(&scratch, "%s%s", command, typed);
        const char *word = strrchr(line, ' ') + 1;
        const char *const *match =
            complete_words(session, line, word, &scratch, &count);
        size_t length = in_common(match, count);
        size_t before = strlen(typed) - strlen(word);
        if (strlen(word) > strlen(typed)) before = 0;
        bool further = length > strlen(word) && before + length < ROOM;
        if (further) {
            snprintf(typed + before, ROOM - before, "%.*s", (int)length, match[0]);
            if (strncmp(typed, expected, strlen(typed)) != 0)
                fail_msg("Tab made '%s' of '%s'", typed, expected);
        } else {
            size_t at = strlen(typed);
            snprintf(typed + at, ROOM - at, "%.*s", unicode_grapheme(expected + at),
                     expected + at);
            letters++;
        }
        arena_free(&scratch);
    }
    assert_string_equal(typed, expected);
    return letters;
}

static void every_address_can_be_typed_by_tab(void **state) {
    (void)state;
    Record record = session_record(session);
    const char *address;
    int letters = 0;
    int all = 0;
    for (int i = 0; (address = record_address(&record, i)); i++) {
        letters += tab(":heat ", address);
        all += (int)strlen(address);
    }
    assert_true(all > 10000);
    assert_true(letters < all / 3);
}

static void every_stage_can_be_typed_by_tab(void **state) {
    (void)state;
    for (int s = 0; s < stops_count(session); s++)
        tab(":goto ", stops_name(session, s, &arena));
}

/* The cells on the diagonal, which cover every label. */
static void check_cells(const char *name) {
    Record record = session_record(session);
    const Tensor *tensor;
    const Tensor *found;
    int cell;
    assert_true(record_find(&record, name, &arena, &tensor, &error));
    int size = tensor_size(tensor);
    for (int i = 0; i < size; i += size / 40 + 1) {
        const char *address = address_print(tensor, i, &arena);
        tab(":why ", address);
        if (!record_cell(&record, address, &arena, &found, &cell, &error))
            fail_msg("%s: %s", address, error.message);
        assert_ptr_equal(found, tensor);
        assert_int_equal(cell, i);
    }
}

static void cells_can_be_typed_by_tab(void **state) {
    (void)state;
    check_cells("encoder.0.self_attention.weights");
    check_cells("decoder.1.cross_attention.scores");
    check_cells("logits");
    check_cells("encoder.0.feed_forward.hidden");
}

/* Return the matches of a line, each followed by a space. */
static const char *matches(const char *line) {
    const char *word = strrchr(line, ' ');
    const char *all = "";
    int count;
    const char *const *match =
        complete_words(session, line, word ? word + 1 : line, &arena, &count);
    for (int i = 0; i < count; i++) all = arena_print(&arena, "%s%s ", all, match[i]);
    return all;
}

static void short_addresses_are_completed(void **state) {
    (void)state;
    type(":goto encoder.0.weights");
    assert_string_equal(matches(":heat norm"), "norm_1 norm_2 norm_3 ");
    assert_string_equal(matches(":heat feed_f"), "feed_forward. ");
    assert_string_equal(matches(":heat weights he"), "head  ");
    assert_string_equal(matches(":heat weights[ke"), "weights[key= ");
    assert_string_equal(matches(":heat [que"), "[query= ");
    assert_string_equal(matches(":heat [query=부"), "[query=·부산 ");
}

static void a_value_that_is_whole_leads_on(void **state) {
    (void)state;
    assert_string_equal(matches(":heat weights[head=1"), "weights[head=1,  ");
    assert_string_equal(matches(":why weights[head=1, query=2, k"), "key= ");
    assert_string_equal(matches(":why weights[head=1, query=2, h"), "");
}

static void other_words_are_completed(void **state) {
    (void)state;
    assert_string_equal(matches(":model keras-as"), "keras-as-written ");
    assert_string_equal(matches(":show x --model pyt"), "pytorch pytorch-as-written ");
    assert_string_equal(matches(":goto softm"), "softmax ");
    assert_string_equal(matches(":goto 소프"), "소프트맥스 ");
    assert_string_equal(matches(":define layer n"), "norm ");
    assert_string_equal(matches(":lens r"), "rollout ");
    assert_string_equal(matches(":draw weights --theme "),
                        "light dark transparent print ");
    assert_string_equal(matches(":draw weights --palette m"), "magma ");
    assert_string_equal(matches(":compare --caption s"), "short ");
    assert_string_equal(matches(":tokens --theme d"), "");
    assert_string_equal(matches(":options co"), "columns= color= ");
    assert_string_equal(matches(":options pager=f"), "pager=false ");
    assert_string_equal(matches(":goto encoder.0.sca"), "encoder.0.scaled ");
}

/* Every idea and every term can be found by each of its names, and names are unique. */
static void terms_and_ideas_are_found(void **state) {
    (void)state;
    int terms = 0;
    for (const Glossary *glossary = glossaries; glossary->title; glossary++)
        for (const GlossaryTerm *term = glossary->term; term->term; term++, terms++) {
            if (glossary_find(term->term) != term)
                fail_msg("%s is another term", term->term);
            if (term->idea && !idea_find(NULL, term->idea))
                fail_msg("%s: no idea is called %s", term->term, term->idea);
            char *rest = arena_print(&arena, "%s", term->words);
            for (char *word; (word = strsep(&rest, "|"));)
                if (!glossary_find(word)) fail_msg("%s is not found", word);
        }
    assert_true(terms >= 45);
}

/* Each idea that a Transformer has is found from every stop; if it has several stops,
 * always at a different one. */
static void ideas_lead_to_stages(void **state) {
    (void)state;
    static const char *const typed[] = {"softmax",
                                        "mask",
                                        "ffn",
                                        "attention",
                                        "residual",
                                        "embedding",
                                        "position",
                                        "heads",
                                        "query",
                                        "key",
                                        "value",
                                        "norm",
                                        "logits",
                                        "decoding",
                                        "소프트맥스",
                                        "마스크",
                                        "어텐션",
                                        "잔차",
                                        "임베딩",
                                        "위치",
                                        "layer norm",
                                        "Layer-Norm",
                                        "cross attention",
                                        "디코더"};
    for (size_t i = 0; i < sizeof typed / sizeof *typed; i++)
        for (session->run->stage = 0; session->run->stage < stops_count(session);
             session->run->stage++)
            if (stops_find(session, typed[i], &arena) < 0)
                fail_msg("no stage for %s", typed[i]);
    session->run->stage = 0;
    int first = stops_find(session, "softmax", &arena);
    session->run->stage = first;
    assert_true(stops_find(session, "softmax", &arena) > first);
    assert_int_equal(stops_find(session, "no such idea", &arena), -1);
}

/* Help and the man page print them unchanged. */
static void every_command_has_all_of_its_texts(void **state) {
    (void)state;
    for (const Command *const *c = commands; *c; c++) {
        const Command *command = *c;
        if (!command->name || !command->group || !command->summary ||
            !command->details || !command->example || !command->run)
            fail_msg("the row of :%s is not whole", command->name);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_address_can_be_typed_by_tab),
        cmocka_unit_test(every_command_has_all_of_its_texts),
        cmocka_unit_test(every_stage_can_be_typed_by_tab),
        cmocka_unit_test(cells_can_be_typed_by_tab),
        cmocka_unit_test(short_addresses_are_completed),
        cmocka_unit_test(a_value_that_is_whole_leads_on),
        cmocka_unit_test(other_words_are_completed),
        cmocka_unit_test(terms_and_ideas_are_found),
        cmocka_unit_test(ideas_lead_to_stages),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
