// Two threads wait for messages, of which the second has the higher priority: a thread that receives both comes after both,
// and gets them in that order. As many executions as semaphore_wakes.c has. A full queue holds senders back.
// Without the second message one waits forever; so does a sender to a queue that nobody empties. Writes before
// a message is sent are seen by its receiver. A signal interrupts a thread that waits.
// modes: all first
// run: -s dfs -- two
// expect: no finding
// expect: complete == true
// expect: executions 6
// run: -s dfs -k -- one
// expect: finding deadlock
// expect: complete == true
// expect: output message queue
// run: -s dfs -- full
// expect: no finding
// expect: complete == true
// run: -s dfs -k -- stuck
// expect: finding deadlock
// run: -s dfs -- timed
// expect: no finding
// expect: complete == true
// run: -s dfs -- interrupted
// expect: no finding
// expect: complete == true
// run: --no-shrink -s dfs -- endless
// expect: finding livelock
// run: -s dfs -- counted
// expect: no finding
// expect: complete == true
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

enum { TURNS = 600 };

static const char *const name = "/bohr-message-queue-wakes";
static const char *way;
static mqd_t queue;
static int written;

static int is(const char *other)
{
    return strcmp(way, other) == 0;
}

static void handle(int number)
{
}

static void *receive(void *unused)
{
    char bytes[8];
    assert(mq_receive(queue, bytes, sizeof bytes, NULL) == 1);
    assert(written == 1);
    return unused;
}

static void *receive_all(void *unused)
{
    char bytes[8];
    for (char next = 'a'; next <= 'c'; next++)
        assert(mq_receive(queue, bytes, sizeof bytes, NULL) == 1 && bytes[0] == next);
    return unused;
}

/* The message comes in time, or it is too late: then it is still there. */
static void *receive_in_time(void *unused)
{
    char bytes[8];
    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_sec++;
    long got = mq_timedreceive(queue, bytes, sizeof bytes, NULL, &soon);
    assert(got == 1 || (got == -1 && errno == ETIMEDOUT));
    if (got < 0)
        assert(mq_receive(queue, bytes, sizeof bytes, NULL) == 1);
    return unused;
}

static void *receive_or_not(void *unused)
{
    char bytes[8];
    struct sigaction plain = {.sa_handler = handle};
    sigaction(SIGUSR1, &plain, NULL);
    long got = mq_receive(queue, bytes, sizeof bytes, NULL);
    assert(got == 1 || (got == -1 && errno == EINTR));
    return unused;
}

static void wake_two(pthread_t *threads, int count)
{
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, receive, NULL);
    written = 1;
    for (int i = 0; i < count; i++)
        assert(mq_send(queue, "x", 1, (unsigned)i) == 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}

static void send_alone(pthread_t *thread)
{
    void *(*starts)(void *) = is("full")    ? receive_all
                              : is("timed") ? receive_in_time
                                            : receive_or_not;
    pthread_create(thread, NULL, starts, NULL);
    if (is("interrupted"))
        pthread_kill(*thread, SIGUSR1);
    assert(mq_send(queue, "a", 1, 0) == 0);
    if (is("full"))
        assert(mq_send(queue, "b", 1, 0) == 0 && mq_send(queue, "c", 1, 0) == 0);
    pthread_join(*thread, NULL);
}

/* A number that is in the queue only. */
static __attribute__((noinline)) int hand_on(int step)
{
    short number = 0;
    assert(mq_receive(queue, (char *)&number, 8, NULL) == sizeof number);
    number = (short)(number + step);
    int goes_on = number < TURNS;
    assert(mq_send(queue, (char *)&number, sizeof number, 0) == 0);
    number = 0;
    return goes_on;
}

int main(int count, char **arguments)
{
    pthread_t threads[2];
    way = count > 1 ? arguments[1] : "two";
    struct mq_attr small = {.mq_maxmsg = is("full") || is("stuck") ? 1 : 4, .mq_msgsize = 4};
    signal(SIGUSR1, SIG_IGN);
    mq_unlink(name);
    queue = mq_open(name, O_CREAT | O_RDWR, 0600, &small);
    assert(queue >= 0 && mq_unlink(name) == 0);
    if (is("two") || is("one"))
        wake_two(threads, is("two") ? 2 : 1);
    else if (is("stuck"))
        assert(mq_send(queue, "a", 1, 0) == 0 && mq_send(queue, "b", 1, 0) == 0);
    else if (is("endless") || is("counted")) {
        assert(mq_send(queue, "\0", 2, 0) == 0);
        while (hand_on(is("counted")))
            ;
    } else
        send_alone(threads);
    return 0;
}
