#include "strategy/stateful/loops.h"

#include "base/assert.h"

enum { STEPS_EACH = 4 }; /* room for so many steps for each state */

void loops_open(struct loops *loops, struct arena *arena, size_t bytes)
{
    size_t each = sizeof *loops->states + sizeof *loops->roots + 4 * sizeof *loops->scratch +
                  STEPS_EACH * (sizeof *loops->steps + sizeof *loops->scratch);
    uint64_t most = bytes / each;
    *loops = (struct loops){.most = most < LOOPS_STATES_MAX ? (uint32_t)most : LOOPS_STATES_MAX};
    loops->states = arena_take(arena, loops->most * sizeof *loops->states);
    loops->steps = arena_take(arena, STEPS_EACH * loops->most * sizeof *loops->steps);
    loops->roots = arena_take(arena, loops->most * sizeof *loops->roots);
    loops->scratch =
        arena_take(arena, (4 + STEPS_EACH) * (size_t)loops->most * sizeof *loops->scratch);
}

static void add_step(struct loops *loops, uint32_t from, uint32_t to, struct decision by)
{
    if (loops->now.steps == STEPS_EACH * loops->most) {
        loops->now.full = true;
        return;
    }
    loops->steps[loops->now.steps++] =
        (struct loop_step){.from = from, .to = to, .thread = by.thread, .choice = by.choice};
}

uint32_t loops_enter(struct loops *loops, const uint64_t key[2], const thread_set *enabled,
                     uint32_t from, struct decision by)
{
    if (loops->now.states == loops->most)
        loops->now.full = true;
    if (loops->now.full)
        return LOOPS_NONE;
    uint32_t state = loops->now.states++;
    loops->states[state] = (struct loop_state){
        .key = {key[0], key[1]}, .enabled = *enabled, .steps = loops->now.steps};
    loops->roots[loops->now.roots++] = state;
    if (from != LOOPS_NONE)
        add_step(loops, from, state, by);
    return state;
}

void loops_meet(struct loops *loops, uint32_t from, struct decision by, const uint64_t key[2],
                uint32_t to)
{
    if (loops->now.full || from == LOOPS_NONE || to >= loops->now.states ||
        loops->states[to].key[0] != key[0] || loops->states[to].key[1] != key[1])
        return; /* the state is done, and another one has its number now */
    add_step(loops, from, to, by);
    while (loops->roots[loops->now.roots - 1] > to)
        loops->now.roots--;
}

/* The states of a component, and the steps between them. */
struct part {
    const struct loops *loops;
    uint32_t first, end;
    const struct loop_step *steps;
    uint32_t step_count;
    uint32_t *begin, *order; /* steps sorted by the state that they leave */
    /* A search's states to visit; the step that led to each state, from 1. */
    uint32_t *queue, *came;
};

static bool all_take_part(const struct part *part)
{
    thread_set left = {0};
    for (uint32_t i = part->first; i < part->end; i++)
        for (int word = 0; word < THREAD_WORDS; word++)
            left.word[word] |= part->loops->states[i].enabled.word[word];
    for (uint32_t i = 0; i < part->step_count; i++)
        thread_set_remove(&left, part->steps[i].thread);
    return part->step_count > 0 && thread_set_is_empty(&left);
}

static void put_in_order(struct part *part)
{
    uint32_t count = part->end - part->first;
    for (uint32_t i = 0; i <= count; i++)
        part->begin[i] = 0;
    for (uint32_t i = 0; i < part->step_count; i++)
        part->begin[part->steps[i].from - part->first + 1]++;
    for (uint32_t i = 0; i < count; i++)
        part->begin[i + 1] += part->begin[i];
    for (uint32_t i = part->step_count; i-- > 0;)
        part->order[--part->begin[part->steps[i].from - part->first + 1]] = i;
    for (uint32_t i = 0; i < count; i++) /* each entry has moved to where the one before ends */
        part->begin[i] = part->begin[i + 1];
    part->begin[count] = part->step_count;
}

