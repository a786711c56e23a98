/*
 * Runs a command many times, its output discarded, and prints the median,
 * least and greatest wall time in milliseconds and the greatest peak memory in
 * KiB:
 *
 *     time_process RUNS COMMAND [ARGUMENT]...
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now_millis(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void become(char **command)
{
    const int null = open("/dev/null", O_RDWR);

    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    execvp(command[0], command);
    perror(command[0]);
    _exit(127);
}

/* The wall time of one run, or -1 when it failed. */
static double run_once(char **command)
{
    const double start = now_millis();
    const pid_t child = fork();
    int status;

    if (child == 0) {
        become(command);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
        return -1;
    }
    return now_millis() - start;
}

static int ascending(const void *a, const void *b)
{
    const double left = *(const double *)a;
    const double right = *(const double *)b;

    return (left > right) - (left < right);
}

int main(int argc, char **argv)
{
    const long runs = argc > 2 ? strtol(argv[1], NULL, 10) : 0;
    double times[1000];
    struct rusage usage;

    if (runs < 1 || runs > 1000) {
        fprintf(stderr, "usage: time_process RUNS COMMAND [ARGUMENT]...\n");
        return 2;
    }
    for (long i = 0; i < runs; ++i) {
        times[i] = run_once(argv + 2);
        if (times[i] < 0) {
            fprintf(stderr, "time_process: %s failed\n", argv[2]);
            return 1;
        }
    }
    qsort(times, (size_t)runs, sizeof(*times), ascending);
    getrusage(RUSAGE_CHILDREN, &usage);
    printf("%.2f %.2f %.2f %ld\n", times[runs / 2], times[0], times[runs - 1],
           usage.ru_maxrss);
    return 0;
}
