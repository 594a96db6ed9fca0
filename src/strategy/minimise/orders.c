#include "strategy/minimise/orders.h"

#include <string.h>

#include "base/assert.h"
#include "core/naming.h"
#include "strategy/conflict.h"

enum {
    /* Bytes: an address this near after the start of a freed block may lie in the block. */
    BLOCK = 4096,
    FAR = 1024,          /* steps: conflicts that lie further apart are ignored */
    NODES_MAX = 1 << 17, /* limit of nodes of the search for a set */
    /* This many other orders are still better than one with the end of the program. */
    WORTH_AN_END = 3,
};

static uint32_t occurrence_of(const struct event *events, uint32_t count, thread_id thread,
                              const struct op *op)
{
    for (uint32_t i = count; i-- > 0;)
        if (event_is(&events[i], thread, op))
            return events[i].occurrence + 1;
    return 0;
}

static void read_trace(struct event *out, const struct trace *trace)
{
    for (uint32_t i = 0; i < trace->count; i++) {
        const struct step *step = &trace->steps[i];
        out[i] = (struct event){.op = step->op,
                                .occurrence = occurrence_of(out, i, step->thread, &step->op),
                                .step = i,
                                .thread = step->thread,
                                .choice = step->choice};
    }
}

static uint32_t kind_cost(enum op_kind kind)
{
    static const uint8_t costs[] = {
        [OP_WEIGHT_MEMORY] = 0,  [OP_WEIGHT_CONDITION] = 1, [OP_WEIGHT_OTHER] = 2,
        [OP_WEIGHT_RELEASE] = 4, [OP_WEIGHT_THREAD] = 6,
    };
    return costs[op_traits(kind)->weight];
}

static bool frees(const struct object *objects, const struct op *free, const struct op *use)
{
    return free->kind == OP_FREE && use->object != NO_OBJECT && objects != NULL &&
           objects[use->object].address - objects[free->object].address < BLOCK;
}

/* Whether the order of two operations may matter. Executions show whether it does. */
static bool may_conflict(const struct object *objects, const struct op *a, const struct op *b)
{
    return ops_conflict(a, b) || op_depends_on_all(a->kind) || op_depends_on_all(b->kind) ||
           frees(objects, a, b) || frees(objects, b, a);
}

/* How little a pair tells a person. Accesses tell more than locks, an early or late read more than
 * the order of writes, and the cause more than what follows from it. */
static uint32_t pair_cost(const struct orders *orders, uint32_t earlier, uint32_t later)
{
    const struct event *one = &orders->events[earlier], *other = &orders->events[later];
    uint32_t count = orders->now.failing_count;
    uint32_t when = one->step + (other->step == EVENT_NEVER ? count : other->step);
    bool both_write =
        op_access(one->op.kind) == OP_ACCESS_WRITE && op_access(other->op.kind) == OP_ACCESS_WRITE;
    bool conflict = ops_conflict(&one->op, &other->op);
    return (conflict ? 0 : 160) +
           16 * (kind_cost(one->op.kind) + kind_cost(other->op.kind) + both_write) +
           20 * when / (count + 1);
}

static uint32_t position_of(const struct event *steps, uint32_t count, const struct event *wanted)
{
    for (uint32_t i = 0; i < count; i++)
        if (event_is(wanted, steps[i].thread, &steps[i].op) &&
            (wanted->thread == NO_THREAD || steps[i].occurrence == wanted->occurrence))
            return i;
    return EVENT_NEVER;
}

/* Adds an event that the failing execution never comes to, or that several threads have. */
static bool add_event(struct orders *orders, const struct event *event)
{
    if (orders->now.event_count == EVENTS_MAX)
        return false;
    uint32_t number = orders->now.event_count++;
    orders->events[number] = *event;
    for (uint32_t i = 0; i <= orders->now.passed_count && i < PASSED_MAX; i++)
        orders->position[i][number] =
            position_of(orders->passed[i], orders->passed_steps[i], event);
    return true;
}

static bool add_pair_alone(struct orders *orders, uint32_t earlier, uint32_t later, uint32_t cost)
{
    struct orders_now *now = &orders->now;
    for (uint32_t i = 0; i < now->pair_count; i++)
        if (orders->pairs[i].earlier == earlier && orders->pairs[i].later == later)
            return false;
    if (now->pair_count == PAIRS_MAX)
        return false;
    orders->pairs[now->pair_count++] = (struct pair){earlier, later, cost};
    return true;
}

