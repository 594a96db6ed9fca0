// A call that is not modelled is refused, with its name and its place, before it can make a claim
// false.
// expect: exit 3
// expect: verdict == refused
// expect: claim.kind == nothing
// expect: output refused_calls.c
// run: -s dfs -- rwlock
// expect: output pthread_rwlock_rdlock
// run: -s dfs -- fork
// expect: output fork
// run: -s dfs -- thrd
// expect: output thrd_create
// run: -s dfs -- semaphore
// expect: output sem_wait
// run: -s dfs -- barrier
// expect: output pthread_barrier_wait
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>

static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore;

static int nothing(void *unused)
{
    return unused != NULL;
}

int main(int argc, char **argv)
{
    const char *call = argc > 1 ? argv[1] : "";
    thrd_t thread;
    if (strcmp(call, "rwlock") == 0)
        pthread_rwlock_rdlock(&rwlock);
    else if (strcmp(call, "fork") == 0)
        return fork() < 0;
    else if (strcmp(call, "thrd") == 0)
        return thrd_create(&thread, nothing, NULL);
    else if (strcmp(call, "semaphore") == 0)
        sem_wait(&semaphore);
    else if (strcmp(call, "barrier") == 0)
        pthread_barrier_wait(&barrier);
    return 0;
}
