/* compile: LOCAL_HERE -O2 -fomit-frame-pointer */
/* Plain accesses: the __tsan_* entry points of both compilers. Registers that a call preserves stay
 * untouched here, so that the local state of the program can be read off them (local.h). */
#include "runtime/engine/alias.h"
#include "runtime/engine/attention.h"
#include "runtime/engine/fiber.h"
#include "runtime/engine/flight.h"
#include "runtime/engine/guard.h"
#include "runtime/engine/local_state.h"
#include "runtime/engine/object.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/trusted_code.h"
#include "runtime/engine/upper.h"
#include "runtime/heap/heap.h"
#include "runtime/memory/discipline.h"
#include "runtime/memory/memory.h"
#include "runtime/memory/shared_state.h"
#include "runtime/memory/witness.h"

/* With -fsanitize=undefined gcc declares the __tsan_* names itself, with coarser types. */
#pragma GCC diagnostic ignored "-Wbuiltin-declaration-mismatch"

enum {
    ACCESSES_OF_CALL = 16, /* so many take as long as one that a call makes */
    ALL_BYTES = (1 << GRANULE) - 1
};

static void wild_write(const volatile void *address, uintptr_t site)
{
    struct finding *finding =
        finding_add(FINDING_CRASH, "a write to memory that is not the program's", site, 0);
    if (finding != NULL)
        finding->address = (uint64_t)address;
    memory_fail(site);
}

static RETURNS_BY_JUMP void step(const volatile void *address, size_t size, bool writes,
                                 const struct local *local)
{
    uint32_t object = object_number(address);
    if (unlikely(rt.progress.spin.due))
        patience_is_due(local->site);
    watch_call(local);
    if (!writes && size <= 8)
        await_before(address, (uint32_t)size, object, 0, local);
    announce((struct op){.kind = writes ? OP_WRITE : OP_READ,
                         .choices = 1,
                         .object = object,
                         .size = (uint8_t)(size < OP_SIZE_MAX ? size : OP_SIZE_MAX),
                         .site = local->site});
    if (!writes && size <= 8)
        await_after_read();
    touch_memory((const void *)address, size, object, writes ? OP_ACCESS_WRITE : OP_ACCESS_READ);
    NOT_LAST_CALL();
}

/* Between bohr_ignore_begin and _end only loops that wait for a value must know of it. */
static void ignored(const volatile void *address, bool writes)
{
    if (writes && !on_own_stack(address))
        await_wrote(&ex.me->await);
}

/* Whether that is all there is to do. */
static bool is_unusual(const volatile void *address, size_t size, bool writes, uintptr_t site)
{
    if (is_ignoring(ex.me)) {
        ignored(address, writes);
        return true;
    }
    if (discipline_wanted() && !shared_state_is_about((const void *)address))
        discipline_note((const void *)alias_name(address), size, writes, site);
    return false;
}

/* Once the access is under way: what is only announced has not raced yet. */
static void remember(const volatile void *address, size_t size, bool writes, uintptr_t site)
{
    if (rt.options->detail)
        witness_note((const void *)alias_name(address), size, writes, site);
}

static inline __attribute__((always_inline)) bool is_point(const volatile void *address,
                                                           uintptr_t site)
{
    if (likely(!rt.plain_points))
        return false;
    if ((rt.points == POINTS_ALL || unlikely(rt.progress.spin.due)) && !on_own_stack(address))
        return true;
    return site_is_promoted(site);
}

static __attribute__((noinline)) void check_range(const char *address, size_t size, bool writes,
                                                  uintptr_t site)
{
    const char *at = address;
    if (heap_is_near(address) && detecting(DETECT_HEAP))
        heap_look(address, size, writes, site);
    for (size_t left = size; left > 0;) {
        size_t offset = (uintptr_t)at % GRANULE;
        size_t part = GRANULE - offset < left ? GRANULE - offset : left;
        uint8_t mask = (uint8_t)(((1u << part) - 1) << offset);
        race_plain(&ex.race, shadow_of(at), address, mask,
                   (uint8_t)(size < RACE_SIZE_MAX ? size : RACE_SIZE_MAX), writes, site);
        at += part;
        left -= part;
    }
}

