// With --exit wait an exit is enabled once all other threads have ended: it comes after each of
// their steps, so no execution tries it earlier and is cut. The cuts of other searches are
// redundant executions, and the claim says so.
// build: gcc -O1
// build: clang -O2
// expect: no finding
// expect: complete == true
// expect: classes == 3
// run: -s dpor --exit wait
// expect: executions == 3
// expect: cut == 0
// expect: silence cut where
// run: -s dpor -j 2 --exit wait
// expect: cut == 0
// run: -s dpor --reduction source --exit wait
// expect: cut == 0
// run: -s bpor --exit wait
// expect: cut == 1
// expect: output 1 execution cut where another one explores all that follows
// run: -s auto --exit wait
// expect: cut == 0
// run: -s dfs --exit wait
// expect: executions == 26
// expect: cut == 0
// run: -s preempt --exit wait
// expect: cut == 0
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

atomic_int x;
static sem_t posted;

static void *posts(void *unused)
{
    x = 1;
    sem_post(&posted);
    x = 3;
    return unused;
}

static void *writes(void *unused)
{
    x = 4;
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    sem_init(&posted, 0, 0);
    pthread_create(&threads[0], NULL, posts, NULL);
    pthread_create(&threads[1], NULL, writes, NULL);
    sem_wait(&posted);
    return 0;
}
