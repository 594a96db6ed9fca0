/* ExitBlock (Bruening and Chapin 2000): all orders of atomic blocks, depth first.
 *
 * exitblock: each order of blocks (atomic_blocks.h). A block that is blocked in the middle is not
 * run: another thread comes first, and that thread again when what it waits for has changed.
 *
 * exitblock-rw: a thread whose block was run is delayed in what follows, until another block
 * touches what its block reads or writes. Unless threads share nothing but locks, a block also
 * touches the locks that it leaves in another state: without that some orders are lost.
 *
 * exitblock-dd: reverse lock chains (chains.h) predict deadlocks of locks that no order of blocks
 * shows. Each is tried out, so that what is reported has happened. Chains miss deadlocks that
 * depend on what other threads do: then blocks also end where locks are taken.
 *
 * exitblock-rwdd: both. */
#include "strategy/blocks/exitblock.h"

#include <string.h>

enum { DELAYED_EACH = 64, TOUCHED_EACH = 64 }; /* room for each step */

static void open_search(struct exitblock *search, const struct strategy_options *options,
                        struct arena *arena, struct journal *journal)
{
    size_t steps = options->steps_max;
    memset(search, 0, sizeof *search);
    search->journal = journal;
    search->steps_max = options->steps_max;
    search->path = arena_take(arena, steps * sizeof *search->path);
    search->nodes = arena_take(arena, steps * sizeof *search->nodes);
    search->delayed = arena_take(arena, steps * DELAYED_EACH * sizeof *search->delayed);
    search->touches = arena_take(arena, steps * TOUCHED_EACH * sizeof *search->touches);
    search->goals = arena_take(arena, steps * GOAL_LISTS_MAX * sizeof *search->goals);
    search->lists = arena_take(arena, GOAL_LISTS_MAX * sizeof *search->lists);
    search->circles = arena_take(arena, CIRCLES_MAX * sizeof *search->circles);
    search->asleep = arena_take(arena, steps * DELAYED_EACH * sizeof *search->asleep);
    search->carried = arena_take(arena, steps * sizeof *search->carried);
    search->print = arena_take(arena, sizeof *search->print);
    search->chains = arena_take(arena, sizeof *search->chains);
    chains_open(search->chains, arena);
}

static void exitblock_open(void *state, const struct strategy_options *options, struct arena *arena,
                           struct journal *journal)
{
    open_search(state, options, arena, journal);
}

static void exitblock_rw_open(void *state, const struct strategy_options *options,
                              struct arena *arena, struct journal *journal)
{
    open_search(state, options, arena, journal);
    ((struct exitblock *)state)->prunes = true;
}

static void exitblock_dd_open(void *state, const struct strategy_options *options,
                              struct arena *arena, struct journal *journal)
{
    open_search(state, options, arena, journal);
    ((struct exitblock *)state)->predicts = true;
}

static void exitblock_rwdd_open(void *state, const struct strategy_options *options,
                                struct arena *arena, struct journal *journal)
{
    open_search(state, options, arena, journal);
    ((struct exitblock *)state)->prunes = ((struct exitblock *)state)->predicts = true;
}

static bool exitblock_plan(void *state, struct schedule *next)
{
    const struct exitblock *search = state;
    next->prefix_count = 0;
    next->check_step = 0;
    if (exitblock_is_trying(search))
        return true;
    if (search->now.ended)
        return false;
    uint32_t count = search->now.path_count;
    CHECK(count <= next->prefix_capacity);
    memcpy(next->prefix, search->path, count * sizeof *search->path);
    next->prefix_count = count;
    next->check_step = count > 0 ? search->path[count - 1].step : 0;
    next->check = search->now.check;
    return true;
}

struct seen {       /* How far the blocks of the execution went. */
    uint32_t nodes; /* number of nodes of the whole execution */
    /* The step before which the thread of the last node was blocked; 0: it was not. */
    uint32_t stuck_end;
};

