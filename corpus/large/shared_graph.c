// A graph of nodes with reference counts. An edge is followed by reading the node it leads to, and
// counting one more reference; in between another thread may turn the edge to a new node and drop
// the last reference to the old one.
// group: large
// threads: 4
// finds: use-after-free
// lines: 54 55
// pb: 1
// db: 1
// options: --exit wait
// variants: shared_graph
// variants: shared_graph_fixed -DFIXED
// finds shared_graph_fixed: nothing
// pb shared_graph_fixed: -
// db shared_graph_fixed: -
// twin shared_graph: shared_graph_fixed
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

enum { EDGES = 4, WALKERS = 2, WALKS = 3, CHANGES = 5 };

struct node {
    atomic_int references;
    int number;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *_Atomic edges[EDGES];

static struct node *node_new(int number)
{
    struct node *node = malloc(sizeof *node);
    atomic_init(&node->references, 1);
    node->number = number;
    return node;
}

static void node_drop(struct node *node)
{
    if (atomic_fetch_sub(&node->references, 1) == 1)
        free(node);
}

static struct node *edge_follow(int edge)
{
#ifdef FIXED
    pthread_mutex_lock(&lock);
    struct node *node = edges[edge];
    atomic_fetch_add(&node->references, 1);
    pthread_mutex_unlock(&lock);
#else
    struct node *node = edges[edge];
    atomic_fetch_add(&node->references, 1);
#endif
    return node;
}

static void edge_turn(int edge, struct node *node)
{
    pthread_mutex_lock(&lock);
    struct node *old = edges[edge];
    edges[edge] = node;
    pthread_mutex_unlock(&lock);
    node_drop(old);
}

static void *walk(void *sum)
{
    for (int i = 0; i < WALKS; i++)
        for (int edge = 0; edge < EDGES; edge++) {
            struct node *node = edge_follow(edge);
            *(int *)sum += node->number;
            node_drop(node);
        }
    return NULL;
}

static void *change(void *unused)
{
    for (int i = 0; i < CHANGES; i++)
        edge_turn(i % EDGES, node_new(i));
    return unused;
}

int main(void)
{
    for (int i = 0; i < EDGES; i++)
        edges[i] = node_new(i);
    int sums[WALKERS] = {0};
    pthread_t walkers[WALKERS], changer;
    for (int i = 0; i < WALKERS; i++)
        pthread_create(&walkers[i], NULL, walk, &sums[i]);
    pthread_create(&changer, NULL, change, NULL);
    for (int i = 0; i < WALKERS; i++)
        pthread_join(walkers[i], NULL);
    pthread_join(changer, NULL);
    for (int i = 0; i < EDGES; i++)
        node_drop(edges[i]);
    return 0;
}
