// Uses of read-write locks and spin locks that POSIX leaves undefined are found.
// modes: all
// run: -s dfs -k
// expect: finding misuse
// expect: executions 1
// expect: output a read-write lock is unlocked that nobody holds
// expect: output a read-write lock is destroyed that is locked
// expect: output a read-write lock is initialised again and was not destroyed
// expect: output a read-write lock is used after it was destroyed
// expect: output a read-write lock is destroyed twice
// run: -s dfs -k -- thread
// expect: finding misuse
// expect: executions 1
// expect: output a read-write lock is unlocked that another thread holds
// expect: output a spin lock is unlocked that another thread holds
// expect: output also involved: T0
// run: -s dfs -k -- reader
// expect: finding misuse
// expect: executions 1
// expect: output a read-write lock is unlocked that only other threads hold to read
// expect: output also involved: T0
// run: -s dfs -k -- spin
// expect: finding misuse
// expect: executions 1
// expect: output a spin lock is used that was never initialised
// expect: output a spin lock is unlocked that nobody holds
// expect: output a spin lock is destroyed that is locked
// expect: output a spin lock is initialised again and was not destroyed
// expect: output a spin lock is used after it was destroyed
// expect: output a spin lock is destroyed twice
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;

static void *unlock(void *unused)
{
    pthread_rwlock_unlock(&lock);
    pthread_spin_unlock(&spin);
    return unused;
}

static void unlock_in_thread(void)
{
    pthread_t thread;
    pthread_rwlock_wrlock(&lock);
    pthread_spin_lock(&spin);
    pthread_create(&thread, NULL, unlock, NULL);
    pthread_join(thread, NULL);
}

static void *unlock_read(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock); /* once too often */
    return unused;
}

static void unlock_read_in_thread(void)
{
    pthread_t thread;
    pthread_rwlock_rdlock(&lock);
    pthread_create(&thread, NULL, unlock_read, NULL);
    pthread_join(thread, NULL);
}

static void misuse_spin(void)
{
    static pthread_spinlock_t zeros;
    pthread_spin_lock(&zeros);
    pthread_spin_unlock(&zeros);
    pthread_spin_unlock(&spin);
    pthread_spin_lock(&spin);
    pthread_spin_destroy(&spin);
    pthread_spin_unlock(&spin);
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_destroy(&spin);
    pthread_spin_destroy(&spin);
    pthread_spin_trylock(&spin);
    pthread_spin_unlock(&spin);
    pthread_spin_init(&spin, PTHREAD_PROCESS_SHARED);
    pthread_spin_destroy(&spin);
}

int main(int count, char **arguments)
{
    const char *way = count > 1 ? arguments[1] : "";
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    if (strcmp(way, "thread") == 0) {
        unlock_in_thread();
        return 0;
    }
    if (strcmp(way, "reader") == 0) {
        unlock_read_in_thread();
        return 0;
    }
    if (strcmp(way, "spin") == 0) {
        misuse_spin();
        return 0;
    }
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_destroy(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_init(&lock, NULL);
    pthread_rwlock_init(&lock, NULL);
    pthread_rwlock_destroy(&lock);
    pthread_rwlock_tryrdlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_destroy(&lock);
    return 0;
}
