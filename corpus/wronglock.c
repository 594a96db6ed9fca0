// One thread guards a reading with its own lock and expects that nobody counts meanwhile; all
// others guard it with another lock.
// group: cs
// variants: wronglock_3 -DOTHERS=3
// variants: wronglock -DOTHERS=7
// variants: wronglock_fixed -DOTHERS=3 -DFIXED
// threads wronglock_3: 5
// threads wronglock: 9
// threads wronglock_fixed: 5
// finds: assertion
// lines: 35 44
// pb: 1
// db: 1
// options: --exit wait
// finds wronglock_fixed: nothing
// pb wronglock_fixed: -
// db wronglock_fixed: -
// twin wronglock: wronglock_fixed
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;
#ifdef FIXED
#define wrong right
#else
static pthread_mutex_t wrong = PTHREAD_MUTEX_INITIALIZER;
#endif
static int reading;

static void *count_and_check(void *unused)
{
    pthread_mutex_lock(&right);
    int before = reading;
    reading++;
    assert(reading == before + 1);
    pthread_mutex_unlock(&right);
    return unused;
}

static void *count(void *unused)
{
    pthread_mutex_lock(&wrong);
    reading++;
    pthread_mutex_unlock(&wrong);
    return unused;
}

int main(void)
{
    pthread_t checker, others[OTHERS];
    pthread_create(&checker, NULL, count_and_check, NULL);
    for (int i = 0; i < OTHERS; i++)
        pthread_create(&others[i], NULL, count, NULL);
    pthread_join(checker, NULL);
    for (int i = 0; i < OTHERS; i++)
        pthread_join(others[i], NULL);
    return 0;
}
