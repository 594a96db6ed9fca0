#include "runtime/engine/detectors.h"

#include "runtime/engine/attention.h"
#include "runtime/engine/debugger.h"
#include "runtime/engine/flight.h"
#include "runtime/engine/object.h"

static struct finding *report(enum detector_id by, enum finding_kind kind, const char *message,
                              uint64_t site, uint64_t other)
{
    /* Whether locks guard all that is shared matters to such a strategy, shown before or not. */
    if (kind == FINDING_LOCKSET)
        the_board->flight.undisciplined |= discipline_needed();
    return finding_add_by(by, kind, message, site, other);
}

static struct scene scene_now(void)
{
    return (struct scene){.trace = &rt.trace,
                          .thread = ex.current,
                          .report = report,
                          .take = execution_take,
                          .object_at = object_number};
}

static void *state_of(uint32_t detector)
{
    if (detectors[detector]->state_size == 0)
        return NULL;
    if (ex.detectors.states == NULL)
        ex.detectors.states = execution_take(DETECTORS * sizeof *ex.detectors.states);
    if (ex.detectors.states[detector] == NULL)
        ex.detectors.states[detector] = execution_take(detectors[detector]->state_size);
    return ex.detectors.states[detector];
}

void detectors_open(void)
{
    ex.detectors = (struct detector_sets){0};
    for (uint32_t i = 0; i < DETECTORS; i++) {
        const struct detector *each = detectors[i];
        /* A strategy that needs the discipline looks for itself (memory/discipline.c). */
        if (!detecting((enum detector_id)i) || (i == DETECT_LOCKSET && rt.options->lockset_warns))
            continue;
        ex.detectors.step |= (uint32_t)(each->on_step != NULL) << i;
        ex.detectors.end |= (uint32_t)(each->at_end != NULL) << i;
        if (each->on_access != NULL && each->sees == SEES_SHARED)
            ex.detectors.access |= 1u << i;
        if (each->on_access != NULL && each->sees == SEES_ENDED)
            ex.detectors.ended |= 1u << i;
    }
    if (ex.detectors.step != 0)
        ex.attention |= ATTENTION_STEPS;
}

#define EACH_OF(i, set)                                                                            \
    for (uint32_t rest = set, i; rest != 0 && (i = (uint32_t)__builtin_ctz(rest), true);           \
         rest &= rest - 1)

void attend_step(void)
{
    struct scene scene = scene_now();
    EACH_OF(i, ex.detectors.step)
    detectors[i]->on_step(state_of(i), &scene);
    if (ex.attention & ATTENTION_DEBUG)
        debug_step();
}

static void show(uint32_t set, const struct access *access)
{
    struct scene scene = scene_now();
    EACH_OF(i, set)
    detectors[i]->on_access(state_of(i), &scene, access);
}

void detectors_access(const volatile void *address, size_t size, bool writes, uintptr_t site)
{
    struct access access = {.address = address,
                            .size = size,
                            .site = site,
                            .writes = writes,
                            .held = ex.me->locks.held,
                            .held_count = ex.me->locks.held_count,
                            .held_known = LOCKS_HELD_MAX,
                            .owner = NO_THREAD};
    show(ex.detectors.access, &access);
}

bool detectors_ended(thread_id owner, const volatile void *address, size_t size, bool writes,
                     uintptr_t site)
{
    struct access access = {
        .address = address, .size = size, .site = site, .writes = writes, .owner = owner};
    if (ex.detectors.ended != 0)
        show(ex.detectors.ended, &access);
    return ex.detectors.ended != 0;
}

void detectors_end(void)
{
    struct scene scene = scene_now();
    EACH_OF(i, ex.detectors.end)
    detectors[i]->at_end(state_of(i), &scene);
}
