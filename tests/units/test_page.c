/* Pages: the output of a walk, an explanation and the commands, block by block, without
 * a window; and what a window is asked to draw. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "canvas/look.h"
#include "player/line.h"
#include "present/visit.h"
#include "session/stops.h"
#include "window/text.h"

#include <cmocka.h> /* last: it has a macro named fail */

/* A session with a small model of `preset` and no window. It accepts only ids. */
static Session *small_session(const char *preset, Arena *arena) {
    Session *session = session_new(arena);
    Config config;
    Error error;
    if (!config_preset(&config, preset, arena, &error)) fail_msg("%s", error.message);
    config.d_model = 8;
    config.source_vocabulary = config.target_vocabulary = 12;
    config.max_length = 16;
    if (config.d_ff) config.d_ff = 12;
    if (config.attention_heads > 1) config.attention_heads = 2;
    if (config.hidden_size) config.hidden_size = 6;
    if (!model_new(&session->model, &config, 3, NULL, &error))
        fail_msg("%s: %s", preset, error.message);
    session->has_model = true;
    session->options.depth = DEPTH_NUMBERS;
    Request request = {.source_ids = "5,7,9,2|6,10,2", .limit = 4};
    /* it needs a target of the source's length */
    if (strcmp(preset, "keras-as-written") == 0) request.target_ids = "1,8,4,6|1,6,9,3";
    if (!session_run(session, &request, &error))
        fail_msg("%s: %s", preset, error.message);
    return session;
}

/* Run `line`; its blocks are on session->page. */
static const Block *say(Session *session, const char *line) {
    Error error;
    if (!line_run(session, line, &error)) fail_msg("%s: %s", line, error.message);
    return session->page.first;
}

static const Block *find(const Block *block, BlockKind kind) {
    while (block && block->kind != kind) block = block->next;
    return block;
}

static const Block *must_find(const Block *block, BlockKind kind) {
    const Block *found = find(block, kind);
    if (!found) fail_msg("there is no block of kind %d", (int)kind);
    return found;
}

static void with_each_preset(void (*check)(Session *session, const char *preset)) {
    for (const Preset *preset = presets; preset->name; preset++) {
        Arena arena = {0};
        Session *session = small_session(preset->name, &arena);
        check(session, preset->name);
        session_free(session);
        arena_free(&arena);
    }
}

static bool is_picture(const Block *block) {
    return block->kind == BLOCK_NUMBERS || block->kind == BLOCK_FIGURE ||
           block->kind == BLOCK_RANKING || block->kind == BLOCK_RANKINGS;
}

/* Heading, prose, formulas unless everything was given, shapes, and numbers for each
 * shape. */
static void check_stage(const Block *block, const Session *session, int stop) {
    const StopNumber at = stops_number(session, stop);
    const StopNumber last = stops_number(session, stops_all(session) - 1);
    assert_int_equal(block->kind, BLOCK_HEADING);
    assert_int_equal(block->heading.number, at.number);
    assert_int_equal(block->heading.part, at.part);
    assert_int_equal(block->heading.count, last.number);
    assert_true(*block->heading.title && *block->heading.name);
    block = block->next;
    assert_int_equal(block->kind, BLOCK_PROSE);
    int shapes = 0;
    int pictures = 0;
    int computed = 0;
    int formulas = 0;
    for (block = block->next; block; block = block->next) {
        shapes += block->kind == BLOCK_SHAPE;
        computed += block->kind == BLOCK_SHAPE && block->shape.operation;
        formulas += block->kind == BLOCK_FORMULA;
        pictures += is_picture(block);
    }
    assert_true(shapes > 0);
    assert_int_equal(formulas, computed > 0);
    assert_int_equal(pictures, shapes);
}

