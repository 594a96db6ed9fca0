// A thread that yields goes on only after a step of every other one (docs/COUNTING.md, rule 9). So the search of all interleavings
// never fails the assertion, and its claim says what it left out. A reduction lets the thread go on at once.
// build: gcc -O1
// run: -k -s dfs
// expect: no finding
// expect: output all 5 interleavings explored; after each yield, sleep and repeated timeout of a thread every other one had a step (accesses that race only before that are no steps); under sequential consistency
// run: -k -s dfs --points all
// expect: no finding
// expect: output interleavings explored; after each yield, sleep and repeated timeout of a thread every other one had a step; under
// run: -k -s preempt
// expect: no finding
// expect: output ; after each yield, sleep and repeated timeout of a thread every other one had a step
// run: -k -s delay
// expect: no finding
// expect: output ; after each yield, sleep and repeated timeout of a thread every other one had a step
// run: -k -s dpor
// expect: finding assertion
// expect: silence after each yield
// run: -k -s stateful
// expect: finding assertion
// expect: silence after each yield
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
static atomic_int value;
static void *yields(void *argument)
{
    sched_yield();
    value = 1;
    return argument;
}
static void *looks(void *argument)
{
    assert(value == 0);
    return argument;
}
int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, looks, NULL);
    pthread_create(&second, NULL, yields, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
