// Two threads go through the same two phases, each with its own lock. The lock of the second phase
// is never released, so the thread that comes second waits forever.
// group: cs
// threads: 3
// finds: deadlock
// lines: 22
// pb: 0
// db: 0
// options: --exit wait
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t preparing = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t finishing = PTHREAD_MUTEX_INITIALIZER;
static int prepared, finished;

static void *work(void *unused)
{
    pthread_mutex_lock(&preparing);
    prepared++;
    pthread_mutex_unlock(&preparing);
    pthread_mutex_lock(&finishing);
    finished++;
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, work, NULL);
    pthread_create(&second, NULL, work, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
