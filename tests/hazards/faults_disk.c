/* Loaded by LD_PRELOAD: the n-th system call of one kind fails, or the process is
 * killed there. A kernel filter (seccomp) turns such calls into a signal, so that calls
 * inside the C library are also caught.
 *   FAULT_CALL=NAME     of the table below
 *   FAULT_AT=n          which one, from 1; 0: none, only count them
 *   FAULT_FOREVER=1     and all that follow
 *   FAULT_ERROR=N       its errno; 0: kill -9 instead
 *   FAULT_COUNT=FILE    gets the count, as an int */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define MAGIC 0x6661756c7473L /* as the unused sixth argument: let this call pass */

enum { CALLS_MAX = 4 };

/* A kind of call. If `written` is set, only on a regular file that is open for
 * writing. */
typedef struct {
    const char *name;
    bool written;
    long call[CALLS_MAX];
} Kind;

static const Kind kinds[] = {
    {"open", false, {SYS_openat}},
    {"read", false, {SYS_read}},
    {"write", true, {SYS_write, SYS_pwrite64, SYS_writev}},
    {"fsync", true, {SYS_fsync, SYS_fdatasync}},
    {"close", true, {SYS_close}},
    {"rename",
     false,
     {SYS_renameat, SYS_renameat2, SYS_linkat,
#ifdef SYS_rename
      SYS_rename
#endif
     }},
#ifdef SYS_link
    {"link", false, {SYS_link, SYS_linkat}},
#endif
    {"mkdir",
     false,
     {SYS_mkdirat,
#ifdef SYS_mkdir
      SYS_mkdir
#endif
     }},
    {"unlink",
     false,
     {SYS_unlinkat,
#ifdef SYS_unlink
      SYS_unlink
#endif
     }},
    {NULL, false, {0}},
};

static const Kind *kind;
static int at, forever, error;
static int *count;

static bool on_written_file(int file) {
    struct stat status;
    return fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
           (fcntl(file, F_GETFL) & O_ACCMODE) != O_RDONLY;
}

static bool fails_now(long first) {
    if (kind->written && !on_written_file((int)first)) return false;
    int number = __atomic_add_fetch(count, 1, __ATOMIC_SEQ_CST);
    return number == at || (forever && at && number > at);
}

/* The registers of the call that was stopped. */
#if defined(__x86_64__)
#define REGISTER(context, name) ((context)->uc_mcontext.gregs[name])
#define ARGUMENTS(c)                                                                   \
    {                                                                                  \
        REGISTER(c, REG_RDI), REGISTER(c, REG_RSI), REGISTER(c, REG_RDX),              \
            REGISTER(c, REG_R10), REGISTER(c, REG_R8)                                  \
    }
#define RESULT(c) REGISTER(c, REG_RAX)
#elif defined(__aarch64__)
#define REGISTER(context, name) ((long)(context)->uc_mcontext.regs[name])
#define ARGUMENTS(c)                                                                   \
    { REGISTER(c, 0), REGISTER(c, 1), REGISTER(c, 2), REGISTER(c, 3), REGISTER(c, 4) }
#define RESULT(c) ((c)->uc_mcontext.regs[0])
#endif

static void stopped(int number, siginfo_t *info, void *where) {
    (void)number;
    ucontext_t *context = where;
    int before = errno;
    long argument[] = ARGUMENTS(context);
    bool fails = fails_now(argument[0]);
    if (fails && error == 0) kill(getpid(), SIGKILL);
    long result = -1;
    /* A close() that fails has closed the file anyway. */
    if (!fails || info->si_syscall == SYS_close)
        result = syscall(info->si_syscall, argument[0], argument[1], argument[2],
                         argument[3], argument[4], MAGIC);
    if (fails)
        result = -error;
    else if (result == -1)
        result = -errno;
    /* The type of a register depends on the machine. */
    __typeof__(RESULT(context)) kept = (__typeof__(RESULT(context)))result;
    RESULT(context) = kept;
    errno = before;
}

static void install(void) {
    enum { NUMBER = offsetof(struct seccomp_data, nr) };
    enum { SIXTH = offsetof(struct seccomp_data, args[5]) };
    struct sock_filter filter[2 * CALLS_MAX + 8] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, SIXTH),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)MAGIC, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, SIXTH + 4),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)(MAGIC >> 32), 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, NUMBER),
    };
    unsigned short length = 6;
    for (int i = 0; i < CALLS_MAX && (i == 0 || kind->call[i]); i++) {
        filter[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
                                                        (unsigned)kind->call[i], 0, 1);
        filter[length++] =
            (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
    }
    filter[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {length, filter};
    struct sigaction action = {.sa_sigaction = stopped,
                               .sa_flags = (int)(SA_SIGINFO | SA_NODEFER)};
    if (sigaction(SIGSYS, &action, NULL) != 0 ||
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        _exit(99);
}

static int number_of(const char *name) {
    const char *text = getenv(name);
    return text ? (int)strtol(text, NULL, 10) : 0;
}

__attribute__((constructor)) static void begin(void) {
    const char *name = getenv("FAULT_CALL");
    const char *path = getenv("FAULT_COUNT");
    for (kind = kinds; kind->name && name && strcmp(kind->name, name) != 0;) kind++;
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (!name || !kind->name || file < 0) return;
    at = number_of("FAULT_AT");
    forever = number_of("FAULT_FOREVER");
    error = number_of("FAULT_ERROR");
    count = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    install();
}
