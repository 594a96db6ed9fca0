// Message queues with one thread: what each call returns, and each error that POSIX defines for it where it can be
// provoked; as without Bohr.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *const name = "/bohr-message-queue-returns";
static char bytes[64];
static unsigned priority;

static void fails(long result, int error)
{
    if (result != -1 || errno != error)
        fprintf(stderr, "expected %s, got %ld %s\n", strerrorname_np(error), result,
                strerrorname_np(errno));
    assert(result == -1 && errno == error);
    errno = 0;
}

mqd_t __mq_open_2(const char *name, int flags); /* what is called where sources are fortified */

static void names(void)
{
    char longest[400];
    struct mq_attr wrong = {.mq_maxmsg = 0, .mq_msgsize = 8};
    memset(longest, 'x', sizeof longest);
    longest[0] = '/';
    longest[sizeof longest - 1] = 0;
    fails(mq_open("none", O_RDONLY), EINVAL);
    fails(mq_open("/", O_RDONLY), ENOENT);
    fails(mq_open("/a/b", O_RDONLY), EACCES);
    fails(mq_open(longest, O_RDONLY), ENAMETOOLONG);
    fails(mq_open(name, O_RDONLY), ENOENT);
    fails(__mq_open_2(name, O_RDONLY), ENOENT);
    fails(mq_open(name, O_CREAT | O_RDWR, 0600, &wrong), EINVAL);
    fails(mq_unlink(name), ENOENT);
    fails(mq_unlink(longest), ENAMETOOLONG);
    fails(mq_unlink("/a/b"), EACCES);
}

static void wrong_ones(mqd_t queue, mqd_t reads, mqd_t writes)
{
    struct mq_attr attributes = {.mq_flags = 1};
    struct timespec no_time = {.tv_nsec = -1};
    int ends[2];
    assert(pipe(ends) == 0);
    fails(mq_open(name, O_CREAT | O_EXCL | O_RDWR, 0600, NULL), EEXIST);
    fails(mq_close(99), EBADF);
    fails(mq_send(99, bytes, 1, 0), EBADF);
    fails(mq_send(ends[1], bytes, 1, 0), EBADF);
    fails(mq_send(reads, bytes, 1, 0), EBADF);
    fails(mq_send(queue, bytes, 17, 0), EMSGSIZE);
    fails(mq_send(queue, bytes, 1, 32768), EINVAL);
    fails(mq_timedsend(99, bytes, 1, 0, NULL), EBADF);
    fails(mq_timedsend(queue, bytes, 17, 0, NULL), EMSGSIZE);
    fails(mq_timedsend(queue, bytes, 1, 0, &no_time), EINVAL);
    fails(mq_receive(99, bytes, sizeof bytes, NULL), EBADF);
    fails(mq_receive(writes, bytes, sizeof bytes, NULL), EBADF);
    fails(mq_receive(queue, bytes, 15, NULL), EMSGSIZE);
    fails(mq_timedreceive(99, bytes, sizeof bytes, NULL, NULL), EBADF);
    fails(mq_timedreceive(queue, bytes, 15, NULL, NULL), EMSGSIZE);
    fails(mq_timedreceive(queue, bytes, sizeof bytes, NULL, &no_time), EINVAL);
    fails(mq_getattr(99, &attributes), EBADF);
    fails(mq_setattr(queue, &attributes, NULL), EINVAL);
    attributes.mq_flags = 0;
    fails(mq_setattr(99, &attributes, NULL), EBADF);
}

