/* The rows of commands; what a line says that it did, from which the full screen
 * decides what to show; and the terms and branches that its lines belong to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "commands/commands.h"
#include "player/line.h"
#include "window/text.h"

#include <cmocka.h> /* last: it has a macro named fail */

static const struct {
    const char *line;
    Did did;
    const char *tensor; /* that it shows */
    bool is_table;
} rows[] = {
    {":help why", DID_SAY, NULL, false},
    {"나는 어제 친구를 만났다.", DID_RUN, NULL, false},
    {"", DID_MOVE, NULL, false},
    {":next", DID_MOVE, NULL, false},
    {":back", DID_MOVE, NULL, false},
    {":goto 5", DID_MOVE, NULL, false},
    {":goto 5", DID_MOVE, NULL, false}, /* also where it is already */
    {":goto nowhere", DID_SAY, NULL, false},
    {":stages", DID_SAY, NULL, false},
    {":more", DID_MOVE, NULL, false},
    {":options digits=4", DID_SAY, NULL, false},
    {":options depth=path", DID_MOVE, NULL, false},
    {":heat logits", DID_SAY, "logits", false},
    {":show encoder.embedding", DID_SAY, "encoder.embedding", true},
    {":why logits[0, 0, 5]", DID_ASK, NULL, false},
    {":why logits[0, 0, 5]", DID_ASK, NULL, false},
    {":why 1", DID_ASK, NULL, false},
    {":up", DID_ASK, NULL, false},
    {":up", DID_SAY, NULL, false}, /* there is no earlier question */
    {":mask encoder.0 head 2", DID_SAY, NULL, false},
    {":undo", DID_SAY, NULL, false},
    {":target I met a friend yesterday.", DID_RUN, NULL, false},
    {":learn", DID_LEARN, NULL, false},
    {"", DID_LEARN, NULL, false},
    {":learn undo", DID_RUN, NULL, false},
    {":heat logits --source 나는", DID_RUN, "logits", false},
};

static Session *begin(Arena *arena) {
    Error error;
    Session *session = session_new(arena);
    if (!session_open(session, "assets/models/ko-en", &error))
        fail_msg("%s", error.message);
    return session;
}

static void a_line_says_what_it_did(void **state) {
    (void)state;
    Arena arena = {0};
    Session *session = begin(&arena);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        Error error = {0};
        line_run(session, rows[r].line, &error);
        const LineOutcome *outcome = &session->outcome;
        const char *tensor = outcome->tensor ? outcome->tensor : "";
        const char *expected = rows[r].tensor ? rows[r].tensor : "";
        if (outcome->did != rows[r].did || strcmp(tensor, expected) != 0 ||
            outcome->is_table != rows[r].is_table)
            fail_msg("%s: did %d, showed '%s': %s", rows[r].line, (int)outcome->did,
                     tensor, error.message);
    }
    session_free(session);
    arena_free(&arena);
}

/* Return how many lines begin an item, which must be 1, 2, 3 ...; 0: none. */
static int count_items(Session *session, const char *line, int width, Arena *arena) {
    const int color = 1; /* never */
    Error error;
    Styled kept = {.text.arena = arena};
    FILE *out = builder_stream(&kept.text);
    TextWindow *window = window_text_new(arena, out, &width, &color);
    window->kept = &kept;
    if (!line_run(session, line, &error)) fail_msg("%s", error.message);
    for (const Block *block = session->page.first; block; block = block->next)
        assert_true(window->window.draw(window, block, &error));
    fclose(out);
    window_text_free(window);
    int last = 0;
    for (int at = 0; at < kept.text.count; at++) {
        LookSpan span;
        styled_span(&kept, at, &span);
        if (at > 0 && kept.text.text[at - 1] != '\n') continue;
        if (span.item != 0 && span.item != last) assert_int_equal(span.item, ++last);
    }
    return last;
}

static void the_lines_of_an_answer_know_their_terms(void **state) {
    (void)state;
    static const char sentence[] = "나는 어제 친구를 만났다.";
    static const char why[] =
        ":why encoder.0.self_attention.weights[head=0, query=0, key=1]";
    static const int widths[] = {40, 80, 120};
    for (int w = 0; w < 3; w++) {
        Arena arena = {0};
        Error error;
        Session *session = begin(&arena);
        assert_true(line_run(session, sentence, &error));
        int keys = session->run->source.ids.length;
        assert_int_equal(count_items(session, why, widths[w], &arena), keys);
        int branches =
            count_items(session, ":because logits[0, 1, 5]", widths[w], &arena);
        assert_int_equal(branches, session->run->questions.because.numbers);
        assert_true(branches > 0);
        assert_int_equal(count_items(session, ":stages", widths[w], &arena), 0);
        session_free(session);
        arena_free(&arena);
    }
}

static void every_command_is_a_complete_row(void **state) {
    (void)state;
    for (const Command *const *next = commands; *next; next++) {
        const Command *command = *next;
        assert_non_null(command->name);
        if (command->group == GROUP_NONE)
            fail_msg("%s is in no group of :help", command->name);
        if (!command->summary || !command->details || !command->example)
            fail_msg("%s has no summary, details or example", command->name);
        if (!command->run) fail_msg("%s does nothing", command->name);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_command_is_a_complete_row),
        cmocka_unit_test(a_line_says_what_it_did),
        cmocka_unit_test(the_lines_of_an_answer_know_their_terms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
