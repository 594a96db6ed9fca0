// A dataflow graph: a node runs when all its inputs have come. Each that brings one counts down
// what is missing, and then looks whether nothing is missing any more: two that bring the last two
// at the same time both see zero, and the node runs twice.
// group: large
// threads: 4
// finds: assertion
// lines: 38 39
// pb: 1
// db: 1
// options: --exit wait
// variants: dataflow
// variants: dataflow_fixed -DFIXED
// finds dataflow_fixed: nothing
// pb dataflow_fixed: -
// db dataflow_fixed: -
// twin dataflow: dataflow_fixed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WIDTH = 3, LAYERS = 8, NODES = WIDTH * LAYERS };

static struct node {
    atomic_int missing;
    atomic_int runs;
} nodes[NODES];

static void node_run(int number);

static bool node_is_complete(struct node *node)
{
#ifdef FIXED
    return atomic_fetch_sub(&node->missing, 1) == 1;
#else
    node->missing--;
    return node->missing == 0;
#endif
}

/* A node leads to the one below it and to the one beside that. */
static void node_run(int number)
{
    nodes[number].runs++;
    if (number + WIDTH >= NODES)
        return;
    int layer = number / WIDTH + 1, column = number % WIDTH;
    int below[2] = {layer * WIDTH + column, layer * WIDTH + (column + 1) % WIDTH};
    for (int i = 0; i < 2; i++)
        if (node_is_complete(&nodes[below[i]]))
            node_run(below[i]);
}

static void *start(void *number)
{
    node_run((int)(intptr_t)number);
    return NULL;
}

int main(void)
{
    for (int i = WIDTH; i < NODES; i++)
        nodes[i].missing = 2;
    pthread_t threads[WIDTH];
    for (intptr_t i = 0; i < WIDTH; i++)
        pthread_create(&threads[i], NULL, start, (void *)i);
    for (int i = 0; i < WIDTH; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < NODES; i++)
        assert(nodes[i].runs == 1);
    return 0;
}
