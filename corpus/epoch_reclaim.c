// Memory reclamation by epochs: a reader announces the global epoch while it reads; the epoch
// advances when all readers have announced the present one; what was removed in epoch e is freed
// later. One epoch later is too early, since a reader that announced e keeps nobody from reaching e
// + 1: it must be two.
// group: idioms
// threads: 3
// finds: use-after-free
// lines: 84 107
// pb: 1
// db: 2
// options: --exit wait
// variants: epoch_reclaim
// variants: epoch_reclaim_fixed -DFIXED
// finds epoch_reclaim_fixed: nothing
// pb epoch_reclaim_fixed: -
// db epoch_reclaim_fixed: -
// twin: epoch_reclaim_fixed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

enum { THREADS = 2, IDLE = -1, UPDATES = 2 };
#ifdef FIXED
enum { GRACE = 2 };
#else
enum { GRACE = 1 };
#endif

struct node {
    int value;
};

static struct node *_Atomic current;
static atomic_int epoch;
static atomic_int announced[THREADS] = {IDLE, IDLE};

static struct {
    struct node *node;
    int epoch;
} limbo[UPDATES]; /* of the only writer */
static int limbo_count;

static struct node *node_new(int value)
{
    struct node *node = malloc(sizeof *node);
    assert(node != NULL);
    node->value = value;
    return node;
}

static void enter(int self)
{
    int seen;
    do {
        seen = epoch;
        announced[self] = seen;
    } while (epoch != seen);
}

static void leave(int self)
{
    announced[self] = IDLE;
}

static void epoch_advance(void)
{
    int now = epoch;
    for (int i = 0; i < THREADS; i++) {
        int other = announced[i];
        if (other != IDLE && other != now)
            return;
    }
    epoch = now + 1;
}

static void limbo_collect(void)
{
    int kept = 0, now = epoch;
    for (int i = 0; i < limbo_count; i++)
        if (now - limbo[i].epoch >= GRACE)
            free(limbo[i].node);
        else
            limbo[kept++] = limbo[i];
    limbo_count = kept;
}

static void *update(void *unused)
{
    for (int i = 1; i <= UPDATES; i++) {
        enter(0);
        limbo[limbo_count].node = atomic_exchange(&current, node_new(i));
        limbo[limbo_count++].epoch = epoch;
        leave(0);
        epoch_advance();
        limbo_collect();
    }
    return unused;
}

static void *look(void *unused)
{
    enter(1);
    struct node *node = current;
    assert(node->value >= 0 && node->value <= UPDATES);
    leave(1);
    return unused;
}

int main(void)
{
    current = node_new(0);
    pthread_t writer, reader;
    pthread_create(&writer, NULL, update, NULL);
    pthread_create(&reader, NULL, look, NULL);
    pthread_join(writer, NULL);
    pthread_join(reader, NULL);
    for (int i = 0; i < limbo_count; i++)
        free(limbo[i].node);
    free(current);
    return 0;
}
