// Short copies and comparisons are calls that are seen, though a compiler would write them out as instructions which
// nobody sees: of texts whose size is known they race, and leave a heap block, like any others.
// build: gcc -O2
// build: clang -O2
// run: -s preempt -b 1 -- strcpy
// expect: finding race
// run: -s preempt -b 1 -- stpcpy
// expect: finding race
// run: -s preempt -b 1 -- strncpy
// expect: finding race
// run: -s preempt -b 1 -- strcat
// expect: finding race
// run: -s preempt -b 1 -- strcmp
// expect: finding race
// run: -s preempt -b 1 -- strncmp
// expect: finding race
// run: -s preempt -b 1 -- memcmp
// expect: finding race
// run: -s preempt -b 1 -- memcpy
// expect: finding race
// run: -s preempt -b 1 -- mempcpy
// expect: finding race
// run: -s preempt -b 1 -- memset
// expect: finding race
// run: -s dfs -- block
// expect: finding out-of-bounds
// expect: output T1 writes 6 bytes
// expect: silence never freed
// run: -s preempt -b 1 -- none
// expect: no finding
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[16];
static const char *way;
static volatile int sink;

static int is(const char *word)
{
    return strcmp(way, word) == 0;
}

static void *use(void *unused)
{
    if (is("strcpy"))
        strcpy(text, "hello");
    if (is("stpcpy"))
        sink = *stpcpy(text, "hello");
    if (is("strncpy"))
        strncpy(text, "hello", 7);
    if (is("strcat"))
        strcat(text, "hello");
    if (is("strcmp"))
        sink = strcmp(text, "a") == 0;
    if (is("strncmp"))
        sink = strncmp(text, "ab", 2) == 0;
    if (is("memcmp"))
        sink = memcmp(text, "abcde", 5) == 0;
    if (is("memcpy"))
        memcpy(text, "hello", 6);
    if (is("mempcpy"))
        sink = mempcpy(text, "hello", 6) != text;
    if (is("memset"))
        memset(text, 0, 7);
    if (is("block")) {
        char *block = malloc(5);
        strcpy(block, "hello");
        puts(block);
        free(block);
    }
    return unused;
}

int main(int argc, char **argv)
{
    way = argv[argc - 1];
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    ((volatile char *)text)[0] = 0;
    pthread_join(thread, NULL);
    return 0;
}
