#include "runtime/memory/witness.h"

#include "base/mix.h"
#include "runtime/board.h"
#include "runtime/frames.h"

enum { WITNESSES = 1024, NOTES_MAX = 1 << 18, ROOM = 1 << 15 };

struct witnesses {
    uint32_t notes;
    struct witness { /* the last at its place in the table */
        uint64_t site;
        thread_id thread;
        uint32_t held_count, held[FINDING_HELD_MAX];
        struct frames frames;
    } all[WITNESSES];
};

static struct witness *slot_of(uint64_t site, thread_id thread)
{
    return &ex.witnesses->all[mix(site, thread) % WITNESSES];
}

static uint32_t copy_held(uint32_t *to, const struct thread *thread)
{
    uint32_t count = thread->held_count < FINDING_HELD_MAX ? thread->held_count : FINDING_HELD_MAX;
    for (uint32_t i = 0; i < count; i++)
        to[i] = thread->held[i];
    return count;
}

/* A program that is about to overflow its stack does so by itself. */
static bool has_room(void)
{
    return (uintptr_t)__builtin_frame_address(0) - ex.me->stack_low >= ROOM;
}

void witness_note(uintptr_t site)
{
    if (ex.witnesses == NULL)
        ex.witnesses = execution_take(sizeof *ex.witnesses);
    if (ex.witnesses->notes++ >= NOTES_MAX || rt.in_signal ||
        !has_room()) /* each takes a microsecond */
        return;
    struct witness *witness = slot_of(site, ex.current);
    witness->site = site;
    witness->thread = ex.current;
    witness->held_count = copy_held(witness->held, ex.me);
    frames_here(&witness->frames);
}

void witness_tell(struct finding *finding)
{
    const struct place *earlier = &finding->places[1];
    finding->held_count[0] = (uint8_t)copy_held(finding->held[0], ex.me);
    if (ex.witnesses == NULL)
        return;
    const struct witness *witness = slot_of(earlier->site, earlier->thread);
    if (witness->site != earlier->site || witness->thread != earlier->thread)
        return;
    finding->held_count[1] = (uint8_t)witness->held_count;
    for (uint32_t i = 0; i < witness->held_count; i++)
        finding->held[1][i] = witness->held[i];
    the_board->flight.frames[finding - the_board->flight.findings][1] = witness->frames;
}
