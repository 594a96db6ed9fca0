// Jobs that can be cancelled: a worker takes one off the queue and runs it, then frees it; a
// cancellation finds the job by its number under the lock, and marks it after it has let the lock
// go. A job that is taken and done in between is freed by then.
// group: large
// threads: 4
// finds: use-after-free
// lines: 59
// pb: 1
// db: 3
// options: --exit wait
// variants: job_cancel
// variants: job_cancel_fixed -DFIXED
// finds job_cancel_fixed: nothing
// pb job_cancel_fixed: -
// db job_cancel_fixed: -
// twin job_cancel: job_cancel_fixed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

enum { JOBS = 16, WORKERS = 2 };

struct job {
    struct job *next;
    int number;
    atomic_bool cancelled;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct job *queue;
static atomic_int ran;

static struct job *job_take(void)
{
    pthread_mutex_lock(&lock);
    struct job *job = queue;
    if (job != NULL)
        queue = job->next;
    pthread_mutex_unlock(&lock);
    return job;
}

static void job_cancel(int number)
{
    pthread_mutex_lock(&lock);
    struct job *job = queue;
    while (job != NULL && job->number != number)
        job = job->next;
#ifdef FIXED
    if (job != NULL)
        job->cancelled = true;
    pthread_mutex_unlock(&lock);
#else
    pthread_mutex_unlock(&lock);
    if (job != NULL)
        job->cancelled = true;
#endif
}

static void *work(void *unused)
{
    for (struct job *job; (job = job_take()) != NULL; free(job))
        if (!job->cancelled)
            ran++;
    return unused;
}

static void *cancel_some(void *unused)
{
    for (int number = 1; number < JOBS; number += 2)
        job_cancel(number);
    return unused;
}

int main(void)
{
    for (int number = JOBS; number-- > 0;) {
        struct job *job = malloc(sizeof *job);
        job->next = queue;
        job->number = number;
        atomic_init(&job->cancelled, false);
        queue = job;
    }
    pthread_t workers[WORKERS], canceller;
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&workers[i], NULL, work, NULL);
    pthread_create(&canceller, NULL, cancel_some, NULL);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
    pthread_join(canceller, NULL);
    assert(ran >= JOBS / 2 && ran <= JOBS);
    return 0;
}