static bool had_to_wait(const struct trace *trace, thread_id thread)
{
    bool waits = trace->outcome == OUTCOME_CUT_STRATEGY || trace->outcome == OUTCOME_DEADLOCK ||
                 trace->outcome == OUTCOME_LIVELOCK;
    return waits && thread_set_has(&trace->alive, thread);
}

static struct seen add_nodes(struct exitblock *search, const struct trace *trace)
{
    uint32_t count = search->now.node_count;
    bool open = false;
    for (uint32_t i = count > 0 ? search->nodes[count - 1].step : 0; i < trace->count; i++) {
        const struct step *step = &trace->steps[i];
        if (open && step[-1].thread != step->thread) {
            if (had_to_wait(trace, step[-1].thread))
                return (struct seen){count, i};
            open = false;
        }
        if (!open && (count == 0 || search->nodes[count - 1].step < i))
            search->nodes[count++] =
                (struct block_node){.step = i, .delayed = search->now.delayed_count};
        open = !step_ends_block(step, search->now.fine);
    }
    bool stuck = open && had_to_wait(trace, trace->steps[trace->count - 1].thread);
    return (struct seen){count, stuck ? trace->count : 0};
}

static void note_touch(struct exitblock *search, struct delayed *delayed, struct touch touch)
{
    uint32_t at = delayed->first + delayed->count++;
    if (at < search->now.touch_count)
        journal_save(search->journal, &search->touches[at], sizeof touch);
    search->touches[at] = touch;
}

/* Adds what the thread is blocked on to the touches of its block. */
static void note_wait(struct delayed *delayed, struct block_print *print, const struct op *op)
{
    if (op_lock(op) != NO_OBJECT)
        block_print_add(print, (struct touch){op_lock(op) | BLOCK_LOCK, TOUCH_READS});
    else if (op->kind == OP_JOIN)
        delayed->joins = (thread_id)op->second;
    else if (op->kind == OP_SEM_WAIT)
        block_print_add(print, (struct touch){op->object, TOUCH_READS});
    else
        delayed->all = true;
}

/* Adds the thread of the last node to the threads that are delayed there. */
static void delay(struct exitblock *search, const struct trace *trace, uint32_t end, bool stuck)
{
    uint32_t node = search->now.node_count - 1, begin = search->nodes[node].step;
    uint32_t at = search->now.delayed_count, before = at > 0 ? at - 1 : 0;
    struct block_print *print = search->print;
    struct delayed delayed = {
        .thread = trace->steps[begin].thread, .joins = NO_THREAD, .stuck = stuck};
    if (at == search->steps_max * DELAYED_EACH) {
        search->now.lost |= stuck;
        return;
    }
    delayed.first = at > 0 ? search->delayed[before].first + search->delayed[before].count : 0;
    block_print(print, (struct block_steps){trace->steps, trace->touches}, begin, end,
                search->now.guards);
    delayed.all = print->all;
    if (stuck)
        note_wait(&delayed, print, &trace->pending[delayed.thread]);
    if (delayed.first + print->count > search->steps_max * TOUCHED_EACH || print->all)
        delayed.all = true;
    for (uint32_t i = 0; i < print->count && !delayed.all; i++)
        if (stuck || search->now.interacts || !(print->touches[i].object & BLOCK_LOCK))
            note_touch(search, &delayed, print->touches[i]);
    search->delayed[at] = delayed;
    search->now.delayed_count = at + 1;
}

/* Plans an execution like this one up to a step, with another decision there. */
static void leave_at(struct exitblock *search, const struct trace *trace, struct decision decision)
{
    uint32_t count = search->now.path_count;
    uint32_t known = count > 0 ? search->path[count - 1].step + 1 : 0;
    while (count > 0 && search->path[count - 1].step >= decision.step)
        count--;
    for (uint32_t i = known; i < decision.step; i++)
        if (trace->steps[i].alternatives > 1)
            search->path[count++] =
                (struct decision){i, trace->steps[i].thread, trace->steps[i].choice};
    if (count < search->now.path_count)
        journal_save(search->journal, &search->path[count], sizeof decision);
    search->path[count] = decision;
    search->now.path_count = count + 1;
    search->now.check = schedule_check(trace->steps[decision.step].fingerprint);
}

