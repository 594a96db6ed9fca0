// A fast Hadamard transform, the fast Fourier transform without its complex factors, on two
// threads, main and another. Main goes on when the last barrier is passed, without waiting for the
// other thread to end.
// group: splash2
// threads: 2
// finds: assertion
// lines: 46 59
// pb: 1
// db: 1
// options: --exit wait
// variants: splash2_ft
// variants: splash2_ft_fixed -DFIXED
// finds splash2_ft_fixed: nothing
// pb splash2_ft_fixed: -
// db splash2_ft_fixed: -
// twin splash2_ft: splash2_ft_fixed
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { THREADS = 2, VALUES = 8 };

static int values[VALUES] = {3, 1, 4, 1, 5, 9, 2, 6};
static pthread_barrier_t barrier;
static bool ended[THREADS];

static void butterfly(int low, int distance)
{
    int sum = values[low] + values[low + distance];
    values[low + distance] = values[low] - values[low + distance];
    values[low] = sum;
}

static void *transform(void *number)
{
    int here = (int)(intptr_t)number;
    for (int distance = 1; distance < VALUES; distance *= 2) {
        int pair = 0;
        for (int low = 0; low < VALUES; low++)
            if ((low & distance) == 0 && pair++ % THREADS == here)
                butterfly(low, distance);
        pthread_barrier_wait(&barrier);
    }
    ended[here] = true;
    return NULL;
}

int main(void)
{
    pthread_t other;
    pthread_barrier_init(&barrier, NULL, THREADS);
    pthread_create(&other, NULL, transform, (void *)1);
    transform((void *)0);
#ifdef FIXED
    pthread_join(other, NULL);
#endif
    assert(ended[1]);
    return 0;
}