static void check_walk(Session *session, const char *preset) {
    (void)preset;
    int count = stops_count(session);
    int stages = session->run->walk.count;
    assert_int_equal(must_find(say(session, ":goto 1"), BLOCK_TOKENS)->tokens.count, 4);
    for (int s = 0; s < stages; s++) check_stage(say(session, ""), session, s + 1);
    if (stages + 1 < count) must_find(say(session, ""), BLOCK_CHOICES);
    for (int s = stages + 2; s < count; s++) {
        const Block *heading = say(session, "");
        assert_int_equal(heading->heading.part, s - stages - 1);
        const RankingBlock *ranking = &must_find(heading, BLOCK_RANKING)->ranking;
        assert_int_equal(ranking->guess[0].id,
                         session->run->generated.id[s - stages - 2]);
    }
}

static void every_stage_describes_its_step_and_shows_it(void **state) {
    (void)state;
    with_each_preset(check_walk);
}

/* The terms, combined by their rule, give the cell, in float arithmetic. */
static void check_terms(const Block *block, const Tensor *tensor, int cell) {
    const TermsBlock *terms = &must_find(block, BLOCK_TERMS)->terms;
    assert_true(terms->value == (double)tensor->data[cell]);
    if (!terms->explanation) {
        assert_non_null(terms->given);
        return;
    }
    const Explanation *explanation = terms->explanation;
    double rest = 0;
    for (int t = 0; t < explanation->count; t++) {
        if (t < terms->shown) assert_non_null(terms->label[t].index);
        if (t >= terms->shown) rest += explanation->term[terms->order[t]].value;
    }
    assert_true(rest == terms->rest);
    double size = explanation_size(explanation) + 1;
    double combined = explanation->rule->combine(explanation);
    bool same = combined == terms->value;
    if (!same && !(fabs(combined - terms->value) <= 2e-5 * size))
        fail_msg("%s: %g is not %g", terms->address, combined, terms->value);
}

/* The first and the last cell of everything that the run left on its tape. */
static void check_explanations(Session *session, const char *preset) {
    (void)preset;
    for (int e = 0; e < session->run->tape.entries; e++) {
        const Tensor *tensor = session->run->tape.entry[e].tensor;
        const int cells[] = {0, tensor_size(tensor) - 1};
        for (int c = 0; c < 2; c++) {
            Arena arena = {0};
            const char *line =
                arena_print(&arena, ":why %s", address_print(tensor, cells[c], &arena));
            check_terms(say(session, line), tensor, cells[c]);
            arena_free(&arena);
        }
    }
}

static void why_shows_terms_whose_rule_gives_the_cell(void **state) {
    (void)state;
    with_each_preset(check_explanations);
}

static void the_decoding_shows_the_generated_text(void **state) {
    (void)state;
    Arena arena = {0};
    Session *session = small_session("paper", &arena);
    const ChoicesBlock *choices =
        &must_find(say(session, ":decode"), BLOCK_CHOICES)->choices;
    assert_int_equal(choices->count, session->run->generated.count);
    for (int t = 0; t < choices->count; t++) {
        assert_int_equal(choices->step[t].id, session->run->generated.id[t]);
        assert_true(choices->step[t].value > 0 && choices->step[t].value <= 1);
    }
    session_free(session);
    arena_free(&arena);
}

static void guesses_are_sorted_best_first(void **state) {
    (void)state;
    Arena arena = {0};
    Session *session = small_session("paper", &arena);
    const RankingsBlock *rankings =
        &must_find(say(session, ":goto logits"), BLOCK_RANKINGS)->rankings;
    assert_int_equal(rankings->count, session->run->target.ids.length);
    for (int r = 0; r < rankings->count; r++)
        for (int g = 1; g < rankings->ranking[r].count; g++)
            assert_true(rankings->ranking[r].guess[g - 1].value >=
                        rankings->ranking[r].guess[g].value);
    session_free(session);
    arena_free(&arena);
}