/* Adds a pair. If the earlier event comes before any thread's event of the later kind, a pair for
 * all these threads is added, too. */
static void add_pair(struct orders *orders, uint32_t earlier, uint32_t later)
{
    uint32_t cost = pair_cost(orders, earlier, later);
    struct event all = orders->events[later];
    if (!add_pair_alone(orders, earlier, later, cost))
        return;
    all.thread = NO_THREAD;
    all.except = orders->events[earlier].thread;
    all.occurrence = 0;
    for (uint32_t i = 0; i < earlier; i++)
        if (event_is(&all, orders->events[i].thread, &orders->events[i].op))
            return;
    for (uint32_t i = orders->now.failing_count; i < orders->now.event_count; i++) {
        const struct event *known = &orders->events[i];
        if (known->thread == NO_THREAD && known->except == all.except &&
            known->op.kind == all.op.kind && known->op.site == all.op.site) {
            add_pair_alone(orders, earlier, i, cost + 12);
            return;
        }
    }
    if (add_event(orders, &all))
        add_pair_alone(orders, earlier, orders->now.event_count - 1, cost + 12);
}

/* Adds pairs with the last conflicting event of each other thread before it; add_pairs_after():
 * with the first after it. */
static void add_pairs_before(struct orders *orders, const struct object *objects, uint32_t later)
{
    const struct event *event = &orders->events[later];
    thread_set met = {0};
    uint32_t from = later < orders->now.failing_count ? later : orders->now.failing_count;
    for (uint32_t i = from; i-- > 0 && from - i < FAR;) {
        thread_id thread = orders->events[i].thread;
        if (thread == event->thread || thread_set_has(&met, thread) ||
            !may_conflict(objects, &orders->events[i].op, &event->op))
            continue;
        thread_set_add(&met, thread);
        add_pair(orders, i, later);
    }
}

static void add_pairs_after(struct orders *orders, const struct object *objects, uint32_t earlier)
{
    const struct event *event = &orders->events[earlier];
    thread_set met = {0};
    uint32_t end = orders->now.event_count; /* events that are added below come after these */
    for (uint32_t i = earlier + 1; i < end && i - earlier < FAR; i++) {
        const struct event *other = &orders->events[i];
        if (other->thread == event->thread || other->thread == NO_THREAD ||
            thread_set_has(&met, other->thread) || op_depends_on_all(other->op.kind) ||
            !may_conflict(objects, &event->op, &other->op))
            continue;
        thread_set_add(&met, other->thread);
        add_pair(orders, earlier, i);
    }
}

bool orders_begin(struct orders *orders, const struct object *objects, const struct trace *failing)
{
    memset(&orders->now, 0, sizeof orders->now);
    orders->now.nearest = EVENT_NEVER;
    orders->now.smallest = true;
    if (failing->count > TRACE_STEPS_MAX)
        return false;
    read_trace(orders->events, failing);
    orders->now.failing_count = orders->now.event_count = failing->count;
    for (uint32_t i = 0; i < failing->count; i++)
        orders->enabled[i] = failing->steps[i].enabled;
    THREADS_EACH(thread, &failing->waiting)
    {
        const struct op *op = &failing->pending[thread];
        if (op->kind == OP_NONE)
            continue;
        orders->events[orders->now.event_count++] =
            (struct event){.op = *op,
                           .occurrence = occurrence_of(orders->events, failing->count, thread, op),
                           .step = EVENT_NEVER,
                           .thread = thread};
    }
    for (uint32_t i = orders->now.event_count; i-- > 0;)
        add_pairs_before(orders, objects, i);
    for (uint32_t i = failing->count; i-- > 0;)
        add_pairs_after(orders, objects, i);
    return true;
}

static uint32_t event_find(const struct orders *orders, const struct event *wanted)
{
    for (uint32_t i = 0; i < orders->now.event_count; i++) {
        const struct event *event = &orders->events[i];
        if (event->thread != NO_THREAD && event_is(event, wanted->thread, &wanted->op) &&
            event->occurrence == wanted->occurrence)
            return i;
    }
    return EVENT_NEVER;
}

