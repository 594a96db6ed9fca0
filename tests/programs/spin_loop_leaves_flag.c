// A spin loop that leaves a trace of its first iteration in a register or on the stack: the first
// iteration is a step like others, later ones are futile. Every search ends, with the 2 classes.
// build: gcc -O0
// build: gcc -O1
// build: gcc -O2
// build: clang -O0
// build: clang -O2
// expect: finding assertion
// expect: exit 1
// run: -k -s dpor
// expect: complete == true
// expect: classes == 2
// run: -k -s dpor -j 2
// expect: complete == true
// expect: classes == 2
// run: -k -s dpor --reduction source
// expect: complete == true
// expect: classes == 2
// run: -k -s bpor
// expect: complete == true
// expect: classes == 2
// run: -k -s dfs
// expect: executions == 3
// expect: classes == 2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static atomic_int x;

static void *waits(void *unused)
{
    bool at_once = true;
    while (!x)
        at_once = false;
    assert(at_once);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, waits, NULL);
    x = 1;
    pthread_join(thread, NULL);
    return 0;
}
