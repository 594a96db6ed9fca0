#include "runtime/progress/await.h"

#include "base/mix.h"
#include "runtime/engine/local_state.h"
#include "runtime/engine/object.h"
#include "runtime/engine/refuse.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/symmetry.h"
#include "runtime/engine/upper.h"
#include "runtime/progress/vain.h"

void local_compare(void)
{
    if (unlikely(!rt.progress.wipes))
        begin_to_wipe();
}

static uint64_t value_at(const volatile void *address, uint32_t size)
{
    switch (size) {
    case 1:
        return *(const volatile uint8_t *)address;
    case 2:
        return *(const volatile uint16_t *)address;
    case 4:
        return *(const volatile uint32_t *)address;
    default:
        return *(const volatile uint64_t *)address;
    }
}

/* Only what was read from the same place can have been read in the same state. */
static bool is_same_read(const struct await_read *read, uint64_t state,
                         const volatile void *address, uintptr_t site)
{
    if (likely(read->address != address || read->site != (uint16_t)site || read->state == 0))
        return false;
    local_compare();
    return read->state == state;
}

static bool read_changed(const struct await_read *read)
{
    if (read->address == NULL) /* the end of a turn */
        return false;
    return object_state(read->object)->version != read->version ||
           value_at(read->address, read->size) != read->value;
}

static bool turn_changed(const struct await *await, uint32_t from)
{
    for (uint32_t i = from; i < await->count; i++)
        if (read_changed(&await->reads[i]))
            return true;
    return false;
}

bool await_is_over(const struct await *await)
{
    return turn_changed(await, await->turn);
}

static bool is_plain_read(const struct step *step)
{
    const struct op_traits *traits = op_traits(step->op.kind);
    return (traits->memory == OP_MEMORY_READ || traits->memory == OP_MEMORY_ATOMIC) &&
           traits->waits == OP_WAITS_AWAITING;
}

static uint32_t turn_reads(const struct await *await)
{
    uint32_t reads = 0;
    for (uint32_t i = await->turn; i < await->count; i++)
        reads += await->reads[i].address != NULL;
    return reads;
}

/* The turn was one read of memory, and yields. */
static bool turn_is_plain(const struct await *await, uint32_t object)
{
    if (turn_reads(await) != 1 || await->step == 0 || touches_more(object))
        return false;
    for (uint32_t i = rt.trace.count; i-- >= await->step;) {
        const struct step *step = &rt.trace.steps[i];
        if (step->thread != ex.current)
            continue;
        if (i + 1 == await->step)
            return step->op.object == object && is_plain_read(step);
        if (step->op.kind != OP_YIELD && step->op.kind != OP_SLEEP)
            return false;
    }
    return false;
}

/* Whether writes of several objects, in any order, let the thread go on. */
bool await_is_wide(const struct await *await, uint32_t object)
{
    for (uint32_t i = await->turn; i < await->count; i++)
        if (await->reads[i].address != NULL && await->reads[i].object != object)
            return true;
    return touches_more(object);
}

void await_touch(const struct await *await)
{
    for (uint32_t i = await->turn; i < await->count; i++)
        if (await->reads[i].address != NULL &&
            await->reads[i].object != rt.trace.steps[rt.trace.count - 1].op.object)
            step_touched(await->reads[i].object, TOUCH_READS);
}

/* A thread that has come back to a read after others is not held back where a reduction knows
 * better. */
static bool goes_round(const struct await *await, uint32_t object)
{
    if (!rt.notes || (turn_reads(await) <= 1 && !await_is_wide(await, object)))
        return false;
    if (rt.strategy->traits.turns == TURNS_READ && rt.reduces) {
        ex.me->progress.yield_site = 0; /* it gives way by waiting */
        return false;
    }
    return vain_goes_round(await->reads[await->turn].step, rt.trace.count, UNREDUCED_TURNS) &&
           ex.me->vain;
}

static void forget_read(const struct await *await, struct object_state *state)
{
    for (int i = 0; i < 2; i++) {
        uint64_t read = chain_after(await->chain[i], ex.me->fact, state->write[i] + 1, i);
        ex.class[i] -= read;
        state->reads[i] -= read;
    }
}

/* false: another step has come after the write and depends on it. */
static bool forget_write(const struct await *await, struct object_state *state)
{
    uint64_t write[2];
    for (int i = 0; i < 2; i++) {
        write[i] = chain_after(await->chain[i], ex.me->fact,
                               await->object_write[i] + await->object_reads[i], i);
        if (state->write[i] != write[i] || state->reads[i] != 0)
            return false;
    }
    for (int i = 0; i < 2; i++) {
        ex.class[i] -= write[i];
        state->write[i] = await->object_write[i];
        state->reads[i] = await->object_reads[i];
    }
    return true;
}

