// The self-pipe trick: a signal handler writes to a pipe, and the loop that waits in select sees it
// together with what other threads write.
// modes: all
// run: -s dfs
// expect: no finding
// expect: complete == true
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/select.h>
#include <unistd.h>

static int signals[2], work[2];

static void on_signal(int number)
{
    int kept = errno;
    char byte = (char)number;
    if (write(signals[1], &byte, 1) == -1)
        assert(errno == EAGAIN);
    errno = kept;
}

static void *produce(void *unused)
{
    assert(write(work[1], "w", 1) == 1);
    assert(raise(SIGUSR1) == 0);
    return unused;
}

int main(void)
{
    pthread_t thread;
    int jobs = 0, caught = 0;
    struct sigaction action = {.sa_handler = on_signal};
    assert(pipe2(signals, O_NONBLOCK) == 0 && pipe(work) == 0);
    assert(sigaction(SIGUSR1, &action, NULL) == 0);
    pthread_create(&thread, NULL, produce, NULL);
    while (!caught) {
        fd_set ready;
        char byte;
        FD_ZERO(&ready);
        FD_SET(signals[0], &ready);
        FD_SET(work[0], &ready);
        assert(select(work[0] + 1, &ready, NULL, NULL, NULL) > 0);
        if (FD_ISSET(work[0], &ready))
            jobs += (int)read(work[0], &byte, 1);
        if (FD_ISSET(signals[0], &ready))
            caught = read(signals[0], &byte, 1) == 1 && byte == SIGUSR1;
    }
    pthread_join(thread, NULL);
    assert(jobs == 1);
    return 0;
}
