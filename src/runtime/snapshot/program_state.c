#include "runtime/snapshot/program_state.h"

#include "base/mix.h"
#include "runtime/engine/misuse.h"
#include "runtime/engine/upper.h"
#include "runtime/memory/shared_state.h"
#include "runtime/snapshot/block_names.h"
#include "runtime/snapshot/snapshot.h"

enum { ACCESSES_MAX = 64, OPERANDS_MAX = 8, BYTES_MAX = 1 << 26 };

struct states {
    uint64_t sums[2]; /* of the state being looked at: here, since our data is looked at, too */
    bool unknown;
    uint32_t steps; /* that were looked at */
    struct {
        uint32_t step, count; /* of the last step */
        uint64_t more;        /* accesses for which there is no room */
        struct {
            uint64_t address, how;
        } all[ACCESSES_MAX];
    } accesses;
    struct called { /* where a thread called us last */
        struct local local;
        bool fresh;            /* nothing was announced since */
        uint32_t count, noted; /* operands of that call; of the next */
        uint64_t operands[OPERANDS_MAX], next[OPERANDS_MAX];
    } places[];
};

static bool is_left_out(enum state_part part)
{
    return unlikely(rt.options->state_fault == part);
}

static void put(uint64_t where, uint64_t word)
{
    uint64_t both = mix_fold(where ^ 0x9e3779b97f4a7c15, word ^ 0xbf58476d1ce4e5b9);
    ex.snapshot.states->sums[0] +=
        mix_fold(both ^ 0xa0761d6478bd642f, word ^ where >> 32 ^ 0xe7037ed1a0b428db);
    ex.snapshot.states->sums[1] +=
        mix_fold(both ^ 0x8ebc6af09c88c6e3, where ^ word >> 32 ^ 0x589965cc75374cc3);
}

void state_open(void)
{
    ex.snapshot.states = NULL;
    if (rt.strategy->traits.compares && !rt.options->replay) {
        ex.snapshot.states = execution_take(sizeof *ex.snapshot.states +
                                            rt.threads_ready * sizeof *ex.snapshot.states->places);
        ex.attention |= ATTENTION_STATE;
    }
}

void state_is_unknown(void)
{
    if (ex.snapshot.states != NULL)
        ex.snapshot.states->unknown = true;
}

void state_operand(uint64_t word)
{
    struct called *place = &ex.snapshot.states->places[ex.current];
    if (place->noted < OPERANDS_MAX)
        place->next[place->noted++] = word;
    else
        state_is_unknown();
}

void state_call(const struct local *local)
{
    struct called *place = &ex.snapshot.states->places[ex.current];
    place->local = *local;
    place->fresh = true;
    place->count = place->noted;
    for (uint32_t i = 0; i < place->noted; i++)
        place->operands[i] = place->next[i];
    place->noted = 0;
}

void state_leaves(uintptr_t site)
{
    struct local nowhere = {.frame = (uintptr_t)rt.stacks[ex.current].start, .site = site};
    state_call(&nowhere);
}

void state_announced(void)
{
    struct called *place = &ex.snapshot.states->places[ex.current];
    if (!place->fresh && !op_traits(ex.pending[ex.current].kind)->later)
        place->local.site = 0; /* it may be anywhere */
    place->fresh = false;
    place->noted = 0;
}

static void note_access(const volatile void *address, uint64_t size, bool writes)
{
    struct states *states = ex.snapshot.states;
    uint64_t how = size << 1 | writes;
    if (states->accesses.step != rt.trace.count) {
        states->accesses.step = rt.trace.count;
        states->accesses.count = 0;
        states->accesses.more = 0;
    }
    for (uint32_t i = 0; i < states->accesses.count; i++)
        if (states->accesses.all[i].address == (uintptr_t)address &&
            states->accesses.all[i].how == how)
            return;
    if (states->accesses.count == ACCESSES_MAX) {
        states->accesses.more +=
            mix_fold((uintptr_t)address ^ 0x9e3779b97f4a7c15, how ^ 0xbf58476d1ce4e5b9);
        return;
    }
    states->accesses.all[states->accesses.count].address = (uintptr_t)address;
    states->accesses.all[states->accesses.count++].how = how;
}

/* Atomic accesses count where plain ones may race with them. That is known once both have been
 * seen. */
static bool mixes(const volatile void *address, enum access_kind kind)
{
    bool first;
    bool mixed = access_mixes(address, kind, &first);
    if (first && rt.race_check)
        the_board->flight.overlap_seen = 1; /* what was cut may not be: the search restarts */
    return mixed;
}

void state_access(const volatile void *address, size_t size, bool writes)
{
    mixes(address, ACCESS_PLAIN);
    note_access(address, size, writes);
}

void state_atomic(const volatile void *address, size_t size, bool writes)
{
    if (mixes(address, ACCESS_ATOMIC))
        note_access(address, size | 1ul << 32, writes);
}

