// exit, _exit and quick_exit from any thread end the execution with their status; exit handlers run
// once as part of it.
// run: -s dfs --expect-exit 3 -- exit
// expect: no finding
// expect: complete == true
// run: -s dfs --expect-exit 4 -- _exit
// expect: no finding
// run: -s dfs --expect-exit 5 -- handler
// expect: no finding
// run: -s dfs --expect-exit 0 --exit end -- main-leaves
// expect: no finding
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const char *way;
static int handled;

static void handle(void)
{
    handled++;
    if (strcmp(way, "handler") == 0)
        _exit(handled == 1 ? 5 : 1);
}

static void *leave(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    if (strcmp(way, "exit") == 0 || strcmp(way, "handler") == 0)
        exit(3);
    if (strcmp(way, "_exit") == 0)
        _exit(4);
    return unused;
}

int main(int argc, char **argv)
{
    way = argc > 1 ? argv[1] : "";
    atexit(handle);
    pthread_t thread;
    pthread_create(&thread, NULL, leave, NULL);
    if (strcmp(way, "main-leaves") == 0)
        return 0;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 1;
}
