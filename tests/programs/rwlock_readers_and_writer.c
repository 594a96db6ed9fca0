// Two readers and a writer: 391 executions (enumerated apart from Bohr). In class the writer comes
// before both, after both or between them, either one first: 4.
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: executions 391
// expect: classes 4
// run: -s preempt -b 2
// expect: no finding
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int first_half, second_half;

static void *read_it(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    assert(first_half == second_half);
    pthread_rwlock_unlock(&lock);
    return unused;
}

static void *write_it(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    first_half++;
    second_half++;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    void *(*work[3])(void *) = {read_it, read_it, write_it};
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
