// A driver counts the threads in it, and is stopped when there are none. To look whether it is being stopped and
// to be counted are two steps: it can be stopped in between, and then work goes on in a stopped driver.
// group: cs
// threads: 2
// finds: assertion
// lines: 29 31
// pb: 1
// db: 1
// options: --exit wait
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static bool stopping, stopped;
static atomic_int at_work = 1; /* the driver itself counts until it is being stopped */
static sem_t nobody_at_work;

static void leave(void)
{
    if (atomic_fetch_sub(&at_work, 1) == 1)
        sem_post(&nobody_at_work);
}

static bool enter(void)
{
    if (stopping)
        return false;
    atomic_fetch_add(&at_work, 1);
    return true;
}

static void *stop(void *unused)
{
    stopping = true;
    leave();
    sem_wait(&nobody_at_work);
    stopped = true;
    return unused;
}

int main(void)
{
    pthread_t thread;
    sem_init(&nobody_at_work, 0, 0);
    pthread_create(&thread, NULL, stop, NULL);
    if (enter()) {
        assert(!stopped);
        leave();
    }
    pthread_join(thread, NULL);
    return 0;
}
