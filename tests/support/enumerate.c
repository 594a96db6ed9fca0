/* The independent counter: what executions a toy program has. Plain C and recursion; of the project
 * it knows only how toy programs are written down. */
#include <stdlib.h>
#include <string.h>

#include "support/listing.h"

struct world {
    int born;                  /* threads so far */
    int list[TOY_THREADS_MAX]; /* of each thread */
    int pc[TOY_THREADS_MAX];
    int where[TOY_THREADS_MAX];   /* thread of each list, -1: not born */
    int asleep[TOY_THREADS_MAX];  /* 0 no, 1 waits for a signal, 2 has it */
    int turn[TOY_THREADS_MAX];    /* when each took its last step */
    int yielded[TOY_THREADS_MAX]; /* when it last yielded, if that was its last step; else 0 */
    int born_at[TOY_THREADS_MAX];
    int holder[TOY_OBJECTS_MAX]; /* -1: free */
    int32_t value[TOY_OBJECTS_MAX];
    int readers[TOY_OBJECTS_MAX]; /* -1: a writer */
    int count[TOY_OBJECTS_MAX];   /* of semaphores */
    int arrived[TOY_OBJECTS_MAX]; /* at barriers */
    int last, time, preemptions, length;
    int delays, decisions, depth; /* depth: the last decision that was not by default */
    bool gave_way;                /* the last step was a yield or a sleep */
};

struct counting {
    const struct toy_program *program;
    struct listing *listing;
    size_t limit;
    char name[2 * TOY_STEPS_MAX + 1];
};

static struct toy_op upcoming(const struct counting *c, const struct world *w, int t)
{
    const struct toy_list *list = &c->program->lists[w->list[t]];
    if (w->pc[t] < (int)list->count)
        return list->ops[w->pc[t]];
    return (struct toy_op){.kind = TOY_EXIT};
}

static bool gone(const struct counting *c, const struct world *w, int t)
{
    bool done = w->pc[t] >= (int)c->program->lists[w->list[t]].count;
    return done && (t != 0 || c->program->bare);
}

static bool possible(const struct counting *c, const struct world *w, int t)
{
    if (gone(c, w, t))
        return false;
    struct toy_op op = upcoming(c, w, t);
    if (op.kind == TOY_LOCK)
        return w->holder[op.object] < 0;
    if (op.kind == TOY_WAIT && w->asleep[t] != 0)
        return w->asleep[t] == 2 && w->holder[op.second] < 0;
    if (op.kind == TOY_READ_LOCK)
        return w->readers[op.object] >= 0;
    if (op.kind == TOY_WRITE_LOCK)
        return w->readers[op.object] == 0;
    if (op.kind == TOY_SEM_WAIT)
        return w->count[op.object] > 0;
    if (op.kind == TOY_BARRIER)
        return w->asleep[t] != 1;
    if (op.kind == TOY_JOIN)
        return w->where[op.object] >= 0 && gone(c, w, w->where[op.object]);
    return true;
}

static bool may_run(const struct counting *c, const struct world *w, int t)
{
    if (!possible(c, w, t))
        return false;
    if (w->yielded[t] != 0)
        for (int u = 0; u < w->born; u++)
            if (u != t && w->born_at[u] < w->yielded[t] && w->turn[u] < w->yielded[t] &&
                possible(c, w, u))
                return false;
    return true;
}

static bool waits(const struct counting *c, const struct world *w, int t, enum toy_kind kind,
                  int object)
{
    struct toy_op op = upcoming(c, w, t);
    return w->asleep[t] == 1 && op.kind == kind && op.object == object;
}

static int outcomes(const struct counting *c, const struct world *w, int t)
{
    struct toy_op op = upcoming(c, w, t);
    if (op.kind == TOY_CHOOSE)
        return op.value;
    if (op.kind != TOY_SIGNAL)
        return 1;
    int sleepers = 0;
    for (int u = 0; u < w->born; u++)
        sleepers += waits(c, w, u, TOY_WAIT, op.object);
    return sleepers > 1 ? sleepers : 1;
}

static void rouse(const struct counting *c, struct world *w, int condition, int which, bool all)
{
    for (int u = 0, k = 0; u < w->born; u++)
        if (waits(c, w, u, TOY_WAIT, condition))
            if (k++ == which || all)
                w->asleep[u] = 2;
}

static void bear(struct world *w, int list)
{
    w->list[w->born] = list;
    w->where[list] = w->born;
    w->born_at[w->born] = w->time;
    w->born++;
}

