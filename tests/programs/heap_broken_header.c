// Code that nobody instruments writes beyond a block: its end or the next header is broken, which is
// found when a block is freed, in every execution again.
// build: gcc -O1
// build: clang -O1
// build: none -O1
// run: -s dfs -k
// expect: finding out-of-bounds
// expect: executions == 2
// expect: buggy == 0
// expect: findings[0].always == true
// expect: output memory behind a heap block was overwritten
// run: -s dfs -k -- header
// expect: finding out-of-bounds
// expect: executions == 2
// expect: buggy == 0
// expect: findings[0].always == true
// expect: output the header of a heap block was overwritten
// run: -s dfs -k -- zero
// expect: finding out-of-bounds
// expect: buggy == 0
// expect: findings[0].always == true
// run: -s dfs -k -- realloc
// expect: finding out-of-bounds
// expect: buggy == 0
// expect: findings[0].always == true
// run: -s dfs -k -- none
// expect: no finding
// expect: executions == 2
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void put(char *to, char value)
{
    __asm__ volatile("movb %1, (%0)" : : "r"(to), "q"(value) : "memory");
}

static void *lock(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(int count, char **arguments)
{
    const char *way = count > 1 ? arguments[1] : "";
    char *block = malloc(30), *next = malloc(30);
    pthread_t thread;
    pthread_create(&thread, NULL, lock, NULL);
    lock(NULL);
    pthread_join(thread, NULL);
    for (int i = 0; i < 30; i++)
        put(block + i, 1);
    if (strcmp(way, "header") == 0)
        put(next - 20, 1);
    else if (strcmp(way, "zero") == 0)
        put(block + 30, 0);
    else if (strcmp(way, "none") != 0)
        put(block + 30, 1);
    if (strcmp(way, "realloc") == 0)
        block = realloc(block, 100);
    free(block);
    free(next);
    return 0;
}
