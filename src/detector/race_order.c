/* The clocks that order threads: FastTrack's, with C11's fences. A release makes what its thread
 * did known to those that acquire the object later. */
#include <string.h>

#include "detector/race_parts.h"

void race_open(struct race *race)
{
    race->thread = race->take(race->threads * sizeof *race->thread);
}

void race_start(struct race *race, thread_id thread, thread_id parent)
{
    struct race_thread *new = &race->thread[thread];
    race->count = thread + 1u;
    *new = (struct race_thread){.clock = vector_take(race)};
    if (parent != NO_THREAD && !is_mute(race)) {
        vector_copy(race, new->clock, race->thread[parent].clock);
        tick(race);
    }
    new->clock[thread] = 1;
    if (parent == NO_THREAD)
        race_switch(race, thread);
}

void race_start_like(struct race *race, thread_id thread, thread_id other)
{
    uint32_t *clock = race->thread[thread].clock;
    memcpy(clock, race->thread[other].clock, race->threads * sizeof *clock);
    clock[other] = 0;
    clock[thread] = 1;
}

/* Rare cases have functions of their own, so that the others save no registers. */
static __attribute__((noinline, cold)) void learn_unless_mute(struct race *race,
                                                              const uint32_t *clock)
{
    if (!race->is_mute())
        vector_join(race, race->clock, clock);
}

void race_learn(struct race *race, const uint32_t *clock)
{
    if (__builtin_expect(race->is_mute != NULL, 0))
        learn_unless_mute(race, clock);
    else
        vector_join(race, race->clock, clock);
}

void race_join(struct race *race, thread_id ended)
{
    race_learn(race, race->thread[ended].clock);
}

static inline void release(struct race *race, struct sync *sync)
{
    vector_copy(race, sync->clock, race->clock);
    sync->by = running_thread(race);
    sync->at = race->clock[sync->by];
    tick(race);
}

static __attribute__((noinline, cold)) void release_carefully(struct race *race, struct sync *sync)
{
    if (sync->clock == NULL)
        sync->clock = vector_take(race);
    if (!is_mute(race))
        release(race, sync);
}

void race_release(struct race *race, struct sync *sync)
{
    if (__builtin_expect(sync->clock == NULL || race->is_mute != NULL, 0))
        release_carefully(race, sync);
    else
        release(race, sync);
}

void race_release_more(struct race *race, struct sync *sync)
{
    if (is_mute(race))
        return;
    sync->by = NO_THREAD;
    vector_join_new(race, &sync->clock, race->clock);
    tick(race);
}

void race_keep(struct race *race, struct race_kept *kept, const struct sync *sync, bool writes)
{
    const struct race_thread *me = &race->thread[running_thread(race)];
    kept->valid = writes || sync->clock != NULL;
    if (!kept->valid)
        return;
    vector_copy_new(race, &kept->clock, race->clock);
    kept->has_acquired = me->acquired != NULL;
    if (kept->has_acquired)
        vector_copy_new(race, &kept->acquired, me->acquired);
    kept->writes = writes;
    kept->sync = *sync;
    if (writes && sync->clock != NULL)
        vector_copy_new(race, &kept->sync_clock, sync->clock);
}

/* Undoes race_keep(). The thread keeps its own clock entry, which may have ticked since. */
void race_put_back(struct race *race, struct race_kept *kept, struct sync *sync)
{
    struct race_thread *me = &race->thread[running_thread(race)];
    if (!kept->valid)
        return;
    uint32_t own = race->clock[running_thread(race)];
    vector_copy(race, race->clock, kept->clock);
    race->clock[running_thread(race)] = own;
    if (me->acquired != NULL && kept->has_acquired)
        vector_copy(race, me->acquired, kept->acquired);
    else
        me->acquired = NULL;
    if (kept->writes) {
        *sync = kept->sync;
        if (sync->clock != NULL)
            vector_copy(race, sync->clock, kept->sync_clock);
    }
    kept->valid = false;
}

void race_fence(struct race *race, bool acquire, bool release)
{
    struct race_thread *me = &race->thread[running_thread(race)];
    if (acquire && me->acquired != NULL)
        vector_join(race, me->clock, me->acquired);
    if (release) {
        vector_copy_new(race, &me->released, me->clock);
        tick(race);
    }
}
