// Two threads add their part to a total; a third insists that not both have come before it, which
// nothing ensures.
// group: cs
// threads: 4
// finds: assertion
// lines: 41
// pb: 0
// db: 0
// options: --exit wait
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { SMALL = 1, LARGE = 2 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void add(int part)
{
    pthread_mutex_lock(&mutex);
    total += part;
    pthread_mutex_unlock(&mutex);
}

static void *add_small(void *unused)
{
    add(SMALL);
    return unused;
}

static void *add_large(void *unused)
{
    add(LARGE);
    return unused;
}

static void *look(void *unused)
{
    pthread_mutex_lock(&mutex);
    assert(total < SMALL + LARGE);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    void *(*const parts[])(void *) = {add_small, add_large, look};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, parts[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
