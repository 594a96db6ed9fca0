// A descriptor is closed while another thread waits in a read of it. Either the thread was in its call
// already: then it goes on to wait for the pipe, and gets its end when the last writer closes (one
// order); or it comes too late and gets EBADF, before or after that close (two orders). If the writer
// stays open, the first is a deadlock.
// modes: all
// run: --races off -s dfs
// expect: no finding
// expect: complete == true
// expect: executions 3
// run: --races off -s dfs -k -- open
// expect: finding deadlock
// expect: complete == true
// expect: executions 2
// expect: buggy == 1
// expect: output T1 waits: read from pipe 3, 4
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2];

static void *work(void *unused)
{
    char byte;
    ssize_t result = read(ends[0], &byte, 1);
    assert(result == 0 || (result == -1 && errno == EBADF));
    return unused;
}

int main(int count, char **arguments)
{
    pthread_t thread;
    assert(pipe(ends) == 0);
    pthread_create(&thread, NULL, work, NULL);
    assert(close(ends[0]) == 0);
    if (count == 1)
        assert(close(ends[1]) == 0);
    pthread_join(thread, NULL);
    return 0;
}
