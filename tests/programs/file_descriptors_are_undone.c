// Whatever an execution does to descriptors of modelled files, before and after the threads start, the
// next one finds them as they were.
// modes: all
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: executions > 10
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int ends[2], other;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int turns;

static void first_turn(void)
{
    assert(fcntl(ends[0], F_GETFD) == 0 && fcntl(other, F_GETFD) == FD_CLOEXEC);
    assert(fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0);
    assert(close(ends[1]) == 0);
    assert(open("/dev/null", O_RDONLY) == ends[1]); /* a file of the kernel's in its place */
    assert(eventfd(0, 0) == other + 1);
}

static void second_turn(void)
{
    char byte;
    assert(fcntl(ends[0], F_GETFD) == FD_CLOEXEC);
    assert(read(ends[0], &byte, 1) == 0 && read(ends[1], &byte, 1) == 0);
    assert(dup2(other, ends[1]) == ends[1] && dup2(other, 40) == 40);
    assert(close(other) == 0 && eventfd(0, 0) == other);
    assert(eventfd_write(ends[1], 3) == 0);
    eventfd_t count;
    assert(eventfd_read(40, &count) == 0 && count == 3);
    assert(dup2(0, ends[0]) == ends[0]);
    assert(close(40) == 0);
}

static void *work(void *unused)
{
    pthread_mutex_lock(&mutex);
    if (turns++ == 0)
        first_turn();
    else
        second_turn();
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t first, second;
    assert(pipe(ends) == 0 && ends[1] == ends[0] + 1);
    other = eventfd(0, EFD_CLOEXEC);
    assert(other == ends[1] + 1);
    pthread_create(&first, NULL, work, NULL);
    pthread_create(&second, NULL, work, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
