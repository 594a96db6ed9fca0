/* Atomic accesses: C11's release sequences and fences, under sequential consistency (a load sees the last store).
 *
 * The clock that an object hands over is that of its last release store and of the read-modify-writes that follow it
 * (C11 5.1.2.4, C++20's release sequence: a later relaxed store of the same thread ends it). */
#include "oracle.h"

#include <string.h>

enum order { RELAXED, CONSUME, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST };

static bool acquires(int order)
{
    return order == CONSUME || order == ACQUIRE || order == ACQ_REL || order == SEQ_CST;
}

static bool releases(int order)
{
    return order == RELEASE || order == ACQ_REL || order == SEQ_CST;
}

static void loaded(const void *at, size_t size, int order, Site site)
{
    access_quietly(at, size, ATOMIC_READ, site);
    uint32_t *handed = cell_of((uintptr_t)at)->released;
    clock_join(acquires(order) ? self->clock : self->acquire_fence, handed);
}

static void stored(const void *at, size_t size, int order, bool update, Site site)
{
    access_quietly(at, size, ATOMIC_WRITE, site);
    uint32_t *handed = cell_of((uintptr_t)at)->released;
    const uint32_t *mine = releases(order) ? self->clock : self->release_fence;
    if (!update)
        memset(handed, 0, sizeof(Clock));
    clock_join(handed, mine);
    if (releases(order))
        self->clock[self->id]++;
}

static void updated(const void *at, size_t size, int order, Site site)
{
    access_quietly(at, size, ATOMIC_WRITE, site);
    uint32_t *handed = cell_of((uintptr_t)at)->released;
    clock_join(acquires(order) ? self->clock : self->acquire_fence, handed);
    clock_join(handed, releases(order) ? self->clock : self->release_fence);
    if (releases(order))
        self->clock[self->id]++;
}

static void before(const void *at, const char *name, Site site)
{
    announce((struct operation){.name = name, .object = (void *)at, .site = site});
}

#define UPDATE(bits, type, name, expression)                                       \
    type __tsan_atomic##bits##_##name(volatile type *at, type value, int order)    \
    {                                                                              \
        before((const void *)at, #name, HERE);                                     \
        updated((const void *)at, sizeof *at, order, HERE);                        \
        type old = *at;                                                            \
        *at = expression;                                                          \
        return old;                                                                \
    }

#define COMPARE(bits, type, name)                                                                           \
    int __tsan_atomic##bits##_compare_exchange_##name(volatile type *at, type *expected, type value,        \
                                                      int order, int failure)                               \
    {                                                                                                       \
        return compare##bits(at, expected, value, order, failure, HERE);                                    \
    }

#define ATOMIC(bits, type)                                                                                  \
    type __tsan_atomic##bits##_load(const volatile type *at, int order)                                     \
    {                                                                                                       \
        before((const void *)at, "load", HERE);                                                             \
        loaded((const void *)at, sizeof *at, order, HERE);                                                  \
        return *at;                                                                                         \
    }                                                                                                       \
    void __tsan_atomic##bits##_store(volatile type *at, type value, int order)                              \
    {                                                                                                       \
        before((const void *)at, "store", HERE);                                                            \
        stored((const void *)at, sizeof *at, order, false, HERE);                                           \
        *at = value;                                                                                        \
    }                                                                                                       \
    static int compare##bits(volatile type *at, type *expected, type value, int order, int failure,         \
                             Site site)                                                                     \
    {                                                                                                       \
        before((const void *)at, "compare", site);                                                          \
        if (*at == *expected) {                                                                             \
            updated((const void *)at, sizeof *at, order, site);                                             \
            *at = value;                                                                                    \
            return 1;                                                                                       \
        }                                                                                                   \
        loaded((const void *)at, sizeof *at, failure, site);                                                \
        *expected = *at;                                                                                    \
        return 0;                                                                                           \
    }                                                                                                       \
    COMPARE(bits, type, strong)                                                                             \
    COMPARE(bits, type, weak)                                                                               \
    type __tsan_atomic##bits##_compare_exchange_val(volatile type *at, type expected, type value,           \
                                                    int order, int failure)                                 \
    {                                                                                                       \
        compare##bits(at, &expected, value, order, failure, HERE);                                          \
        return expected;                                                                                    \
    }                                                                                                       \
    UPDATE(bits, type, exchange, value)                                                                     \
    UPDATE(bits, type, fetch_add, (type)(old + value))                                                      \
    UPDATE(bits, type, fetch_sub, (type)(old - value))                                                      \
    UPDATE(bits, type, fetch_and, (type)(old & value))                                                      \
    UPDATE(bits, type, fetch_or, (type)(old | value))                                                       \
    UPDATE(bits, type, fetch_xor, (type)(old ^ value))                                                      \
    UPDATE(bits, type, fetch_nand, (type)~(old & value))

ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)

/* Under sequential consistency a fence is no step; it only moves clocks. */
void __tsan_atomic_thread_fence(int order)
{
    if (acquires(order))
        clock_join(self->clock, self->acquire_fence);
    if (releases(order)) {
        memcpy(self->release_fence, self->clock, sizeof self->clock);
        self->clock[self->id]++;
    }
}

void __tsan_atomic_signal_fence(int order)
{
    (void)order;
}
