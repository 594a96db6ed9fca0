// Heap memory that nobody has set, read all the same: a finding where that is asked for.
// build: gcc -O1
// build: clang -O1
// run: -s dfs
// expect: no finding
// run: -s dfs --detect uninitialised
// expect: finding uninitialised
// expect: output heap memory is read that nobody has set
// run: -s dfs --detect uninitialised -- byte
// expect: finding uninitialised
// run: -s dfs --detect uninitialised -- realloc
// expect: finding uninitialised
// run: -s dfs --detect uninitialised -- in-thread
// expect: finding uninitialised
// run: -s dfs --detect none,uninitialised -- none
// expect: no finding
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile int sink;

static void *look(void *block)
{
    sink = *(volatile int *)block;
    return NULL;
}

static void use_what_is_set(void)
{
    struct pair {
        char small;
        long large;
    } *pair = malloc(sizeof *pair), *copy = malloc(sizeof *copy);
    pair->small = 1;
    pair->large = 2;
    *copy = *pair; /* what lies between the two is copied along */
    memcpy(pair, copy, sizeof *pair);
    sink = (int)pair->large + copy->small;
    int *zeros = calloc(4, sizeof *zeros);
    sink = zeros[3];
    char *text = malloc(16);
    snprintf(text, 16, "%d", 12345); /* code that nobody instruments */
    sink = text[4];
    unsigned *same = malloc(sizeof *same);
    *(volatile unsigned *)same = 0xbebebebe;
    sink = (int)*(volatile unsigned *)same;
    zeros = realloc(zeros, 100);
    sink = zeros[2];
}

int main(int count, char **arguments)
{
    const char *way = count > 1 ? arguments[1] : "";
    int *block = malloc(8 * sizeof *block);
    pthread_t thread;
    if (strcmp(way, "none") == 0) {
        use_what_is_set();
    } else if (strcmp(way, "byte") == 0) {
        sink = ((volatile char *)block)[9];
    } else if (strcmp(way, "realloc") == 0) {
        memset(block, 0, 8 * sizeof *block);
        block = realloc(block, 16 * sizeof *block);
        sink = ((volatile int *)block)[8];
    } else if (strcmp(way, "in-thread") == 0) {
        pthread_create(&thread, NULL, look, block + 3);
        pthread_join(thread, NULL);
    } else {
        block[1] = 1;
        look(block + 2);
    }
    free(block);
    return 0;
}
