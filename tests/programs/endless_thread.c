// A thread that computes forever without an operation, and without an access: main ends the
// program all the same, so that nothing hangs. What the thread would have done is not known, and
// so nothing is proved. A race with what it did before is found. Copies are accesses, too.
// replay: no    (each execution takes seconds)
// check: no
// run: -s preempt -n 3 --hang 500ms --detect -untidy -- ends
// expect: no finding
// expect: executions >= 1
// expect: output had to give way to the others
// expect: output nothing is proved
// run: -s preempt -t 2s --no-shrink --no-explain --detect -untidy -- races
// expect: finding race
// expect: silence a hang
// run: -s preempt -n 2 --no-shrink --no-explain --detect -untidy -- copies
// expect: finding race
// expect: executions >= 1
// expect: silence a hang
// run: -s preempt --hang 500ms --no-shrink --no-explain --detect -untidy -- joined
// expect: finding hang
#include <pthread.h>
#include <string.h>

static volatile int data;
static char from[8], to[8];

static void *computes(void *unused)
{
    for (;;)
        __asm__ volatile("");
    return unused;
}

static void *writes_and_computes(void *unused)
{
    data = 1;
    return computes(unused);
}

static void *copies(void *unused)
{
    for (;;)
        memcpy(to, from, sizeof to);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    const char *what = argc > 1 ? argv[1] : "ends";
    void *(*function)(void *) = computes;
    if (strcmp(what, "races") == 0)
        function = writes_and_computes;
    if (strcmp(what, "copies") == 0)
        function = copies;
    pthread_create(&thread, NULL, function, NULL);
    if (strcmp(what, "joined") == 0)
        pthread_join(thread, NULL);
    if (strcmp(what, "races") == 0)
        data = 2;
    return strcmp(what, "copies") == 0 && to[0] != 0;
}
