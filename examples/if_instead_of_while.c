/* A consumer waits for work with `if` instead of `while`. Between the signal and its waking up the
 * other consumer can take the only item, and the woken one goes on as if it were still there.
 *
 * Bohr says, in short:
 *
 *     finding 1: a failed assertion: in T1 (consume, if_instead_of_while.c:40) this does not hold:
 *         items > 0
 *         preempted: T0 before it created T2 at line 58; T0 after it unlocked lock at line 51
 *
 *       lines without a file are of if_instead_of_while.c
 *       step  T0                            T1                            T2
 *          0  create T1  :58
 *             ── T0 is preempted ──
 *          1                                lock lock  :37
 *          2                                wait arrived, lock  :39
 *          3  create T2  :58
 *          4  lock lock  :48
 *          5  signal arrived  :50
 *          6  unlock lock  :51
 *             ── T0 is preempted ──
 *          7                                                              lock lock  :37
 *          8                                                              unlock lock  :42
 *          9                                wake arrived, lock  :39 ◀
 *
 * expect: finding assertion
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static int items;

static void *consume(void *unused)
{
    pthread_mutex_lock(&lock);
    if (items == 0)
        pthread_cond_wait(&arrived, &lock);
    assert(items > 0);
    items--;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void produce(void)
{
    pthread_mutex_lock(&lock);
    items++;
    pthread_cond_signal(&arrived);
    pthread_mutex_unlock(&lock);
}

int main(void)
{
    pthread_t consumers[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&consumers[i], NULL, consume, NULL);
    produce();
    produce();
    for (int i = 0; i < 2; i++)
        pthread_join(consumers[i], NULL);
    return 0;
}
