// Each error that POSIX and C11 define for threads, semaphores and C11 locks, where it can be provoked;
// as with libc. Main waits for each other thread to end: one execution.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <threads.h>
#include <time.h>

static const struct timespec past = {.tv_sec = 1}, wrong = {.tv_nsec = 1000000000};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static mtx_t plain, recursive;

static void fails(int result, int error)
{
    if (result != error)
        fprintf(stderr, "expected %d, got %d\n", error, result);
    assert(result == error);
}

static void fails_by_errno(long result, int error)
{
    if (result != -1 || errno != error)
        fprintf(stderr, "expected %d, got %ld %d\n", error, result, errno);
    assert(result == -1 && errno == error);
    errno = 0;
}

static void *nothing(void *unused)
{
    return unused;
}

static void *waits_for_mutex(void *unused)
{
    assert(pthread_mutex_lock(&mutex) == 0 && pthread_mutex_unlock(&mutex) == 0);
    return unused;
}

static void threads(void)
{
    pthread_t thread;
    pthread_attr_t attributes;
    assert(pthread_attr_init(&attributes) == 0);
    fails(pthread_attr_setdetachstate(&attributes, 99), EINVAL);
    fails(pthread_attr_setstacksize(&attributes, 1), EINVAL);
    fails(pthread_attr_setscope(&attributes, 99), EINVAL);
    fails(pthread_attr_setscope(&attributes, PTHREAD_SCOPE_PROCESS), ENOTSUP);
    fails(pthread_attr_setinheritsched(&attributes, 99), EINVAL);
    fails(pthread_attr_setschedpolicy(&attributes, 99), EINVAL);
    assert(pthread_attr_setstacksize(&attributes, 1ul << 46) == 0);
    fails(pthread_create(&thread, &attributes, nothing, NULL), EAGAIN); /* no room for that stack */
    assert(pthread_attr_destroy(&attributes) == 0);
    fails(pthread_join(pthread_self(), NULL), EDEADLK);
    fails(pthread_tryjoin_np(pthread_self(), NULL), EBUSY);
    fails(pthread_timedjoin_np(pthread_self(), NULL, &past), EDEADLK);
    fails(pthread_clockjoin_np(pthread_self(), NULL, CLOCK_MONOTONIC, &past), EDEADLK);
    fails(pthread_setcancelstate(99, NULL), EINVAL);
    fails(pthread_setcanceltype(99, NULL), EINVAL);
    fails(pthread_sigmask(99, &(sigset_t){0}, NULL), EINVAL);
    fails(pthread_setname_np(pthread_self(), "a name that is too long"), ERANGE);
    fails(pthread_getname_np(pthread_self(), (char[1]){0}, 1), ERANGE);

    assert(pthread_mutex_lock(&mutex) == 0);
    assert(pthread_create(&thread, NULL, waits_for_mutex, NULL) == 0);
    fails(pthread_tryjoin_np(thread, NULL), EBUSY);
    fails(pthread_timedjoin_np(thread, NULL, &past), ETIMEDOUT);
    fails(pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &past), ETIMEDOUT);
    fails(pthread_clockjoin_np(thread, NULL, CLOCK_PROCESS_CPUTIME_ID, &past), EINVAL);
    fails(pthread_kill(thread, 99), EINVAL);
    fails(pthread_sigqueue(thread, 99, (union sigval){0}), EINVAL);
    assert(pthread_mutex_unlock(&mutex) == 0 && pthread_join(thread, NULL) == 0);
}

static void semaphores(void)
{
    static sem_t semaphore;
    char long_name[NAME_MAX - 1]; /* with "sem." before it one byte too long for a file */
    memset(long_name, 'x', sizeof long_name - 1);
    long_name[0] = '/';
    long_name[sizeof long_name - 1] = 0;
    fails_by_errno(sem_init(&semaphore, 0, (unsigned)SEM_VALUE_MAX + 1), EINVAL);
    assert(sem_init(&semaphore, 0, 0) == 0);
    fails_by_errno(sem_trywait(&semaphore), EAGAIN);
    fails_by_errno(sem_timedwait(&semaphore, &past), ETIMEDOUT);
    fails_by_errno(sem_timedwait(&semaphore, &wrong), EINVAL);
    fails_by_errno(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &past), ETIMEDOUT);
    fails_by_errno(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &wrong), EINVAL);
    fails_by_errno(sem_clockwait(&semaphore, CLOCK_PROCESS_CPUTIME_ID, &past), EINVAL);
    assert(sem_destroy(&semaphore) == 0 && sem_init(&semaphore, 0, SEM_VALUE_MAX) == 0);
    fails_by_errno(sem_post(&semaphore), EOVERFLOW);
    assert(sem_destroy(&semaphore) == 0);
    fails_by_errno(sem_close(&semaphore), EINVAL);
    const char *name = "/bohr-errors-of-threads";
    sem_unlink(name);
    fails_by_errno(sem_unlink(name), ENOENT);
    fails_by_errno(sem_unlink(long_name), ENAMETOOLONG);
    assert(sem_open(name, 0) == SEM_FAILED && errno == ENOENT);
    assert(sem_open("/a/b", O_CREAT, 0600, 0) == SEM_FAILED && errno == EINVAL);
    assert(sem_open(long_name, O_CREAT, 0600, 0) == SEM_FAILED && errno == ENAMETOOLONG);
    sem_t *named = sem_open(name, O_CREAT | O_EXCL, 0600, 1);
    assert(named != SEM_FAILED);
    assert(sem_open(name, O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED && errno == EEXIST);
    assert(sem_close(named) == 0 && sem_unlink(name) == 0);
}

static int while_locked(void *unused)
{
    fails(mtx_trylock(&plain), thrd_busy);
    fails(mtx_timedlock(&plain, &past), thrd_timedout);
    fails(mtx_timedlock(&plain, &wrong), thrd_error);
    fails(mtx_unlock(&recursive), thrd_error);
    return unused != NULL;
}

static void of_c11(void)
{
    thrd_t thread;
    static cnd_t cond;
    assert(mtx_init(&plain, mtx_timed) == thrd_success && cnd_init(&cond) == thrd_success);
    assert(mtx_init(&recursive, mtx_plain | mtx_recursive) == thrd_success);
    assert(mtx_lock(&plain) == thrd_success && mtx_lock(&recursive) == thrd_success);
    assert(thrd_create(&thread, while_locked, NULL) == thrd_success);
    assert(thrd_join(thread, NULL) == thrd_success);
    fails(cnd_timedwait(&cond, &plain, &past), thrd_timedout);
    fails(cnd_timedwait(&cond, &plain, &wrong), thrd_error);
    fails(thrd_join(thrd_current(), NULL), thrd_error);
    fails(thrd_sleep(&wrong, NULL), -2); /* not -1, which is for a signal */
    tss_t keys[1025];
    int made = 0;
    while (tss_create(&keys[made], NULL) == thrd_success)
        made++;
    fails(tss_create(&keys[made], NULL), thrd_error);
    fails(tss_set(12345, keys), thrd_error);
    cnd_destroy(&cond);
}

int main(void)
{
    threads();
    semaphores();
    of_c11();
    return 0;
}
