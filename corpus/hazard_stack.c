// A lock-free stack with hazard pointers: a thread announces the node that it is about to read, and
// nodes that are announced are not freed. Between reading the top and announcing it the node may
// already have been popped and freed; pop must look at the top once more, and does not.
// group: idioms
// threads: 3
// finds: use-after-free
// lines: 70 73
// pb: 1
// db: 1
// options: --exit wait
// variants: hazard_stack
// variants: hazard_stack_fixed -DFIXED
// finds hazard_stack_fixed: nothing
// pb hazard_stack_fixed: -
// db hazard_stack_fixed: -
// twin: hazard_stack_fixed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

enum { THREADS = 2, NODES = 2 };

struct node {
    int value;
    struct node *next;
};

static struct node *_Atomic top;
static struct node *_Atomic hazards[THREADS];
static struct node
    *retired[THREADS][NODES]; /* each thread's own, free again when nobody reads them */
static int retired_count[THREADS];

static void push(int value)
{
    struct node *node = malloc(sizeof *node);
    assert(node != NULL);
    node->value = value;
    node->next = top;
    while (!atomic_compare_exchange_weak(&top, &node->next, node))
        ;
}

static bool is_announced(const struct node *node)
{
    for (int i = 0; i < THREADS; i++)
        if (hazards[i] == node)
            return true;
    return false;
}

static void retire(int self, struct node *node)
{
    retired[self][retired_count[self]++] = node;
    int kept = 0;
    for (int i = 0; i < retired_count[self]; i++)
        if (is_announced(retired[self][i]))
            retired[self][kept++] = retired[self][i];
        else
            free(retired[self][i]);
    retired_count[self] = kept;
}

static int pop(int self)
{
    for (;;) {
        struct node *node = top;
        if (node == NULL)
            return 0;
        hazards[self] = node;
#ifdef FIXED
        if (top != node)
            continue;
#endif
        struct node *next = node->next;
        if (atomic_compare_exchange_strong(&top, &node, next)) {
            hazards[self] = NULL;
            int value = node->value;
            retire(self, node);
            return value;
        }
    }
}

static void *take(void *argument)
{
    int *slot = argument;
    *slot = pop(*slot);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    int slots[THREADS];
    for (int i = 0; i < NODES; i++)
        push(1 << i);
    for (int i = 0; i < THREADS; i++) {
        slots[i] = i;
        pthread_create(&threads[i], NULL, take, &slots[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(slots[0] + slots[1] == 3);
    for (int i = 0; i < THREADS; i++)
        for (int j = 0; j < retired_count[i]; j++)
            free(retired[i][j]);
    return 0;
}
