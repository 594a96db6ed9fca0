// The reader takes from the stack as soon as something was ever pushed: that flag is never cleared,
// so it pops once more than there is if it comes while the writer is not done.
// group: cs
// threads: 3
// finds: assertion
// lines: 42
// pb: 1
// db: 1
// options: --exit wait
// variants: stack
// variants: stack_fixed -DFIXED
// finds stack_fixed: nothing
// pb stack_fixed: -
// db stack_fixed: -
// twin stack: stack_fixed
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { ITEMS = 10 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int items[ITEMS];
static int height;
static bool pushed;

static void *push_all(void *unused)
{
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&mutex);
        items[height++] = i;
        pushed = true;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static void *pop_all(void *sum)
{
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&mutex);
        if (pushed) {
            assert(height > 0);
            *(int *)sum += items[--height];
#ifdef FIXED
            pushed = height > 0;
#endif
        }
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(void)
{
    static int sum;
    pthread_t writer, reader;
    pthread_create(&writer, NULL, push_all, NULL);
    pthread_create(&reader, NULL, pop_all, &sum);
    pthread_join(writer, NULL);
    pthread_join(reader, NULL);
    return 0;
}
