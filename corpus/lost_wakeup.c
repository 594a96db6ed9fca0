// A thread waits for a signal without asking first whether what it waits for has happened already.
// A signal that nobody waits for is lost.
// group: idioms
// threads: 2
// finds: deadlock
// lines: 33 47
// pb: 0
// db: 0
// options: --exit wait
// variants: lost_wakeup
// variants: lost_wakeup_fixed -DFIXED
// finds lost_wakeup_fixed: nothing
// pb lost_wakeup_fixed: -
// db lost_wakeup_fixed: -
// twin: lost_wakeup_fixed
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t loaded = PTHREAD_COND_INITIALIZER;
static bool is_loaded;
static int table;

static void *use(void *unused)
{
    pthread_mutex_lock(&lock);
#ifdef FIXED
    while (!is_loaded)
        pthread_cond_wait(&loaded, &lock);
#else
    pthread_cond_wait(&loaded, &lock);
#endif
    assert(is_loaded && table == 42);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t user;
    pthread_create(&user, NULL, use, NULL);
    pthread_mutex_lock(&lock);
    table = 42;
    is_loaded = true;
    pthread_cond_signal(&loaded);
    pthread_mutex_unlock(&lock);
    pthread_join(user, NULL);
    return 0;
}
