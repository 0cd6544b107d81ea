/* The default of `:why`: first the cell that the stage mentioned. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "present/visit.h"
#include "session/question.h"

#include <cmocka.h> /* last: it has a macro named fail */

static void the_mentioned_cell_comes_first(void **state) {
    (void)state;
    static const char told[] =
        "encoder.0.self_attention.weights[head=1, query=0, key=1]";
    Arena arena = {0};
    Error error = {0};
    Session *session = session_new(&arena);
    const Request request = {.source = "나는 어제", .limit = 3};
    AxisCells cells;
    if (!session_open(session, "assets/models/ko-en", &error) ||
        !session_run(session, &request, &error) || !visit_stop(session, 3, &error))
        fail_msg("%s", error.message);
    session->run->told = told;
    assert_true(question_cells(session, NULL, &cells, &error));
    assert_string_equal(cells.tensor->name, "encoder.0.self_attention.weights");
    assert_int_equal(tensor_index(cells.tensor, 1, cells.cell), 1);
    assert_int_equal(tensor_index(cells.tensor, 3, cells.cell), 1);
    session->run->told = "encoder.nothing[0]";
    assert_false(question_cells(session, NULL, &cells, &error));
    session->run->told = NULL; /* as if the stage mentioned none */
    assert_true(question_cells(session, NULL, &cells, &error));
    assert_ptr_equal(cells.tensor, session->run->walk.stage[2].tensor[0]);
    assert_true(visit_stop(session, 4, &error)); /* a stage that mentions one */
    assert_true(question_cells(session, NULL, &cells, &error));
    assert_ptr_equal(cells.tensor, session->run->walk.stage[3].tensor[0]);
    session_free(session);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mentioned_cell_comes_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
