/* Addresses: printed ones are found again, and errors are explained. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "tensor/address.h"

#include <cmocka.h> /* last: it has a macro named fail */

static const char *const words[] = {"나는", "a,b", "나는",  "2",  "", "x]\"y",
                                    "one",  "one", "three", "-1", "", "#"};

/* Two sentences of six tokens, three heads. */
static Tensor *weights(Arena *arena) {
    Axis axis[] = {{.name = "batch", .size = 2},
                   {.name = "head", .size = 3},
                   {.name = "query", .size = 6, .labels = words, .label_rows = 2},
                   {.name = "key", .size = 6, .labels = words, .label_rows = 2}};
    return tensor_new(arena, "encoder.0.weights", 4, axis);
}

static void test_every_cell_is_found_by_its_printed_address(void **state) {
    (void)state;
    Arena arena = {0};
    const Tensor *tensor = weights(&arena);
    for (int cell = 0; cell < tensor_size(tensor); cell++) {
        const char *address = address_print(tensor, cell, &arena);
        int found = -1;
        Error error = {0};
        assert_string_equal(address_name(address, &arena), tensor->name);
        if (!address_cell(address, tensor, &arena, &found, &error))
            fail_msg("%s: %s", address, error.message);
        if (found != cell) fail_msg("%s is cell %d, not %d", address, found, cell);
    }
    arena_free(&arena);
}

static void test_step_and_layer_are_read_from_an_address(void **state) {
    (void)state;
    static const struct {
        const char *address, *rest, *in_layer_1;
        int step, layer;
    } rows[] = {
        {"encoder.0.norm_1", "encoder.0.norm_1", "encoder.1.norm_1", NOWHERE, 0},
        {"step.12.decoder.3.add_1[0]", "decoder.3.add_1[0]",
         "step.12.decoder.1.add_1[0]", 12, 3},
        {"step.2.logits", "logits", NULL, 2, NOWHERE},
        {"step.2", "", NULL, 2, NOWHERE},
        {"step.x.logits", "step.x.logits", NULL, NOWHERE, NOWHERE},
        {"encoder.*.add_1", "encoder.*.add_1", "encoder.1.add_1", NOWHERE, NOWHERE},
        {"logits[key=a.1.b]", "logits[key=a.1.b]", NULL, NOWHERE, NOWHERE},
        {"", "", NULL, NOWHERE, NOWHERE},
    };
    Arena arena = {0};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        int step;
        assert_string_equal(address_after_step(rows[r].address, &step), rows[r].rest);
        assert_int_equal(step, rows[r].step);
        assert_int_equal(address_layer(rows[r].address), rows[r].layer);
        const char *moved = address_in_layer(rows[r].address, "1", &arena);
        if (!moved || !rows[r].in_layer_1)
            assert_ptr_equal(moved, rows[r].in_layer_1);
        else
            assert_string_equal(moved, rows[r].in_layer_1);
    }
    arena_free(&arena);
}

static int cell_at(const char *address) {
    Arena arena = {0};
    Error error;
    int cell;
    if (!address_cell(address, weights(&arena), &arena, &cell, &error)) cell = -1;
    arena_free(&arena);
    return cell;
}

static void test_a_bare_integer_is_an_index_and_quotes_make_a_label(void **state) {
    (void)state;
    int start = cell_at("w[batch=0, head=1, query=0, key=0]");
    assert_int_equal(start, 36);
    assert_int_equal(cell_at("w[batch=0, head=1, query=0, key=2]"), start + 2);
    assert_int_equal(cell_at("w[batch=0, head=1, query=0, key=\"2\"]"), start + 3);
    assert_int_equal(cell_at("w[batch=0,head=1,query=나는,key=나는#2]"), start + 2);
    assert_int_equal(cell_at("w[batch=0,head=1,query=나는,key=\"나는\"#2]"), start + 2);
    assert_int_equal(cell_at("w[batch=0,head=1,query=나는,key=\"나는#2\"]"), start + 2);
    assert_int_equal(cell_at("w[batch=0,head=1,query=나는,key=나는#0]"), -1);
    assert_int_equal(cell_at("w[key=three, head=1, query=one#2, batch=1]"),
                     108 + 36 + 6 + 2);
}

static void test_axes_in_their_order_need_no_names(void **state) {
    (void)state;
    int start = cell_at("w[batch=0, head=1, query=0, key=0]");
    assert_int_equal(cell_at("w[batch=0, head=1, 나는, 나는#2]"), start + 2);
    assert_int_equal(cell_at("w[batch=0, 1, 나는, \"2\"]"), start + 3);
    assert_int_equal(cell_at("w[0, 1, 0, 2]"), start + 2);
    assert_int_equal(cell_at("w[0, 2 , batch=0, head=1]"), start + 2);
    assert_int_equal(cell_at("w[batch=0, 나는, 2]"), 2);
    assert_int_equal(cell_at("w[batch=0, key=2, 나는]"), 2);
    assert_int_equal(cell_at("w[나는, 2]"), -1); /* which sentence? */
    assert_int_equal(cell_at("w[batch=0, 나는]"), -1);
}

