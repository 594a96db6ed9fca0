#include "runtime/heap/spare.h"

#include "runtime/heap/heap.h"
#include "runtime/heap/sparse.h"
#include "runtime/memory/discipline.h"
#include "runtime/memory/memory.h"
#include "runtime/scheduler.h"

enum { SPARES_MAX = 256 };

struct spares {
    uint32_t count;
    struct spare {
        char *block;
        size_t room;
    } all[SPARES_MAX];
};

/* Who judges by all accesses to a place takes that for one object. */
void spares_begin(void)
{
    if (discipline_wanted())
        return;
    ex.spares = execution_take(sizeof *ex.spares);
}

void spares_end(void)
{
    ex.spares = NULL;
}

bool spare_add(void *block, size_t room)
{
    struct spares *spares = ex.spares;
    if (spares == NULL || spares->count == SPARES_MAX || heap_owner(block) >= HEAP_SETUP)
        return false;
    spares->all[spares->count++] = (struct spare){.block = block, .room = room};
    sparse_clear(block, room); /* what is in a freed block is no part of the state */
    return true;
}

static bool fits(const struct spare *spare, uint32_t thread, size_t room, size_t alignment)
{
    return spare->room == room && heap_owner(spare->block) == thread &&
           ((uintptr_t)spare->block & (alignment - 1)) == 0;
}

void *spare_take(uint32_t thread, size_t room, size_t alignment)
{
    struct spares *spares = ex.spares;
    uint32_t best = SPARES_MAX;
    for (uint32_t i = 0; spares != NULL && i < spares->count; i++)
        if (fits(&spares->all[i], thread, room, alignment) &&
            (best == SPARES_MAX || spares->all[i].block < spares->all[best].block))
            best = i;
    if (best == SPARES_MAX)
        return NULL;
    char *block = spares->all[best].block;
    spares->all[best] = spares->all[--spares->count];
    sparse_clear(block, room); /* fresh memory is zero, whoever has written there since */
    race_renew(&ex.race, shadow_of(block), block, room);
    ex.block.size = 0;
    step_is_unreduced(UNREDUCED_MEMORY); /* who frees first decides who gets it */
    return block;
}
