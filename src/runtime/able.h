/* Which threads can take a step, and with how many outcomes. */
#ifndef RUNTIME_ABLE_H
#define RUNTIME_ABLE_H

#include "runtime/memory/await.h"
#include "runtime/model/model.h"
#include "runtime/runtime.h"

/* Kinds of operation that may have to wait. */
enum waits { WAITS_NEVER, WAITS, WAITS_IF_AWAITING };
extern const uint8_t able_may_wait[OP_KINDS];
extern const bool able_counted[OP_KINDS]; /* their outcomes are as many as the moment allows */

struct able { /* who can run, and how many alternatives that makes */
    thread_set *enabled;
    uint32_t alternatives;
    uint32_t kept; /* nobody else can run: inside of an atomic section; no padding, it is copied */
};

bool able_need_not_wait(thread_id thread);
uint16_t able_count_choices(thread_id thread);
void able_leave_out(struct able *able); /* those who give way, and those whose time comes later */
struct able able_keep_atomic(struct able able);
void able_stop_yielding(thread_id stepping);

static inline bool able_is_timer(thread_id thread)
{
    return ex.pending[thread].kind == OP_TIMER_EXPIRE;
}

/* Most of these are about a mutex: they are answered here. */
static inline __attribute__((always_inline)) bool able_can_run(thread_id thread)
{
    struct execution *now = &ex;
    const struct op *op = &now->pending[thread];
    if (op->kind == OP_MUTEX_LOCK) {
        const pthread_mutex_t *mutex = now->threads[thread].mutex;
        return mutex->__data.__lock == 0 || mutex_can_lock(mutex, thread);
    }
    return !able_may_wait[op->kind] || able_need_not_wait(thread);
}

static inline __attribute__((always_inline)) uint32_t able_choices(thread_id thread)
{
    struct execution *now = &ex;
    struct op *op = &now->pending[thread];
    if (unlikely(able_counted[op->kind]))
        op->choices = able_count_choices(thread);
    return op->choices;
}

/* The first `words` of the sets are in use. */
static inline __attribute__((always_inline)) struct able able_find(thread_set *into, uint32_t words)
{
    struct execution *now = &ex;
    uint32_t alternatives = 0;
    for (uint32_t word = 0; word < words; word++) {
        uint64_t enabled = now->by_readiness[READY].word[word];
        alternatives += (uint32_t)__builtin_popcountl(enabled);
        for (uint64_t left = now->by_readiness[ASKED].word[word]; left != 0; left &= left - 1) {
            thread_id thread = (thread_id)(word * 64 + (uint32_t)__builtin_ctzl(left));
            uint32_t choices = able_choices(thread);
            if (!able_can_run(thread))
                continue;
            enabled |= left & -left;
            alternatives += choices;
        }
        into->word[word] = enabled;
    }
    for (uint32_t word = words; word < THREAD_WORDS; word++)
        into->word[word] = 0;
    if (unlikely(now->yielding_count > 0 || now->armed_count > 0)) {
        struct able able = {.enabled = into, .alternatives = alternatives};
        able_leave_out(&able);
        return able;
    }
    return (struct able){.enabled = into, .alternatives = alternatives};
}

static inline enum readiness able_readiness(const struct thread *who, struct op op)
{
    switch (able_may_wait[op.kind]) {
    case WAITS:
        if (op.kind == OP_JOIN)
            return ex.threads[op.second].state == THREAD_ENDED ? READY : ASLEEP;
        return ASKED;
    case WAITS_IF_AWAITING:
        if (who->await.turn != NOT_AWAITING)
            return ASKED;
    }
    return able_counted[op.kind] || op.choices != 1 ? ASKED : READY;
}

#endif
