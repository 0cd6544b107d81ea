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

/* Which of OpenBLAS' kernels, and why that one. */
typedef struct {
    const char *kernel, *reason;
} KernelChoice;

/* The best kernel that the processor can run, as OpenBLAS names it, or NULL where
 * OpenBLAS decides. The products of its newer kernels (Cooperlake, SapphireRapids) are
 * those of SkylakeX: only their products of shorter numbers differ. */
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

/* All that is known of the library; fixed once it was tried to load it. */
static struct {
    pthread_once_t once;
    void *handle;
    BlasGemm *gemm;
    KernelChoice choice;
    bool takes_small; /* see blas_takes_small() */
    Error error;
} blas = {.once = PTHREAD_ONCE_INIT};

/* A function of the library as `function`, which points to a pointer to one. */
static bool find(const char *name, void *function) {
    void *symbol = dlsym(blas.handle, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol;
}

/* What a function of the library without arguments says, or "unknown". */
static const char *ask(const char *name) {
    char *(*function)(void);
    return find(name, &function) ? function() : tr("unknown");
}

/* Of those for x86-64 only these have kernels of their own for small products. */
static bool has_small_kernels(const char *core) {
    static const char *const cores[] = {"SkylakeX", "Cooperlake", "SapphireRapids"};
    for (size_t c = 0; c < sizeof cores / sizeof *cores; c++)
        if (strcmp(core, cores[c]) == 0) return true;
    return false;
}

/* What OpenBLAS will read once it is loaded. One thread, since two owners of threads
 * slow each other down: see base/threads.h. Before main(): the first product is any
 * thread's, and setenv() moves the environment while others may read it. */
__attribute__((constructor)) static void prepare_environment(void) {
    const char *kernel = getenv("OPENBLAS_CORETYPE");
    blas.choice =
        kernel ? (KernelChoice){kernel, N_("OPENBLAS_CORETYPE says so")} : choose();
    if (blas.choice.kernel) setenv("OPENBLAS_CORETYPE", blas.choice.kernel, 0);
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
}

/* One thread is asked for twice: in the environment as well, since OpenBLAS hangs where
 * it finds no memory for others. */
static void set_up(void) {
    void (*set_threads)(int count);
    blas.handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
    if (!blas.handle || !find(product, &blas.gemm)) {
        const char *reason = dlerror();
        if (strstr(reason, "map segment") || strstr(reason, "allocate"))
            fail(&blas.error, "out of memory: OpenBLAS cannot be loaded (%s)", reason);
        else
            fail(&blas.error,
                 "OpenBLAS, which multiplies matrices, cannot be loaded: %s; it comes "
                 "with "
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