static inline __attribute__((always_inline)) void check(const volatile void *address, size_t size,
                                                        bool writes, uintptr_t site)
{
    const char *at = (const char *)address;
    struct race *race = &ex.race;
    size_t offset = (uintptr_t)at % GRANULE;
    if (size <= GRANULE && offset + size <= GRANULE) {
        uint8_t mask = (uint8_t)(((1u << size) - 1) << offset);
        race_plain(race, shadow_of(at), at, mask, (uint8_t)size, writes, site);
    } else if (size == 2 * GRANULE && likely(offset == 0)) {
        struct cell *cells = shadow_of(at);
        race_plain(race, cells, at, ALL_BYTES, (uint8_t)size, writes, site);
        race_plain(race, cells + 1, at, ALL_BYTES, (uint8_t)size, writes, site);
    } else {
        check_range(at, size, writes, site);
    }
}

/* Memory at several addresses: each granule under its name, as a range may end in another one. */
static __attribute__((noinline)) void check_names(const volatile void *address, size_t size,
                                                  bool writes, uintptr_t site)
{
    const char *at = (const char *)address, *end = at + size;
    while (at < end) {
        size_t part = GRANULE - (uintptr_t)at % GRANULE;
        part = part < (size_t)(end - at) ? part : (size_t)(end - at);
        check((const void *)alias_name(at), part, writes, site);
        at += part;
    }
}

/* No step, nobody looks closer, and only the race detector wants to know of it. */
static inline __attribute__((always_inline)) bool only_races(const volatile void *address,
                                                             size_t size, bool writes)
{
    struct runtime *run = &rt;
    uintptr_t at = (uintptr_t)address, offset = at % GRANULE;
    if (size > 2 * GRANULE || !running_quickly(run) || run->progress.patience == 1)
        return false;
    if (size < GRANULE ? offset + size > GRANULE : offset != 0)
        return false;
    return !is_on_some_stack(address) && !(writes && plan_is_ours(at));
}

/* The usual case is tested first: the last access to this was by this
 * thread, in the same epoch. */
static inline __attribute__((always_inline)) bool is_quick(const volatile void *address,
                                                           size_t size, bool writes, uintptr_t site)
{
    if (unlikely(!controlled) || unlikely(!only_races(address, size, writes)))
        return false;
    struct race *race = &ex.race;
    struct cell *cell = shadow_of(address);
    uint8_t mask =
        size < GRANULE ? (uint8_t)(((1u << size) - 1) << (uintptr_t)address % GRANULE) : ALL_BYTES;
    if (!race_again(race, cell, mask, (uint8_t)size, writes, site) ||
        (size == 2 * GRANULE && !race_again(race, cell + 1, mask, (uint8_t)size, writes, site)))
        return false;
    rt.progress.patience--;
    if (writes)
        await_wrote(&ex.me->await);
    return true;
}

/* For tests: plain reads or plain writes are hidden from the race detector. */
static bool is_broken(bool writes)
{
    return rt.options->fault == (writes ? OP_WRITE : OP_READ);
}

/* For tests: the access belongs to the call whose operation the last step was. */
bool memory_is_hidden(uintptr_t site)
{
    return step_is_broken(OP_FAULT_MEMORY) && rt.trace.steps[rt.trace.count - 1].op.site == site;
}

/* Everything else; macros because they look at their caller's caller. */
#define ACCESS_ONLY_RACES(address, size, writes)                                                   \
    do {                                                                                           \
        rt.progress.patience--;                                                                    \
        if (writes)                                                                                \
            await_wrote(&ex.me->await);                                                            \
        check(address, size, writes, CALL_SITE);                                                   \
    } while (0)

