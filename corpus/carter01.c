// The first visitor to come in locks the room while it holds the lock of the guest book; the
// cleaner locks the room first and then signs the book. If each holds one of the two, both wait for
// ever. Two more threads have nothing to do.
// group: cs
// threads: 5
// finds: deadlock
// lines: 26 28 45 46
// pb: 1
// db: 1
// options: --exit wait
// variants: carter01
// variants: carter01_fixed -DFIXED
// finds carter01_fixed: nothing
// pb carter01_fixed: -
// db carter01_fixed: -
// twin carter01: carter01_fixed
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t book = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t room = PTHREAD_MUTEX_INITIALIZER;
static int visitors, cleanings;

static void *visit(void *unused)
{
    pthread_mutex_lock(&book);
    if (visitors++ == 0)
        pthread_mutex_lock(&room);
    pthread_mutex_unlock(&book);

    pthread_mutex_lock(&book);
    if (--visitors == 0)
        pthread_mutex_unlock(&room);
    pthread_mutex_unlock(&book);
    return unused;
}

static void *clean(void *unused)
{
#ifdef FIXED
    pthread_mutex_lock(&room);
    cleanings++;
    pthread_mutex_unlock(&room);
#else
    pthread_mutex_lock(&room);
    pthread_mutex_lock(&book);
    cleanings++;
    pthread_mutex_unlock(&book);
    pthread_mutex_unlock(&room);
#endif
    return unused;
}

static void *nothing(void *unused)
{
    return unused;
}

int main(void)
{
    void *(*const parts[])(void *) = {visit, clean, nothing, nothing};
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, parts[i], NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