static void test_a_slice_counts_up_to_and_without(void **state) {
    (void)state;
    Arena arena = {0};
    Error error;
    Slice slice;
    assert_true(address_slice("w[key=1:4, batch=1, query=:2]", weights(&arena), &arena,
                              &slice, &error));
    assert_int_equal(slice.from[3], 1);
    assert_int_equal(slice.to[3], 4);
    assert_int_equal(slice.to[2], 2);
    assert_int_equal(slice_size(&slice), 1 * 3 * 2 * 3);
    arena_free(&arena);
}

static void test_an_item_ends_outside_of_quotes(void **state) {
    (void)state;
    static const struct {
        const char *item, *rest;
    } items[] = {
        {"head=1, query=2]", ", query=2]"},
        {"query=나는] = 1", "] = 1"},
        {"query=\",]\", key=0]", ", key=0]"},
        {"query=\"\\\"\", key=0]", ", key=0]"},
        {"query=\"\\\\\", key=0]", ", key=0]"},
        {"query=\"나", ""},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof items / sizeof *items; i++)
        assert_string_equal(address_item_end(items[i].item), items[i].rest);
}

static void test_an_item_is_found_by_its_axis(void **state) {
    (void)state;
    static const struct {
        const char *address, *item;
    } rows[] = {
        {"w[head=1, query=2]", "head=1, query=2]"},
        {"w[query=head, head = 1]", "head = 1]"},
        {"w[query=\", head=1\"]", NULL},
        {"w[heads=1, head]", NULL},
        {"head=1", NULL},
        {"w[]head=1", NULL},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const char *item = address_item(rows[r].address, "head");
        assert_string_equal(item ? item : "none", rows[r].item ? rows[r].item : "none");
    }
}

static void test_a_wrong_address_is_one_sentence(void **state) {
    (void)state;
    static const struct {
        const char *address, *part;
    } wrong[] = {
        {"w[head=3]", "along head, 0 to 2"},
        {"w[head=-1]", "along head, 0 to 2"},
        {"w[head=2147483647]", "along head, 0 to 2"},
        {"w[haed=0]", "no axis 'haed'"},
        {"w[head]", "there is no such label"},
        {"w[]]", "follows the bracket"},
        {"w[,]", "cannot read"},
        {"w[나는, ]", "cannot read"},
        {"w[0, 0, 0, 0, 0]", "more labels than axes"},
        {"w[batch=0, 0, 0, 0, 0]", "more labels than axes"},
        {"w[head=]", "cannot read"},
        {"w[head=0", "cannot read"},
        {"w[head /../../outside/stolen=0]", "cannot read"},
        {"w[head query=0]", "cannot read"},
        {"w[head=0]x", "follows the bracket"},
        {"w[head=0,head=1]", "twice"},
        {"w[query=너는]", "나는, "},
        {"w[query=나는#3]", "only 2"},
        {"w[key=2:2]", "along key, 0 to 5"},
        {"w[key=4:9]", "along key, 0 to 5"},
        {"w[key=99999999999999999999]", "99999999999999999999"},
        {"w[key=99999999999:]", "99999999999"},
        {"w[head=x]", "no labels"},
        {"w[a=0,b=0,c=0,d=0,e=0,f=0,g=0,h=0,i=0,j=0,k=0,l=0,m=0,n=0,o=0,p=0,q=0]",
         "axes"},
    };
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
        Arena arena = {0};
        Error error = {0};
        Slice slice;
        if (address_slice(wrong[w].address, weights(&arena), &arena, &slice, &error))
            fail_msg("%s was taken", wrong[w].address);
        if (!strstr(error.message, wrong[w].part))
            fail_msg("%s: '%s' lacks '%s'", wrong[w].address, error.message,
                     wrong[w].part);
        arena_free(&arena);
    }
}

static void test_a_file_of_an_address_has_a_plain_name(void **state) {
    (void)state;
    static const struct {
        const char *address, *name;
    } file[] = {
        {"encoder.0.weights[head=1]", "encoder.0.weights-head-1"},
        {"w[query=나는, key=\"a b\"]", "w-query-나는-key-a-b"},
        {"w[head /../../x=0]", "w-head-..-..-x-0"},
        {"/../x", "..-x"},
        {"[/]", ""},
    };
    for (size_t f = 0; f < sizeof file / sizeof *file; f++) {
        Arena arena = {0};
        assert_string_equal(address_file_name(file[f].address, &arena), file[f].name);
        arena_free(&arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_cell_is_found_by_its_printed_address),
        cmocka_unit_test(test_a_bare_integer_is_an_index_and_quotes_make_a_label),
        cmocka_unit_test(test_step_and_layer_are_read_from_an_address),
        cmocka_unit_test(test_axes_in_their_order_need_no_names),
        cmocka_unit_test(test_a_slice_counts_up_to_and_without),
        cmocka_unit_test(test_an_item_ends_outside_of_quotes),
        cmocka_unit_test(test_an_item_is_found_by_its_axis),
        cmocka_unit_test(test_a_wrong_address_is_one_sentence),
        cmocka_unit_test(test_a_file_of_an_address_has_a_plain_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
