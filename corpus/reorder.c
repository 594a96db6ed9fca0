// A setter stores a, then b. A checker reads both and takes it that it sees neither store or both, but a
// setter can be interrupted between its two stores, and a checker between its two reads.
// group: cs
// variants: reorder_3 -DSETTERS=2 -DCHECKERS=1
// variants: reorder_4 -DSETTERS=3 -DCHECKERS=1
// variants: reorder_5 -DSETTERS=4 -DCHECKERS=1
// variants: reorder_10 -DSETTERS=9 -DCHECKERS=1
// variants: reorder_20 -DSETTERS=10 -DCHECKERS=10
// variants: reorder_50 -DSETTERS=49 -DCHECKERS=1
// variants: reorder_100 -DSETTERS=99 -DCHECKERS=1
// threads reorder_3: 4
// threads reorder_4: 5
// threads reorder_5: 6
// threads reorder_10: 11
// threads reorder_20: 21
// threads reorder_50: 51
// threads reorder_100: 101
// finds: assertion
// lines: 41 42 48
// pb: 1
// db reorder_3: 2
// db reorder_4: 3
// db reorder_5: 4
// db reorder_10: 9
// db reorder_20: 10
// db reorder_50: 49
// db reorder_100: 99
// beyond reorder_10: pb db
// beyond reorder_20: pb db
// beyond reorder_50: pb db
// beyond reorder_100: pb db
// options: --exit wait
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int a, b;

static void *set(void *unused)
{
    a = 1;
    b = -1;
    return unused;
}

static void *check(void *unused)
{
    int first = a, second = b;
    assert((first == 0 && second == 0) || (first == 1 && second == -1));
    return unused;
}

int main(void)
{
    pthread_t threads[SETTERS + CHECKERS];
    for (int i = 0; i < SETTERS + CHECKERS; i++)
        pthread_create(&threads[i], NULL, i < SETTERS ? set : check, NULL);
    for (int i = 0; i < SETTERS + CHECKERS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
