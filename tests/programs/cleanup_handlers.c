// pthread_exit runs the handlers of pthread_cleanup_push from the innermost outwards, in C without
// exceptions too, and then destructors of keys; handlers may take locks. While a thread runs main only
// waits for it, so there is nothing to choose.
// modes: all preload
// build: gcc -O0
// build: gcc -O2 -fexceptions
// build: clang -O2
// run: -s dfs
// expect: no finding
// expect: executions 1
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;
static int trail, digits[] = {0, 1, 2, 3, 4};

static void note(void *digit)
{
    pthread_mutex_lock(&mutex);
    trail = trail * 10 + *(int *)digit;
    pthread_mutex_unlock(&mutex);
}

static __attribute__((noinline)) void inner(void)
{
    pthread_cleanup_push(note, &digits[1]);
    pthread_cleanup_push(note, &digits[2]);
    pthread_exit(&digits[2]);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
}

static void *exits(void *unused)
{
    pthread_setspecific(key, &digits[4]);
    pthread_cleanup_push(note, &digits[3]);
    pthread_cleanup_push(note, &digits[0]);
    pthread_cleanup_pop(0);
    inner();
    pthread_cleanup_pop(1);
    return unused;
}

static void *returns(void *unused)
{
    pthread_cleanup_push(note, &digits[1]);
    pthread_cleanup_push(note, &digits[2]);
    pthread_cleanup_pop(1);
    pthread_cleanup_pop(0);
    return unused;
}

static int trail_of(void *(*start)(void *), void *expected)
{
    pthread_t thread;
    void *result;
    trail = 0;
    assert(pthread_create(&thread, NULL, start, NULL) == 0);
    assert(pthread_join(thread, &result) == 0);
    assert(result == expected);
    return trail;
}

int main(void)
{
    assert(pthread_key_create(&key, note) == 0);
    assert(trail_of(exits, &digits[2]) == 2134);
    assert(trail_of(returns, NULL) == 2);
    return 0;
}
