/* Work before the first decision, a million instructions and more with SETUP = 40000; then two threads that go on
 * together, round by round: 12,005 steps with ROUNDS = 2000. What checkpoints save. */
#include <pthread.h>
#include <stdatomic.h>

enum { WORDS = 256 };

static unsigned table[WORDS];
static atomic_int shared;
static pthread_barrier_t barrier;

static void *work(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        shared++;
        pthread_barrier_wait(&barrier);
    }
    return unused;
}

int main(void)
{
    for (unsigned i = 0; i < SETUP; i++)
        table[i % WORDS] = table[i % WORDS] * 1664525u + i + 1;
    pthread_t threads[2];
    pthread_barrier_init(&barrier, NULL, 2);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
