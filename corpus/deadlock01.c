// Two threads take the same two locks in opposite order. If each has its first one, neither ever
// gets the second.
// group: cs
// threads: 3
// finds: deadlock
// lines: 25 26 39 40
// pb: 1
// db: 1
// options: --exit wait
// variants: deadlock01
// variants: deadlock01_fixed -DFIXED
// finds deadlock01_fixed: nothing
// pb deadlock01_fixed: -
// db deadlock01_fixed: -
// twin deadlock01: deadlock01_fixed
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t ledger = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t journal = PTHREAD_MUTEX_INITIALIZER;
static int entries;

static void *post(void *unused)
{
    pthread_mutex_lock(&ledger);
    pthread_mutex_lock(&journal);
    entries++;
    pthread_mutex_unlock(&journal);
    pthread_mutex_unlock(&ledger);
    return unused;
}

static void *revoke(void *unused)
{
#ifdef FIXED
    pthread_mutex_lock(&ledger);
    pthread_mutex_lock(&journal);
#else
    pthread_mutex_lock(&journal);
    pthread_mutex_lock(&ledger);
#endif
    entries--;
    pthread_mutex_unlock(&ledger);
    pthread_mutex_unlock(&journal);
    return unused;
}

int main(void)
{
    pthread_t poster, revoker;
    pthread_create(&poster, NULL, post, NULL);
    pthread_create(&revoker, NULL, revoke, NULL);
    pthread_join(poster, NULL);
    pthread_join(revoker, NULL);
    return 0;
}
