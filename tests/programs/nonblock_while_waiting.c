// One thread sets O_NONBLOCK while another one reads from the empty pipe. The read has begun already
// and stays blocked, or it starts later and fails with EAGAIN. Setting and reading the flag are steps.
// run: -k -s dfs
// expect: complete == true
// expect: finding deadlock
// expect: finding assertion
// run: -k -s dpor
// expect: complete == true
// expect: finding deadlock
// expect: finding assertion
// run: -k -s dpor -- flag
// expect: complete == true
// expect: finding assertion
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2];

static void *reads(void *unused)
{
    char byte;
    ssize_t result = read(ends[0], &byte, 1);
    assert(result == 1);
    return unused;
}

static void *looks(void *unused)
{
    assert(!(fcntl(ends[0], F_GETFL) & O_NONBLOCK));
    return unused;
}

int main(int count, char **arguments)
{
    pthread_t thread;
    assert(pipe(ends) == 0);
    pthread_create(&thread, NULL, count == 1 ? reads : looks, NULL);
    assert(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0);
    pthread_join(thread, NULL);
    return 0;
}
