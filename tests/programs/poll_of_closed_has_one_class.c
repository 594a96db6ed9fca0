// A poll that comes after a close sees that the descriptor is gone, whether its thread stood before the poll when it was
// closed or came later: two classes.
// build: gcc -O1
// build: clang -O1
// run: -s dfs -k
// expect: finding race
// expect: complete == true
// expect: classes 2
// run: -s dpor -k
// expect: finding race
// expect: claim.kind == all-classes
// expect: classes 2
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2];
atomic_int step; /* which clang does not remove */

static void *look(void *unused)
{
    struct pollfd in = {.fd = ends[0], .events = POLLIN};
    atomic_store(&step, 1);
    poll(&in, 1, 0);
    return unused;
}

int main(void)
{
    pthread_t thread;
    if (pipe(ends) != 0)
        return 1;
    pthread_create(&thread, NULL, look, NULL);
    close(ends[0]);
    return pthread_join(thread, NULL);
}
