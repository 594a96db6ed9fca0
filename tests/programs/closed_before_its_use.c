// A call on a descriptor that another thread has closed is a step, too: the reductions try it before
// the close. With "blocked" the thread comes to its read by an atomic store, and whether that store
// comes before the close decides if the read can have begun.
// run: -k --races off -s dfs
// expect: complete == true
// expect: finding assertion
// run: -k --races off -s dpor
// expect: complete == true
// expect: finding assertion
// run: -k --races off -s dpor -- blocked
// expect: complete == true
// expect: finding deadlock
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2];
static atomic_int begun;

static void *writes(void *unused)
{
    atomic_store(&begun, 1);
    ssize_t result = write(ends[1], "", 1);
    assert(result == -1);
    return unused;
}

static void *reads(void *unused)
{
    char byte;
    atomic_store(&begun, 1);
    ssize_t result = read(ends[0], &byte, 1);
    assert(result == -1);
    return unused;
}

static void *closes(void *end)
{
    assert(close(*(int *)end) == 0);
    return NULL;
}

int main(int count, char **arguments)
{
    pthread_t first, second;
    assert(pipe(ends) == 0);
    pthread_create(&first, NULL, closes, &ends[count == 1]);
    pthread_create(&second, NULL, count == 1 ? writes : reads, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
