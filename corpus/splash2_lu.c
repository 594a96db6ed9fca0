// A matrix is split into a lower and an upper one by two threads, main and another, column by
// column. Main goes on when the last barrier is passed, without waiting for the other thread to
// end.
// group: splash2
// threads: 2
// finds: assertion
// lines: 51 64
// pb: 1
// db: 1
// options: --exit wait
// variants: splash2_lu
// variants: splash2_lu_fixed -DFIXED
// finds splash2_lu_fixed: nothing
// pb splash2_lu_fixed: -
// db splash2_lu_fixed: -
// twin splash2_lu: splash2_lu_fixed
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { THREADS = 2, SIZE = 4 };

static double matrix[SIZE][SIZE] = {
    {4, 2, 1, 1},
    {2, 5, 2, 1},
    {1, 2, 6, 2},
    {1, 1, 2, 7},
};
static pthread_barrier_t barrier;
static bool ended[THREADS];

static void eliminate(int row, int column)
{
    double factor = matrix[row][column] / matrix[column][column];
    matrix[row][column] = factor;
    for (int i = column + 1; i < SIZE; i++)
        matrix[row][i] -= factor * matrix[column][i];
}

static void *factorise(void *number)
{
    int here = (int)(intptr_t)number;
    for (int column = 0; column < SIZE - 1; column++) {
        for (int row = column + 1; row < SIZE; row++)
            if (row % THREADS == here)
                eliminate(row, column);
        pthread_barrier_wait(&barrier);
    }
    ended[here] = true;
    return NULL;
}

int main(void)
{
    pthread_t other;
    pthread_barrier_init(&barrier, NULL, THREADS);
    pthread_create(&other, NULL, factorise, (void *)1);
    factorise((void *)0);
#ifdef FIXED
    pthread_join(other, NULL);
#endif
    assert(ended[1]);
    return 0;
}
