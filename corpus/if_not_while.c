// A consumer waits for work with `if` where it needs `while`: until it has woken up, another
// consumer that did not have to wait may have taken what it was woken for.
// group: idioms
// threads: 4
// finds: assertion
// lines: 42
// pb: 1
// db: 1
// options: --exit wait
// variants: if_not_while
// variants: if_not_while_fixed -DFIXED
// finds if_not_while_fixed: nothing
// pb if_not_while_fixed: -
// db if_not_while_fixed: -
// twin: if_not_while_fixed
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { CONSUMERS = 2, CAPACITY = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static int jobs[CAPACITY], count;

static void job_add(int job)
{
    pthread_mutex_lock(&lock);
    jobs[count++] = job;
    pthread_cond_signal(&arrived);
    pthread_mutex_unlock(&lock);
}

static int job_take(void)
{
    pthread_mutex_lock(&lock);
#ifdef FIXED
    while (count == 0)
        pthread_cond_wait(&arrived, &lock);
#else
    if (count == 0)
        pthread_cond_wait(&arrived, &lock);
#endif
    assert(count > 0);
    int job = jobs[--count];
    pthread_mutex_unlock(&lock);
    return job;
}

static void *produce(void *unused)
{
    for (int i = 0; i < CONSUMERS; i++)
        job_add(i);
    return unused;
}

static void *consume(void *unused)
{
    job_take();
    return unused;
}

int main(void)
{
    pthread_t producer, consumers[CONSUMERS];
    pthread_create(&consumers[0], NULL, consume, NULL);
    pthread_create(&producer, NULL, produce, NULL);
    pthread_create(&consumers[1], NULL, consume, NULL);
    pthread_join(producer, NULL);
    for (int i = 0; i < CONSUMERS; i++)
        pthread_join(consumers[i], NULL);
    return 0;
}
