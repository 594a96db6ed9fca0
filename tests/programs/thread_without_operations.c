// A worker never comes to an operation. Its accesses become steps after so many of them: main
// goes on and ends the program, and the race is found. A loop without any access is a hang, but
// the race before it is found, too.
// replay: no    (a hang takes seconds each time)
// check: no
// run: -s preempt -n 4 --no-shrink -- counts
// expect: finding race
// expect: executions >= 1
// expect: output data race
// run: -s preempt --no-shrink --hang 1s -- spins
// expect: finding race
// expect: finding hang
#include <pthread.h>
#include <string.h>

static volatile long count;

static void *counts(void *unused)
{
    for (;;)
        count++;
    return unused;
}

static void *spins(void *unused)
{
    count = 1;
    for (;;)
        __asm__ volatile("" ::: "memory");
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    int spinning = argc > 1 && strcmp(argv[1], "spins") == 0;
    pthread_create(&thread, NULL, spinning ? spins : counts, NULL);
    if (spinning) {
        count = 2;
        pthread_join(thread, NULL);
    } else {
        pthread_detach(thread);
    }
    return count < 0;
}