static void stages_are_listed_as_they_are_walked(void **state) {
    (void)state;
    Arena arena = {0};
    Session *session = small_session("paper", &arena);
    say(session, ":goto encoder.embedding");
    const ListBlock *list = &must_find(say(session, ":stages"), BLOCK_LIST)->list;
    assert_int_equal(list->kind, LIST_STAGES);
    assert_int_equal(list->count, stops_count(session));
    for (int i = 0; i < list->count; i++) {
        const StopNumber at = stops_number(session, i);
        assert_int_equal(list->item[i].number, at.number);
        assert_int_equal(list->item[i].part, at.part);
        assert_string_equal(list->item[i].name, stops_name(session, i, &arena));
        assert_int_equal(list->item[i].here, i == session->run->stage);
    }
    session_free(session);
    arena_free(&arena);
}

/* Of two sentences, the selected one is shown. */
static void numbers_are_those_of_the_sentence_that_is_shown(void **state) {
    (void)state;
    Arena arena = {0};
    Session *session = small_session("paper", &arena);
    say(session, ":goto encoder.input");
    const NumbersBlock *numbers =
        &must_find(say(session, ":batch 1"), BLOCK_NUMBERS)->numbers;
    assert_int_equal(numbers->slice.from[0], 1);
    assert_int_equal(numbers->slice.to[0], 2);
    assert_string_equal(numbers->all, ":show encoder.input");
    session_free(session);
    arena_free(&arena);
}

static void check_words(const char *text) {
    if (!text) return;
    size_t length = strlen(text);
    if (strpbrk(text, "\x1b\n\r\t") || text[0] == ' ' ||
        (length && text[length - 1] == ' '))
        fail_msg("not only words: '%s'", text);
}

/* Columns, colors and line ends belong to the window. */
static void check_no_layout(const Block *block) {
    for (; block; block = block->next) {
        switch (block->kind) {
        case BLOCK_SECTION:
        case BLOCK_PROSE:
        case BLOCK_NOTE:
        case BLOCK_LINE:
            check_words(block->text);
            break;
        case BLOCK_FORMULA:
            for (int l = 0; l < block->formula.count; l++)
                check_words(block->formula.line[l]);
            break;
        case BLOCK_LIST:
            for (int i = 0; i < block->list.count; i++) {
                check_words(block->list.item[i].name);
                check_words(block->list.item[i].value);
                check_words(block->list.item[i].text);
            }
            break;
        default:
            break;
        }
    }
}

static void blocks_have_words_and_no_layout(void **state) {
    (void)state;
    static const char *const lines[] = {":help",
                                        ":help all",
                                        ":help new",
                                        ":model",
                                        ":options",
                                        ":stages",
                                        ":tokens",
                                        ":batch",
                                        ":decode",
                                        ":version",
                                        ":show encoder.input",
                                        ":heat *.0.self_attention.weights",
                                        ":train --keys",
                                        ":decode 0"};
    Arena arena = {0};
    Session *session = small_session("paper", &arena);
    session->model.path = "model";
    for (size_t l = 0; l < sizeof lines / sizeof *lines; l++) {
        const Block *first = say(session, lines[l]);
        assert_non_null(first);
        check_no_layout(first);
    }
    for (int s = 1; s < stops_count(session); s++) {
        Error error;
        session_clear(session);
        assert_true(visit_stop(session, s, &error));
        check_no_layout(session->page.first);
    }
    session_free(session);
    arena_free(&arena);
}

/* A window that counts blocks, and fails at one of them. */
typedef struct {
    int drawn, fails_at;
    const Block *last;
} Watcher;

static bool watch(void *state, const Block *block, Error *error) {
    Watcher *watcher = state;
    watcher->last = block;
    bool fails = ++watcher->drawn == watcher->fails_at;
    if (fails) snprintf(error->message, sizeof error->message, "no more");
    return !fails;
}

static void nothing(void *state) {
    (void)state;
}

