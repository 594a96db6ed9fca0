// A pool of workers that takes tasks from a list and is told to stop once all are done. The flag
// that says so is set without the lock: a worker that has just seen it clear goes to sleep after
// the broadcast and is never woken. Two preemptions are enough, but hard to come by.
// group: large
// threads: 4
// finds: deadlock
// pb: -
// db: 3
// lines: 96
// options: --exit wait
// variants: task_pool
// variants: task_pool_fixed -DFIXED
// finds task_pool_fixed: nothing
// pb task_pool_fixed: -
// db task_pool_fixed: -
// twin task_pool: task_pool_fixed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

enum { WORKERS = 3, TASKS = 10 };

struct task {
    struct task *next;
    void (*run)(int argument);
    int argument;
};

static struct pool {
    pthread_mutex_t lock;
    pthread_cond_t work, idle;
    struct task *first, **last;
    int unfinished;
    atomic_bool stopping;
    pthread_t workers[WORKERS];
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER,
          .work = PTHREAD_COND_INITIALIZER,
          .idle = PTHREAD_COND_INITIALIZER,
          .last = &pool.first};

static struct task *pool_next(void)
{
    pthread_mutex_lock(&pool.lock);
    while (pool.first == NULL && !pool.stopping)
        pthread_cond_wait(&pool.work, &pool.lock);
    struct task *task = pool.first;
    if (task != NULL) {
        pool.first = task->next;
        if (pool.first == NULL)
            pool.last = &pool.first;
    }
    pthread_mutex_unlock(&pool.lock);
    return task;
}

static void *pool_work(void *unused)
{
    for (struct task *task; (task = pool_next()) != NULL; free(task)) {
        task->run(task->argument);
        pthread_mutex_lock(&pool.lock);
        if (--pool.unfinished == 0)
            pthread_cond_signal(&pool.idle);
        pthread_mutex_unlock(&pool.lock);
    }
    return unused;
}

static void pool_submit(void (*run)(int), int argument)
{
    struct task *task = malloc(sizeof *task);
    *task = (struct task){NULL, run, argument};
    pthread_mutex_lock(&pool.lock);
    *pool.last = task;
    pool.last = &task->next;
    pool.unfinished++;
    pthread_cond_signal(&pool.work);
    pthread_mutex_unlock(&pool.lock);
}

static void pool_wait(void)
{
    pthread_mutex_lock(&pool.lock);
    while (pool.unfinished > 0)
        pthread_cond_wait(&pool.idle, &pool.lock);
    pthread_mutex_unlock(&pool.lock);
}

static void pool_stop(void)
{
#ifdef FIXED
    pthread_mutex_lock(&pool.lock);
#endif
    pool.stopping = true;
    pthread_cond_broadcast(&pool.work);
#ifdef FIXED
    pthread_mutex_unlock(&pool.lock);
#endif
    for (int i = 0; i < WORKERS; i++)
        pthread_join(pool.workers[i], NULL);
}

static int results[TASKS];

static void square(int number)
{
    results[number] = number * number;
}

int main(void)
{
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&pool.workers[i], NULL, pool_work, NULL);
    for (int i = 0; i < TASKS; i++)
        pool_submit(square, i);
    pool_wait();
    for (int i = 0; i < TASKS; i++)
        assert(results[i] == i * i);
    pool_stop();
    return 0;
}
