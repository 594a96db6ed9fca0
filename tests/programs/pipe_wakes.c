// Two threads read one byte each, main writes twice: at each write either may go on. One thread's
// single step lies after the first write, the other's anywhere after: 6 executions. What comes before
// a write is seen after the read.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: executions 6
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2], written;
static char got[2];

static void *work(void *place)
{
    assert(read(ends[0], place, 1) == 1);
    assert(written == 1);
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    assert(pipe(ends) == 0);
    pthread_create(&first, NULL, work, &got[0]);
    pthread_create(&second, NULL, work, &got[1]);
    written = 1;
    assert(write(ends[1], "a", 1) == 1);
    assert(write(ends[1], "b", 1) == 1);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(got[0] + got[1] == 'a' + 'b');
    return 0;
}
