// An order that dpor foresees goes on after a step that fails in that order: the execution ends
// before its plan does. That is no nondeterminism, and the search goes on.
// build: gcc -O1
// build: clang -O2
// expect: finding assertion
// expect: finding race
// expect: exit 1
// expect: complete == true
// expect: classes == 6
// run: -k -s dfs
// run: -k -s dpor
// run: -k -s dpor -j 2
// run: -k -s bpor
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int data, count;
atomic_int x;

static void *writes(void *unused)
{
    *(volatile int *)&data = 1;
    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *looks(void *unused)
{
    atomic_fetch_add(&x, 1);
    assert(*(volatile int *)&data == 1);
    return unused;
}

static void *counts(void *unused)
{
    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, writes, NULL);
    pthread_create(&threads[1], NULL, looks, NULL);
    pthread_create(&threads[2], NULL, counts, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
