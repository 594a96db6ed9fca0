#include "runtime/memory/witness.h"

#include "base/mix.h"
#include "runtime/engine/frames.h"
#include "runtime/heap/heap.h"

enum { NOTES_MAX = 1 << 18, STACKS = 1 << 13, TRIES = 16, MISSED = 1 << 14, ROOM = 1 << 15 };

struct witness_stack {
    uint32_t held_count, held[FINDING_HELD_MAX];
    struct frames frames;
};

struct witnesses {
    struct witness *notes; /* in the order in which they came */
    uint32_t count;
    struct witness_stack *stacks;  /* a table; where all tries fail the first gives way */
    uint64_t fingerprints[STACKS]; /* of them; 0: none is there */
    bool missed[MISSED];           /* a place and a thread: accesses that were not noted */
};

/* One place may free many blocks. */
static bool frees_another(const struct op *op, uint64_t address)
{
    struct heap_block block;
    return heap_find((const void *)address, &block) &&
           the_board->objects[op->object].address != (uint64_t)block.start;
}

static bool overlaps(const struct op *op, const struct accessed *what)
{
    uint64_t from = the_board->objects[op->object].address;
    return from < what->to && (op->size >= OP_SIZE_MAX || what->from < from + op->size);
}

bool step_accesses(const struct step *step, const struct accessed *what)
{
    const struct op *op = &step->op;
    if (step->thread != what->thread || op->site != what->site)
        return false;
    switch ((enum op_memory)op_traits(op->kind)->memory) {
    case OP_MEMORY_READ: /* memcpy does both */
        return !what->writes && overlaps(op, what);
    case OP_MEMORY_WRITE:
        return what->writes && overlaps(op, what);
    case OP_MEMORY_ATOMIC:
        return overlaps(op, what);
    case OP_MEMORY_FREE:
        return !frees_another(op, what->from);
    case OP_MEMORY_NONE: /* its object is not what it accesses: a file, a thread */
        return true;
    }
    UNREACHABLE();
}

static bool *missed_at(uint64_t site, thread_id thread)
{
    return &ex.memory.witnesses->missed[mix(site, thread) % MISSED];
}

static uint32_t copy_held(uint32_t *to, const struct thread *thread)
{
    uint32_t count =
        thread->locks.held_count < FINDING_HELD_MAX ? thread->locks.held_count : FINDING_HELD_MAX;
    for (uint32_t i = 0; i < count; i++)
        to[i] = thread->locks.held[i];
    return count;
}

static uint64_t fingerprint_of(const struct witness_stack *stack)
{
    uint64_t chain = mix(stack->held_count, stack->frames.count);
    for (uint32_t i = 0; i < stack->held_count; i++)
        chain = mix(chain, stack->held[i]);
    for (uint32_t i = 0; i < stack->frames.count; i++)
        chain = mix(mix(chain, stack->frames.pc[i]), stack->frames.range[i].low);
    return chain | 1; /* 0: there is none */
}

/* Where it is, or else where it can be put. */
static uint32_t stack_slot(uint64_t fingerprint)
{
    uint32_t first = (uint32_t)(fingerprint >> 1) % STACKS;
    for (uint32_t i = 0; i < TRIES; i++) {
        uint32_t slot = (first + i) % STACKS;
        uint64_t there = ex.memory.witnesses->fingerprints[slot];
        if (there == fingerprint || there == 0)
            return slot;
    }
    return first;
}

static uint64_t stack_keep(void)
{
    struct witness_stack stack;
    stack.held_count = copy_held(stack.held, ex.me);
    frames_here(&stack.frames);
    uint64_t fingerprint = fingerprint_of(&stack);
    uint32_t slot = stack_slot(fingerprint);
    if (ex.memory.witnesses->fingerprints[slot] != fingerprint)
        ex.memory.witnesses->stacks[slot] = stack;
    ex.memory.witnesses->fingerprints[slot] = fingerprint;
    return fingerprint;
}

/* A program that is about to overflow its stack does so by itself. */
static bool has_room(void)
{
    return (uintptr_t)__builtin_frame_address(0) - ex.me->stack_low >= ROOM;
}

static void open(void)
{
    ex.memory.witnesses = execution_take(sizeof *ex.memory.witnesses);
    ex.memory.witnesses->notes = execution_take_as_is(NOTES_MAX * sizeof(struct witness));
    ex.memory.witnesses->stacks = execution_take_as_is(STACKS * sizeof(struct witness_stack));
}

void witness_note(const volatile void *address, size_t size, bool writes, uintptr_t site)
{
    if (ex.memory.witnesses == NULL)
        open();
    if (ex.memory.witnesses->count >= NOTES_MAX || rt.in_signal ||
        !has_room()) { /* each takes a microsecond */
        *missed_at(site, ex.current) = true;
        return;
    }
    struct witness *witness = &ex.memory.witnesses->notes[ex.memory.witnesses->count++];
    uint32_t last = rt.trace.count - 1; /* of none: NO_STEP */
    witness->what = (struct accessed){.from = (uint64_t)address,
                                      .to = (uint64_t)address + size,
                                      .site = site,
                                      .thread = ex.current,
                                      .writes = writes};
    bool is_step = last != NO_STEP && step_accesses(&rt.trace.steps[last], &witness->what);
    witness->step = is_step ? last : NO_STEP;
    witness->stack = stack_keep();
}

const struct witness *witness_find(const struct accessed *what)
{
    if (ex.memory.witnesses == NULL || *missed_at(what->site, what->thread))
        return NULL;
    for (uint32_t i = ex.memory.witnesses->count; i-- > 0;) {
        const struct witness *witness = &ex.memory.witnesses->notes[i];
        const struct accessed *access = &witness->what;
        if (access->site == what->site && access->thread == what->thread &&
            access->writes == what->writes && access->from < what->to && what->from < access->to)
            return witness;
    }
    return NULL;
}

void witness_tell(struct finding *finding, const struct witness *earlier)
{
    finding->held_count[0] = (uint8_t)copy_held(finding->held[0], ex.me);
    if (earlier == NULL)
        return;
    uint32_t slot = stack_slot(earlier->stack);
    const struct witness_stack *stack = &ex.memory.witnesses->stacks[slot];
    if (ex.memory.witnesses->fingerprints[slot] != earlier->stack)
        return;
    finding->held_count[1] = (uint8_t)stack->held_count;
    for (uint32_t i = 0; i < stack->held_count; i++)
        finding->held[1][i] = stack->held[i];
    the_board->flight.frames[finding - the_board->flight.findings][1] = stack->frames;
}