/* Races are found between steps that follow each other: an execution that comes to a state by a
 * step that accesses memory goes on once for each such way to it, since what the detector knows of
 * that step is no part of the state. */
static uint64_t way_here(void)
{
    struct states *states = ex.snapshot.states;
    if (states->accesses.step != rt.trace.count || rt.trace.count == 0 || !rt.race_check ||
        is_left_out(STATE_WAYS))
        return 0;
    const struct step *last = &rt.trace.steps[rt.trace.count - 1];
    uint64_t way = states->accesses.more;
    for (uint32_t i = 0; i < states->accesses.count; i++)
        way += mix_fold(block_word(states->accesses.all[i].address) ^ 0x9e3779b97f4a7c15,
                        states->accesses.all[i].how ^ 0xbf58476d1ce4e5b9);
    way = mix_fold(way ^ ex.threads[last->thread].name, last->op.kind ^ 0xa0761d6478bd642f);
    uint64_t object =
        last->op.object == NO_OBJECT ? 0 : the_board->objects[last->op.object].address;
    return mix_fold(way, block_word(object) ^ 0xe7037ed1a0b428db) | 1;
}

static void put_changed(const uint64_t *word)
{
    put(block_word((uintptr_t)word), block_word(*word));
}

static uint64_t object_word(uint32_t object)
{
    return object == NO_OBJECT ? 0 : block_word(the_board->objects[object].address);
}

static uint64_t second_word(const struct op *op)
{
    switch ((enum op_second)op_traits(op->kind)->second) {
    case OP_SECOND_MUTEX:
    case OP_SECOND_CONDITION:
        return object_word((uint32_t)op->second);
    case OP_SECOND_THREAD:
        return ex.threads[op->second].name;
    case OP_SECOND_NOTHING:
    case OP_SECOND_TARGET:
    case OP_SECOND_SLEEPERS:
    case OP_SECOND_VALUE:
    case OP_SECOND_CLOCK:
    case OP_SECOND_REPLACED:
    case OP_SECOND_LED:
        return op->second;
    }
    UNREACHABLE();
}

/* Beyond its first function is what libc and we have left there: in the gaps, what came before,
 * which is not the same in each process. */
static const uint64_t *stack_end(thread_id thread)
{
    uintptr_t base = ex.threads[thread].base;
    return (const uint64_t *)(base != 0 ? base : (uintptr_t)rt.stacks[thread].start);
}

static void put_place(thread_id thread)
{
    const struct called *place = &ex.snapshot.states->places[thread];
    const struct op *op = &ex.pending[thread];
    uint64_t name = ex.threads[thread].name;
    const uint64_t *local = (const uint64_t *)&place->local;
    for (uint32_t i = 0; i < sizeof place->local / sizeof *local && !is_left_out(STATE_REGISTERS);
         i++)
        put(mix_fold(name ^ 0x1, i + 0x2545f4914f6cdd1d), block_word(local[i]));
    const uint64_t *end = stack_end(thread);
    for (const uint64_t *at = (const uint64_t *)place->local.frame;
         at < end && !is_left_out(STATE_STACKS); at++)
        put(block_word((uintptr_t)at), block_word(*at));
    uint64_t about = mix_fold(name ^ 0x3, 0x94d049bb133111eb);
    put(about, (uint64_t)op->kind | (uint64_t)op->size << 8 | (uint64_t)op->choices << 16);
    put(about + 1, object_word(op->object));
    put(about + 2, second_word(op));
    put(about + 3, op->site);
    for (uint32_t i = 0; i < place->count && !is_left_out(STATE_OPERANDS); i++)
        put(about + 4 + i, block_word(place->operands[i]));
}

