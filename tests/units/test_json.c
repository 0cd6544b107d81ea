/* Strings as written in JSON. Reading is tested by the tests of each kind of file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/json.h"

#include <cmocka.h> /* last: it has a macro named fail */

static void strings_are_quoted_and_read_again(void **state) {
    (void)state;
    static const struct {
        const char *text, *quoted, *read; /* read NULL: same as text */
    } row[] = {
        {"", "\"\"", NULL},
        {"a/b", "\"a/b\"", NULL},
        {"\"\\", "\"\\\"\\\\\"", NULL},
        {"\n\t\x01", "\"\\n\\t\\u0001\"", NULL},
        {"\x01\x02\x03\x04\x05\x06", "\"\\u0001\\u0002\\u0003\\u0004\\u0005\\u0006\"",
         NULL},
        {"나는 \xf0\x9f\x99\x82", "\"나는 \xf0\x9f\x99\x82\"", NULL},
        {"a\xff b", "\"a\xef\xbf\xbd b\"", "a\xef\xbf\xbd b"},
        {"\xff\xfe\xfd", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"",
         "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
    };
    Arena arena = {0};
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        const char *quoted = json_quote(row[r].text, &arena);
        assert_string_equal(quoted, row[r].quoted);
        const char *list = arena_print(&arena, "[%s]", quoted);
        const Json *json;
        Error error;
        assert_true(
            json_read((Bytes){list, strlen(list)}, "test", &arena, &json, &error));
        assert_string_equal(json->child[0].text,
                            row[r].read ? row[r].read : row[r].text);
    }
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings_are_quoted_and_read_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
