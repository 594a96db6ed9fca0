// Accesses up to the edges of heap blocks are right, in every width and through libc.
// modes: all
// run: -s dfs
// expect: no finding
// expect: complete == true
// run: -s dfs --detect all,-lockset,-atomicity
// expect: no finding
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char *shared;

static void use_all(size_t size)
{
    volatile unsigned char *block = malloc(size);
    for (size_t i = 0; i < size; i++)
        block[i] = (unsigned char)i;
    for (size_t i = 0; i + 2 <= size; i++)
        *(volatile uint16_t *)(block + i) = 1;
    for (size_t i = 0; i + 8 <= size; i++)
        *(volatile uint64_t *)(block + i) += 1;
    memset((void *)block, 3, size);
    unsigned char *copy = malloc(size);
    memcpy(copy, (void *)block, size);
    copy = realloc(copy, size * 2 + 1);
    copy[size * 2] = 1;
    free((void *)block);
    free(copy);
}

static void use_text(void)
{
    char *text = malloc(6), *other;
    strcpy(text, "hello");
    assert(strlen(text) == 5);
    other = strdup(text);
    assert(strcmp(text, other) == 0);
    assert(snprintf(text, 6, "%s", "world and more") == 14);
    free(other);
    assert(asprintf(&other, "%s %s", text, "again") == 11);
    free(text);
    free(other);
}

static void *work(void *unused)
{
    pthread_mutex_lock(&mutex);
    if (shared == NULL)
        shared = calloc(3, 1);
    shared[2]++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    for (size_t size = 1; size < 70; size++)
        use_all(size);
    use_text();
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    assert(shared[2] == 2);
    free(shared);
    return 0;
}
