// Two threads map memory for themselves, write there and unmap it: the second one may get the same addresses, and does not race with the
// first. What both use at one address is a race, as ever: shared memory, a file that each of them maps, and memory that one of them unmaps.
// run: -s dfs
// expect: no finding
// expect: complete == true
// run: -s dpor -- huge
// expect: no finding
// expect: complete == true
// run: -s dfs -- shared
// expect: finding race
// run: -s dfs -- file
// expect: finding race
// run: -k -s dfs -- gone
// expect: finding race
// expect: finding crash
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static size_t size = 1 << 16;
static bool gone;
static char *both;
static int file = -1; /* of which each thread maps the same bytes */

static void *uses(void *unused)
{
    char *mine = mmap(NULL, size, PROT_READ | PROT_WRITE,
                      file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE : MAP_SHARED, file, 0);
    assert(mine != MAP_FAILED);
    mine[0] = mine[size - 1] = 1;
    if (both != NULL && (!gone || unused == NULL))
        both[8 * size] = 1;
    munmap(mine, size);
    if (gone && unused != NULL)
        munmap(both, 16 * size);
    return unused;
}

int main(int count, char **arguments)
{
    pthread_t threads[2];
    gone = count == 2 && strcmp(arguments[1], "gone") == 0;
    if (count == 2 && strcmp(arguments[1], "huge") == 0)
        size = 64ul << 30;
    else if (count == 2 && strcmp(arguments[1], "file") == 0)
        assert((file = memfd_create("file", 0)) >= 0 && ftruncate(file, (long)size) == 0);
    else if (count == 2)
        both = mmap(NULL, 16 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, uses, i == 0 ? NULL : threads);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
