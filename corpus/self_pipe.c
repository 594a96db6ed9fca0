// An event loop sleeps in poll() on a pipe. To save writes, a thread that adds an event writes a byte only if
// none is on its way, which a flag says. The loop takes the events first and clears the flag
// afterwards: an event that is added in between writes no byte, and the loop sleeps beside it.
// group: idioms
// threads: 2
// finds: deadlock
// lines: 34 52 53
// pb: 2
// db: 2
// options: --exit wait
// variants: self_pipe
// variants: self_pipe_fixed -DFIXED
// finds self_pipe_fixed: nothing
// pb self_pipe_fixed: -
// db self_pipe_fixed: -
// twin: self_pipe_fixed
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

enum { EVENTS = 2 };

static int wake_up[2]; /* the two ends of the pipe */
static atomic_bool is_on_its_way;
static atomic_int events;

static void event_add(void)
{
    atomic_fetch_add(&events, 1);
    if (!atomic_exchange(&is_on_its_way, true)) {
        ssize_t written = write(wake_up[1], "!", 1);
        assert(written == 1);
    }
}

static int events_take(void)
{
    char byte;
    struct pollfd file = {.fd = wake_up[0], .events = POLLIN};
    int ready = poll(&file, 1, -1);
    assert(ready == 1);
    ssize_t got = read(wake_up[0], &byte, 1);
    assert(got == 1);
#ifdef FIXED
    is_on_its_way = false;
    return atomic_exchange(&events, 0);
#else
    int taken = atomic_exchange(&events, 0);
    is_on_its_way = false;
    return taken;
#endif
}

static void *loop(void *unused)
{
    for (int left = EVENTS; left > 0;)
        left -= events_take();
    return unused;
}

int main(void)
{
    int error = pipe(wake_up);
    assert(error == 0);
    pthread_t thread;
    pthread_create(&thread, NULL, loop, NULL);
    for (int i = 0; i < EVENTS; i++)
        event_add();
    pthread_join(thread, NULL);
    close(wake_up[0]);
    close(wake_up[1]);
    return 0;
}
