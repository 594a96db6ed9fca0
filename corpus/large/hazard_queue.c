// Michael and Scott's queue with hazard pointers. Who takes an item announces the first node before
// it looks into it, but does not look again whether it still is the first: it may have been taken
// and freed before the announcement.
// group: large
// threads: 4
// finds: use-after-free
// lines: 62 63
// pb: 1
// db: 1
// options: --exit wait
// variants: hazard_queue
// variants: hazard_queue_fixed -DFIXED
// finds hazard_queue_fixed: nothing
// pb hazard_queue_fixed: -
// db hazard_queue_fixed: -
// twin hazard_queue: hazard_queue_fixed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { THREADS = 3, ITEMS = 3, RETIRED_MOST = 2, HAZARDS = 2 };

struct node {
    struct node *_Atomic next;
    int item;
};

static struct node *_Atomic first, *_Atomic last;
static struct node *_Atomic hazards[THREADS][HAZARDS];
static struct node *retired[THREADS][THREADS * ITEMS];
static int retired_count[THREADS];

static bool is_hazard(const struct node *node)
{
    for (int i = 0; i < THREADS; i++)
        for (int k = 0; k < HAZARDS; k++)
            if (hazards[i][k] == node)
                return true;
    return false;
}

static void retire(int here, struct node *node)
{
    retired[here][retired_count[here]++] = node;
    if (retired_count[here] < RETIRED_MOST)
        return;
    int kept = 0;
    for (int i = 0; i < retired_count[here]; i++)
        if (is_hazard(retired[here][i]))
            retired[here][kept++] = retired[here][i];
        else
            free(retired[here][i]);
    retired_count[here] = kept;
}

static struct node *protect(int here, struct node *_Atomic *from)
{
    struct node *node = *from;
    hazards[here][0] = node;
#ifdef FIXED
    for (struct node *again; (again = *from) != node; node = again)
        hazards[here][0] = again;
#endif
    return node;
}

static void protect_nothing(int here)
{
    hazards[here][0] = NULL;
    hazards[here][1] = NULL;
}

static void put(int here, int item)
{
    struct node *node = malloc(sizeof *node);
    atomic_init(&node->next, NULL);
    node->item = item;
    for (;;) {
        struct node *end = protect(here, &last), *next = end->next;
        if (next != NULL) {
            atomic_compare_exchange_strong(&last, &end, next);
            continue;
        }
        if (atomic_compare_exchange_strong(&end->next, &next, node)) {
            atomic_compare_exchange_strong(&last, &end, node);
            break;
        }
    }
    protect_nothing(here);
}

static bool take(int here, int *item)
{
    for (;;) {
        struct node *head = protect(here, &first), *end = last, *next = head->next;
        hazards[here][1] = next;
        if (first != head)
            continue;
        if (next == NULL) {
            protect_nothing(here);
            return false;
        }
        if (head == end) {
            atomic_compare_exchange_strong(&last, &end, next);
            continue;
        }
        if (atomic_compare_exchange_strong(&first, &head, next)) {
            *item = next->item;
            protect_nothing(here);
            retire(here, head);
            return true;
        }
    }
}

static int taken[THREADS];

static void *work(void *number)
{
    int here = (int)(intptr_t)number, item;
    for (int i = 0; i < ITEMS; i++) {
        put(here, i);
        if (take(here, &item))
            taken[here]++;
    }
    return NULL;
}

int main(void)
{
    struct node *empty = calloc(1, sizeof *empty);
    first = last = empty;
    pthread_t threads[THREADS];
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    int all = 0, item;
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        all += taken[i];
    }
    while (take(0, &item))
        all++;
    assert(all == THREADS * ITEMS);
    return 0;
}
