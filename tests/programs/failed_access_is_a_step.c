// A thread frees a block and reads it at once. The other threads only read it, so their reads race
// with the free alone, and the failing read would always come right after the free. It becomes a
// scheduling point, since each of the others can be the first to fail.
// build: gcc -O1
// build: clang -O2
// expect: finding use-after-free
// expect: finding race
// expect: exit 1
// expect: complete == true
// run: --always stop -k -s dfs
// expect: output failed_access_is_a_step.c:43
// expect: output failed_access_is_a_step.c:49
// expect: output failed_access_is_a_step.c:55
// expect: classes == 12
// run: --always stop -k -s dpor
// expect: output failed_access_is_a_step.c:43
// expect: output failed_access_is_a_step.c:49
// expect: output failed_access_is_a_step.c:55
// expect: classes == 12
// run: --always stop -k -s dpor -j 2
// expect: output failed_access_is_a_step.c:49
// expect: classes == 12
// run: --always stop -k -s bpor
// expect: output failed_access_is_a_step.c:49
// expect: classes == 12
// run: --always stop -k -s preempt -b 9
// expect: output failed_access_is_a_step.c:49
// expect: classes == 12
// run: --always stop -k -s dpor --points all
// expect: output failed_access_is_a_step.c:49
// run: --always stop -k -s dfs --points all
// expect: output failed_access_is_a_step.c:49
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static int *block;
volatile int seen[3];

static void *frees(void *unused)
{
    free(block);
    seen[0] = *block;
    return unused;
}

static void *reads(void *unused)
{
    seen[1] = *block;
    return unused;
}

static void *reads_too(void *unused)
{
    seen[2] = *block;
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    block = calloc(1, sizeof *block);
    pthread_create(&threads[0], NULL, frees, NULL);
    pthread_create(&threads[1], NULL, reads, NULL);
    pthread_create(&threads[2], NULL, reads_too, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