/* Returns to a node: the nodes after it are done. */
static void come_back(struct exitblock *search, uint32_t node, uint32_t delayed_end)
{
    search->now.node_count = node + 1;
    if (delayed_end < search->now.delayed_count) {
        journal_save(search->journal, &search->delayed[delayed_end], sizeof *search->delayed);
        search->now.delayed_count = delayed_end;
    }
}

static bool leave_at_node(struct exitblock *search, const struct trace *trace,
                          const struct seen *seen, uint32_t node)
{
    uint32_t begin = search->nodes[node].step;
    bool last = node + 1 == seen->nodes, stuck = last && seen->stuck_end > 0;
    uint32_t end = stuck ? seen->stuck_end : last ? trace->count : search->nodes[node + 1].step;
    uint32_t delayed_to = last ? search->now.delayed_count : search->nodes[node + 1].delayed;
    const struct step *first = &trace->steps[begin], *final = &trace->steps[end - 1];
    if (!stuck && final->choice + 1u < final->op.choices) {
        come_back(search, node, delayed_to);
        if (search->prunes)
            delay(search, trace, end, false);
        leave_at(search, trace,
                 (struct decision){end - 1, final->thread, (uint16_t)(final->choice + 1)});
        return true;
    }
    thread_set tried = search->nodes[node].tried;
    thread_set_add(&tried, first->thread);
    thread_set left = without(without(first->enabled, &search->carried[node]), &tried);
    thread_id next = thread_set_next_around(&left, first->thread);
    if (next == NO_THREAD)
        return false;
    journal_save(search->journal, &search->nodes[node], sizeof *search->nodes);
    search->nodes[node].tried = tried;
    come_back(search, node, delayed_to);
    if (search->prunes || stuck)
        delay(search, trace, end, stuck);
    leave_at(search, trace, (struct decision){begin, next, 0});
    return true;
}

/* Whether the operation names this thread, other than by creating it. */
static bool is_about_thread(const struct op *op, uint32_t thread)
{
    const struct op_traits *traits = op_traits(op->kind);
    bool names = traits->second == OP_SECOND_THREAD || traits->second == OP_SECOND_TARGET;
    return names && traits->lock != OP_LOCK_CREATE && op->second == thread;
}

/* Whether another thread joins the same thread, detaches it or sends it a request. */
static bool is_join_contended(const struct trace *trace, const struct step *join)
{
    for (uint32_t i = 0; i < trace->count; i++) {
        const struct step *step = &trace->steps[i];
        if (step->thread != join->thread && step->thread != join->op.second &&
            is_about_thread(&step->op, join->op.second))
            return true;
    }
    return false;
}

static bool needs_fine_blocks(const struct trace *trace)
{
    for (uint32_t i = 0; i < trace->count; i++) {
        const struct step *step = &trace->steps[i];
        if (op_notices_holder(step->op.kind) ||
            (op_traits(step->op.kind)->lock == OP_LOCK_JOIN && is_join_contended(trace, step)))
            return true;
    }
    return false;
}

static void begin_anew(struct exitblock *search)
{
    search->now.path_count = search->now.node_count = search->now.delayed_count = 0;
    search->now.touch_count = 0;
    search->now.decided = false;
    search->now.anew = search->now.executions;
}

/* Restarts with fine blocks. What was found so far stays; predicted deadlocks will show by
 * themselves. */
static void begin_finely(struct exitblock *search)
{
    begin_anew(search);
    search->now.fine = true;
    search->now.list_count = 0;
}

static bool is_cut(const struct trace *trace)
{
    return trace->outcome == OUTCOME_CUT_STRATEGY;
}

static uint32_t steps_planned(const struct exitblock *search)
{
    uint32_t count = search->now.path_count;
    return count > 0 ? search->path[count - 1].step + 1 : 0;
}

static uint32_t touches_kept(const struct exitblock *search)
{
    uint32_t count = search->now.delayed_count;
    return count > 0 ? search->delayed[count - 1].first + search->delayed[count - 1].count : 0;
}