#define ACCESS_SLOWLY(address, size, writes, may_step)                                             \
    do {                                                                                           \
        struct runtime *run = &rt;                                                                 \
        if (unlikely(!run->running))                                                               \
            return;                                                                                \
        struct thread *me = ex.me;                                                                 \
        uintptr_t site = CALL_SITE;                                                                \
        if ((writes) && unlikely(plan_is_ours((uintptr_t)(address))))                              \
            wild_write(address, site);                                                             \
        if (unlikely(me->ignore_depth > 0) && is_unusual(address, size, writes, site))             \
            return;                                                                                \
        if ((may_step) && unlikely(is_point(address, site))) {                                     \
            LOCAL_HERE(local);                                                                     \
            step(address, size, writes, &local);                                                   \
        } else if (unlikely(--run->progress.patience == 0)) {                                      \
            LOCAL_HERE(local);                                                                     \
            patience_lost(address, writes, &local);                                                \
        }                                                                                          \
        if (unlikely(is_on_some_stack(address)) && !in_local_state(address))                       \
            stack_look(address, size, writes, site);                                               \
        if ((writes) && !in_local_state(address))                                                  \
            await_wrote(&me->await);                                                               \
        if (unlikely(states_are_compared()) && !in_local_state(address))                           \
            state_access((const void *)alias_name(address), size, writes);                         \
        if (unlikely(me->ignore_depth > 0))                                                        \
            remember(address, size, writes, site);                                                 \
        bool checked =                                                                             \
            run->race_check && !(unlikely(run->memory.fault_memory) && is_broken(writes));         \
        if (unlikely(ex.aliases != NULL) && checked)                                               \
            check_names(address, size, writes, site);                                              \
        else if (likely(checked))                                                                  \
            check(address, size, writes, site);                                                    \
    } while (0)

#define ACCESS(address, size, writes)                                                              \
    do {                                                                                           \
        if (unlikely(!controlled))                                                                 \
            return;                                                                                \
        if (likely(only_races(address, size, writes)))                                             \
            ACCESS_ONLY_RACES(address, size, writes);                                              \
        else                                                                                       \
            ACCESS_SLOWLY(address, size, writes, true);                                            \
    } while (0)

/* Slow paths, which are jumped to, never called: so they see the registers, the stack and the
 * return address that the entry point has seen, which needs no frame of its own. Those that may
 * switch are apart, since they alone cannot return as usual. */
#define ACCESS_CAREFULLY(address, size, writes, with_step)                                         \
    do {                                                                                           \
        if (unlikely(!controlled))                                                                 \
            return;                                                                                \
        if (likely(only_races(address, size, writes)))                                             \
            ACCESS_ONLY_RACES(address, size, writes);                                              \
        else if (unlikely(is_point(address, CALL_SITE)))                                           \
            with_step(address);                                                                    \
        else                                                                                       \
            ACCESS_SLOWLY(address, size, writes, false);                                           \
    } while (0)