static void a_window_draws_each_block_immediately(void **state) {
    (void)state;
    Arena arena = {0};
    Watcher watcher = {0};
    Window window = {&watcher, watch, nothing, 0, 0};
    Page page = {.arena = &arena, .window = &window};
    page_section(&page, "one");
    assert_int_equal(watcher.drawn, 1);
    assert_ptr_equal(watcher.last, page.last);
    page_line(&page, "%d", 2);
    assert_int_equal(watcher.drawn, 2);
    assert_string_equal(watcher.last->text, "2");
    assert_ptr_equal(page.first->next, page.last);
    page_counting(&page, 1, 2, "sentences");
    assert_int_equal(watcher.drawn, 3);
    assert_null(page.last->next); /* it is shown and not kept */
    arena_free(&arena);
}

static void the_first_failure_ends_a_page(void **state) {
    (void)state;
    Arena arena = {0};
    Watcher watcher = {.fails_at = 2};
    Window window = {&watcher, watch, nothing, 0, 0};
    Page page = {.arena = &arena, .window = &window};
    Error error = {0};
    page_section(&page, "one");
    assert_true(page_done(&page, &error));
    page_section(&page, "two");
    page_section(&page, "three");
    assert_int_equal(watcher.drawn, 2);
    assert_false(page_done(&page, &error));
    assert_string_equal(error.message, "no more");
    page_clear(&page);
    assert_true(page_done(&page, &error));
    assert_null(page.first);
    arena_free(&arena);
}

/* The error of a line does not affect the next line. */
static void the_error_of_a_line_is_reported_once(void **state) {
    (void)state;
    Arena arena = {0};
    Session *session = small_session("paper", &arena);
    Error error;
    assert_false(line_run(session, ":nonsense", &error));
    assert_non_null(strstr(error.message, "nonsense"));
    assert_null(session->page.first);
    assert_non_null(find(say(session, ":version"), BLOCK_LINE));
    session_free(session);
    arena_free(&arena);
}

static void folded_lines_lose_no_word(void **state) {
    (void)state;
    static const char text[] = "나는 어제 internationalization을 배웠다, a bc  def "
                               "그리고 ghijklmnopqrstuvwxyz";
    Arena arena = {0};
    for (int width = 2; width < 90; width++) {
        char words[2 * sizeof text] = "";
        for (const char *line = text; *line;) {
            size_t length = look_fold(line, width);
            const char *piece = arena_copy(&arena, line, length);
            assert_true(length > 0 && unicode_width(piece) <= width);
            strcat(words, piece);
            line += length;
            for (; *line == ' '; line++) strcat(words, " ");
        }
        assert_string_equal(words, text);
    }
    arena_free(&arena);
}

/* Measuring to the end of the text for each line would take hours. */
static void a_word_of_megabytes_is_folded_like_any_other(void **state) {
    (void)state;
    enum { BYTES = 8 << 20, WIDTH = 80 };
    Arena arena = {0};
    char *text = arena_take(&arena, BYTES + 1);
    memset(text, 'x', BYTES);
    int lines = 0;
    for (const char *line = text; *line; line += look_fold(line, WIDTH)) lines++;
    assert_int_equal(lines, (BYTES + WIDTH - 1) / WIDTH);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_stage_describes_its_step_and_shows_it),
        cmocka_unit_test(why_shows_terms_whose_rule_gives_the_cell),
        cmocka_unit_test(the_decoding_shows_the_generated_text),
        cmocka_unit_test(guesses_are_sorted_best_first),
        cmocka_unit_test(stages_are_listed_as_they_are_walked),
        cmocka_unit_test(numbers_are_those_of_the_sentence_that_is_shown),
        cmocka_unit_test(blocks_have_words_and_no_layout),
        cmocka_unit_test(a_window_draws_each_block_immediately),
        cmocka_unit_test(the_first_failure_ends_a_page),
        cmocka_unit_test(the_error_of_a_line_is_reported_once),
        cmocka_unit_test(folded_lines_lose_no_word),
        cmocka_unit_test(a_word_of_megabytes_is_folded_like_any_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