static void by_priority(mqd_t queue)
{
    struct pollfd both = {.fd = queue, .events = POLLIN | POLLOUT};
    struct mq_attr attributes;
    assert(poll(&both, 1, 0) == 1 && both.revents == POLLOUT);
    assert(mq_send(queue, "low", 4, 1) == 0 && mq_send(queue, "high", 5, 7) == 0);
    assert(mq_timedsend(queue, "", 0, 7, NULL) == 0);
    assert(poll(&both, 1, 0) == 1 && both.revents == POLLIN);
    assert(mq_getattr(queue, &attributes) == 0 && attributes.mq_curmsgs == 3);
    assert(attributes.mq_maxmsg == 3 && attributes.mq_msgsize == 16 && attributes.mq_flags == 0);
    assert(mq_receive(queue, bytes, sizeof bytes, &priority) == 5 && priority == 7);
    assert(strcmp(bytes, "high") == 0);
    assert(mq_timedreceive(queue, bytes, sizeof bytes, &priority, NULL) == 0 && priority == 7);
    assert(mq_receive(queue, bytes, sizeof bytes, NULL) == 4 && strcmp(bytes, "low") == 0);
}

static void late(mqd_t queue)
{
    struct timespec past = {.tv_sec = 1}, soon;
    assert(clock_gettime(CLOCK_REALTIME, &soon) == 0);
    soon.tv_sec += 1;
    fails(mq_timedreceive(queue, bytes, sizeof bytes, NULL, &past), ETIMEDOUT);
    fails(mq_timedreceive(queue, bytes, sizeof bytes, NULL, &soon), ETIMEDOUT);
    for (int i = 0; i < 3; i++)
        assert(mq_timedsend(queue, "x", 1, 0, &past) == 0);
    fails(mq_timedsend(queue, "x", 1, 0, &past), ETIMEDOUT);
    for (int i = 0; i < 3; i++)
        assert(mq_timedreceive(queue, bytes, sizeof bytes, NULL, &past) == 1);
}

static void at_once(mqd_t queue)
{
    struct mq_attr set = {.mq_flags = O_NONBLOCK}, old;
    assert(mq_setattr(queue, &set, &old) == 0 && old.mq_flags == 0 && old.mq_maxmsg == 3);
    fails(mq_receive(queue, bytes, sizeof bytes, NULL), EAGAIN);
    fails(mq_timedreceive(queue, bytes, sizeof bytes, NULL, NULL), EAGAIN);
    for (int i = 0; i < 3; i++)
        assert(mq_send(queue, "x", 1, 0) == 0);
    fails(mq_send(queue, "x", 1, 0), EAGAIN);
    fails(mq_timedsend(queue, "x", 1, 0, NULL), EAGAIN);
    assert(mq_setattr(queue, &set, &old) == 0 && old.mq_flags == O_NONBLOCK && old.mq_curmsgs == 3);
}

/* A queue that has no name any more is there until it is closed. */
static void without_name(mqd_t queue)
{
    assert(mq_unlink(name) == 0);
    fails(mq_open(name, O_RDONLY), ENOENT);
    mqd_t other = mq_open(name, O_CREAT | O_EXCL | O_RDWR, 0600, NULL);
    struct mq_attr attributes;
    assert(other >= 0 && mq_getattr(other, &attributes) == 0);
    assert(attributes.mq_maxmsg == 10 && attributes.mq_msgsize == 8192 && attributes.mq_curmsgs == 0);
    assert(mq_receive(queue, bytes, sizeof bytes, NULL) == 1);
    assert(mq_close(other) == 0 && mq_unlink(name) == 0);
}

static void *do_nothing(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t thread;
    struct mq_attr small = {.mq_maxmsg = 3, .mq_msgsize = 16};
    pthread_create(&thread, NULL, do_nothing, NULL);
    pthread_join(thread, NULL);
    mq_unlink(name);
    names();
    mqd_t queue = mq_open(name, O_CREAT | O_EXCL | O_RDWR, 0600, &small);
    mqd_t reads = mq_open(name, O_RDONLY), writes = mq_open(name, O_WRONLY);
    assert(queue >= 0 && reads >= 0 && writes >= 0);
    wrong_ones(queue, reads, writes);
    by_priority(queue);
    late(queue);
    at_once(queue);
    without_name(queue);
    assert(mq_close(writes) == 0 && mq_close(reads) == 0 && mq_close(queue) == 0);
    fails(mq_close(queue), EBADF);
    return 0;
}
