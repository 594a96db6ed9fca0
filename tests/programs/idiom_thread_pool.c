// A thread pool as people write it: a bounded queue, workers, futures that are waited for, and an orderly
// end that lets queued tasks run. Nothing is wrong with it; with "early" the pool is freed before its
// workers have ended.
// build: gcc -O1
// build: clang -O1
// run: -s preempt -b 1
// expect: no finding
// expect: complete == true
// run: -s random -n 300
// expect: no finding
// run: --isolate fork -s random -n 20
// expect: no finding
// run: -s preempt -b 1 -- early
// expect: finding use-after-free
// expect: finding race
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct future {
    pthread_mutex_t mutex;
    pthread_cond_t done;
    bool ready;
    long value;
};

struct task {
    long (*function)(long);
    long argument;
    struct future *future;
};

struct pool {
    pthread_mutex_t mutex;
    pthread_cond_t not_empty, not_full;
    struct task *tasks;
    size_t capacity, head, count;
    pthread_t *workers;
    size_t worker_count;
    bool stopping;
};

static struct future *future_new(void)
{
    struct future *future = calloc(1, sizeof *future);
    pthread_mutex_init(&future->mutex, NULL);
    pthread_cond_init(&future->done, NULL);
    return future;
}

static void future_set(struct future *future, long value)
{
    pthread_mutex_lock(&future->mutex);
    future->value = value;
    future->ready = true;
    pthread_cond_signal(&future->done);
    pthread_mutex_unlock(&future->mutex);
}

static long future_get(struct future *future)
{
    pthread_mutex_lock(&future->mutex);
    while (!future->ready)
        pthread_cond_wait(&future->done, &future->mutex);
    long value = future->value;
    pthread_mutex_unlock(&future->mutex);
    pthread_cond_destroy(&future->done);
    pthread_mutex_destroy(&future->mutex);
    free(future);
    return value;
}

static bool pool_take(struct pool *pool, struct task *task)
{
    pthread_mutex_lock(&pool->mutex);
    while (pool->count == 0 && !pool->stopping)
        pthread_cond_wait(&pool->not_empty, &pool->mutex);
    bool some = pool->count > 0;
    if (some) {
        *task = pool->tasks[pool->head];
        pool->head = (pool->head + 1) % pool->capacity;
        pool->count--;
        pthread_cond_signal(&pool->not_full);
    }
    pthread_mutex_unlock(&pool->mutex);
    return some;
}

static void *work(void *argument)
{
    struct pool *pool = argument;
    struct task task;
    while (pool_take(pool, &task))
        future_set(task.future, task.function(task.argument));
    return NULL;
}

static struct pool *pool_new(size_t workers, size_t capacity)
{
    struct pool *pool = calloc(1, sizeof *pool);
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->not_empty, NULL);
    pthread_cond_init(&pool->not_full, NULL);
    pool->capacity = capacity;
    pool->tasks = malloc(capacity * sizeof *pool->tasks);
    pool->workers = malloc(workers * sizeof *pool->workers);
    for (; pool->worker_count < workers; pool->worker_count++)
        if (pthread_create(&pool->workers[pool->worker_count], NULL, work, pool) != 0)
            abort();
    return pool;
}

static struct future *pool_submit(struct pool *pool, long (*function)(long), long argument)
{
    struct future *future = future_new();
    pthread_mutex_lock(&pool->mutex);
    while (pool->count == pool->capacity)
        pthread_cond_wait(&pool->not_full, &pool->mutex);
    size_t at = (pool->head + pool->count) % pool->capacity;
    pool->tasks[at] = (struct task){function, argument, future};
    pool->count++;
    pthread_cond_signal(&pool->not_empty);
    pthread_mutex_unlock(&pool->mutex);
    return future;
}

static void pool_free(struct pool *pool, bool joins)
{
    pthread_mutex_lock(&pool->mutex);
    pool->stopping = true;
    pthread_cond_broadcast(&pool->not_empty);
    pthread_mutex_unlock(&pool->mutex);
    for (size_t i = 0; i < pool->worker_count; i++)
        if (joins)
            pthread_join(pool->workers[i], NULL);
        else
            pthread_detach(pool->workers[i]);
    free(pool->workers);
    free(pool->tasks);
    free(pool);
}

static long square(long x)
{
    return x * x;
}

int main(int argc, char **argv)
{
    struct future *futures[3];
    long sum = 0;
    struct pool *pool = pool_new(2, 2);
    for (long i = 0; i < 3; i++)
        futures[i] = pool_submit(pool, square, i + 1);
    for (int i = 0; i < 3; i++)
        sum += future_get(futures[i]);
    assert(sum == 14);
    pool_free(pool, argc < 2 || strcmp(argv[1], "early") != 0);
    return 0;
}
