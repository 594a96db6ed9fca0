/* One thread closes the pipe that another writes to: the number may mean another file by then. */
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *report(void *unused)
{
    write(ends[1], "done", 4);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pipe(ends);
    pthread_create(&thread, NULL, report, NULL);
#ifdef FIXED
    pthread_join(thread, NULL);
    close(ends[1]);
#else
    close(ends[1]);
    pthread_join(thread, NULL);
#endif
    return 0;
}
