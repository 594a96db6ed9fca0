// A parallel sort with two workers. The thread that hands work out marks a free worker as busy under the pool's lock,
// then writes what to sort and wakes it under the worker's lock; but the worker tests the mark under its own
// lock, so it can begin before its work is there, and leaves its part unsorted.
// group: inspect
// threads: 3
// finds: assertion
// lines: 52 94
// pb: 1
// db: 1
// options: --exit wait
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { WORKERS = 2, COUNT = 6, ALONE = 2 };
enum state { FREE, BUSY, LEAVING };

struct worker {
    pthread_mutex_t lock;
    pthread_cond_t change;
    pthread_t thread;
    enum state state;
    int *numbers;
    int count;
};

static pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t pool_change = PTHREAD_COND_INITIALIZER;
static struct worker workers[WORKERS];
static int numbers[COUNT] = {3, 1, 2, 6, 4, 5};

static struct worker *find_free(void)
{
    struct worker *found = NULL;
    pthread_mutex_lock(&pool_lock);
    for (int i = 0; i < WORKERS && found == NULL; i++)
        if (workers[i].state == FREE)
            found = &workers[i];
    if (found != NULL)
        found->state = BUSY;
    pthread_mutex_unlock(&pool_lock);
    return found;
}

static bool hand_out(int *part, int count)
{
    struct worker *worker = find_free();
    if (worker == NULL)
        return false;
    worker->numbers = part;
    worker->count = count;
    pthread_mutex_lock(&worker->lock);
    pthread_cond_signal(&worker->change);
    pthread_mutex_unlock(&worker->lock);
    return true;
}

static int partition(int *part, int count)
{
    int smaller = 0, pivot = part[count - 1];
    for (int i = 0; i < count; i++)
        if (part[i] < pivot) {
            int number = part[i];
            part[i] = part[smaller];
            part[smaller++] = number;
        }
    part[count - 1] = part[smaller];
    part[smaller] = pivot;
    return smaller;
}

static void sort(int *part, int count)
{
    while (count > 1) {
        int smaller = partition(part, count);
        if (smaller <= ALONE || !hand_out(part, smaller))
            sort(part, smaller);
        part += smaller + 1;
        count -= smaller + 1;
    }
}

static void *work(void *argument)
{
    struct worker *me = argument;
    for (;;) {
        pthread_mutex_lock(&me->lock);
        while (me->state == FREE)
            pthread_cond_wait(&me->change, &me->lock);
        pthread_mutex_unlock(&me->lock);
        if (me->state == LEAVING)
            return NULL;
        sort(me->numbers, me->count);
        pthread_mutex_lock(&pool_lock);
        me->state = FREE;
        pthread_cond_signal(&pool_change);
        pthread_mutex_unlock(&pool_lock);
    }
}

static bool all_free(void)
{
    for (int i = 0; i < WORKERS; i++)
        if (workers[i].state != FREE)
            return false;
    return true;
}

static void leave(struct worker *worker)
{
    pthread_mutex_lock(&worker->lock);
    worker->state = LEAVING;
    pthread_cond_signal(&worker->change);
    pthread_mutex_unlock(&worker->lock);
    pthread_join(worker->thread, NULL);
}

int main(void)
{
    for (int i = 0; i < WORKERS; i++) {
        pthread_mutex_init(&workers[i].lock, NULL);
        pthread_cond_init(&workers[i].change, NULL);
        pthread_create(&workers[i].thread, NULL, work, &workers[i]);
    }
    sort(numbers, COUNT);
    pthread_mutex_lock(&pool_lock);
    while (!all_free())
        pthread_cond_wait(&pool_change, &pool_lock);
    pthread_mutex_unlock(&pool_lock);
    for (int i = 0; i < WORKERS; i++)
        leave(&workers[i]);
    for (int i = 1; i < COUNT; i++)
        assert(numbers[i - 1] <= numbers[i]);
    return 0;
}