/* Changes the world by one step; returns how the execution ends with it, or 0. */
static char happen(const struct counting *c, struct world *w, int t, int outcome)
{
    struct toy_op op = upcoming(c, w, t);
    int skip = 0, advance = 1;
    char end = 0;
    w->time++;
    w->turn[t] = w->time;
    w->yielded[t] = 0;
    w->gave_way = op.kind == TOY_YIELD || op.kind == TOY_SLEEP;
    if (op.kind == TOY_LOCK) {
        w->holder[op.object] = t;
    } else if (op.kind == TOY_TRYLOCK) {
        if (w->holder[op.object] < 0)
            w->holder[op.object] = t;
        else
            skip = op.skip;
    } else if (op.kind == TOY_UNLOCK) {
        w->holder[op.object] = -1;
    } else if (op.kind == TOY_WAIT && w->asleep[t] == 0) {
        w->holder[op.second] = -1;
        w->asleep[t] = 1;
        advance = 0;
    } else if (op.kind == TOY_WAIT) {
        w->holder[op.second] = t;
        w->asleep[t] = 0;
    } else if (op.kind == TOY_SIGNAL) {
        rouse(c, w, op.object, outcome, false);
    } else if (op.kind == TOY_BROADCAST) {
        rouse(c, w, op.object, 0, true);
    } else if (op.kind == TOY_LOAD) {
        skip = w->value[op.object] == op.value ? 0 : op.skip;
    } else if (op.kind == TOY_STORE) {
        w->value[op.object] = op.value;
    } else if (op.kind == TOY_ADD) {
        w->value[op.object] += op.value;
    } else if (op.kind == TOY_COMPARE) {
        if (w->value[op.object] == op.value)
            w->value[op.object] = op.second;
        else
            skip = op.skip;
    } else if (op.kind == TOY_READ_LOCK) {
        w->readers[op.object]++;
    } else if (op.kind == TOY_TRY_READ_LOCK) {
        if (w->readers[op.object] >= 0)
            w->readers[op.object]++;
        else
            skip = op.skip;
    } else if (op.kind == TOY_READ_UNLOCK) {
        w->readers[op.object]--;
    } else if (op.kind == TOY_WRITE_LOCK) {
        w->readers[op.object] = -1;
    } else if (op.kind == TOY_TRY_WRITE_LOCK) {
        if (w->readers[op.object] == 0)
            w->readers[op.object] = -1;
        else
            skip = op.skip;
    } else if (op.kind == TOY_WRITE_UNLOCK) {
        w->readers[op.object] = 0;
    } else if (op.kind == TOY_SEM_WAIT) {
        w->count[op.object]--;
    } else if (op.kind == TOY_SEM_TRY) {
        if (w->count[op.object] > 0)
            w->count[op.object]--;
        else
            skip = op.skip;
    } else if (op.kind == TOY_SEM_POST) {
        w->count[op.object]++;
    } else if (op.kind == TOY_BARRIER && w->asleep[t] == 2) {
        w->asleep[t] = 0;
    } else if (op.kind == TOY_BARRIER) {
        w->asleep[t] = 1;
        advance = 0;
        if (++w->arrived[op.object] == op.value) {
            w->arrived[op.object] = 0;
            for (int u = 0; u < w->born; u++)
                if (waits(c, w, u, TOY_BARRIER, op.object))
                    w->asleep[u] = 2;
        }
    } else if (op.kind == TOY_ASSERT) {
        end = w->value[op.object] == op.value ? 0 : 'a';
    } else if (op.kind == TOY_YIELD) {
        w->yielded[t] = w->time;
    } else if (op.kind == TOY_CHOOSE) {
        skip = outcome == 0 ? 0 : op.skip;
    } else if (op.kind == TOY_CREATE) {
        bear(w, op.object);
    } else if (op.kind == TOY_EXIT) {
        end = 'f';
    }
    w->pc[t] += advance + skip;
    return end;
}

static bool explore(struct counting *c, const struct world *w);

static bool record(struct counting *c, const struct world *w, char end)
{
    c->name[w->length] = 0;
    uint32_t costs[LISTED_COSTS] = {(uint32_t)w->preemptions, (uint32_t)w->delays,
                                    (uint32_t)w->depth};
    listing_add(c->listing, c->name, costs, end, w->value);
    return c->listing->count <= c->limit;
}

/* Threads that could run and are passed over on the way round from the last one. */
static int passed_over(const struct counting *c, const struct world *w, int t)
{
    int passed = 0;
    for (int u = w->last < 0 ? 0 : w->last; u != t; u = (u + 1) % w->born)
        passed += may_run(c, w, u);
    return passed;
}

static int ways_on(const struct counting *c, const struct world *w)
{
    int ways = 0;
    for (int u = 0; u < w->born; u++)
        if (may_run(c, w, u))
            ways += outcomes(c, w, u);
    return ways;
}

static bool explore_step(struct counting *c, const struct world *before, int t, int outcome)
{
    struct world w = *before;
    if (w.last >= 0 && w.last != t && !w.gave_way && may_run(c, &w, w.last))
        w.preemptions++;
    int passed = passed_over(c, before, t);
    w.delays += passed;
    w.decisions += ways_on(c, before) > 1;
    if (passed > 0 || outcome > 0)
        w.depth = w.decisions;
    char end = happen(c, &w, t, outcome);
    w.last = t;
    if (w.length + 2 > 2 * TOY_STEPS_MAX)
        abort();
    c->name[w.length++] = (char)('A' + t);
    if (outcome > 0)
        c->name[w.length++] = (char)('0' + outcome);
    return end != 0 ? record(c, &w, end) : explore(c, &w);
}

static bool explore(struct counting *c, const struct world *w)
{
    bool any = false, all_gone = true;
    for (int t = 0; t < w->born; t++) {
        all_gone = all_gone && gone(c, w, t);
        if (!may_run(c, w, t))
            continue;
        any = true;
        int count = outcomes(c, w, t);
        for (int outcome = 0; outcome < count; outcome++)
            if (!explore_step(c, w, t, outcome))
                return false;
    }
    return any || record(c, w, all_gone ? 'f' : 'd');
}

bool enumerate(const struct toy_program *program, size_t limit, struct listing *listing)
{
    struct counting counting = {.program = program, .listing = listing, .limit = limit};
    struct world world = {.last = -1, .time = 1};
    for (int i = 0; i < TOY_OBJECTS_MAX; i++)
        world.holder[i] = -1, world.count[i] = i;
    for (int i = 0; i < TOY_THREADS_MAX; i++)
        world.where[i] = -1;
    for (int i = 0; i < (program->bare ? (int)program->thread_count : 1); i++)
        bear(&world, i);
    return explore(&counting, &world);
}
