/* compile: LOCAL_HERE */
/* Atomic accesses: each is a step. Only one thread runs at a time and it is switched only when it
 * announces, so plain C is atomic here. Without a board the real instructions are used. */
#include "base/mix.h"
#include "runtime/engine/attention.h"
#include "runtime/engine/object.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/symmetry.h"
#include "runtime/engine/upper.h"
#include "runtime/memory/bare.h"
#include "runtime/memory/memory.h"
#include "runtime/memory/witness.h"

/* With -fsanitize=undefined gcc declares the __tsan_* names itself, with coarser types. */
#pragma GCC diagnostic ignored "-Wbuiltin-declaration-mismatch"

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef unsigned __int128 u128;

static bool acquires(int order)
{
    return order == __ATOMIC_CONSUME || order == __ATOMIC_ACQUIRE || order == __ATOMIC_ACQ_REL ||
           order == __ATOMIC_SEQ_CST;
}

static bool releases(int order)
{
    return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

/* A value as struct op tells it. */
static uint32_t word_of(u64 value)
{
    return (uint32_t)(value * 0x9e3779b97f4a7c15 >> 32) | 1;
}

uint32_t atomic_word(const volatile void *address, size_t size)
{
    u64 value = 0;
    __builtin_memcpy(&value, (const void *)address, size < sizeof value ? size : sizeof value);
    return word_of(value);
}

/* changes: whatever is there, it will be another value then, so that nobody waits here. second:
 * what decides whether it changes something, if it is not 0. */
static uint32_t before(enum op_kind kind, const volatile void *address, size_t size, bool changes,
                       uint32_t second, u64 operand, const struct local *local)
{
    uint32_t object = object_number(address);
    if (unlikely(rt.attention != 0))
        watch_call(local);
    if (changes || size > 8)
        ex.me->await.turn = NOT_AWAITING;
    else
        await_before(address, (uint32_t)size, object, operand, local);
    announce((struct op){.kind = (uint8_t)kind,
                         .choices = 1,
                         .object = object,
                         .size = (uint8_t)size,
                         .second = second,
                         .site = local->site});
    if (unlikely(is_on_some_stack(address)) && !in_local_state(address))
        stack_used(address, size, kind != OP_ATOMIC_LOAD, local->site);
    if (unlikely(rt.notes))
        step_before(atomic_word(address, size));
    return object;
}

/* changes: an update that stores what was there already (a test-and-set of a lock that is taken)
 * is a write, but no thread that waits for another value can go on. */
static void after(uint32_t object, const volatile void *address, size_t size, bool reads,
                  bool writes, bool changes, int order, const struct local *local)
{
    struct object_state *state = ex.me->object;
    if (!changes && size <= 8) {
        await_after_read();
        if (unlikely(rt.notes) || writes)
            await_keep_object(state, writes);
    }
    address = (const volatile void *)alias_name(address);
    if (unlikely(rt.options->detail))
        witness_note(address, size, writes, local->site);
    if (unlikely(states_are_compared()))
        state_atomic(address, size, writes);
    if (rt.race_check) {
        struct cell *cells = likely(!is_ignoring(ex.me)) ? shadow_of(address) : NULL;
        if (unlikely(rt.memory.fault_memory) && memory_is_hidden(local->site))
            cells = NULL;
        race_atomic(&ex.race, &state->sync, cells, (const void *)address, (uint8_t)size,
                    (struct race_atomic){.reads = reads,
                                         .writes = writes,
                                         .acquire = reads && acquires(order),
                                         .release = writes && releases(order)},
                    local->site);
    }
    touch_memory((const void *)address, size, object,
                 changes  ? OP_ACCESS_WRITE
                 : writes ? OP_ACCESS_REWRITE
                          : OP_ACCESS_READ);
}

static void note_value(u64 low, u64 high)
{
    symmetry_stores(low);
    if (states_are_compared()) {
        state_operand(low);
        state_operand(high);
    }
}

/* Without a board: the instruction, again until nobody came in between. */
#define BARE_UPDATE(type, address, old, new)                                                       \
    do {                                                                                           \
        type old = 0, desired = (new);                                                             \
        while (!bare_exchange_if(address, &old, &desired, sizeof(type)))                           \
            desired = (new);                                                                       \
        return old;                                                                                \
    } while (0)

/* Notes the stored value, for comparing threads (symmetry.h). */
#define NOTE_VALUE(stored)                                                                         \
    if (unlikely(rt.attention != 0))                                                               \
    note_value((u64)(stored), (u64)((u128)(stored) >> 64))

#define UPDATE(bits, type, name, result, always)                                                   \
    EXPORT type __tsan_atomic##bits##_##name(volatile type *address, type value, int order)        \
    {                                                                                              \
        if (unlikely(!running()))                                                                  \
            BARE_UPDATE(type, address, old, result);                                               \
        LOCAL_HERE(local);                                                                         \
        NOTE_VALUE(value);                                                                         \
        uint32_t object =                                                                          \
            before(OP_ATOMIC_UPDATE, address, sizeof(type), always, 0, (u64)value, &local);        \
        type old = *address;                                                                       \
        type new = (result);                                                                       \
        *address = new;                                                                            \
        if (new == old)                                                                            \
            step_failed();                                                                         \
        after(object, address, sizeof(type), true, true, new != old, order, &local);               \
        return old;                                                                                \
    }

#define COMPARE(bits, type, name)                                                                  \
    EXPORT int __tsan_atomic##bits##_compare_exchange_##name(                                      \
        volatile type *address, type *expected, type desired, int order, int fail_order)           \
    {                                                                                              \
        LOCAL_HERE(local);                                                                         \
        type seen = compare_##bits(address, *expected, desired, order, fail_order, &local);        \
        if (seen == *expected)                                                                     \
            return 1;                                                                              \
        *expected = seen;                                                                          \
        if (running() && !in_local_state(expected))                                                \
            await_wrote(&ex.me->await); /* it wrote, so it does not merely wait */                 \
        return 0;                                                                                  \
    }

