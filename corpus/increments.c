// N threads increment one atomic counter. Nothing is wrong: no two increments commute, so there are
// as many classes as orders, N!.
// group: reduction
// finds: nothing
// pb: -
// db: -
// variants: increments_4
// variants: increments_6
// variants: increments_8
// args increments_4: 4
// args increments_6: 6
// args increments_8: 8
// threads increments_4: 5
// threads increments_6: 7
// threads increments_8: 9
// classes increments_4: 24
// classes increments_6: 720
// classes increments_8: 40320
// beyond increments_8: classes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

enum { THREADS_MAX = 8 };

static atomic_int counter;

static void *increment(void *unused)
{
    atomic_fetch_add(&counter, 1);
    return unused;
}

int main(int argument_count, char **arguments)
{
    int count = argument_count > 1 ? atoi(arguments[1]) : 0;
    assert(count > 0 && count <= THREADS_MAX);
    pthread_t threads[THREADS_MAX];
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, increment, NULL);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    assert(counter == count);
    return 0;
}