#define CAREFULLY(size)                                                                            \
    static __attribute__((noinline)) RETURNS_BY_JUMP void read_as_step_##size(void *address)       \
    {                                                                                              \
        ACCESS_SLOWLY(address, size, false, true);                                                 \
    }                                                                                              \
    static __attribute__((noinline)) RETURNS_BY_JUMP void write_as_step_##size(void *address)      \
    {                                                                                              \
        ACCESS_SLOWLY(address, size, true, true);                                                  \
    }                                                                                              \
    static __attribute__((noinline)) void read_carefully_##size(void *address)                     \
    {                                                                                              \
        ACCESS_CAREFULLY(address, size, false, read_as_step_##size);                               \
    }                                                                                              \
    static __attribute__((noinline)) void write_carefully_##size(void *address)                    \
    {                                                                                              \
        ACCESS_CAREFULLY(address, size, true, write_as_step_##size);                               \
    }                                                                                              \
    static __attribute__((noinline)) RETURNS_BY_JUMP void both_carefully_##size(void *address)     \
    {                                                                                              \
        ACCESS(address, size, false);                                                              \
        ACCESS(address, size, true);                                                               \
    }

#define READ(name, size)                                                                           \
    EXPORT void name(void *address)                                                                \
    {                                                                                              \
        if (unlikely(!is_quick(address, size, false, CALL_SITE)))                                  \
            read_carefully_##size(address);                                                        \
    }

#define WRITE(name, size)                                                                          \
    EXPORT void name(void *address)                                                                \
    {                                                                                              \
        if (unlikely(!is_quick(address, size, true, CALL_SITE)))                                   \
            write_carefully_##size(address);                                                       \
    }

#define ENTRIES(size)                                                                              \
    CAREFULLY(size)                                                                                \
    READ(__tsan_read##size, size)                                                                  \
    WRITE(__tsan_write##size, size)                                                                \
    READ(__tsan_unaligned_read##size, size)                                                        \
    WRITE(__tsan_unaligned_write##size, size)                                                      \
    READ(__tsan_volatile_read##size, size)                                                         \
    WRITE(__tsan_volatile_write##size, size)                                                       \
    READ(__tsan_unaligned_volatile_read##size, size)                                               \
    WRITE(__tsan_unaligned_volatile_write##size, size)

ENTRIES(1)
ENTRIES(2)
ENTRIES(4)
ENTRIES(8)
ENTRIES(16)

/* A read that a write of the same location follows: the write says all that a race needs, but the
 * value may change in between, so both may be steps. */
#define READ_WRITE(name, size)                                                                     \
    EXPORT void name(void *address)                                                                \
    {                                                                                              \
        if (unlikely(!is_quick(address, size, false, CALL_SITE)))                                  \
            both_carefully_##size(address);                                                        \
        else if (unlikely(!is_quick(address, size, true, CALL_SITE)))                              \
            write_carefully_##size(address);                                                       \
    }

#define BOTH(size)                                                                                 \
    READ_WRITE(__tsan_read_write##size, size)                                                      \
    READ_WRITE(__tsan_unaligned_read_write##size, size)

BOTH(1)
BOTH(2)
BOTH(4)
BOTH(8)
BOTH(16)

EXPORT void __tsan_read_range(void *address, size_t size)
{
    ACCESS(address, size, false);
}

EXPORT void __tsan_write_range(void *address, size_t size)
{
    ACCESS(address, size, true);
}

EXPORT void __tsan_vptr_update(void **address, void *value)
{
    if (*address != value)
        ACCESS(address, sizeof(void *), true);
}

EXPORT void __tsan_vptr_read(void **address)
{
    ACCESS(address, sizeof(void *), false);
}

/* An access that a call makes. */
static inline __attribute__((always_inline)) void spend_patience(const volatile void *address,
                                                                 bool writes, uintptr_t site)
{
    if (likely(rt.progress.patience > ACCESSES_OF_CALL)) {
        rt.progress.patience -= ACCESSES_OF_CALL;
        return;
    }
    LOCAL_HERE(local);
    local.site = site;
    patience_lost(address, writes, &local);
}

static void access_at(const volatile void *address, size_t size, bool writes, bool is_step,
                      uintptr_t site)
{
    if (unlikely(ex.me->ignore_depth > 0) && is_unusual(address, size, writes, site))
        return;
    if (is_step) {
        LOCAL_HERE(local);
        local.site = site;
        step(address, size, writes, &local);
    }
    if (is_on_some_stack(address))
        stack_look(address, size, writes, site);
    if (writes && !on_own_stack(address)) /* which is part of the local state */
        await_wrote(&ex.me->await);
    ex.memory.copies = true;
    if (states_are_compared())
        state_access((const void *)alias_name(address), size, writes);
    remember(address, size, writes, site);
    if (rt.race_check && ex.aliases != NULL)
        check_names(address, size, writes, site);
    else if (rt.race_check)
        check(address, size, writes, site);
    ex.memory.copies = false;
}

void memory_access(const volatile void *address, size_t size, bool writes, uintptr_t site)
{
    bool is_step = is_point(address, site);
    if (unlikely(rt.memory.fault_memory) && memory_is_hidden(site))
        return;
    if (!is_step)
        spend_patience(address, writes, site);
    access_at(address, size, writes, is_step, site);
}

void memory_read_before(enum op_kind kind, const void *address, size_t size, uintptr_t site)
{
    if (likely(!rt.memory.fault_memory) || rt.options->fault != kind)
        memory_access(address, size, false, site);
}

/* The call is a step already, and does its work there. */
static bool belongs_to_step(const void *address, size_t size, bool writes, uintptr_t site)
{
    if (likely(ex.memory.shared_step == 0) || is_ignoring(ex.me) || !shared_state_is_step(site))
        return false;
    touch_also(address, size, writes ? OP_ACCESS_WRITE : OP_ACCESS_READ);
    access_at(address, size, writes, false, site);
    return true;
}

void memory_called(const void *address, size_t size, bool writes, uintptr_t site)
{
    bool hidden = unlikely(rt.memory.fault_memory) && memory_is_hidden(site);
    if (hidden || belongs_to_step(address, size, writes, site))
        return;
    bool is_step = rt.plain_points && site_is_promoted(site);
    if (!is_step)
        spend_patience(address, writes, site);
    access_at(address, size, writes, is_step, site);
}

void memory_point(const void *address, size_t size, bool writes, uintptr_t site)
{
    if (is_ignoring(ex.me) || !rt.plain_points || !site_is_promoted(site))
        return;
    if (shared_state_is_step(site)) {
        touch_also(address, size, writes ? OP_ACCESS_WRITE : OP_ACCESS_READ);
        return;
    }
    LOCAL_HERE(local);
    local.site = site;
    step(address, size, writes, &local);
}

void memory_done(const void *address, size_t size, bool writes, uintptr_t site)
{
    if (likely(!rt.memory.fault_memory) || !memory_is_hidden(site))
        access_at(address, size, writes, false, site);
}

void memory_free(void *block, size_t size, uintptr_t site)
{
    if (unlikely(ex.me->ignore_depth > 0) && is_unusual(block, size, true, site))
        return;
    if (site_is_promoted(site)) {
        uint32_t object = object_number(block);
        announce_on(OP_FREE, object, site);
        touch_freed(object);
    }
    await_wrote(&ex.me->await);
    remember(block, size, true, site);
    if (rt.race_check && !(unlikely(rt.memory.fault_memory) && rt.options->fault == OP_FREE))
        race_free(&ex.race, shadow_of(block), block, size, site);
}

void memory_used(struct object_state *state, const volatile void *object, uintptr_t site)
{
    if (unlikely(rt.memory.fault_memory) && memory_is_hidden(site))
        return;
    if (rt.race_check && !is_ignoring(ex.me)) {
        remember(object, GRANULE, false, site);
        const void *name = (const void *)alias_name(object);
        race_use(&ex.race, &state->uses, shadow_of(name), name, site);
    }
    touch_used((const void *)object);
}

static bool initialised; /* by a library, before the program begins */

/* Copies made by code without instrumentation say little: its other accesses are not seen. */
static void watch(bool watched)
{
    uint8_t points = rt.options->points;
    rt.points = watched ? points : POINTS_SYNC;
    rt.plain_points = rt.memory.site_count > 0 || rt.points == POINTS_ALL;
    rt.race_check = watched && (rt.options->races != RACES_OFF || points != POINTS_SYNC);
    rt.memory.reads_matter =
        rt.race_check || rt.plain_points || rt.options->detail || discipline_wanted();
    memory_quicken();
}

void memory_quicken(void)
{
    rt.quick = rt.race_check && !rt.memory.fault_memory && !rt.plain_points &&
               !ex.memory.seen.ignoring && !rt.options->detail && !discipline_wanted() &&
               ex.aliases == NULL;
    rt.memory.uses_quick = !rt.memory.frees && !rt.memory.fault_memory &&
                           !ex.memory.seen.ignoring && !rt.options->detail && !discipline_wanted();
}

void memory_begin(void)
{
    watch(initialised);
}

EXPORT void __tsan_init(void)
{
    if (!controlled) {
        initialised = true;
        return;
    }
    guard_note(&the_board->options.instrumented, 1);
    watch(true);
}

/* The stack of the function that calls this ends here. */
#define CALLERS_STACK ((uintptr_t)__builtin_frame_address(0) + 2 * sizeof(void *))

EXPORT void __tsan_func_entry(void *pc)
{
    if (trusts())
        trust_enter(CALL_SITE, CALLERS_STACK);
}

EXPORT void __tsan_func_exit(void)
{
    if (trusts())
        trust_leave(CALLERS_STACK);
}

EXPORT void __tsan_ignore_thread_begin(void) {}
EXPORT void __tsan_ignore_thread_end(void) {}
