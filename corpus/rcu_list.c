// Read-copy-update with two counters of readers: a reader counts itself under the phase that it
// sees, and the writer, after it has replaced a node, turns the phase and waits for the readers of
// the old one before it frees. One turn is not enough: a reader that has read the phase and not yet
// counted itself is under the old phase while the next turn waits for the other one, and the node
// that it reads is freed. Two turns are right.
// group: idioms
// threads: 3
// finds: use-after-free
// lines: 74 87
// pb: 3
// db: 4
// options: --exit wait
// variants: rcu_list
// variants: rcu_list_fixed -DFIXED
// finds rcu_list_fixed: nothing
// pb rcu_list_fixed: -
// db rcu_list_fixed: -
// twin: rcu_list_fixed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *_Atomic list;
static atomic_int phase, readers[2];

static struct node *node_new(int value, struct node *next)
{
    struct node *node = malloc(sizeof *node);
    assert(node != NULL);
    *node = (struct node){.value = value, .next = next};
    return node;
}

static int read_lock(void)
{
    int mine = phase;
    atomic_fetch_add(&readers[mine], 1);
    return mine;
}

static void read_unlock(int mine)
{
    atomic_fetch_sub(&readers[mine], 1);
}

static void turn(void)
{
    int old = phase;
    phase = !old;
    while (readers[old] != 0)
        ;
}

static void synchronize(void)
{
    turn();
#ifdef FIXED
    turn();
#endif
}

static void replace_first(int value)
{
    struct node *old = list;
    list = node_new(value, old->next);
    synchronize();
    free(old);
}

static void *update(void *unused)
{
    replace_first(2);
    replace_first(3);
    return unused;
}

static void *sum(void *unused)
{
    int mine = read_lock(), total = 0;
    for (struct node *node = list; node != NULL; node = node->next)
        total += node->value;
    read_unlock(mine);
    assert(total >= 11 && total <= 13);
    return unused;
}

int main(void)
{
    list = node_new(1, node_new(10, NULL));
    pthread_t writer, reader;
    pthread_create(&writer, NULL, update, NULL);
    pthread_create(&reader, NULL, sum, NULL);
    pthread_join(writer, NULL);
    pthread_join(reader, NULL);
    free(list->next);
    free(list);
    return 0;
}
