/*
 * Preloaded into a program, fails its allocations on demand, counted from the
 * entry to main():
 *
 *     FAIL_ALLOC_AT=N      the N-th allocation fails
 *     FAIL_ALLOC_REST=1    and so does every later one
 *     FAIL_ALLOC_REPORT=F  file F is made when the N-th was reached
 *
 * SIGALRM ends a program that then hangs.
 */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

typedef int main_function(int, char **, char **);
typedef int start_function(main_function *, int, char **, void (*)(void),
                           void (*)(void), void (*)(void), void *);

/* glibc's own entry points, which it exports for this purpose. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

int __libc_start_main(main_function *main, int argc, char **argv,
                      void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end);

static main_function *real_main;
static unsigned long fail_at; /* 0: not counting */
static unsigned long seen;
static bool fail_rest;
static const char *report;

static void note_reached(void)
{
    const int file = report ? open(report, O_WRONLY | O_CREAT, 0644) : -1;

    if (file >= 0) {
        close(file);
    }
}

static bool fails(void)
{
    if (fail_at == 0) {
        return false;
    }
    ++seen;
    if (seen == fail_at) {
        note_reached();
    }
    return seen == fail_at || (fail_rest && seen > fail_at);
}

static void *refuse(void)
{
    errno = ENOMEM;
    return NULL;
}

void *malloc(size_t size)
{
    return fails() ? refuse() : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails() ? refuse() : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    return fails() ? refuse() : __libc_realloc(memory, size);
}

static int counted_main(int argc, char **argv, char **envp)
{
    const char *const at = getenv("FAIL_ALLOC_AT");
    const char *const rest = getenv("FAIL_ALLOC_REST");

    report = getenv("FAIL_ALLOC_REPORT");
    fail_rest = rest && *rest;
    alarm(20);
    fail_at = at ? strtoul(at, NULL, 10) : 0;
    return real_main(argc, argv, envp);
}

int __libc_start_main(main_function *main, int argc, char **argv,
                      void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end)
{
    start_function *start;

    real_main = main;
    *(void **)&start = dlsym(RTLD_NEXT, "__libc_start_main");
    return start(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}
