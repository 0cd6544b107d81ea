#include "session/program.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/system.h"

const char *const program_version = "0.9";

const char *program_folder(const char *name, Arena *arena) {
    /* Models are in the sources, which take precedence over those that `make models` is
     * training next to the program; catalogs are built next to it. */
    static const char *const places[] = {"../share/glassbox",
                                         "../share",
                                         "../assets",
                                         "../../assets",
                                         ".",
                                         "..",
                                         "../.."};
    char program[PATH_MAX];
    if (!system_program(program, sizeof program)) return NULL;
    *strrchr(program, '/') = '\0';
    for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
        char real[PATH_MAX];
        const char *place = file_join(arena, program, places[p]);
        if (realpath(file_join(arena, place, name), real))
            return arena_print(arena, "%s", real);
    }
    return NULL;
}

const char *program_path(const char *path, Arena *arena) {
    const char *models = program_folder("models", arena);
    size_t length = models ? strlen(models) : 0;
    if (length && strncmp(path, models, length) == 0 && path[length] == '/')
        return path + length + 1;
    return path;
}
