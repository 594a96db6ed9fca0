// A loop that gives up after three tries is not taken for one that waits: main's store or unlock comes
// before, between or after the tries, 4 executions, and in the last of them it has given up.
// build: gcc -O0
// build: gcc -O2
// build: clang -O2
// run: -s dfs -k --expect-exit 0 -- load
// expect: finding exit
// expect: complete == true
// expect: executions 4
// expect: buggy 1
// run: -s dfs -k --expect-exit 0 -- trylock
// expect: finding exit
// expect: complete == true
// expect: executions 4
// expect: buggy 1
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

static atomic_int ready;
static int gave_up, tries;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *load(void *unused)
{
    for (int i = 0; i < 3; i++)
        if (atomic_load(&ready))
            return unused;
    gave_up = 1;
    return unused;
}

static void *try(void *unused)
{
    for (int i = 0; i < 3; i++)
        if (pthread_mutex_trylock(&mutex) == 0) {
            pthread_mutex_unlock(&mutex);
            return unused;
        }
    gave_up = 1;
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    int locks = argc > 1 && strcmp(argv[1], "trylock") == 0;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, locks ? try : load, NULL);
    if (locks)
        pthread_mutex_unlock(&mutex);
    else
        atomic_store(&ready, 1);
    pthread_join(thread, NULL);
    return gave_up;
}
