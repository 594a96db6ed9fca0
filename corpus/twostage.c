// A value is updated in two critical sections, each with a lock of its own; a thread that looks in between sees the
// first half of the update done and the second not.
// group: cs
// variants: twostage -DWRITERS=1 -DREADERS=1
// variants: twostage_20 -DWRITERS=19 -DREADERS=1
// variants: twostage_50 -DWRITERS=49 -DREADERS=1
// variants: twostage_100 -DWRITERS=99 -DREADERS=1
// threads twostage: 3
// threads twostage_20: 21
// threads twostage_50: 51
// threads twostage_100: 101
// finds: assertion
// lines: 43 45
// pb: 1
// db twostage: 1
// db twostage_20: 19
// db twostage_50: 49
// db twostage_100: 99
// beyond twostage_20: pb db
// beyond twostage_50: pb db
// beyond twostage_100: pb db
// options: --exit wait
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t amount_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t total_lock = PTHREAD_MUTEX_INITIALIZER;
static int amount, total;

static int read_amount(void)
{
    pthread_mutex_lock(&amount_lock);
    int value = amount;
    pthread_mutex_unlock(&amount_lock);
    return value;
}

static void *update(void *unused)
{
    pthread_mutex_lock(&amount_lock);
    amount = 1;
    pthread_mutex_unlock(&amount_lock);

    pthread_mutex_lock(&total_lock);
    total = 2;
    pthread_mutex_unlock(&total_lock);
    return unused;
}

static void *check(void *unused)
{
    int seen = read_amount();
    if (seen == 0)
        return unused; /* nothing was updated yet */
    pthread_mutex_lock(&total_lock);
    assert(total == seen + 1);
    pthread_mutex_unlock(&total_lock);
    return unused;
}

int main(void)
{
    pthread_t threads[WRITERS + READERS];
    for (int i = 0; i < WRITERS + READERS; i++)
        pthread_create(&threads[i], NULL, i < WRITERS ? update : check, NULL);
    for (int i = 0; i < WRITERS + READERS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
