// Blocks with locks in them, freed as soon as that is right: by the last user, right after its unlock; by
// whom the barrier let go first; by the thread that a signal woke, which has the mutex again; by one that
// joined the rest. Nothing is reported.
// modes: all
// run: -s dfs -- count
// expect: claim.kind == all
// expect: exit 0
// run: -s dfs -- barrier
// expect: claim.kind == all
// expect: exit 0
// run: -s dfs -- cond
// expect: claim.kind == all
// expect: exit 0
// run: -s dfs -- joined
// expect: claim.kind == all
// expect: exit 0
// run: -s dfs -- semaphore
// expect: claim.kind == all
// expect: exit 0
// run: -s dpor -- count
// expect: claim.kind == all-classes
// expect: exit 0
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

struct counted {
    int users;
    pthread_mutex_t mutex;
};

static void *let_go(void *argument)
{
    struct counted *counted = argument;
    pthread_mutex_lock(&counted->mutex);
    int left = --counted->users;
    pthread_mutex_unlock(&counted->mutex);
    if (left == 0) {
        pthread_mutex_destroy(&counted->mutex);
        free(counted);
    }
    return NULL;
}

static void by_count(void)
{
    pthread_t other;
    struct counted *counted = malloc(sizeof *counted);
    counted->users = 2;
    pthread_mutex_init(&counted->mutex, NULL);
    pthread_create(&other, NULL, let_go, counted);
    let_go(counted);
    pthread_join(other, NULL);
}

static void *meet(void *argument)
{
    pthread_barrier_t *barrier = argument;
    if (pthread_barrier_wait(barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
        pthread_barrier_destroy(barrier);
        free(barrier);
    }
    return NULL;
}

static void by_barrier(void)
{
    pthread_t other;
    pthread_barrier_t *barrier = malloc(sizeof *barrier);
    pthread_barrier_init(barrier, NULL, 2);
    pthread_create(&other, NULL, meet, barrier);
    meet(barrier);
    pthread_join(other, NULL);
}

struct call {
    pthread_mutex_t mutex;
    pthread_cond_t done;
    int is_done;
};

static void *answer(void *argument)
{
    struct call *call = argument;
    pthread_mutex_lock(&call->mutex);
    call->is_done = 1;
    pthread_cond_signal(&call->done);
    pthread_mutex_unlock(&call->mutex);
    return NULL;
}

static void by_call(void)
{
    pthread_t other;
    struct call *call = calloc(1, sizeof *call);
    pthread_mutex_init(&call->mutex, NULL);
    pthread_cond_init(&call->done, NULL);
    pthread_create(&other, NULL, answer, call);
    pthread_mutex_lock(&call->mutex);
    while (!call->is_done)
        pthread_cond_wait(&call->done, &call->mutex);
    pthread_mutex_unlock(&call->mutex);
    pthread_cond_destroy(&call->done);
    pthread_mutex_destroy(&call->mutex);
    free(call);
    pthread_join(other, NULL);
}

static void *wake(void *argument)
{
    struct call *call = argument;
    pthread_mutex_lock(&call->mutex);
    call->is_done = 1;
    pthread_cond_broadcast(&call->done);
    pthread_mutex_unlock(&call->mutex);
    return NULL;
}

static void by_join(void)
{
    pthread_t other;
    struct call *call = calloc(1, sizeof *call);
    pthread_create(&other, NULL, wake, call);
    pthread_mutex_lock(&call->mutex);
    while (!call->is_done)
        pthread_cond_wait(&call->done, &call->mutex);
    pthread_mutex_unlock(&call->mutex);
    pthread_join(other, NULL);
    free(call);
}

static void *post(void *argument)
{
    sem_post(argument);
    return NULL;
}

static void by_semaphore(void)
{
    pthread_t other;
    sem_t *semaphore = malloc(sizeof *semaphore);
    sem_init(semaphore, 0, 0);
    pthread_create(&other, NULL, post, semaphore);
    sem_wait(semaphore);
    sem_destroy(semaphore);
    free(semaphore);
    pthread_join(other, NULL);
}

int main(int argc, char **argv)
{
    const char *way = argv[1];
    if (!strcmp(way, "count"))
        by_count();
    else if (!strcmp(way, "barrier"))
        by_barrier();
    else if (!strcmp(way, "cond"))
        by_call();
    else if (!strcmp(way, "joined"))
        by_join();
    else
        by_semaphore();
    return 0;
}
