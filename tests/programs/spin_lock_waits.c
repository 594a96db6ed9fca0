// A thread that takes its own spin lock again waits forever: a deadlock; a loop around trylock on
// one that nobody gives back is a livelock; a loop on one that is given back ends.
// build: gcc -O1
// build: clang -O1
// run: -s dfs -- again
// expect: finding deadlock
// expect: output T0 holds it
// run: -s dfs -- loop
// expect: finding livelock
// run: -s dfs -- ends
// expect: no finding
// expect: complete == true
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static pthread_spinlock_t lock;

static void *try_it(void *unused)
{
    while (pthread_spin_trylock(&lock) != 0)
        ;
    pthread_spin_unlock(&lock);
    return unused;
}

int main(int argc, char **argv)
{
    const char *how = argv[argc - 1];
    pthread_t thread;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&lock);
    if (strcmp(how, "again") == 0)
        pthread_spin_lock(&lock);
    pthread_create(&thread, NULL, try_it, NULL);
    if (strcmp(how, "ends") == 0)
        pthread_spin_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
