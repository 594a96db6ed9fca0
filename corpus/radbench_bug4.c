// A monitor is created when it is first needed, by the thread that comes first; two that come at once create
// two. A thread that entered the one and leaves after the other was put in its place unlocks what
// it does not hold.
// group: radbench
// threads: 3
// finds: misuse
// lines: 29 35
// pb: 2
// db: 2
// options: --exit wait
// variants: radbench_bug4
// variants: radbench_bug4_fixed -DFIXED
// finds radbench_bug4_fixed: nothing
// pb radbench_bug4_fixed: -
// db radbench_bug4_fixed: -
// twin radbench_bug4: radbench_bug4_fixed
#include <pthread.h>
#include <stddef.h>

enum { THREADS = 2 };

static pthread_mutex_t monitors[THREADS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t *monitor; /* NULL: not needed until now */
static int visits[THREADS];

static void monitor_enter(pthread_mutex_t *new)
{
    if (monitor == NULL)
        monitor = new;
    pthread_mutex_lock(monitor);
}

static void monitor_exit(void)
{
    pthread_mutex_unlock(monitor);
}

static void *visit(void *own)
{
    for (int i = 0; i < 2; i++) {
        monitor_enter(own);
        visits[(pthread_mutex_t *)own - monitors]++;
        monitor_exit();
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
#ifdef FIXED
    monitor = &monitors[0];
#endif
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, visit, &monitors[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
