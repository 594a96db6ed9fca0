/* Two threads add to one counter without a lock. `hits++` reads, adds and writes: an addition that
 * comes between the other's read and write is lost.
 *
 * Bohr says, in short:
 *
 *     finding 1: a failed assertion: in T0 (main, lost_update.c:44) this does not hold: hits == 2
 *         the preemption that matters: T2 before it wrote hits at line 33
 *         all 9 executions that keep these orders fail; with fewer orders some do not
 *
 *       lines without a file are of lost_update.c
 *       step  T0                            T1                            T2
 *          0  create T1  :40
 *          1  create T2  :41
 *          2                                                              read hits  :33
 *                                                                         ── T2 is preempted ──
 *          3                                read hits  :33
 *          4                                write hits  :33
 *          5                                                              write hits  :33
 *          6  join T1  :42
 *          7  join T2  :43 ◀
 *
 * expect: finding assertion
 * expect: finding race
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int hits;

static void *serve(void *unused)
{
    hits++;
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, serve, NULL);
    pthread_create(&second, NULL, serve, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(hits == 2);
    return 0;
}
