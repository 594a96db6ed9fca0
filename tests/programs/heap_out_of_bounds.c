// Accesses that leave their heap block, whatever their width and thread.
// build: gcc -O1
// build: clang -O1
// expect: finding out-of-bounds
// expect: executions 1
// run: -s dfs -- write-behind
// expect: output beyond the end of a heap block
// expect: output (12 bytes, from
// run: -s dfs -- read-behind
// expect: output beyond the end of a heap block
// run: -s dfs -- write-before
// expect: output before the beginning of a heap block
// run: -s dfs -- byte-behind
// expect: output beyond the end of a heap block
// run: -s dfs -- partly-behind
// expect: output beyond the end of a heap block
// run: -s dfs -- far-behind
// run: -s dfs -- copy-behind
// expect: output beyond the end of a heap block
// run: -s dfs -- copy-from-behind
// run: -s dfs -- fill-behind
// run: -s dfs -- of-nothing
// run: -s dfs -- atomic-behind
// run: -s dfs -- after-realloc
// run: -s dfs -- second-touch
// run: -s dfs -- aligned-behind
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static volatile size_t many = 12; /* so that no compiler knows */
static volatile char sink;

int main(int count, char **arguments)
{
    const char *way = count > 1 ? arguments[1] : "";
    volatile char *block = malloc(many);
    char text[64] = {0};
    if (strcmp(way, "write-behind") == 0)
        block[many] = 1;
    else if (strcmp(way, "read-behind") == 0)
        sink = block[many];
    else if (strcmp(way, "write-before") == 0)
        block[(long)many - 13] = 1;
    else if (strcmp(way, "byte-behind") == 0)
        ((volatile char *)malloc(many + 1))[many + 1] = 1;
    else if (strcmp(way, "partly-behind") == 0)
        *(volatile long *)(block + many - 4) = 1;
    else if (strcmp(way, "far-behind") == 0)
        block[many * 1000] = 1;
    else if (strcmp(way, "copy-behind") == 0)
        memcpy((char *)block, text, many + 1);
    else if (strcmp(way, "copy-from-behind") == 0)
        memmove(text, (char *)block, many + 20);
    else if (strcmp(way, "fill-behind") == 0)
        memset((char *)block, 7, many * 3);
    else if (strcmp(way, "of-nothing") == 0)
        *(volatile char *)malloc(many - 12) = 1;
    else if (strcmp(way, "atomic-behind") == 0)
        atomic_store((_Atomic int *)(block + many), 1);
    else if (strcmp(way, "after-realloc") == 0)
        ((volatile char *)realloc((char *)block, many - 6))[many - 6] = 1;
    else if (strcmp(way, "aligned-behind") == 0)
        ((volatile char *)aligned_alloc(64, many + 52))[many + 52] = 1;
    else if (strcmp(way, "second-touch") == 0) {
        block[8] = 1; /* the same word of memory, but the part that is the program's */
        *(volatile int *)(block + 9) = 1;
    }
    (void)sink;
    return 0;
}