/* The nearest step by one of these threads, or, if there are none, the nearest step to the first
 * state; numbered from 1. `came` has the way to the state where that step begins. */
static uint32_t find_step(struct part *part, uint32_t from, const thread_set *by)
{
    uint32_t head = 0, tail = 0, count = part->end - part->first;
    bool back = thread_set_is_empty(by);
    for (uint32_t i = 0; i < count; i++)
        part->came[i] = 0;
    part->queue[tail++] = from;
    while (head < tail) {
        uint32_t state = part->queue[head++];
        for (uint32_t i = part->begin[state]; i < part->begin[state + 1]; i++) {
            const struct loop_step *step = &part->steps[part->order[i]];
            uint32_t to = step->to - part->first;
            if (back ? to == 0 : thread_set_has(by, step->thread))
                return part->order[i] + 1;
            if (to == from || part->came[to] != 0)
                continue;
            part->came[to] = part->order[i] + 1;
            part->queue[tail++] = to;
        }
    }
    UNREACHABLE();
}

static uint32_t left_by(const struct part *part, uint32_t step)
{
    return part->steps[step - 1].from - part->first;
}

/* Appends the way from a state up to and with the step `last`. false: it is too long. */
static bool append(const struct part *part, uint32_t from, uint32_t last, struct decision *round,
                   uint32_t *count, uint32_t most)
{
    uint32_t length = 1;
    for (uint32_t at = left_by(part, last); at != from; at = left_by(part, part->came[at]))
        length++;
    if (length > most - *count)
        return false;
    uint32_t end = *count += length, step = last;
    for (uint32_t i = 0; i < length; i++, step = part->came[left_by(part, step)])
        round[--end] = (struct decision){.step = part->steps[step - 1].from,
                                         .thread = part->steps[step - 1].thread,
                                         .choice = part->steps[step - 1].choice};
    return true;
}

/* The threads that are enabled in some state on the way and take no step on it. */
static thread_set left_out(const struct part *part, const struct decision *round, uint32_t count)
{
    thread_set left = part->loops->states[part->first].enabled;
    for (uint32_t i = 0; i < count; i++)
        for (int word = 0; word < THREAD_WORDS; word++)
            left.word[word] |= part->loops->states[round[i].step].enabled.word[word];
    for (uint32_t i = 0; i < count; i++)
        thread_set_remove(&left, round[i].thread);
    return left;
}

static uint32_t go_round(struct part *part, struct decision *round, uint32_t most)
{
    uint32_t count = 0, at = 0;
    for (;;) {
        thread_set left = left_out(part, round, count);
        if (count > 0 && at == 0 && thread_set_is_empty(&left))
            return count;
        uint32_t step = find_step(part, at, &left);
        if (!append(part, at, step, round, &count, most))
            return UINT32_MAX;
        at = part->steps[step - 1].to - part->first;
    }
}

uint32_t loops_leave(struct loops *loops, uint32_t state, struct decision *round, uint32_t most)
{
    if (state == LOOPS_NONE || loops->now.full || loops->roots[loops->now.roots - 1] != state)
        return 0;
    uint32_t led = state > 0 ? 1 : 0; /* the step that led to the component from outside */
    uint32_t first = loops->states[state].steps + led;
    uint32_t *scratch = loops->scratch;
    struct part part = {.loops = loops,
                        .first = state,
                        .end = loops->now.states,
                        .steps = loops->steps + first,
                        .step_count = loops->now.steps - first,
                        .begin = scratch,
                        .queue = scratch + loops->most + 1,
                        .came = scratch + 2ul * loops->most + 1,
                        .order = scratch + 3ul * loops->most + 1};
    uint32_t length = 0;
    if (all_take_part(&part)) {
        put_in_order(&part);
        length = go_round(&part, round, most);
    }
    loops->now.steps = loops->states[state].steps;
    loops->now.states = state;
    loops->now.roots--;
    return length;
}
