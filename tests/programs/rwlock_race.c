// Writing under a read lock is a race with another reader: readers are not ordered by the lock.
// build: gcc -O1
// build: clang -O1
// run: -s dfs
// expect: finding race
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int uses;

static void *read_it(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    uses++;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, read_it, NULL);
    pthread_create(&second, NULL, read_it, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
