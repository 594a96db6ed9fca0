// Blocks that nothing points to when the program ends: findings where that is asked for.
// build: gcc -O1
// build: clang -O1
// run: -s dfs
// expect: no finding
// run: -s dfs --detect leak
// expect: finding leak
// expect: output a heap block is never freed
// run: -s dfs --detect leak -- list
// expect: finding leak
// run: -s dfs --detect leak -- thread
// expect: finding leak
// expect: output of T1
// run: -s preempt --detect leak -- sometimes
// expect: finding leak
// expect: first_bug > 1
// run: -s dfs --detect leak -- none
// expect: no finding
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    char text[40];
};

struct node *kept; /* not static: what only is written compilers leave out */
static void *_Atomic slot;
static const char *way = "";

static struct node *node(struct node *next)
{
    struct node *made = calloc(1, sizeof *made);
    made->next = next;
    return made;
}

static __attribute__((noinline)) void lose(void)
{
    struct node *volatile lost = malloc(100);
    lost->next = NULL;
    if (strcmp(way, "list") == 0)
        lost->next = node(node(NULL));
    lost = NULL;
}

static __attribute__((noinline)) void overwrite(void)
{
    volatile char rubbish[4096];
    memset((char *)rubbish, 0, sizeof rubbish);
}

static void *work(void *unused)
{
    if (strcmp(way, "thread") == 0)
        lose();
    return unused;
}

static void *fill_if_empty(void *unused) /* two may see that it is empty */
{
    if (atomic_load(&slot) == NULL)
        atomic_store(&slot, calloc(1, 8));
    return unused;
}

static void use_and_keep(void)
{
    kept = node(node(node(NULL)));
    static char *volatile inside;
    inside = (char *)malloc(30) + 10;
    free(malloc(10));
    *inside = 1;
}

int main(int count, char **arguments)
{
    way = count > 1 ? arguments[1] : "";
    pthread_t threads[2];
    int workers = strcmp(way, "sometimes") == 0 ? 2 : 1;
    for (int i = 0; i < workers; i++)
        pthread_create(&threads[i], NULL, workers == 2 ? fill_if_empty : work, NULL);
    if (strcmp(way, "none") == 0)
        use_and_keep();
    else if (strcmp(way, "sometimes") != 0 && strcmp(way, "thread") != 0)
        lose();
    for (int i = 0; i < workers; i++)
        pthread_join(threads[i], NULL);
    overwrite();
    return 0;
}
