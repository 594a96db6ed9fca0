// Ends of every kind, each reached in some executions only, and the next execution is right after
// each of them: the counts are those of an undisturbed search. The first thread comes first in 9 of
// the 10 executions; raise is one more step then, before or after main's first join: 12 of 13.
// build: gcc -O0
// build: clang -O0
// expect: complete == true
// run: -s dfs -k -- segv
// expect: executions 10
// expect: finding crash
// expect: output SIGSEGV
// expect: buggy 9
// run: -s dfs -k -- fpe
// expect: executions 10
// expect: finding crash
// expect: output SIGFPE
// run: -s dfs -k -- ill
// expect: executions 10
// expect: finding crash
// expect: output SIGILL
// run: -s dfs -k -- bus
// expect: executions 10
// expect: finding crash
// expect: output SIGBUS
// run: -s dfs -k -- abort
// expect: executions 10
// expect: finding crash
// expect: output SIGABRT
// run: -s dfs -k -- raise
// expect: executions 13
// expect: buggy 12
// expect: finding crash
// expect: output SIGTERM
// run: -s dfs -k -- overflow
// expect: executions 10
// expect: finding crash
// expect: output SIGSEGV
// run: -s dfs -k -- jump
// expect: output at a call of address 0x10, where there is no code: T2 was there (die,
// expect: executions 10
// expect: finding crash
// expect: output SIGSEGV
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int turns;
static volatile int zero;
static const char *way;

static int dive(volatile int depth)
{
    volatile char frame[4096];
    frame[0] = (char)depth;
    return dive(depth + 1) + frame[0];
}

static void touch_beyond_file(void)
{
    char name[] = "/tmp/bohr-bus-XXXXXX";
    int fd = mkstemp(name);
    unlink(name);
    volatile char *page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
    zero = page[0];
}

static void die(void)
{
    if (strcmp(way, "segv") == 0)
        *(volatile int *)8 = 1;
    else if (strcmp(way, "fpe") == 0)
        zero = 100 / zero;
    else if (strcmp(way, "ill") == 0)
        __builtin_trap();
    else if (strcmp(way, "bus") == 0)
        touch_beyond_file();
    else if (strcmp(way, "abort") == 0)
        abort();
    else if (strcmp(way, "raise") == 0)
        raise(SIGTERM);
    else if (strcmp(way, "overflow") == 0)
        dive(0);
    else if (strcmp(way, "jump") == 0)
        ((void (*)(void))16)();
}

static void *first(void *unused)
{
    pthread_mutex_lock(&mutex);
    turns++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *second(void *unused)
{
    pthread_mutex_lock(&mutex);
    int late = turns;
    pthread_mutex_unlock(&mutex);
    if (late)
        die();
    return unused;
}

int main(int argc, char **argv)
{
    way = argc > 1 ? argv[1] : "";
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
