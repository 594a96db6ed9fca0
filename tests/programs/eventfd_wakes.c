// An eventfd as a semaphore wakes as many as were counted: the 6 executions of semaphore_wakes.c.
// Without EFD_SEMAPHORE the first to read takes all: a read between the two writes takes one, a read
// after them takes both and leaves the other waiting forever. Of the 6 orders only the two with a
// read between the writes end well; the other four are two executions, cut short by the deadlock.
// modes: all
// run: -s dfs -- semaphore
// expect: no finding
// expect: complete == true
// expect: executions 6
// run: -s dfs -k
// expect: finding deadlock
// expect: complete == true
// expect: buggy == 2
// expect: output read from eventfd 3
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int event, written;

static void *work(void *unused)
{
    uint64_t value;
    assert(read(event, &value, sizeof value) == sizeof value);
    assert(written == 1);
    return unused;
}

int main(int count, char **arguments)
{
    pthread_t first, second;
    event = eventfd(0, count > 1 ? EFD_SEMAPHORE : 0);
    pthread_create(&first, NULL, work, NULL);
    pthread_create(&second, NULL, work, NULL);
    written = 1;
    assert(eventfd_write(event, 1) == 0);
    assert(eventfd_write(event, 1) == 0);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
