// An initialisation that must run once: the first caller notes that it has begun and runs it
// outside the lock, the others return at once. They should wait until it has ended: they use a
// table that is not there yet.
// group: idioms
// threads: 3
// finds: assertion
// lines: 32 37
// pb: 1
// db: 1
// options: --exit wait
// variants: once_by_hand
// variants: once_by_hand_fixed -DFIXED
// finds once_by_hand_fixed: nothing
// pb once_by_hand_fixed: -
// db once_by_hand_fixed: -
// twin: once_by_hand_fixed
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { ENTRIES = 4 };
enum state { NEW, RUNNING, DONE };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t is_done = PTHREAD_COND_INITIALIZER;
static enum state state;
static int squares[ENTRIES];

static void fill_table(void)
{
    for (int i = 0; i < ENTRIES; i++)
        squares[i] = i * i;
}

static void call_once_by_hand(void (*function)(void))
{
    pthread_mutex_lock(&lock);
    if (state == NEW) {
        state = RUNNING;
        pthread_mutex_unlock(&lock);
        function();
        pthread_mutex_lock(&lock);
        state = DONE;
        pthread_cond_broadcast(&is_done);
    }
#ifdef FIXED
    while (state != DONE)
        pthread_cond_wait(&is_done, &lock);
#endif
    pthread_mutex_unlock(&lock);
}

static void *use(void *unused)
{
    call_once_by_hand(fill_table);
    assert(squares[ENTRIES - 1] == 9);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, use, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
