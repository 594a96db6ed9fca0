// A write that does not fit at once is in the middle of its call: closing its descriptor takes nothing
// away from it, and the reader's end comes only after its last byte.
// modes: all
// run: --races off -s dfs
// expect: no finding
// expect: complete == true
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

enum { SIZE = 100000 };

static int ends[2];
static char out[SIZE], in[SIZE];
static long written;

static void *write_all(void *unused)
{
    written = write(ends[1], out, SIZE);
    assert(written == SIZE || (written == -1 && errno == EBADF)); /* it began after the close */
    return unused;
}

int main(void)
{
    pthread_t writer;
    ssize_t some;
    long taken = 0;
    assert(pipe(ends) == 0);
    pthread_create(&writer, NULL, write_all, NULL);
    assert(close(ends[1]) == 0);
    while ((some = read(ends[0], in, SIZE)) > 0)
        taken += some;
    pthread_join(writer, NULL);
    assert(some == 0 && taken == (written > 0 ? written : 0));
    return 0;
}
