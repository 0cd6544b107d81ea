/* The checksum of checkpoints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/crc32.h"

#include <cmocka.h>

static void checksums_equal_the_published_ones(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint32_t sum;
    } known[] = {
        {"", 0},
        {"a", 0xe8b7be43},
        {"abc", 0x352441c2},
        {"123456789", 0xcbf43926},
        {"The quick brown fox jumps over the lazy dog", 0x414fa339},
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        assert_int_equal(crc32_add(0, known[k].text, strlen(known[k].text)),
                         known[k].sum);
}

static void parts_give_the_sum_of_the_whole(void **state) {
    (void)state;
    const char *text = "The quick brown fox jumps over the lazy dog";
    for (size_t cut = 0; cut <= strlen(text); cut++) {
        uint32_t sum = crc32_add(0, text, cut);
        sum = crc32_add(sum, text + cut, strlen(text) - cut);
        assert_int_equal(sum, 0x414fa339);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checksums_equal_the_published_ones),
        cmocka_unit_test(parts_give_the_sum_of_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
