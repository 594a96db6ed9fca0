// A part of a variable outside of functions is called by its member or element, also where clang
// writes addresses as places in a table.
// build: gcc -O1
// build: clang -O1
// build: clang -O1 -gdwarf-4
// run: -s dfs -k --no-shrink
// expect: finding race
// expect: output on queue.slots[2]
// expect: silence queue+
#include <pthread.h>

struct {
    int head, slots[4];
} queue;

static void *work(void *unused)
{
    queue.slots[2]++;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    queue.slots[2]++;
    pthread_join(thread, NULL);
    return 0;
}
