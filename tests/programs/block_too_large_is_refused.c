// A block that the kernel would have given, but that is larger than the memory which Bohr keeps for a thread's blocks: the call is
// refused by name. It does not fail, since a failure would be Bohr's and not the program's. What no machine has fails.
// run: -s dfs
// expect: exit 3
// expect: output the blocks of the main thread take more than 32 GiB, or those of another thread more than 1 GiB
// run: -s dfs -- absurd
// expect: no finding
// expect: complete == true
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static size_t size = 2ul << 30;

static void *uses(void *unused)
{
    char *volatile block = malloc(size);
    assert((block != NULL) == (size == 2ul << 30));
    free(block);
    return unused;
}

int main(int count, char **arguments)
{
    pthread_t thread;
    if (count == 2)
        size = 1ul << 60;
    pthread_create(&thread, NULL, uses, NULL);
    pthread_join(thread, NULL);
    return 0;
}
