// A transaction manager whose timer thread flushes what has timed out: it notes the slots of
// expired transactions, releases the table, and aborts them one by one. A slot that was noted may
// hold another transaction by then: one that was created a moment ago is aborted.
// group: cbound
// threads: 3
// finds: assertion
// lines: 47 69
// pb: 2
// db: 3
// options: --exit wait
// variants: transactions_slot_reuse
// variants: transactions_slot_reuse_fixed -DFIXED
// finds transactions_slot_reuse_fixed: nothing
// pb transactions_slot_reuse_fixed: -
// db transactions_slot_reuse_fixed: -
// twin: transactions_slot_reuse_fixed
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { SLOTS = 2, OLD = 1, NEW = 2 };
enum state { FREE, ACTIVE, COMMITTED, ABORTED };

struct transaction {
    enum state state;
    int id;
    bool expired;
};

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static struct transaction table[SLOTS];

static void create(int id, bool expired)
{
    pthread_mutex_lock(&table_lock);
    int slot = 0;
    while (table[slot].state == ACTIVE)
        slot++;
    table[slot] = (struct transaction){.state = ACTIVE, .id = id, .expired = expired};
    pthread_mutex_unlock(&table_lock);
}

static bool commit(int id)
{
    bool done = false;
    pthread_mutex_lock(&table_lock);
    for (int i = 0; i < SLOTS; i++)
        if (table[i].state == ACTIVE && table[i].id == id) {
            table[i].state = COMMITTED;
            done = true;
        }
    pthread_mutex_unlock(&table_lock);
    return done;
}

static void *flush(void *unused)
{
    int slots[SLOTS], ids[SLOTS], count = 0;
    pthread_mutex_lock(&table_lock);
    for (int i = 0; i < SLOTS; i++)
        if (table[i].state == ACTIVE && table[i].expired) {
            slots[count] = i;
            ids[count++] = table[i].id;
        }
    pthread_mutex_unlock(&table_lock);

    for (int i = 0; i < count; i++) {
        pthread_mutex_lock(&table_lock);
        struct transaction *transaction = &table[slots[i]];
        bool same = transaction->id == ids[i];
#ifndef FIXED
        same = true;
#endif
        if (same && transaction->state == ACTIVE)
            transaction->state = ABORTED;
        pthread_mutex_unlock(&table_lock);
    }
    return unused;
}

static void *operate(void *unused)
{
    commit(OLD);
    create(NEW, false);
    assert(commit(NEW));
    return unused;
}

int main(void)
{
    create(OLD, true);
    pthread_t operation, timer;
    pthread_create(&operation, NULL, operate, NULL);
    pthread_create(&timer, NULL, flush, NULL);
    pthread_join(operation, NULL);
    pthread_join(timer, NULL);
    return 0;
}
