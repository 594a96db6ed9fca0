/* The program's memory accesses, as the compiler shows them to us. */
#ifndef RUNTIME_MEMORY_MEMORY_H
#define RUNTIME_MEMORY_MEMORY_H

#include "runtime/engine/runtime.h"
#include "runtime/heap/heap.h"

/* Shadow cells of a set-up that were changed, from the how-manieth on: they are put back as they
 * were, or stay as they are, to be kept once more when they change again. */
void memory_forget(size_t from);
void memory_settle(size_t from);

/* A plain access of any size; a step where its site is a scheduling point. */
void memory_access(const volatile void *address, size_t size, bool writes, uintptr_t site);
/* One that libc makes for the program: a step only where its site is known to race. */
void memory_called(const void *address, size_t size, bool writes, uintptr_t site);
/* memory_access in two parts, where the size is known only afterwards: the step, and the
 * access. */
void memory_point(const void *address, size_t size, bool writes, uintptr_t site);
void memory_done(const void *address, size_t size, bool writes, uintptr_t site);
/* Whether two places are calls that read or write a file, and access the memory that shows it
 * (mapped.h).
 */
bool memory_by_file_calls(uint64_t site, uint64_t earlier);
/* A read of a call before it announces an operation of that kind. */
void memory_read_before(enum op_kind kind, const void *address, size_t size, uintptr_t site);
bool memory_is_hidden(uintptr_t site); /* from the race detector, by --fault memory:OPERATION */
/* free, and init or destroy of a synchronisation object, are writes of the whole object. */
void memory_free(void *block, size_t size, uintptr_t site);
/* An access at this site has failed: the execution ends, and the site becomes a scheduling point,
 * as a racing one does, if other threads live. Otherwise the access would always come right after
 * the step before it, which would hide that another thread can fail first. */
_Noreturn void memory_fail(uint64_t site);
/* The first free of the block becomes the second place of the finding, if that is known. */
void memory_tell_freed(struct finding *finding, const void *block);
/* A synchronisation object is used by the step being carried out: nothing that is not ordered with
 * that may initialise, destroy, overwrite or free it. */
void memory_used(struct object_state *state, const volatile void *object, uintptr_t site);

/* A step has accessed memory: its own object, and those that it overlaps. */
void touch_memory(const void *address, size_t size, uint32_t object, enum op_access access);
void touch_also(const void *address, size_t size, enum op_access access); /* beside its object */
void touch_freed(uint32_t object);
void touch_used(const void *object); /* a use of a synchronisation object of the heap */
uint32_t atomic_word(const volatile void *address, size_t size); /* as `before` of struct op */

static inline struct cell *shadow_of(const volatile void *address)
{
    uintptr_t folded = (uintptr_t)address & (SHADOW_WINDOW - 1) & ~(uintptr_t)(GRANULE - 1);
    return (struct cell *)(SHADOW_ADDRESS + folded * (sizeof(struct cell) / GRANULE));
}

static inline bool on_own_stack(const volatile void *address)
{
    const struct stack *stack = &rt.stacks[ex.current];
    return (const char *)address >= stack->low && (const char *)address < stack->top;
}

/* A plain access to a stack that is not the thread's own: a finding if its owner has ended. */
void stack_look(const volatile void *address, size_t size, bool writes, uintptr_t site);
/* memory_access for an atomic access or the use of a synchronisation object: a step, so that a loop
 * that waits for it knows when its value changes. */
void stack_used(const volatile void *object, size_t size, bool writes, uintptr_t site);

static inline bool is_on_some_stack(const volatile void *address)
{
    return (uintptr_t)address - STACKS_ADDRESS < SETUP_HEAP_ADDRESS - STACKS_ADDRESS;
}

/* Called where a synchronisation object is used. What lies on a stack ends with its thread. */
static inline void memory_uses(struct object_state *state, const volatile void *object,
                               uintptr_t site)
{
    if (unlikely(!rt.memory.uses_quick) || unlikely(!race_used(&ex.race, &state->uses, site)))
        memory_used(state, object, site);
    if (unlikely(is_on_some_stack(object)))
        stack_used(object, sizeof(int), true, site);
}

/* An object on a stack or of the heap: a finding if its thread has ended, or if it was freed. */
void memory_look_near(const volatile void *object, uintptr_t site);

/* Called before a thread announces the use of a synchronisation object. A bad pointer crashes this
 * thread, before others are asked whether it can go on. A wait for an object that was freed, or on
 * the stack of a thread that has ended, might never come to memory_uses. */
static inline void memory_look(const volatile void *object, uintptr_t site)
{
    (void)*(const volatile char *)object;
    if (unlikely(is_on_some_stack(object) || heap_is_near(object))) /* one comparison */
        memory_look_near(object, site);
}

/* Part of what local_hash sees: the stack, but not the TLS above it. */
static inline bool in_local_state(const volatile void *address)
{
    const struct thread *me = ex.me;
    return (uintptr_t)address - me->stack_low < me->stack_size;
}

/* Very many accesses and no step; the access at `site` is the step that is due then. */
struct local;
void patience_lost(const volatile void *address, bool writes, const struct local *local);
void patience_is_due(uintptr_t site);

#endif
