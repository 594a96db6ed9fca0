// Writing where nobody reads any more kills the program by SIGPIPE: found if the reader can be gone
// before the write.
// modes: all
// run: -s dfs -k
// expect: finding crash
// expect: complete == true
// expect: executions 2
// expect: buggy == 1
// expect: output SIGPIPE
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2];

static void *work(void *unused)
{
    close(ends[0]);
    return unused;
}

int main(void)
{
    pthread_t thread;
    if (pipe(ends) != 0)
        return 1;
    pthread_create(&thread, NULL, work, NULL);
    if (write(ends[1], "x", 1) != 1)
        return 1;
    pthread_join(thread, NULL);
    return 0;
}
