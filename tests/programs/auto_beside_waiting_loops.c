// Peterson's lock. The reduction that takes part in auto does not let a thread go on after a futile iteration, the
// others do: the enabled threads at a step are not the same for both, and that is no nondeterminism.
// run: -s auto --seed 7 -n 2000
// expect: no finding
// run: -s auto --seed 11 -n 2000
// expect: no finding
// run: -s auto --seed 13 -n 2000
// expect: no finding
// run: -s auto --seed 20 -n 2000 --isolate fork
// expect: no finding
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], right_of_way;
static int inside;

static void *work(void *number)
{
    int me = number != NULL, other = !me;
    wants[me] = 1;
    right_of_way = other;
    while (wants[other] && right_of_way == other)
        ;
    inside++;
    assert(inside == 1);
    inside--;
    wants[me] = 0;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, i == 0 ? NULL : &threads[1]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
