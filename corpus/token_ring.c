// Three stations stand in a ring: the first makes a new number from what the third has, the others
// copy from the one before them. Once all have had their turn the checker expects equal numbers,
// which holds only if they came in the order of the ring. Main does not wait for anybody.
// group: cs
// threads: 5
// finds: assertion
// lines: 24 33 45
// pb: 0
// db: 2
// options: --exit wait
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { STATIONS = 3, NUMBERS = 8 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int number[STATIONS] = {4, 5, 4};
static bool passed[STATIONS];

static void *begin(void *unused)
{
    pthread_mutex_lock(&mutex);
    number[0] = (number[2] + 1) % NUMBERS;
    passed[0] = true;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *copy(void *station)
{
    pthread_mutex_lock(&mutex);
    int here = *(const int *)station;
    number[here] = number[here - 1];
    passed[here] = true;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *check(void *unused)
{
    pthread_mutex_lock(&mutex);
    if (passed[0] && passed[1] && passed[2])
        assert(number[0] == number[1] && number[1] == number[2]);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    static int second = 1, third = 2;
    pthread_t threads[STATIONS + 1];
    pthread_create(&threads[0], NULL, begin, NULL);
    pthread_create(&threads[1], NULL, copy, &second);
    pthread_create(&threads[2], NULL, copy, &third);
    pthread_create(&threads[3], NULL, check, NULL);
    return 0;
}