/* Whether the search must restart with fine blocks: no deadlock was found, but one of locks may
 * exist. */
static bool is_to_look_closer(const struct exitblock *search)
{
    return search->predicts && !search->prunes && search->now.blind && !search->now.fine &&
           !search->now.deadlock && search->now.list_count == 0 &&
           chains_may_close(search->chains, search->now.edge_count);
}

static void go_on(struct exitblock *search, const struct trace *trace)
{
    if (trace->outcome == OUTCOME_DIVERGED || trace->count < steps_planned(search)) {
        search->now.ended = search->now.diverged = true;
        return;
    }
    if (!search->now.fine && needs_fine_blocks(trace)) {
        begin_finely(search);
        return;
    }
    if (!search->now.decided && !is_cut(trace)) {
        search->now.decided = true;
        search->now.interacts = !trace->accesses || threads_interact(trace);
        search->now.guards = !trace->accesses;
    }
    uint32_t nodes_before = search->now.node_count;
    struct seen seen = add_nodes(search, trace);
    if (seen.nodes == 0) {
        search->now.ended = true;
        return;
    }
    search->now.node_count = seen.nodes;
    exitblock_fall_asleep(search, (struct block_steps){trace->steps, trace->touches},
                          seen.nodes - 1);
    if (search->predicts && !search->now.fine) {
        thread_id stuck = trace->steps[search->nodes[seen.nodes - 1].step].thread;
        search->now.blind |= !exitblock_predict(search, trace, nodes_before, seen.stuck_end, stuck);
    }
    for (uint32_t node = seen.nodes; node-- > 0;)
        if (leave_at_node(search, trace, &seen, node))
            return;
    if (is_to_look_closer(search))
        begin_finely(search);
    else
        search->now.ended = true;
}

static void exitblock_learn(void *state, const struct trace *trace)
{
    struct exitblock *search = state;
    journal_save(search->journal, &search->now, sizeof search->now);
    search->now.executions++;
    search->now.deadlock |= trace->outcome == OUTCOME_DEADLOCK;
    if (exitblock_is_trying(search)) {
        exitblock_tried(search, trace);
        if (search->now.ended && is_to_look_closer(search)) {
            search->now.ended = false;
            begin_finely(search);
        }
        return;
    }
    go_on(search, trace);
    search->now.touch_count = touches_kept(search);
}

static struct progress exitblock_progress(const void *state)
{
    const struct exitblock *search = state;
    bool lost = search->now.diverged || search->now.lost;
    bool circles = search->predicts && !search->prunes;
    return (struct progress){
        .claim = lost      ? CLAIM_NOTHING
                 : circles ? CLAIM_BLOCKS_AND_CIRCLES
                           : CLAIM_BLOCKS,
        .complete = search->now.ended && !exitblock_is_trying(search) && !lost,
        .bound = NO_BOUND,
        .anew = search->now.ended ? 0 : search->now.anew,
    };
}

#define EXITBLOCK(identifier, word, text)                                                          \
    const struct strategy strategy_##identifier = {                                                \
        .name = word,                                                                              \
        .summary = text,                                                                           \
        .traits.reduces = true,                                                                    \
        .traits.disciplined = true,                                                                \
        .state_size = sizeof(struct exitblock),                                                    \
        .open = identifier##_open,                                                                 \
        .plan = exitblock_plan,                                                                    \
        .choose = exitblock_choose,                                                                \
        .learn = exitblock_learn,                                                                  \
        .progress = exitblock_progress,                                                            \
    }

EXITBLOCK(exitblock, "exitblock",
          "all orders of atomic blocks, which end where locks are released");
EXITBLOCK(exitblock_rw, "exitblock-rw", "the same for blocks that read or write what others write");
EXITBLOCK(exitblock_dd, "exitblock-dd",
          "exitblock, and deadlocks of locks that no such order shows");
EXITBLOCK(exitblock_rwdd, "exitblock-rwdd",
          "exitblock-rw, and some deadlocks of locks that no such order shows");
