// A chain of writers, each of which stores one more than what it reads before its own cell, and a
// thread that looks from the end for the last cell that is 0. Nothing is wrong: what the searching
// thread does depends on what it reads. N writers have 2^(N-2) * (N+3) classes: N-1 places where a
// writer comes before or after its neighbour, and the place where the search ends, which fixes one
// of these unless it ends at either end.
// group: reduction
// finds: nothing
// pb: -
// db: -
// variants: lastzero_3
// variants: lastzero_5
// variants: lastzero_10
// variants: lastzero_12
// variants: lastzero_15
// args lastzero_3: 3
// args lastzero_5: 5
// args lastzero_10: 10
// args lastzero_12: 12
// args lastzero_15: 15
// threads lastzero_3: 5
// threads lastzero_5: 7
// threads lastzero_10: 12
// threads lastzero_12: 14
// threads lastzero_15: 17
// classes lastzero_3: 12
// classes lastzero_5: 64
// classes lastzero_10: 3328
// classes lastzero_12: 15360
// classes lastzero_15: 147456
// beyond lastzero_10: classes
// beyond lastzero_12: classes
// beyond lastzero_15: classes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

enum { WRITERS_MAX = 15 };

static atomic_int cells[WRITERS_MAX + 1]; /* the first one stays 0 */
static int writer_count;

static void *find_last_zero(void *unused)
{
    int cell = writer_count;
    while (cells[cell] != 0)
        cell--;
    assert(cell >= 0);
    return unused;
}

static void *write_one(void *argument)
{
    int cell = *(int *)argument;
    cells[cell] = cells[cell - 1] + 1;
    return NULL;
}

int main(int argument_count, char **arguments)
{
    writer_count = argument_count > 1 ? atoi(arguments[1]) : 0;
    assert(writer_count > 0 && writer_count <= WRITERS_MAX);
    pthread_t finder, writers[WRITERS_MAX];
    int numbers[WRITERS_MAX];
    pthread_create(&finder, NULL, find_last_zero, NULL);
    for (int i = 0; i < writer_count; i++) {
        numbers[i] = i + 1;
        pthread_create(&writers[i], NULL, write_one, &numbers[i]);
    }
    pthread_join(finder, NULL);
    for (int i = 0; i < writer_count; i++)
        pthread_join(writers[i], NULL);
    return 0;
}
