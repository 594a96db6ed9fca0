// Two threads that read under a lock and both want to write: each waits for the other one to go. The report
// names the readers that hold the lock.
// build: gcc -O1
// build: clang -O1
// run: -s preempt
// expect: finding deadlock
// expect: output T1 waits: write-lock
// expect: output T1 and T2 hold it to read
// run: -s preempt -- three
// expect: finding deadlock
// expect: output T1, T2 and T3 hold it to read
// run: -s preempt -- alone
// expect: finding deadlock
// expect: output T1 holds it to read
#include <pthread.h>
#include <string.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *upgrade(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_wrlock(&lock);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t threads[3];
    const char *way = argc > 1 ? argv[1] : "";
    int count = strcmp(way, "three") == 0 ? 3 : strcmp(way, "alone") == 0 ? 1 : 2;
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, upgrade, NULL);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
