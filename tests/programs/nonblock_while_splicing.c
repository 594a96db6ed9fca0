// A splice, tee or vmsplice that waits when another thread sets O_NONBLOCK on one of its two descriptors, or closes one: it
// has begun already and stays blocked, or it starts later and fails. A splice that starts later looks at the flag when its step
// runs, not when its thread came to the call.
// run: -k -s dfs -- flag in
// expect: complete == true
// expect: finding deadlock
// expect: finding assertion
// run: -k -s dpor -- flag in
// expect: complete == true
// expect: finding deadlock
// expect: finding assertion
// run: -k -s dpor -- flag out
// expect: complete == true
// expect: finding deadlock
// expect: finding assertion
// run: -k -s dfs -- close in
// expect: complete == true
// expect: finding race
// expect: finding deadlock
// expect: finding assertion
// run: -k -s dfs -- close out
// expect: complete == true
// expect: finding race
// expect: finding deadlock
// expect: finding assertion
// run: -k -s dfs -- clear in
// expect: complete == true
// expect: finding assertion
// expect: finding deadlock
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static int from[2], to[2];

static void *moves(void *unused)
{
    long moved = splice(from[0], NULL, to[1], NULL, 4, 0);
    assert(moved == 4);
    return unused;
}

/* Nothing is in `from`: the splice waits, whatever room there is in `to`. */
int main(int count, char **arguments)
{
    pthread_t thread;
    assert(count == 3 && pipe(from) == 0 && pipe(to) == 0);
    int which = strcmp(arguments[2], "in") == 0 ? from[0] : to[1];
    if (strcmp(arguments[1], "clear") == 0)
        assert(fcntl(which, F_SETFL, O_NONBLOCK) == 0);
    pthread_create(&thread, NULL, moves, NULL);
    if (strcmp(arguments[1], "flag") == 0)
        assert(fcntl(which, F_SETFL, O_NONBLOCK) == 0);
    else if (strcmp(arguments[1], "clear") == 0)
        assert(fcntl(which, F_SETFL, 0) == 0);
    else
        close(which);
    pthread_join(thread, NULL);
    return 0;
}
