// Results of the functions of C11 threads; the same as with libc.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: complete == true
// run: -s random -n 50
// expect: no finding
#include <assert.h>
#include <stddef.h>
#include <threads.h>
#include <time.h>

static mtx_t plain, timed, recursive;
static cnd_t cond;
static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static int once_calls, destroyed, ready, woken;
static const struct timespec past = {.tv_sec = 1}, wrong = {.tv_nsec = 1000000000};

static void count_once(void)
{
    once_calls++;
}

static void destroy(void *value)
{
    destroyed += *(int *)value;
}

static int exits(void *argument)
{
    assert(tss_get(key) == NULL);
    assert(tss_set(key, argument) == thrd_success);
    assert(tss_get(key) == argument);
    call_once(&once, count_once);
    assert(mtx_trylock(&plain) == thrd_busy);
    assert(mtx_timedlock(&timed, &past) == thrd_timedout);
    assert(mtx_timedlock(&timed, &wrong) == thrd_error);
    thrd_exit(-5);
}

static int waits(void *unused)
{
    mtx_lock(&plain);
    while (!ready)
        assert(cnd_wait(&cond, &plain) == thrd_success);
    woken++;
    mtx_unlock(&plain);
    return 0;
}

static int nothing(void *unused)
{
    return unused != NULL;
}

int main(void)
{
    assert(mtx_init(&plain, mtx_plain) == thrd_success);
    assert(mtx_init(&timed, mtx_timed) == thrd_success);
    assert(mtx_init(&recursive, mtx_timed | mtx_recursive) == thrd_success);
    assert(cnd_init(&cond) == thrd_success);
    assert(tss_create(&key, destroy) == thrd_success);

    assert(mtx_lock(&recursive) == thrd_success);
    assert(mtx_trylock(&recursive) == thrd_success);
    assert(mtx_timedlock(&recursive, &past) == thrd_success);
    for (int i = 0; i < 3; i++)
        assert(mtx_unlock(&recursive) == thrd_success);
    assert(mtx_unlock(&recursive) == thrd_error);

    thrd_t threads[2];
    int result, three = 3;
    assert(mtx_trylock(&plain) == thrd_success);
    assert(mtx_lock(&timed) == thrd_success);
    assert(thrd_create(&threads[0], exits, &three) == thrd_success);
    assert(thrd_join(threads[0], &result) == thrd_success);
    assert(result == -5 && destroyed == 3 && once_calls == 1);
    call_once(&once, count_once);
    assert(once_calls == 1);
    assert(cnd_timedwait(&cond, &plain, &past) == thrd_timedout);
    assert(cnd_timedwait(&cond, &plain, &wrong) == thrd_error);
    tss_delete(key);

    for (int i = 0; i < 2; i++)
        assert(thrd_create(&threads[i], waits, NULL) == thrd_success);
    ready = 1;
    assert(mtx_unlock(&plain) == thrd_success);
    assert(cnd_signal(&cond) == thrd_success);
    assert(cnd_broadcast(&cond) == thrd_success);
    for (int i = 0; i < 2; i++)
        assert(thrd_join(threads[i], NULL) == thrd_success);
    assert(woken == 2);

    struct timespec nap = {.tv_nsec = 1000};
    assert(thrd_sleep(&nap, NULL) == 0);
    assert(thrd_sleep(&wrong, NULL) < 0);
    thrd_yield();
    assert(thrd_create(&threads[0], nothing, NULL) == thrd_success);
    assert(thrd_detach(threads[0]) == thrd_success);
    assert(mtx_unlock(&timed) == thrd_success);
    cnd_destroy(&cond);
    mtx_destroy(&plain);
    return 0;
}
