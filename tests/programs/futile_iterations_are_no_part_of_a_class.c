// Loops that wait, and what becomes of their turns. `one` waits for one value and yields: the class has no turns, but for
// dfs one in the middle of which the value was written. `two` waits for two values: dfs has turns in its classes,
// dpor has none. `apart` yields where there is no loop: for dpor it may go on at once. A search by auto that ends with what
// its reduction has explored says how many classes that has, whatever the others have shown: the number went with the seed.
// build: gcc -O2
// run: -s dfs -- one
// expect: no finding
// expect: classes 2
// expect: claim.kind == all
// run: -s dpor -- one
// expect: no finding
// expect: classes 1
// expect: claim.kind == all-classes
// run: -s dfs -- two
// expect: classes 3
// run: -s dpor -- two
// expect: classes 1
// expect: output futile iterations of waiting loops are no part of a class
// run: -s dfs -- apart
// expect: classes 4
// run: -s dpor -- apart
// expect: classes 6
// expect: silence no part of a class
// run: -s dpor -- others
// expect: classes 20
// expect: output all 20 classes of interleavings explored (40 executions); futile iterations of waiting loops are no part of a class
// run: -s auto -- others
// expect: no finding
// expect: classes > 20
// expect: output all 20 classes of interleavings explored
// expect: output futile iterations of waiting loops are no part of a class
// run: -s auto --seed 2 -- others
// expect: output all 20 classes of interleavings explored
// run: -s auto --seed 3 --isolate fork -- others
// expect: output all 20 classes of interleavings explored
// run: -s auto -j 2 -- others
// expect: output all 20 classes of interleavings explored
// run: -s preempt -b 2 -- others
// expect: silence no part of a class
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

static atomic_int first, second, sum;

static void *wait_for_one(void *unused)
{
    while (!atomic_load(&second))
        sched_yield();
    return unused;
}

static void *wait_for_two(void *unused)
{
    while (!atomic_load(&first) || !atomic_load(&second))
        sched_yield();
    return unused;
}

static void *wait_and_add(void *unused)
{
    while (!atomic_load(&first) || !atomic_load(&second))
        ;
    atomic_fetch_add(&sum, 1);
    return unused;
}

static void *add(void *unused)
{
    for (int i = 0; i < 3; i++)
        atomic_fetch_add(&sum, 2);
    return unused;
}

static void *write_twice(void *unused)
{
    atomic_store(&sum, 1);
    sched_yield();
    atomic_store(&sum, 2);
    return unused;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "one";
    pthread_t threads[3];
    int count = 0;
    if (strcmp(what, "others") == 0) {
        pthread_create(&threads[count++], NULL, wait_and_add, NULL);
        pthread_create(&threads[count++], NULL, wait_and_add, NULL);
        pthread_create(&threads[count++], NULL, add, NULL);
    } else if (strcmp(what, "apart") == 0) {
        pthread_create(&threads[count++], NULL, write_twice, NULL);
        for (int i = 0; i < 2; i++)
            atomic_load(&sum);
    } else {
        bool one = strcmp(what, "one") == 0;
        pthread_create(&threads[count++], NULL, one ? wait_for_one : wait_for_two, NULL);
    }
    atomic_store(&first, 1);
    atomic_store(&second, 1);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
