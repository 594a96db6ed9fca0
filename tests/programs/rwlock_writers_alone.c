// Two writers exclude each other as with a mutex: 10 executions of 2 classes. What one wrote the
// other may read.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: executions 10
// expect: classes 2
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int inside, total;

static void *write_it(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    assert(++inside == 1);
    total++;
    inside--;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, write_it, NULL);
    pthread_create(&second, NULL, write_it, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(total == 2);
    return 0;
}
