// longjmp out of recursion, on stacks that change between its two ends.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions == 10
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void leave(jmp_buf back, int depth)
{
    if (depth == 0) {
        pthread_mutex_unlock(&mutex);
        longjmp(back, 3);
    }
    leave(back, depth - 1);
}

static void *work(void *unused)
{
    jmp_buf back;
    volatile int depth = 5;
    int came = setjmp(back);
    if (came == 0) {
        pthread_mutex_lock(&mutex);
        count++;
        leave(back, depth);
    }
    assert(came == 3);
    assert(depth == 5);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, work, NULL);
    pthread_create(&threads[1], NULL, work, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(count == 2);
    return 0;
}
