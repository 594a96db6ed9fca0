/* The deadlocks of ExitBlock: each one that lock chains predict is tried out.
 *
 * The way to a predicted deadlock is that of the execution that predicts it, except that the
 * holders of the locks stop before the lock that they released last. If another step comes on the
 * way, since it depends on what they did under that lock, the attempt is cut. */
#include "base/mix.h"
#include "strategy/blocks/exitblock.h"

bool exitblock_is_trying(const struct exitblock *search)
{
    return search->now.list_next < search->now.list_count;
}

struct circle { /* The circle that `thread` would close if it waited for a lock. */
    thread_id thread;
    thread_id others[THREADS_MAX];
    uint32_t count;
    uint64_t name; /* equal for equal circles */
};

static bool is_known(const struct exitblock *search, uint64_t name)
{
    for (uint32_t i = 0; i < search->now.circle_count; i++)
        if (search->circles[i] == name)
            return true;
    return false;
}

/* Adds the steps up to `end` as goals, without the other threads' steps since they took the lock
 * that they released last. */
static bool add_goals(struct exitblock *search, const struct trace *trace, uint32_t end,
                      const struct circle *circle)
{
    if (search->now.list_count == GOAL_LISTS_MAX)
        return false;
    struct goal_list list = {.name = circle->name};
    if (search->now.list_count > 0) {
        const struct goal_list *before = &search->lists[search->now.list_count - 1];
        list.first = before->first + before->count;
    }
    for (uint32_t i = 0; i < circle->count; i++)
        thread_set_add(&list.circle, circle->others[i]);
    for (uint32_t i = 0; i < end; i++) {
        const struct step *step = &trace->steps[i];
        bool waits = thread_set_has(&list.circle, step->thread) &&
                     i >= search->chains->threads[step->thread].last_taken;
        if (!waits)
            search->goals[list.first + list.count++] =
                (struct goal){step->thread, step->choice, step->op.kind, step->op.object};
    }
    thread_set_add(&list.circle, circle->thread);
    search->lists[search->now.list_count++] = list;
    return true;
}

static bool look_for_circle(struct exitblock *search, const struct trace *trace, uint32_t end,
                            thread_id thread, const struct op *op)
{
    struct circle circle = {.thread = thread};
    uint32_t lock = op_lock(op);
    search->now.edge_count = chains_note(search->chains, search->now.edge_count, thread, lock);
    if (op->kind == OP_COND_WAKE) /* the thread may wait for a signal; see chains.h, unnested */
        return true;
    circle.count = chains_find(search->chains, thread, lock, circle.others);
    if (circle.count == 0)
        return true;
    circle.name = mix(thread, lock);
    for (uint32_t i = 0; i < circle.count; i++)
        circle.name += mix(circle.others[i], search->chains->threads[circle.others[i]].last);
    return is_known(search, circle.name) || add_goals(search, trace, end, &circle);
}

/* The next operation of a thread; NULL: it has none. */
static const struct op *next_op(const struct trace *trace, uint32_t step, thread_id thread)
{
    for (uint32_t i = step; i < trace->count; i++)
        if (trace->steps[i].thread == thread)
            return &trace->steps[i].op;
    return thread_set_has(&trace->alive, thread) ? &trace->pending[thread] : NULL;
}

/* Looks for circles of threads that cannot begin their next block. */
static bool look_at_waiting(struct exitblock *search, const struct trace *trace, uint32_t step)
{
    bool room = true;
    for (thread_id thread = 0; thread < trace->thread_count && thread < THREADS_MAX; thread++) {
        if (thread_set_has(&trace->steps[step].enabled, thread) ||
            search->chains->threads[thread].top == NO_OBJECT)
            continue; /* no thread waits for one that holds nothing */
        const struct op *op = next_op(trace, step, thread);
        if (op != NULL)
            room &= look_for_circle(search, trace, step, thread, op);
    }
    return room;
}

/* Whether the program ends while other threads live, or fails: held locks are then never
 * released. */
static bool ends_early(const struct trace *trace)
{
    thread_set others = trace->alive;
    if (trace->count == 0 || !(trace->steps[trace->count - 1].flags & STEP_ENDS))
        return false;
    thread_set_remove(&others, trace->steps[trace->count - 1].thread);
    return trace->outcome == OUTCOME_FAILED || !thread_set_is_empty(&others);
}

