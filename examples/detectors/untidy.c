/* Nobody waits for the logger, and its lock is never destroyed. */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock;
static int lines;

static void *write_log(void *unused)
{
    pthread_mutex_lock(&lock);
    lines++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t logger;
    pthread_mutex_init(&lock, NULL);
    pthread_create(&logger, NULL, write_log, NULL);
#ifdef FIXED
    pthread_join(logger, NULL);
    pthread_mutex_destroy(&lock);
#endif
    return 0;
}