/* After a whole turn all is as it was: the class does not know of it. */
static void forget_turn(struct await *await, uint32_t object)
{
    if (!turn_is_plain(await, object))
        return;
    struct object_state *state = object_state(object);
    struct thread *me = ex.me;
    if (op_access_failed(rt.trace.steps[await->step - 1].op.kind) != OP_ACCESS_REWRITE)
        forget_read(await, state);
    else if (!forget_write(await, state))
        return;
    for (int i = 0; i < 2; i++)
        me->chain[i] = await->chain[i];
    if (rt.notes && rt.race_check && me->progress.before_read != NULL)
        race_put_back(&ex.race, me->progress.before_read, &state->sync);
    for (uint32_t i = await->step - 1; i < rt.trace.count; i++)
        if (rt.trace.steps[i].thread == ex.current)
            rt.trace.steps[i].flags |= STEP_IDLE;
    if (symmetry_is_on())
        symmetry_forgets(await->step - 1);
    await->step = 0;
    me->progress.yield_site = 0;
}

void await_before(const volatile void *address, uint32_t size, uint32_t object, uint64_t operand,
                  const struct local *local)
{
    struct await *await = &ex.me->await;
    if (unlikely(ex.me->vain))
        return;
    await->turn = NOT_AWAITING;
    uint64_t state = rt.options->plain_loops ? 0 : local_hash(local);
    if (operand != 0 && state != 0)
        state = mix(state, operand) | 1;
    ex.me->progress.anchor = state;
    if (state == 0 && await->count < AWAIT_READS_MAX)
        await->reads[await->count].state = 0;
    if (state == 0)
        return;
    state = mix(state, (uintptr_t)address);
    for (uint32_t i = 0; i < await->count; i++)
        if (is_same_read(&await->reads[i], state, address, local->site)) {
            await->turn = i;
            break;
        }
    if (await->turn != NOT_AWAITING && ex.me->yielding != YIELDS_NOT)
        ex.me->yielding = YIELDS_IN_LOOP;
    if (await->turn != NOT_AWAITING && goes_round(await, object))
        return;
    if (await->turn != NOT_AWAITING && await_is_over(await)) {
        await->turn = NOT_AWAITING;
        await->count = 0;
    }
    if (await->count == AWAIT_READS_MAX && await->turn == NOT_AWAITING)
        await->count = 0;
    if (await->turn != NOT_AWAITING)
        forget_turn(await, object);
    else
        await->reads[await->count] = (struct await_read){.state = state,
                                                         .address = address,
                                                         .object = object,
                                                         .size = (uint16_t)size,
                                                         .site = (uint16_t)local->site};
}

void await_after_read(void)
{
    struct await *await = &ex.me->await;
    if (await->turn != NOT_AWAITING) { /* what it waited for has changed: a new turn begins */
        await->reads[0] = await->reads[await->turn];
        await->count = 0;
        await->turn = NOT_AWAITING;
    }
    struct await_read *read = &await->reads[await->count];
    if (read->state == 0 || await->count == AWAIT_READS_MAX)
        return;
    read->value = value_at(read->address, read->size);
    read->version = object_state(read->object)->version;
    read->step = rt.trace.count - 1;
    await->count++;
    await->step = rt.trace.count;
    await->chain[0] = ex.me->chain[0];
    await->chain[1] = ex.me->chain[1];
}

void await_keep_object(const struct object_state *state, bool writes)
{
    struct await *await = &ex.me->await;
    if (await->step != rt.trace.count)
        return;
    if (rt.notes && rt.race_check) {
        if (ex.me->progress.before_read == NULL)
            ex.me->progress.before_read = execution_take(sizeof *ex.me->progress.before_read);
        race_keep(&ex.race, ex.me->progress.before_read, &state->sync, writes);
    }
    if (!writes)
        return;
    for (int i = 0; i < 2; i++) {
        await->object_write[i] = state->write[i];
        await->object_reads[i] = state->reads[i];
    }
}

void await_also_read(const volatile void *address, uint32_t size, uint32_t object)
{
    struct await *await = &ex.me->await;
    if (await->count == 0)
        return;
    if (await->count == AWAIT_READS_MAX) {
        await->count = 0; /* too much to wait for */
        return;
    }
    await->reads[await->count++] = (struct await_read){.address = address,
                                                       .value = value_at(address, size),
                                                       .object = object,
                                                       .version = object_state(object)->version,
                                                       .size = (uint16_t)size};
}

/* A turn is kept as a read of nothing; its value counts how often the thread came back to it. */
void await_turn(const struct local *local)
{
    struct await *await = &ex.me->await;
    uint64_t state = rt.options->plain_loops ? 0 : local_hash(local);
    if (state == 0)
        return;
    for (uint32_t i = 0; i < await->count; i++)
        if (is_same_read(&await->reads[i], state, NULL, local->site) && !turn_changed(await, i)) {
            await->reads[i].value++;
            return;
        }
    if (await->count == AWAIT_READS_MAX)
        await->count = 0;
    await->reads[await->count++] =
        (struct await_read){.state = state, .site = (uint16_t)local->site};
}

uint64_t await_turns(const struct await *await)
{
    uint64_t turns = 0;
    for (uint32_t i = 0; i < await->count; i++)
        if (await->reads[i].address == NULL)
            turns += await->reads[i].value + 1;
    return turns;
}
