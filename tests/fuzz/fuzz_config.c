/* A config.json of arbitrary bytes: rejected, or when printed it is read again as the
 * same. */
#include "fuzz.h"
#include "store/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static int file = -1;
    if (file < 0) file = fuzz_file("config.json");
    const char *path = fuzz_fill(file, (Bytes){(const char *)data, size});
    Arena arena = {0};
    Config config;
    Error error = {0};
    if (config_read(&config, path, &arena, &error)) {
        const char *printed = config_print(&config, &arena);
        Config again;
        fuzz_fill(file, (Bytes){printed, strlen(printed)});
        MUST(config_read(&again, path, &arena, &error));
        MUST(strcmp(config_print(&again, &arena), printed) == 0);
        MUST(again.mask_value == config.mask_value);
        MUST(again.layer_norm_epsilon == config.layer_norm_epsilon);
        MUST(again.dropout == config.dropout);
    } else {
        MUST(*error.message);
    }
    arena_free(&arena);
    return 0;
}
