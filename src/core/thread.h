/* Threads of the tested program, numbered in order of creation, and sets of threads. */
#ifndef CORE_THREAD_H
#define CORE_THREAD_H

#include <stdbool.h>
#include <stdint.h>

enum { THREADS_MAX = 256, THREAD_WORDS = THREADS_MAX / 64 };

typedef uint16_t thread_id;
enum { NO_THREAD = 0xffff };

typedef struct {
    uint64_t word[THREAD_WORDS];
} thread_set;

static inline void thread_set_add(thread_set *set, thread_id thread)
{
    set->word[thread / 64] |= 1ul << thread % 64;
}

static inline void thread_set_remove(thread_set *set, thread_id thread)
{
    set->word[thread / 64] &= ~(1ul << thread % 64);
}

static inline bool thread_set_has(const thread_set *set, thread_id thread)
{
    return thread < THREADS_MAX && (set->word[thread / 64] >> thread % 64 & 1);
}

static inline bool thread_set_is_empty(const thread_set *set)
{
    return (set->word[0] | set->word[1] | set->word[2] | set->word[3]) == 0;
}

static inline uint32_t thread_set_count(const thread_set *set)
{
    uint32_t count = 0;
    for (int i = 0; i < THREAD_WORDS; i++)
        count += (uint32_t)__builtin_popcountl(set->word[i]);
    return count;
}

static inline bool thread_set_meets(const thread_set *a, const thread_set *b)
{
    uint64_t both = 0;
    for (int i = 0; i < THREAD_WORDS; i++)
        both |= a->word[i] & b->word[i];
    return both != 0;
}

static inline bool thread_set_equal(const thread_set *a, const thread_set *b)
{
    uint64_t differs = 0;
    for (int i = 0; i < THREAD_WORDS; i++)
        differs |= a->word[i] ^ b->word[i];
    return differs == 0;
}

/* The first member that is not below `from`; NO_THREAD if there is none. */
static inline thread_id thread_set_next(const thread_set *set, uint32_t from)
{
    if (from >= THREADS_MAX)
        return NO_THREAD;
    uint32_t i = from / 64;
    uint64_t word = set->word[i] & ~0ul << from % 64;
    while (word == 0) {
        if (++i == THREAD_WORDS)
            return NO_THREAD;
        word = set->word[i];
    }
    return (thread_id)(i * 64 + (uint32_t)__builtin_ctzl(word));
}

/* The next member in round-robin order: from `from` upwards, then from 0. */
static inline thread_id thread_set_next_around(const thread_set *set, uint32_t from)
{
    thread_id next = thread_set_next(set, from);
    return next != NO_THREAD ? next : thread_set_next(set, 0);
}

#define THREADS_EACH(thread, set)                                                                  \
    for (thread_id thread = thread_set_next(set, 0); thread != NO_THREAD;                          \
         thread = thread_set_next(set, thread + 1u))

#endif
