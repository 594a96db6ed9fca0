// Each way to end the program with its status: _Exit and quick_exit run no handler of exit, exit
// runs those of on_exit and atexit, the last one first, and tells the former the status.
// modes: all preload
// run: -s dfs --expect-exit 3 -- exit
// expect: no finding
// expect: complete == true
// run: -s dfs --expect-exit 4 -- _Exit
// expect: no finding
// expect: complete == true
// run: -s dfs --expect-exit 5 -- quick_exit
// expect: no finding
// expect: complete == true
// run: -s random -n 20 --expect-exit 3 -- exit
// expect: no finding
// run: -s random -n 20 --expect-exit 4 -- _Exit
// expect: no finding
// run: -s random -n 20 --expect-exit 5 -- quick_exit
// expect: no finding
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int handled;

static void last(int status, void *argument)
{
    _exit(status == 9 && argument == &handled && handled == 1 ? 3 : 1);
}

static void first(void)
{
    handled++;
}

static void *leave(void *way)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    if (strcmp(way, "exit") == 0)
        exit(9);
    if (strcmp(way, "_Exit") == 0)
        _Exit(4);
    quick_exit(5);
}

int main(int argc, char **argv)
{
    pthread_t thread;
    assert(on_exit(last, &handled) == 0 && atexit(first) == 0);
    assert(pthread_create(&thread, NULL, leave, argc > 1 ? argv[1] : "exit") == 0);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 1;
}
