/* Which threads can take a step, and with how many outcomes. */
#ifndef RUNTIME_ENGINE_ABLE_H
#define RUNTIME_ENGINE_ABLE_H

#include <pthread.h>

#include "runtime/engine/runtime.h"
#include "runtime/engine/upper.h"

struct able { /* the enabled threads, and how many alternatives that makes */
    thread_set *enabled;
    uint32_t alternatives;
    uint32_t kept; /* nobody else can run: inside of an atomic section; no padding, it is copied */
};

bool able_need_not_wait(thread_id thread);
/* The enabled threads among ASKED, of one word of the set, and their outcomes. */
struct able_asked {
    uint64_t enabled, alternatives;
};
struct able_asked able_ask(uint32_t word);
uint16_t able_count_choices(thread_id thread);
void able_leave_out(struct able *able); /* those who give way, and those whose time comes later */
struct able able_keep_atomic(struct able able);
void able_stop_yielding(thread_id stepping);

static inline bool able_is_timer(thread_id thread)
{
    return ex.pending[thread].kind == OP_TIMER_EXPIRE;
}

/* Events are carried out on the stack of another thread. */
static inline bool able_is_event(thread_id thread)
{
    return able_is_timer(thread) || ex.pending[thread].kind == OP_PROCESS_END;
}

/* A join need not wait for the end of a thread that was detached: it fails. */
static inline bool thread_can_be_joined(thread_id thread)
{
    return ex.threads[thread].state == THREAD_ENDED || ex.threads[thread].sync.detached;
}

static inline bool able_can_run(thread_id thread)
{
    return (op_traits(ex.pending[thread].kind)->waits == OP_WAITS_NEVER ||
            able_need_not_wait(thread)) &&
           !ex.threads[thread].vain;
}

/* Nobody is left out so far. The first `words` of the sets are in use. */
static inline __attribute__((always_inline)) struct able able_find(thread_set *into, uint32_t words)
{
    struct execution *now = &ex;
    uint32_t alternatives = 0;
    for (uint32_t word = 0; word < words; word++) {
        uint64_t enabled = now->by_readiness[READY].word[word];
        for (uint64_t left = now->by_readiness[LOCKING].word[word]; left != 0; left &= left - 1) {
            thread_id thread = (thread_id)(word * 64 + (uint32_t)__builtin_ctzl(left));
            const pthread_mutex_t *mutex = now->threads[thread].mutex;
            uint64_t can = mutex->__data.__lock == 0;
            if (unlikely(mutex->__data.__kind != PTHREAD_MUTEX_NORMAL))
                can = mutex_can_lock(mutex, thread);
            enabled |= can << thread % 64;
        }
        alternatives += (uint32_t)__builtin_popcountl(enabled);
        if (now->by_readiness[ASKED].word[word] != 0) {
            struct able_asked asked = able_ask(word);
            enabled |= asked.enabled;
            alternatives += (uint32_t)asked.alternatives;
        }
        into->word[word] = enabled;
    }
    for (uint32_t word = words; word < THREAD_WORDS; word++)
        into->word[word] = 0;
    return (struct able){.enabled = into, .alternatives = alternatives};
}

static inline __attribute__((always_inline)) enum readiness able_readiness(const struct thread *who,
                                                                           struct op op)
{
    const struct op_traits *traits = &op_table[op.kind];
    enum op_waits waits = traits->waits;
    if (unlikely(who->vain))
        return ASLEEP;
    if (waits == OP_WAITS_MUTEX)
        return LOCKING;
    if (waits == OP_WAITS_NEVER)
        return unlikely(op.choices != 1) || unlikely(traits->counted) ? ASKED : READY;
    if (waits == OP_WAITS_AWAITING && likely(who->await.turn == NOT_AWAITING))
        return unlikely(op.choices != 1) || unlikely(traits->counted) ? ASKED : READY;
    if (waits == OP_WAITS_THREAD)
        return thread_can_be_joined((thread_id)op.second) ? READY : ASLEEP;
    return waits == OP_WAITS_EXIT && !rt.options->exit_waits ? READY : ASKED;
}

bool thread_is_waiting(thread_id thread); /* its operation would have to wait, or time out */

#endif