static void put_model(thread_id thread)
{
    const struct thread *who = &ex.threads[thread];
    uint64_t about = mix_fold(who->name ^ 0x5, 0xff51afd7ed558ccd);
    bool ended = who->state == THREAD_ENDED;
    put(about,
        (uint64_t)ended | (uint64_t)who->sync.detached << 1 | (uint64_t)who->sync.joined << 2);
    if (ended) {
        if (!who->sync.joined && !who->sync.detached)
            put(about + 1, block_word((uint64_t)who->sync.result));
        return;
    }
    put(about + 2, (uint64_t)who->signalled | (uint64_t)who->timed << 1 |
                       (uint64_t)who->sync.exiting << 2 | (uint64_t)who->atomic_entered << 3 |
                       (uint64_t)who->cancel.disabled << 5 |
                       (uint64_t)who->cancel.asynchronous << 6 | (uint64_t)who->time.asleep << 8 |
                       (uint64_t)who->atomic_depth << 16);
    put(about + 3, (uint64_t)(who->ignore_depth & ~(uint32_t)WITNESSED) |
                       (uint64_t)who->process.randoms << 32);
    put(about + 4, who->time.asleep != 0 ? block_word((uint64_t)who->cond) : 0);
    put(about + 5, who->time.asleep != 0 ? who->sync.depth : 0);
    put(about + 6, block_word((uint64_t)who->sync.robust));
    put(about + 7, block_word((uint64_t)who->sync.cleanups));
    uint8_t kind = ex.pending[thread].kind;
    if (kind == OP_FUTEX_WAIT || kind == OP_FUTEX_WAKE || kind == OP_FUTEX_SIGNAL) {
        put(about + 8, (uint64_t)who->sync.futex.bits | (uint64_t)who->sync.futex.count << 32);
        put(about + 13, who->sync.futex.timed);
    }
    put(about + 9, reading_digest(who, block_word));
    uint64_t at = about + 16;
    for (const struct destructor *next = who->sync.destructors; next != NULL;
         next = next->next, at += 2) {
        put(at, block_word((uint64_t)next->run));
        put(at + 1, block_word((uint64_t)next->object));
    }
    if (the_board->tally.clock_matters) {
        put(about + 10, who->time.cpu_time);
        put(about + 11, who->time.looks);
        put(about + 12, who->deadline > ex.clock.time ? who->deadline - ex.clock.time : 0);
    }
}

static void put_whole(void)
{
    put(0x11, lives_digest(block_word));
    put(0x12, block_word((uint64_t)ex.interpose.token));
    put(0x13, ex.process.exit_handlers);
    put(0x17, ex.sync.spurious);
    put(0x18, shared_state_digest());
    if (ex.me->atomic_depth > 0) /* nobody else can run as long as it can */
        put(0x14, ex.me->name);
    if (the_board->tally.clock_matters) {
        put(0x15, ex.clock.time);
        put(0x16, ex.clock.cpu_time);
    }
}

static uint64_t put_block(uint32_t number)
{
    const struct known_block *block = block_nth(number);
    uint64_t about = mix_fold(number ^ 0x7, 0xc4ceb9fe1a85ec53);
    put(about, block->size << 1 | block->freed);
    put(about + 1, block_place(number));
    if (block->freed)
        return 0;
    if (block->size >= BYTES_MAX)
        return block->size; /* too much: the state is not known */
    for (size_t i = 0; i < (block->size + 7) / 8; i++)
        put(about + 2 + i, block_word(block->start[i]));
    return block->size;
}

/* false: there is too much of it. */
static bool put_heap(void)
{
    uint64_t bytes = 0;
    uint32_t done = 0;
    enum unreached more = UNREACHED_NUMBERED;
    while (more == UNREACHED_NUMBERED) {
        while (done < blocks_numbered() && bytes < BYTES_MAX)
            bytes += put_block(done++);
        if (bytes >= BYTES_MAX || blocks_are_too_many())
            return false;
        more = blocks_number_unreached();
    }
    return more == UNREACHED_NONE;
}

/* Steps that went beyond what is looked at, and threads of which it is not known where they are. */
static bool can_be_known(void)
{
    struct states *states = ex.snapshot.states;
    for (; states->steps < rt.trace.count; states->steps++)
        if (!op_traits(rt.trace.steps[states->steps].op.kind)->known)
            states->unknown = true;
    if (states->unknown || ex.armed_count > 0 || ex.timers.set || ex.process.process_count > 0 ||
        ex.signals.pending != 0 || world_has_mappings())
        return false;
    THREADS_EACH(thread, &ex.live)
    {
        const struct thread *who = &ex.threads[thread];
        const struct called *place = &states->places[thread];
        if (!op_traits(ex.pending[thread].kind)->known || place->local.site == 0 ||
            place->local.site != ex.pending[thread].site || who->time.timer != NULL ||
            who->process.child != NULL || who->cancel.requested || who->cancel.woken ||
            who->signals.pending != 0 || who->signals.handlers != NULL ||
            who->process.processors != NULL || who->trusted_stack != 0)
            return false;
    }
    return true;
}

void state_now(struct choice_point *at)
{
    at->state[0] = at->state[1] = at->way = 0;
    if (!can_be_known())
        return;
    blocks_begin();
    uint64_t *sums = ex.snapshot.states->sums;
    sums[0] = sums[1] = 0;
    bool known = is_left_out(STATE_MEMORY) || snapshot_each_changed(put_changed);
    THREADS_EACH(thread, &ex.live)
    put_place(thread);
    for (thread_id thread = 0; thread < ex.thread_count && !is_left_out(STATE_MODEL); thread++)
        put_model(thread);
    if (!is_left_out(STATE_MODEL))
        put_whole();
    if (!known || (!is_left_out(STATE_HEAP) && !put_heap()))
        return;
    at->state[0] = sums[0] | 1;
    at->state[1] = sums[1];
    at->way = way_here();
}
