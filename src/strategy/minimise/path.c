#include "strategy/minimise/path.h"

#include <string.h>

struct path path_take(struct arena *arena, uint32_t steps)
{
    return (struct path){.blocks = arena_take(arena, steps * sizeof(struct block)),
                         .choices = arena_take(arena, steps * sizeof(struct outcome_taken))};
}

static void add(struct path *path, uint32_t *taken, thread_id thread, uint16_t choice,
                uint16_t choices)
{
    struct block *last = path->block_count > 0 ? &path->blocks[path->block_count - 1] : NULL;
    if (choices > 1)
        path->choices[path->choice_count++] = (struct outcome_taken){
            .number = *taken, .thread = thread, .choice = choice, .choices = choices};
    ++*taken;
    if (last != NULL && last->thread == thread)
        last->until = *taken;
    else
        path->blocks[path->block_count++] = (struct block){.until = *taken, .thread = thread};
}

void path_read(struct path *path, const struct decision *decisions, uint32_t count)
{
    uint32_t taken[THREADS_MAX] = {0};
    path->block_count = path->choice_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct decision *decision = &decisions[i];
        CHECK(decision->thread < THREADS_MAX);
        add(path, &taken[decision->thread], decision->thread, decision->choice,
            decision->choice > 0 ? UINT16_MAX : 1);
    }
}

void path_of_trace(struct path *path, const struct trace *trace)
{
    uint32_t taken[THREADS_MAX] = {0};
    path->block_count = path->choice_count = 0;
    for (uint32_t i = 0; i < trace->count; i++) {
        const struct step *step = &trace->steps[i];
        add(path, &taken[step->thread], step->thread, step->choice, step->op.choices);
    }
}

uint32_t path_block_length(const struct path *path, uint32_t at)
{
    for (uint32_t i = at; i-- > 0;)
        if (path->blocks[i].thread == path->blocks[at].thread)
            return path->blocks[at].until - path->blocks[i].until;
    return path->blocks[at].until;
}

uint32_t path_block_after(const struct path *path, uint32_t at)
{
    uint32_t next = at + 1;
    while (next < path->block_count && path->blocks[next].thread != path->blocks[at].thread)
        next++;
    return next;
}

void flight_begin(struct flight *flight, const struct path *path)
{
    memset(flight, 0, sizeof *flight);
    flight->block_count = path->block_count;
    flight->choice_count = path->choice_count;
}

static thread_id next_thread(struct flight *flight, const struct path *path,
                             const struct choice_point *at)
{
    for (; flight->at < flight->block_count; flight->at++) {
        const struct block *block = &path->blocks[flight->at];
        if (flight->taken[block->thread] < block->until &&
            thread_set_has(&at->enabled, block->thread))
            return block->thread;
    }
    return thread_set_next_around(&at->enabled, at->last);
}

static uint16_t outcome_of(const struct flight *flight, const struct path *path, thread_id thread,
                           uint16_t outcomes)
{
    for (uint32_t i = 0; outcomes > 1 && i < flight->choice_count; i++) {
        const struct outcome_taken *taken = &path->choices[i];
        if (taken->thread == thread && taken->number == flight->taken[thread])
            return taken->choice < outcomes ? taken->choice : 0;
    }
    return 0;
}

void flight_look(struct flight *flight, struct pilot *pilot, const struct choice_point *at)
{
    for (uint32_t step = pilot_first_new(pilot); step < at->step; step++)
        flight->taken[at->steps[step].thread]++;
    pilot_looked(pilot, at);
}

struct decision flight_take(const struct flight *flight, const struct path *path,
                            const struct choice_point *at, thread_id thread)
{
    return (struct decision){.step = at->step,
                             .thread = thread,
                             .choice =
                                 outcome_of(flight, path, thread, at->pending[thread].choices)};
}

struct decision flight_choose(struct flight *flight, const struct path *path, struct pilot *pilot,
                              const struct choice_point *at)
{
    flight_look(flight, pilot, at);
    return flight_take(flight, path, at, next_thread(flight, path, at));
}
