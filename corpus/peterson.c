// Peterson's lock for two threads: say that you want in, then give the other the right of way, then
// wait. Here the right of way is given first, so that both can get in.
// group: idioms
// threads: 3
// finds: assertion
// lines: 33
// pb: 2
// db: 2
// options: --exit wait
// variants: peterson
// variants: peterson_fixed -DFIXED
// finds peterson_fixed: nothing
// pb peterson_fixed: -
// db peterson_fixed: -
// twin: peterson_fixed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static atomic_bool wants[2];
static atomic_int right_of_way;
static int inside;

static void lock(int self)
{
#ifdef FIXED
    wants[self] = true;
    right_of_way = !self;
#else
    right_of_way = !self;
    wants[self] = true;
#endif
    while (wants[!self] && right_of_way == !self)
        ;
}

static void unlock(int self)
{
    wants[self] = false;
}

static void *work(void *argument)
{
    int self = *(int *)argument;
    lock(self);
    inside++;
    assert(inside == 1);
    inside--;
    unlock(self);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int numbers[2] = {0, 1};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
