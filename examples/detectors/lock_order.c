/* Two threads take two locks in opposite orders, one after the other as long as the semaphore keeps
 * them apart. Who removes the semaphore has a deadlock. */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_mutex_t file = PTHREAD_MUTEX_INITIALIZER, directory = PTHREAD_MUTEX_INITIALIZER;
static sem_t written;

static void *rename_file(void *unused)
{
    sem_wait(&written);
    pthread_mutex_lock(&directory);
    pthread_mutex_lock(&file);
    pthread_mutex_unlock(&file);
    pthread_mutex_unlock(&directory);
    return unused;
}

static void *write_file(void *unused)
{
#ifdef FIXED
    pthread_mutex_lock(&directory);
    pthread_mutex_lock(&file);
#else
    pthread_mutex_lock(&file);
    pthread_mutex_lock(&directory);
#endif
    pthread_mutex_unlock(&directory);
    pthread_mutex_unlock(&file);
    sem_post(&written);
    return unused;
}

int main(void)
{
    pthread_t first, second;
    sem_init(&written, 0, 0);
    pthread_create(&first, NULL, rename_file, NULL);
    pthread_create(&second, NULL, write_file, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    sem_destroy(&written);
    return 0;
}