static bool leads(const struct trace *trace, uint32_t step, thread_id thread)
{
    for (uint32_t i = trace_touches_begin(trace->steps, step); i < trace->steps[step].touches_end;
         i++)
        if (trace->touches[i].access == TOUCH_LEADS && trace->touches[i].object == thread)
            return true;
    return false;
}

/* Whether a step depends on what another thread did under the lock that it released last, while
 * that thread holds another lock. Had it not yet taken the lock, this step might have been another
 * one. */
static bool depends_on_last(const struct exitblock *search, const struct trace *trace,
                            uint32_t step)
{
    const struct chains *chains = search->chains;
    thread_id thread = trace->steps[step].thread;
    for (thread_id other = 0; other < trace->thread_count && other < THREADS_MAX; other++) {
        uint32_t top = chains->threads[other].top, last = chains->threads[other].last;
        if (other == thread || top == NO_OBJECT || last == NO_OBJECT)
            continue;
        for (uint32_t i = chains->threads[other].last_taken; i < step; i++)
            if (trace->steps[i].thread == other &&
                (steps_meet(trace, i, step) || leads(trace, i, thread) ||
                 (trace->steps[i].flags | trace->steps[step].flags) & STEP_ALL))
                return true;
    }
    return false;
}

bool exitblock_predict(struct exitblock *search, const struct trace *trace, uint32_t first_node,
                       uint32_t stuck_end, thread_id stuck)
{
    uint32_t node = first_node, count = search->now.node_count;
    uint32_t end = stuck_end > 0 ? stuck_end : trace->count;
    uint32_t changed = first_node > 0 ? search->nodes[first_node - 1].step : 0;
    bool all = !ends_early(trace);
    chains_begin(search->chains);
    for (uint32_t i = 0; i < end; i++) {
        if (node < count && search->nodes[node].step == i) {
            all &= look_at_waiting(search, trace, i);
            node++;
        }
        if (i >= changed) {
            const struct step *step = &trace->steps[i];
            all = all && !depends_on_last(search, trace, i);
            if (step_lock_change(step) == LOCK_TAKES)
                search->now.edge_count = chains_note(search->chains, search->now.edge_count,
                                                     step->thread, op_lock(&step->op));
        }
        chains_step(search->chains, &trace->steps[i], i);
    }
    if (stuck_end > 0)
        all &= look_for_circle(search, trace, end, stuck, &trace->pending[stuck]);
    return all && !search->chains->unnested && !search->chains->shared;
}

static bool is_step(const struct goal *goal, thread_id thread, const struct op *op)
{
    return goal->thread == thread && goal->object == op->object &&
           (goal->kind == op->kind || op_becomes(op->kind, goal->kind));
}

struct decision exitblock_try(struct exitblock *search, const struct choice_point *at)
{
    const struct goal_list *list = &search->lists[search->now.list_next];
    const struct goal *goals = &search->goals[list->first];
    struct decision none = {.step = at->step, .thread = NO_THREAD};
    if (at->step > list->count)
        return decision_nth(at, 0);
    for (uint32_t i = 0; i < at->step; i++) /* some steps are taken without a call of choose() */
        if (!is_step(&goals[i], at->steps[i].thread, &at->steps[i].op))
            return none;
    if (at->step == list->count) {
        bool waits = !thread_set_meets(&list->circle, &at->enabled);
        return waits ? decision_nth(at, 0) : none;
    }
    const struct goal *goal = &goals[at->step];
    bool fits = thread_set_has(&at->enabled, goal->thread) &&
                is_step(goal, goal->thread, &at->pending[goal->thread]) &&
                goal->choice < at->pending[goal->thread].choices;
    return fits ? (struct decision){at->step, goal->thread, goal->choice} : none;
}

void exitblock_tried(struct exitblock *search, const struct trace *trace)
{
    uint64_t name = search->lists[search->now.list_next].name;
    if (trace->outcome == OUTCOME_DEADLOCK && !is_known(search, name) &&
        search->now.circle_count < CIRCLES_MAX)
        search->circles[search->now.circle_count++] = name;
    do
        search->now.list_next++;
    while (exitblock_is_trying(search) &&
           is_known(search, search->lists[search->now.list_next].name));
    if (!exitblock_is_trying(search))
        search->now.list_next = search->now.list_count = 0;
}
