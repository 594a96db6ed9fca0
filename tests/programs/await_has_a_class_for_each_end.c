// A loop that waits for at least 2 ends with the second write or the third: two classes, whatever the
// number of its turns. With a test-and-set lock in place of a mutex, two threads that take it twice
// have six orders.
// build: gcc -O2
// build: clang -O1
// run: -s dfs -- loop
// expect: no finding
// expect: classes == 2
// run: -s dpor -- loop
// expect: no finding
// expect: classes == 2
// expect: complete == true
// expect: claim.kind == all-classes
// run: -s dpor --reduction source -- loop
// expect: classes == 2
// run: -s dpor --reduction classic -- loop
// expect: classes == 2
// run: -s dpor -j 2 -- loop
// expect: classes == 2
// expect: claim.kind == all-classes
// run: -s dfs -- lock
// expect: classes == 6
// run: -s dpor -- lock
// expect: no finding
// expect: classes == 6
// expect: claim.kind == all-classes
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

static atomic_int value, lock;
static int shared;

static void *writes(void *unused)
{
    for (int i = 1; i <= 3; i++)
        atomic_store(&value, i);
    return unused;
}

static void *waits(void *unused)
{
    while (atomic_load(&value) < 2)
        ;
    return unused;
}

static void *locks(void *unused)
{
    for (int i = 0; i < 2; i++) {
        while (atomic_exchange(&lock, 1))
            ;
        shared++;
        atomic_store(&lock, 0);
    }
    return unused;
}

int main(int argc, char **argv)
{
    int loop = argc > 1 && strcmp(argv[1], "loop") == 0;
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, loop ? writes : locks, NULL);
    pthread_create(&threads[1], NULL, loop ? waits : locks, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
