/* Three threads, two atomic additions each, and a last look: 14 steps. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sum;

static void *work(void *unused)
{
    for (int i = 0; i < 2; i++)
        atomic_fetch_add(&sum, 1);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return atomic_load(&sum) == 6 ? 0 : 1;
}