#define ATOMICS(bits, type)                                                                        \
    EXPORT type __tsan_atomic##bits##_load(const volatile type *address, int order)                \
    {                                                                                              \
        if (unlikely(!running())) {                                                                \
            if (sizeof(type) <= 8)                                                                 \
                return *address;                                                                   \
            type seen = 0, same = 0;                                                               \
            bare_exchange_if((volatile type *)address, &seen, &same, sizeof(type));                \
            return seen;                                                                           \
        }                                                                                          \
        LOCAL_HERE(local);                                                                         \
        uint32_t object = before(OP_ATOMIC_LOAD, address, sizeof(type), false, 0, 0, &local);      \
        type value = *address;                                                                     \
        after(object, address, sizeof(type), true, false, false, order, &local);                   \
        return value;                                                                              \
    }                                                                                              \
    static type exchange_##bits(volatile type *address, type value)                                \
    {                                                                                              \
        BARE_UPDATE(type, address, old, value);                                                    \
    }                                                                                              \
    EXPORT void __tsan_atomic##bits##_store(volatile type *address, type value, int order)         \
    {                                                                                              \
        if (unlikely(!running())) {                                                                \
            exchange_##bits(address, value);                                                       \
            return;                                                                                \
        }                                                                                          \
        LOCAL_HERE(local);                                                                         \
        NOTE_VALUE(value);                                                                         \
        uint32_t object = before(OP_ATOMIC_STORE, address, sizeof(type), true, 0, 0, &local);      \
        *address = value;                                                                          \
        after(object, address, sizeof(type), false, true, true, order, &local);                    \
    }                                                                                              \
    UPDATE(bits, type, exchange, value, false)                                                     \
    UPDATE(bits, type, fetch_add, (type)(old + value), value != 0)                                 \
    UPDATE(bits, type, fetch_sub, (type)(old - value), value != 0)                                 \
    UPDATE(bits, type, fetch_and, (type)(old & value), false)                                      \
    UPDATE(bits, type, fetch_or, (type)(old | value), false)                                       \
    UPDATE(bits, type, fetch_xor, (type)(old ^ value), value != 0)                                 \
    UPDATE(bits, type, fetch_nand, (type) ~(old & value), false)                                   \
    static type compare_##bits(volatile type *address, type expected, type desired, int order,     \
                               int fail_order, const struct local *local)                          \
    {                                                                                              \
        if (unlikely(!running())) {                                                                \
            bare_exchange_if(address, &expected, &desired, sizeof(type));                          \
            return expected;                                                                       \
        }                                                                                          \
        NOTE_VALUE(desired);                                                                       \
        if (unlikely(states_are_compared()))                                                       \
            note_value((u64)(expected), (u64)((u128)(expected) >> 64));                            \
        uint32_t object = before(OP_ATOMIC_COMPARE, address, sizeof(type), false,                  \
                                 word_of((u64)expected), mix((u64)expected, (u64)desired), local); \
        type seen = *address;                                                                      \
        bool same = seen == expected;                                                              \
        if (same)                                                                                  \
            *address = desired;                                                                    \
        else                                                                                       \
            step_failed();                                                                         \
        after(object, address, sizeof(type), true, same, same, same ? order : fail_order, local);  \
        return seen;                                                                               \
    }                                                                                              \
    COMPARE(bits, type, strong)                                                                    \
    COMPARE(bits, type, weak)                                                                      \
    EXPORT type __tsan_atomic##bits##_compare_exchange_val(                                        \
        volatile type *address, type expected, type desired, int order, int fail_order)            \
    {                                                                                              \
        LOCAL_HERE(local);                                                                         \
        return compare_##bits(address, expected, desired, order, fail_order, &local);              \
    }

ATOMICS(8, u8)
ATOMICS(16, u16)
ATOMICS(32, u32)
ATOMICS(64, u64)
ATOMICS(128, u128)

EXPORT void __tsan_atomic_thread_fence(int order)
{
    if (running() && rt.race_check)
        race_fence(&ex.race, acquires(order), releases(order));
    else
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

EXPORT void __tsan_atomic_signal_fence(int order) {}
