// Results of the functions of semaphores, with and without names; the same as with libc.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: complete == true
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <string.h>
#include <time.h>

static sem_t semaphore;
static const struct timespec past = {.tv_sec = 1}, wrong = {.tv_nsec = 1000000000};

static void fails(int result, int error)
{
    assert(result == -1);
    assert(errno == error);
    errno = 0;
}

static int value_of(sem_t *which)
{
    int value;
    assert(sem_getvalue(which, &value) == 0);
    return value;
}

static void without_name(void)
{
    fails(sem_init(&semaphore, 0, (unsigned)SEM_VALUE_MAX + 1), EINVAL);
    assert(sem_init(&semaphore, 0, 2) == 0);
    assert(value_of(&semaphore) == 2);
    assert(sem_wait(&semaphore) == 0);
    assert(sem_trywait(&semaphore) == 0);
    fails(sem_trywait(&semaphore), EAGAIN);
    fails(sem_timedwait(&semaphore, &past), ETIMEDOUT);
    fails(sem_timedwait(&semaphore, &wrong), EINVAL);
    fails(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &past), ETIMEDOUT);
    fails(sem_clockwait(&semaphore, CLOCK_PROCESS_CPUTIME_ID, &past), EINVAL);
    assert(sem_post(&semaphore) == 0);
    assert(sem_timedwait(&semaphore, &past) == 0);
    assert(sem_post(&semaphore) == 0);
    assert(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &past) == 0);
    assert(value_of(&semaphore) == 0);
    assert(sem_destroy(&semaphore) == 0);

    assert(sem_init(&semaphore, 0, SEM_VALUE_MAX) == 0);
    fails(sem_post(&semaphore), EOVERFLOW);
    assert(value_of(&semaphore) == SEM_VALUE_MAX);
    assert(sem_destroy(&semaphore) == 0);
}

static void fails_to_open(sem_t *result, int error)
{
    assert(result == SEM_FAILED);
    assert(errno == error);
    errno = 0;
}

static void with_name(void)
{
    const char *name = "/bohr-semaphore-returns";
    char long_name[NAME_MAX - 1]; /* with "sem." before it one byte too long for a file */
    memset(long_name, 'x', sizeof long_name - 1);
    long_name[0] = '/';
    long_name[sizeof long_name - 1] = 0;

    sem_unlink(name);
    errno = 0;
    fails_to_open(sem_open(name, 0), ENOENT);
    fails_to_open(sem_open("/", O_CREAT, 0600, 0), EINVAL);
    fails_to_open(sem_open("/a/b", O_CREAT, 0600, 0), EINVAL);
    fails_to_open(sem_open(long_name, O_CREAT, 0600, 0), ENAMETOOLONG);
    fails_to_open(sem_open(name, O_CREAT, 0600, (unsigned)SEM_VALUE_MAX + 1), EINVAL);
    sem_t *first = sem_open(name, O_CREAT | O_EXCL, 0600, 1);
    assert(first != SEM_FAILED && value_of(first) == 1);
    fails_to_open(sem_open(name, O_CREAT | O_EXCL, 0600, 1), EEXIST);
    sem_t *again = sem_open(name, O_CREAT, 0600, 5);
    assert(again == first && value_of(again) == 1);
    assert(sem_unlink(name) == 0);
    fails(sem_unlink(name), ENOENT);
    fails(sem_unlink("/"), ENOENT);
    fails(sem_unlink(long_name), ENAMETOOLONG);
    sem_t *other = sem_open(name, O_CREAT, 0600, 0);
    assert(other != SEM_FAILED && other != first);
    assert(sem_post(first) == 0);
    assert(value_of(first) == 2 && value_of(other) == 0);
    assert(sem_close(first) == 0);
    assert(sem_close(again) == 0);
    fails(sem_close(&semaphore), EINVAL);
    assert(sem_close(other) == 0);
    assert(sem_unlink(name) == 0);
}

int main(void)
{
    without_name();
    with_name();
    return 0;
}
