// C11 threads are those of POSIX by another name: two that lock and unlock have 10 executions of 2
// classes.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: executions 10
// expect: classes 2
#include <assert.h>
#include <stddef.h>
#include <threads.h>

static mtx_t mutex;
static int total;

static int work(void *argument)
{
    mtx_lock(&mutex);
    int before = total++;
    mtx_unlock(&mutex);
    return before - 7;
}

int main(void)
{
    thrd_t first, second;
    int one, two;
    assert(mtx_init(&mutex, mtx_plain) == thrd_success);
    assert(thrd_create(&first, work, NULL) == thrd_success);
    assert(thrd_create(&second, work, NULL) == thrd_success);
    assert(!thrd_equal(first, second) && !thrd_equal(first, thrd_current()));
    assert(thrd_join(first, &one) == thrd_success);
    assert(thrd_join(second, &two) == thrd_success);
    assert(one + two == -13 && one != two);
    mtx_destroy(&mutex);
    return 0;
}
