#include "runtime/progress/round.h"

static bool is_failed(const struct step *step)
{
    return step->flags & STEP_FAILED;
}

struct contact {
    uint32_t object;
    bool sees, changes;
};

/* A wait for a signal gives back a mutex, and takes it when there was one, or when it is
 * late. */
static uint32_t contacts(const struct step *step, struct contact all[2])
{
    const struct op *op = &step->op;
    if (op->kind == OP_COND_WAIT) {
        all[0] = (struct contact){.object = op->second, .changes = true};
        return 1;
    }
    if (op->kind == OP_COND_WAKE) {
        all[0] = (struct contact){.object = op->object, .changes = true};
        all[1] = (struct contact){.object = op->second, .sees = true};
        return 2;
    }
    enum op_round role = op_traits(op->kind)->round;
    all[0] = (struct contact){
        .object = op->object,
        .sees = is_failed(step) || role == OP_ROUND_SEES || role == OP_ROUND_BOTH,
        .changes = !is_failed(step) && (role == OP_ROUND_CHANGES || role == OP_ROUND_BOTH)};
    return 1;
}

static bool changes(const struct step *step, uint32_t object)
{
    struct contact all[2];
    for (uint32_t i = contacts(step, all); i-- > 0;)
        if (all[i].object == object && all[i].changes)
            return true;
    return false;
}

bool round_fails_again(uint32_t from)
{
    const struct step *steps = rt.trace.steps;
    for (uint32_t i = from; i < rt.trace.count; i++)
        for (uint32_t k = from; is_failed(&steps[i]) && k < rt.trace.count; k++)
            if (changes(&steps[k], steps[i].op.object))
                return false;
    return true;
}

static bool has_outcomes(uint32_t from)
{
    for (uint32_t i = from; i < rt.trace.count; i++)
        if (rt.trace.steps[i].op.choices > 1)
            return true;
    return false;
}

bool round_sees_same(uint32_t from)
{
    const struct step *steps = rt.trace.steps;
    if (has_outcomes(from))
        return false;
    for (uint32_t i = from; i < rt.trace.count; i++) {
        struct contact all[2];
        for (uint32_t n = contacts(&steps[i], all); n-- > 0;)
            for (uint32_t k = from; all[n].sees && k < rt.trace.count; k++)
                if (steps[k].thread != steps[i].thread && changes(&steps[k], all[n].object))
                    return false;
    }
    return true;
}

bool round_takes_all(uint32_t from)
{
    thread_set able = {0}, took = {0};
    for (uint32_t i = from; i < rt.trace.count; i++) {
        const struct step *step = &rt.trace.steps[i];
        thread_set_add(&took, step->thread);
        THREADS_EACH(thread, &step->enabled)
        thread_set_add(&able, thread);
    }
    THREADS_EACH(thread, &able)
    if (!thread_set_has(&took, thread))
        return false;
    return true;
}

bool round_is_forced(uint32_t from)
{
    for (uint32_t i = from; i < rt.trace.count; i++)
        if (rt.trace.steps[i].alternatives > 1)
            return false;
    return true;
}

void round_let_others(uint32_t from)
{
    struct thread *me = ex.me;
    thread_set others = ex.live;
    for (uint32_t i = from; i < rt.trace.count; i++)
        thread_set_remove(&others, rt.trace.steps[i].thread);
    if (thread_set_is_empty(&others) || me->yielding)
        return;
    me->yielding = YIELDS_IN_LOOP;
    me->yields_to = others;
    ex.yielding_count++;
}