/* The event of the failing execution that a step of another execution is; EVENT_NEVER: none. */
static uint32_t executed(const struct orders *orders, const struct event *step)
{
    uint32_t event = event_find(orders, step);
    return event < orders->now.failing_count ? event : EVENT_NEVER;
}

/* Adds pairs from a passing execution: a step that comes there before a conflicting step of another
 * thread, but after that or never in the failing execution. With `any` the steps need not conflict,
 * in case no operation shows the conflict. */
static void add_pairs_of(struct orders *orders, const struct object *objects,
                         const struct event *steps, uint32_t count, bool any)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t later = event_find(orders, &steps[i]);
        bool comes = later < orders->now.failing_count;
        thread_set met = {0};
        if (comes && !any)
            continue; /* its pairs exist already */
        for (uint32_t k = i + 1; k < count && k - i < FAR; k++) {
            const struct event *step = &steps[k];
            if (step->thread == steps[i].thread || thread_set_has(&met, step->thread) ||
                (!any && (op_depends_on_all(step->op.kind) ||
                          !may_conflict(objects, &steps[i].op, &step->op))))
                continue;
            uint32_t earlier = executed(orders, step);
            if (earlier == EVENT_NEVER || (comes && later < earlier))
                continue;
            thread_set_add(&met, step->thread);
            if (later == EVENT_NEVER) {
                struct event never = steps[i];
                never.step = EVENT_NEVER;
                later = orders->now.event_count;
                if (!add_event(orders, &never))
                    return;
            }
            add_pair(orders, earlier, later);
        }
    }
}

static bool breaks(const struct orders *orders, uint32_t passed, uint32_t pair)
{
    uint32_t earlier = orders->position[passed][orders->pairs[pair].earlier];
    uint32_t later = orders->position[passed][orders->pairs[pair].later];
    return later != EVENT_NEVER && (earlier == EVENT_NEVER || earlier > later);
}

static uint32_t count_broken(const struct orders *orders, uint32_t passed)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < orders->now.pair_count; i++)
        count += breaks(orders, passed, i);
    return count;
}

static bool covers(const uint64_t *one, const uint64_t *other)
{
    return (other[0] & ~one[0]) == 0 && (other[1] & ~one[1]) == 0;
}

static bool is_outdone(const struct orders *orders, uint32_t pair)
{
    for (uint32_t i = 0; i < orders->now.pair_count; i++) {
        if (i == pair || !covers(orders->broken_by[i], orders->broken_by[pair]))
            continue;
        if (orders->pairs[i].cost < orders->pairs[pair].cost ||
            (orders->pairs[i].cost == orders->pairs[pair].cost &&
             (!covers(orders->broken_by[pair], orders->broken_by[i]) || i < pair)))
            return true;
    }
    return false;
}

/* Whether a pair has the end of the program as its later event: that says that a step came, not
 * why. */
static bool is_before_end(const struct orders *orders, uint32_t pair)
{
    return orders->events[orders->pairs[pair].later].op.kind == OP_EXIT;
}

static void hunt_begin(struct hunt *hunt, struct orders *orders, bool ends)
{
    for (uint32_t i = 0; i < orders->now.pair_count; i++) {
        orders->broken_by[i][0] = orders->broken_by[i][1] = 0;
        if (!ends && is_before_end(orders, i))
            continue;
        for (uint32_t k = 0; k < orders->now.passed_count; k++)
            if (breaks(orders, k, i))
                orders->broken_by[i][k / 64] |= 1ul << k % 64;
    }
    hunt->count = 0;
    for (uint32_t i = 0; i < orders->now.pair_count; i++)
        if ((orders->broken_by[i][0] | orders->broken_by[i][1]) != 0 && !is_outdone(orders, i))
            hunt->pairs[hunt->count++] = i;
}

/* Tries all sets with up to `size` pairs that hit what is left; the cheapest set stays in
 * `best`. */
