// A sorted list with a lock for each node. Who goes along it lets the lock of a node go before it
// takes that of the next: in between the next may be taken out of the list, and what is inserted
// behind it is lost.
// group: large
// threads: 4
// finds: assertion
// lines: 53
// pb: 1
// db: 1
// options: --exit wait
// variants: ordered_list
// variants: ordered_list_fixed -DFIXED
// finds ordered_list_fixed: nothing
// pb ordered_list_fixed: -
// db ordered_list_fixed: -
// twin ordered_list: ordered_list_fixed
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { THREADS = 3, VALUES = 4, END = 1000 };

struct node {
    pthread_mutex_t lock;
    struct node *next;
    int value;
};

static struct node *first;

static struct node *node_new(int value, struct node *next)
{
    struct node *node = malloc(sizeof *node);
    pthread_mutex_init(&node->lock, NULL);
    node->next = next;
    node->value = value;
    return node;
}

/* The last node below the value and the one behind it, both locked. */
static struct node *find(int value, struct node **behind)
{
    struct node *at = first, *next;
    pthread_mutex_lock(&at->lock);
    while ((next = at->next)->value < value) {
#ifdef FIXED
        pthread_mutex_lock(&next->lock);
        pthread_mutex_unlock(&at->lock);
#else
        pthread_mutex_unlock(&at->lock);
        pthread_mutex_lock(&next->lock);
#endif
        at = next;
    }
    pthread_mutex_lock(&next->lock);
    *behind = next;
    return at;
}

static void insert(int value)
{
    struct node *behind, *before = find(value, &behind);
    before->next = node_new(value, behind);
    pthread_mutex_unlock(&behind->lock);
    pthread_mutex_unlock(&before->lock);
}

static void take_out(int value)
{
    struct node *behind, *before = find(value, &behind);
    assert(behind->value == value);
    before->next = behind->next;
    pthread_mutex_unlock(&behind->lock);
    pthread_mutex_unlock(&before->lock);
}

static void *work(void *number)
{
    for (int i = 0; i < VALUES; i++)
        insert((int)(intptr_t)number + i * THREADS);
    for (int i = 0; i + 1 < VALUES; i++)
        take_out((int)(intptr_t)number + i * THREADS);
    return NULL;
}

int main(void)
{
    first = node_new(-1, node_new(END, NULL));
    pthread_t threads[THREADS];
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    int left = 0;
    for (struct node *node = first->next; node->value != END; node = node->next)
        left++;
    assert(left == THREADS);
    return 0;
}
