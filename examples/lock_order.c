/* A directory and a file are locked in opposite orders by two operations. Each is right alone; if
 * both have taken their first lock, neither gets its second.
 */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t directory = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t file = PTHREAD_MUTEX_INITIALIZER;
static int entries = 1, links = 1;

static void *remove_file(void *unused)
{
    pthread_mutex_lock(&directory);
    pthread_mutex_lock(&file);
    entries--;
    links--;
    pthread_mutex_unlock(&file);
    pthread_mutex_unlock(&directory);
    return unused;
}

static void *link_file(void *unused)
{
    pthread_mutex_lock(&file);
    links++;
    pthread_mutex_lock(&directory);
    entries++;
    pthread_mutex_unlock(&directory);
    pthread_mutex_unlock(&file);
    return unused;
}

int main(void)
{
    pthread_t remover, linker;
    pthread_create(&remover, NULL, remove_file, NULL);
    pthread_create(&linker, NULL, link_file, NULL);
    pthread_join(remover, NULL);
    pthread_join(linker, NULL);
    return 0;
}
