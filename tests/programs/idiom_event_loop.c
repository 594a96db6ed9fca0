// An event loop: tasks in a queue behind a mutex, an eventfd that wakes epoll_wait. The order matters:
// a loop that resets the eventfd before it looks at the queue loses no task; one that does so after sleeps on one.
// modes: all
// run: -s dfs -- right
// expect: no finding
// expect: complete == true
// run: -s preempt -- wrong
// expect: finding deadlock
// expect: output poll epoll
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { TASKS = 2 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int queued, done, event, epoll;

static void *post(void *unused)
{
    for (int i = 0; i < TASKS; i++) {
        pthread_mutex_lock(&mutex);
        queued++;
        pthread_mutex_unlock(&mutex);
        assert(eventfd_write(event, 1) == 0);
    }
    return unused;
}

static void take_tasks(void)
{
    pthread_mutex_lock(&mutex);
    done += queued;
    queued = 0;
    pthread_mutex_unlock(&mutex);
}

static void reset(void)
{
    eventfd_t count;
    assert(eventfd_read(event, &count) == 0 && count > 0);
}

int main(int count, char **arguments)
{
    struct epoll_event wanted = {.events = EPOLLIN}, got;
    pthread_t thread;
    event = eventfd(0, EFD_NONBLOCK);
    epoll = epoll_create1(0);
    assert(epoll_ctl(epoll, EPOLL_CTL_ADD, event, &wanted) == 0);
    pthread_create(&thread, NULL, post, NULL);
    while (done < TASKS) {
        assert(epoll_wait(epoll, &got, 1, -1) == 1);
        if (arguments[1][0] == 'r') {
            reset();
            take_tasks();
        } else {
            take_tasks();
            reset();
        }
    }
    pthread_join(thread, NULL);
    return 0;
}
