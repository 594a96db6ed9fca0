// A thread that waits says so in two steps: it joins the list of waiters, then it marks itself as
// blocked. If both the notification and the interrupt, which is meant to help where that was lost,
// come between the two, each leaves it alone, and it sleeps forever.
// group: radbench
// threads: 7
// finds: deadlock
// lines: 59 64
// pb: 1
// db: 2
// options: --exit wait
// variants: radbench_bug5
// variants: radbench_bug5_fixed -DFIXED
// finds radbench_bug5_fixed: nothing
// pb radbench_bug5_fixed: -
// db radbench_bug5_fixed: -
// twin radbench_bug5: radbench_bug5_fixed
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { BYSTANDERS = 3 };

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t thread_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t woken_up = PTHREAD_COND_INITIALIZER;
static bool notified, listed; /* guarded by list_lock */
static bool blocked, woken;   /* guarded by thread_lock */
static int entered;

static void wake(void)
{
    pthread_mutex_lock(&thread_lock);
#ifdef FIXED
    woken = true;
    pthread_cond_signal(&woken_up);
#else
    if (blocked) {
        woken = true;
        pthread_cond_signal(&woken_up);
    }
#endif
    pthread_mutex_unlock(&thread_lock);
}

static void *notify(void *unused)
{
    pthread_mutex_lock(&list_lock);
    notified = true;
    bool somebody = listed;
    listed = false;
    pthread_mutex_unlock(&list_lock);
    if (somebody)
        wake();
    return unused;
}

static void *wait_for_it(void *unused)
{
    pthread_mutex_lock(&list_lock);
    bool must_wait = !notified;
    listed = must_wait;
    pthread_mutex_unlock(&list_lock);
    if (must_wait) {
        pthread_mutex_lock(&thread_lock);
        blocked = true;
        while (!woken)
            pthread_cond_wait(&woken_up, &thread_lock);
        pthread_mutex_unlock(&thread_lock);
    }
    return unused;
}

static void *interrupt(void *unused)
{
    wake();
    return unused;
}

static void *enter(void *unused)
{
    pthread_mutex_lock(&list_lock);
    entered++;
    pthread_mutex_unlock(&list_lock);
    return unused;
}

int main(void)
{
    pthread_t threads[3 + BYSTANDERS];
    pthread_create(&threads[0], NULL, notify, NULL);
    pthread_create(&threads[1], NULL, wait_for_it, NULL);
    pthread_create(&threads[2], NULL, interrupt, NULL);
    for (int i = 0; i < BYSTANDERS; i++)
        pthread_create(&threads[3 + i], NULL, enter, NULL);
    for (int i = 0; i < 3 + BYSTANDERS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
