#include "canvas/drawing.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "base/language.h"

Drawing drawing;

#define CALL(name) {#name, &drawing.name},
static const struct {
    const char *name;
    void *function; /* points to a function pointer */
} calls[] = {
#include "canvas.calls.inc"
};
#undef CALL

static pthread_once_t once = PTHREAD_ONCE_INIT;
static Error problem;

static void load(void) {
    static const char library[] = "libpangocairo-1.0.so.0";
    void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
    for (size_t c = 0; handle && c < sizeof calls / sizeof *calls; c++) {
        void *symbol = dlsym(handle, calls[c].name);
        if (!symbol) handle = NULL;
        memcpy(calls[c].function, &symbol, sizeof symbol);
    }
    if (!handle)
        fail(&problem,
             "Cairo and Pango, which draw figures, cannot be loaded: %s; install the "
             "package %s",
             dlerror(), "libpangocairo-1.0-0");
}

bool drawing_load(Error *error) {
    pthread_once(&once, load);
    return problem.message[0] == '\0' || fail(error, "%s", problem.message);
}