static void hunt_on(struct hunt *hunt, const struct orders *orders, const uint64_t left[2],
                    uint32_t depth, uint32_t size, uint32_t cost)
{
    if ((left[0] | left[1]) == 0) {
        if (cost < hunt->best_cost) {
            hunt->best_cost = cost;
            memcpy(hunt->best, hunt->chosen, sizeof hunt->best);
        }
        return;
    }
    if (depth == size || hunt->nodes >= NODES_MAX)
        return;
    hunt->nodes++;
    uint32_t first =
        left[0] != 0 ? (uint32_t)__builtin_ctzl(left[0]) : 64 + (uint32_t)__builtin_ctzl(left[1]);
    for (uint32_t i = 0; i < hunt->count; i++) {
        const uint64_t *hits = orders->broken_by[hunt->pairs[i]];
        uint32_t with = cost + orders->pairs[hunt->pairs[i]].cost;
        if ((hits[first / 64] >> first % 64 & 1) == 0 || with >= hunt->best_cost)
            continue;
        uint64_t rest[2] = {left[0] & ~hits[0], left[1] & ~hits[1]};
        hunt->chosen[depth] = hunt->pairs[i];
        hunt_on(hunt, orders, rest, depth + 1, size, with);
    }
}

/* Finds the smallest set of at most size_max pairs, with or without orders of the program's end. */
static bool hunt_smallest(struct orders *orders, uint32_t size_max, bool ends)
{
    struct hunt *hunt = &orders->hunt;
    struct orders_now *now = &orders->now;
    uint64_t all[2] = {now->passed_count >= 64 ? ~0ul : (1ul << now->passed_count) - 1,
                       now->passed_count > 64 ? (1ul << (now->passed_count - 64)) - 1 : 0};
    hunt_begin(hunt, orders, ends);
    hunt->nodes = 0;
    hunt->best_cost = UINT32_MAX;
    for (uint32_t size = 0; size <= size_max; size++) {
        hunt_on(hunt, orders, all, 0, size, 0);
        if (hunt->best_cost == UINT32_MAX)
            continue;
        now->set_count = size;
        memcpy(now->set, hunt->best, sizeof now->set);
        now->smallest = hunt->nodes < NODES_MAX && now->pair_count < PAIRS_MAX;
        return true;
    }
    return false;
}

static void find_set(struct orders *orders)
{
    if (!hunt_smallest(orders, WORTH_AN_END, false) && !hunt_smallest(orders, ORDERS_MAX, true))
        orders->now.full = true;
}

void orders_pass(struct orders *orders, const struct object *objects, const struct trace *trace)
{
    struct orders_now *now = &orders->now;
    uint32_t number = now->passed_count;
    if (trace->count > TRACE_STEPS_MAX || number == PASSED_MAX) {
        now->full = true;
        return;
    }
    read_trace(orders->passed[number], trace);
    orders->passed_steps[number] = trace->count;
    for (uint32_t i = 0; i < now->event_count; i++)
        orders->position[number][i] =
            position_of(orders->passed[number], trace->count, &orders->events[i]);
    bool kept = true;
    for (uint32_t i = 0; i < now->set_count; i++)
        kept &= !breaks(orders, number, now->set[i]);
    if (kept)
        add_pairs_of(orders, objects, orders->passed[number], trace->count, false);
    uint32_t broken = count_broken(orders, number);
    if (broken == 0) {
        add_pairs_of(orders, objects, orders->passed[number], trace->count, true);
        broken = count_broken(orders, number);
    }
    bool nearer = now->nearest == EVENT_NEVER || broken < now->nearest_broken;
    if (!kept && !nearer)
        return;
    now->passed_count++;
    if (nearer) {
        now->nearest = number;
        now->nearest_broken = broken;
    }
    now->full |= broken == 0;
    if (kept && broken > 0)
        find_set(orders);
}

bool orders_kept(const struct orders *orders, const struct trace *trace)
{
    for (uint32_t i = 0; i < orders->now.set_count; i++) {
        const struct pair *pair = &orders->pairs[orders->now.set[i]];
        const struct event *earlier = &orders->events[pair->earlier];
        const struct event *later = &orders->events[pair->later];
        uint32_t came[2] = {0, 0};
        for (uint32_t k = 0; k < trace->count; k++) {
            const struct step *step = &trace->steps[k];
            if (event_is(earlier, step->thread, &step->op) && came[0]++ == earlier->occurrence)
                break;
            if (event_is(later, step->thread, &step->op) && came[1]++ == later->occurrence)
                return false;
        }
    }
    return true;
}
