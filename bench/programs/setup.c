/* Some 200 microseconds of set-up before the first decision, then two threads, two critical
 * sections each: 13 steps. What a checkpoint at the first decision saves. */
#include <pthread.h>

enum { WORDS = 256, ROUNDS = 40 };

static unsigned table[WORDS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned counter;

static void fill(void)
{
    for (unsigned round = 0; round < ROUNDS; round++)
        for (unsigned i = 0; i < WORDS; i++)
            table[i] = table[i] * 1664525u + i + 1;
}

static void *work(void *unused)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&mutex);
        counter += table[i];
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void)
{
    fill();
    pthread_t first, second;
    pthread_create(&first, NULL, work, NULL);
    pthread_create(&second, NULL, work, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return counter == 2 * (table[0] + table[1]) ? 0 : 1;
}
