// One thread hands the numbers 1 to N to another, which adds them up. Main compares the sum with a
// formula that forgets to halve the product, so the check fails in every execution.
// group: cs
// threads: 3
// finds: assertion
// lines: 56
// pb: 0
// db: 0
// options: --exit wait
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { TERMS = 3 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t handed_over = PTHREAD_COND_INITIALIZER;
static pthread_cond_t taken = PTHREAD_COND_INITIALIZER;
static int term; /* 0: nothing to take */
static int sum;

static void *generate(void *unused)
{
    for (int next = 1; next <= TERMS; next++) {
        pthread_mutex_lock(&mutex);
        while (term != 0)
            pthread_cond_wait(&taken, &mutex);
        term = next;
        pthread_cond_signal(&handed_over);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static void *add(void *unused)
{
    for (int count = 0; count < TERMS; count++) {
        pthread_mutex_lock(&mutex);
        while (term == 0)
            pthread_cond_wait(&handed_over, &mutex);
        sum += term;
        term = 0;
        pthread_cond_signal(&taken);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void)
{
    pthread_t generator, adder;
    pthread_create(&generator, NULL, generate, NULL);
    pthread_create(&adder, NULL, add, NULL);
    pthread_join(generator, NULL);
    pthread_join(adder, NULL);
    assert(sum == TERMS * (TERMS + 1));
    return 0;
}
