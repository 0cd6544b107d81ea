#include "kernel/blas.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"

static const char *const library = "libopenblas.so.0";
static const char *const package = "libopenblas0-pthread";
static const char *const product = _Generic((Number)0, float
                                            : "cblas_sgemm", double
                                            : "cblas_dgemm");

/* The chosen OpenBLAS kernel, and the reason. */
typedef struct {
    const char *kernel, *reason;
} KernelChoice;

/* Return the best kernel that the processor supports, by OpenBLAS's name for it, or
 * NULL if OpenBLAS decides. Its newer kernels (Cooperlake, SapphireRapids) use the same
 * matrix products as SkylakeX and differ only for 16-bit numbers. */
static KernelChoice choose(void) {
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512cd"))
        return (KernelChoice){"SkylakeX", N_("the processor has AVX-512")};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return (KernelChoice){__builtin_cpu_is("amd") ? "Zen" : "Haswell",
                              N_("the processor has AVX2 and FMA")};
#endif
    return (KernelChoice){NULL, N_("chosen by OpenBLAS")};
}

/* State of the library; constant after the first attempt to load it. */
static struct {
    pthread_once_t once;
    void *handle;
    BlasGemm *gemm;
    KernelChoice choice;
    bool takes_small; /* see blas_takes_small() */
    Error error;
} blas = {.once = PTHREAD_ONCE_INIT};

/* Look up a function of the library; `function` points to a function pointer. */
static bool find(const char *name, void *function) {
    void *symbol = dlsym(blas.handle, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol;
}

/* Call a function of the library without arguments, or return "unknown". */
static const char *ask(const char *name) {
    char *(*function)(void);
    return find(name, &function) ? function() : tr("unknown");
}

/* Of the x86-64 kernels, only these have code for small products. */
static bool has_small_kernels(const char *core) {
    static const char *const cores[] = {"SkylakeX", "Cooperlake", "SapphireRapids"};
    for (size_t c = 0; c < sizeof cores / sizeof *cores; c++)
        if (strcmp(core, cores[c]) == 0) return true;
    return false;
}

/* OpenBLAS reads these variables while it is loaded. Use one thread, since two thread
 * pools slow each other down: see base/threads.h. Runs before main(), because setenv()
 * may move the environment while another thread reads it, and any thread may compute
 * the first product. */
__attribute__((constructor)) static void prepare_environment(void) {
    const char *kernel = getenv("OPENBLAS_CORETYPE");
    blas.choice =
        kernel ? (KernelChoice){kernel, N_("OPENBLAS_CORETYPE says so")} : choose();
    if (blas.choice.kernel) setenv("OPENBLAS_CORETYPE", blas.choice.kernel, 0);
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
}

/* Request one thread twice, also in the environment: OpenBLAS hangs if it cannot
 * allocate memory for more threads. */
static void set_up(void) {
    void (*set_threads)(int count);
    blas.handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
    if (!blas.handle || !find(product, &blas.gemm)) {
        const char *reason = dlerror();
        if (strstr(reason, "map segment") || strstr(reason, "allocate"))
            fail(&blas.error, "out of memory: OpenBLAS cannot be loaded (%s)", reason);
        else
            fail(&blas.error,
                 "OpenBLAS, which multiplies matrices, cannot be loaded: %s; install "
                 "the package %s",
                 reason, package);
        return;
    }
    if (find("openblas_set_num_threads", &set_threads)) set_threads(1);
    blas.takes_small = has_small_kernels(ask("openblas_get_corename"));
}

bool blas_load(Error *error) {
    pthread_once(&blas.once, set_up);
    return blas.gemm || fail(error, "%s", blas.error.message);
}

BlasGemm *blas_gemm(void) {
    pthread_once(&blas.once, set_up);
    return blas.gemm;
}

bool blas_takes_small(void) {
    pthread_once(&blas.once, set_up);
    return blas.takes_small;
}

const char *blas_describe(Arena *arena, Error *error) {
    if (!blas_load(error)) return NULL;
    return trf(arena,
               "matrix products: %s\nkernel: %s (%s)\n"
               "threads: OpenBLAS uses 1, the program shares the work itself",
               ask("openblas_get_config"), ask("openblas_get_corename"),
               tr(blas.choice.reason));
}
