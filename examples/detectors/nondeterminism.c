/* Which of two locks is taken depends on how long a file is, and each execution makes it longer. */
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static pthread_mutex_t even = PTHREAD_MUTEX_INITIALIZER, odd = PTHREAD_MUTEX_INITIALIZER;

static long length_of_log(void)
{
#ifdef FIXED
    int file = open("requests.log", O_WRONLY | O_CREAT | O_TRUNC, 0600);
#else
    int file = open("requests.log", O_WRONLY | O_CREAT | O_APPEND, 0600);
#endif
    long length = write(file, ".", 1) == 1 ? lseek(file, 0, SEEK_END) : 0;
    close(file);
    return length;
}

static void *serve(void *unused)
{
    pthread_mutex_t *lock = length_of_log() % 2 == 0 ? &even : &odd;
    pthread_mutex_lock(lock);
    pthread_mutex_unlock(lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, serve, NULL);
    pthread_mutex_lock(&even);
    pthread_mutex_unlock(&even);
    pthread_join(thread, NULL);
    return 0;
}
