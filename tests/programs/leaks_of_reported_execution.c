// The report of a finding says which heap blocks nothing points to when that execution ends: also where it
// fails, and without --detect leak. What a variable, a stack, another block or a register points to is not
// among them.
// build: gcc -O1
// build: clang -O1
// modes: all
// run: -s dfs
// expect: finding assertion
// expect: output never freed in this execution
// expect: output heap block #2 of T0 (24 bytes, from
// expect: output leaks_of_reported_execution.c:38)
// expect: findings[0].leak_count == 1
// run: -s dfs -- deadlock
// expect: finding deadlock
// expect: output never freed in this execution
// expect: findings[0].leak_count == 1
// run: -s dfs -- kept
// expect: finding assertion
// expect: findings[0].leaks == []
// run: -s dfs --detect leak -- clean
// expect: finding leak
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    char rest[16];
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct node *list;
static const char *way = "";

__attribute__((noinline)) static void lose(void)
{
    struct node *volatile lost = malloc(sizeof *lost);
    lost->next = NULL;
    lost = NULL;
}

__attribute__((noinline)) static void overwrite_stack(void)
{
    volatile char room[512];
    memset((char *)room, 0, sizeof room);
}

int main(int argc, char **argv)
{
    way = argc > 1 ? argv[1] : "";
    list = malloc(sizeof *list);
    list->next = NULL;
    if (strcmp(way, "kept") != 0)
        lose();
    overwrite_stack();
    list->next = calloc(1, sizeof *list);
    struct node *own = calloc(1, 8);
    pthread_mutex_lock(&mutex);
    if (strcmp(way, "deadlock") == 0)
        pthread_mutex_lock(&mutex);
    assert(strcmp(way, "clean") == 0 || own->next != NULL);
    free(own);
    free(list->next);
    free(list);
    list = NULL;
    return 0;
}
