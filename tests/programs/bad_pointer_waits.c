// A blocking call on a bad pointer, as the next operation of a thread that does not run, is the program's crash there.
// build: gcc -O0
// expect: exit 1
// run: -s dfs -- mutex null
// expect: finding crash
// expect: findings[0].thread == 1
// expect: findings[0].function == use
// run: -s dpor -- mutex null
// expect: finding crash
// expect: findings[0].thread == 1
// run: -s dfs -- mutex closed
// expect: finding crash
// expect: findings[0].thread == 1
// run: -s dfs -- mutex late
// expect: finding crash
// expect: findings[0].thread == 1
// expect: findings[0].function == use
// run: -s dpor -- mutex late
// expect: finding crash
// expect: findings[0].thread == 1
// run: -s dfs -- once null
// expect: finding crash
// expect: findings[0].thread == 1
// run: -s dfs -- sem null
// expect: finding crash
// expect: findings[0].thread == 1
// run: -s dfs -- sem late
// expect: finding crash
// expect: findings[0].thread == 1
// run: -s dpor -- read null
// expect: finding crash
// expect: findings[0].thread == 1
// run: -s dfs -- read late
// expect: finding crash
// expect: findings[0].thread == 1
// run: -s dfs -- write closed
// expect: finding crash
// expect: findings[0].thread == 1
// run: -s dfs -- spin null
// expect: finding crash
// expect: findings[0].thread == 1
// run: -s dpor -- spin late
// expect: finding crash
// expect: findings[0].thread == 1
// run: -s dfs -- barrier null
// expect: finding crash
// expect: findings[0].thread == 1
// run: -s dfs -- cond null
// expect: finding crash
// expect: findings[0].thread == 1
// run: -s dfs -- join null
// expect: finding crash
// expect: findings[0].thread == 1
// run: -s dpor -- atomic null
// expect: finding crash
// expect: findings[0].thread == 1
// run: -s dfs -- futex closed
// expect: exit 0
// expect: no finding
// run: -s dfs -k -- mutex race
// expect: finding crash
// expect: finding race
// expect: findings[0].thread == 1
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *kind;
static void *object;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void nothing(void) {}

static void *use(void *unused)
{
    if (strcmp(kind, "mutex") == 0)
        pthread_mutex_lock(object);
    else if (strcmp(kind, "once") == 0)
        pthread_once(object, nothing);
    else if (strcmp(kind, "sem") == 0)
        sem_wait(object);
    else if (strcmp(kind, "read") == 0)
        pthread_rwlock_rdlock(object);
    else if (strcmp(kind, "write") == 0)
        pthread_rwlock_wrlock(object);
    else if (strcmp(kind, "spin") == 0)
        pthread_spin_lock(object);
    else if (strcmp(kind, "barrier") == 0)
        pthread_barrier_wait(object);
    else if (strcmp(kind, "cond") == 0)
        pthread_cond_wait(object, &mutex);
    else if (strcmp(kind, "join") == 0)
        pthread_join((pthread_t)object, NULL);
    else if (strcmp(kind, "atomic") == 0)
        __atomic_fetch_add((int *)object, 1, __ATOMIC_SEQ_CST);
    else if (syscall(SYS_futex, object, FUTEX_WAIT, 0, NULL, NULL, 0) != -1)
        return NULL;
    return unused;
}

int main(int argc, char **argv)
{
    enum { SIZE = 4096 };
    pthread_t thread;
    kind = argv[1];
    if (strcmp(argv[2], "closed") == 0)
        object = mmap(NULL, SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (strcmp(argv[2], "late") == 0)
        object = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_create(&thread, NULL, use, NULL);
    if (strcmp(argv[2], "late") == 0)
        munmap(object, SIZE);
    if (strcmp(argv[2], "race") == 0)
        object = &mutex;
    pthread_join(thread, NULL);
    return 0;
}
