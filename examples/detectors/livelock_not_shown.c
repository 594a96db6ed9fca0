/* The worker starts a helper again and again until one of them ends well. That depends on what main
 * clears, but only when the worker is over. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int busy = 1;

static void *work(void *unused)
{
    int status;
    do {
        pid_t helper = fork();
        if (helper == 0)
            _exit(busy);
        waitpid(helper, &status, 0);
    } while (status != 0);
    return unused;
}

int main(void)
{
    pthread_t worker;
#ifdef FIXED
    atomic_store(&busy, 0);
#endif
    pthread_create(&worker, NULL, work, NULL);
    pthread_join(worker, NULL);
    atomic_store(&busy, 0);
    return 0;
}
