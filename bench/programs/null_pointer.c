/* One thread takes a pointer away for a while, another looks at it twice: some executions end by
 * SIGSEGV, the others after 16 or 17 steps. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const int value = 7;
static const int *_Atomic current = &value;

static void *replace(void *unused)
{
    pthread_mutex_lock(&mutex);
    atomic_store(&current, NULL);
    atomic_store(&current, &value);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *look(void *found)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
        if (atomic_load(&current) != NULL)
            *(int *)found += *atomic_load(&current);
    }
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    int found = 0;
    pthread_create(&first, NULL, look, &found);
    pthread_create(&second, NULL, replace, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return found % value;
}
