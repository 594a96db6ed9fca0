/* Objects that operations are about: from addresses to small numbers, and what is known of each in
 * the execution in flight. */
#ifndef RUNTIME_ENGINE_OBJECT_H
#define RUNTIME_ENGINE_OBJECT_H

#include "runtime/engine/alias.h"
#include "runtime/engine/runtime.h"

/* Numbers that other processes gave: earlier workers, the child of the last execution. */
void objects_learn(void);
void objects_refresh(void); /* the same, and what others have learned of those that are known */
uint32_t object_find(uint64_t address, uint32_t slot); /* beginning with this one; or makes it */
uint32_t object_lookup(uint64_t address);              /* NO_OBJECT: there is none */
struct object_state *object_enter(uint32_t number);    /* first use in an execution: a new state */

static inline uint32_t object_slot_first(uint64_t address)
{
    return (uint32_t)((address >> 1) * 0x9e3779b97f4a7c15 >> 47) % OBJECT_SLOTS;
}

static inline uint32_t object_number(const volatile void *address)
{
    uint64_t name = alias_name(address);
    uint32_t first = object_slot_first(name);
    const struct object_slot *slot = &rt.objects.slots[first];
    return likely(slot->address == name) ? slot->number : object_find(name, first);
}

static inline struct object_state *object_state(uint32_t number)
{
    const struct object_use *use = &rt.objects.uses[number];
    uint32_t generation = use->generation;
    uint32_t here = generation == rt.generation;
    uint32_t before = rt.setups[generation % RACE_SETUPS] == generation;
    /* In one branch: which of the two it is nothing could predict. */
    __asm__("" : "+r"(here), "+r"(before));
    if (likely(here | before))
        return use->state; /* of this execution, or of a set-up that it shares */
    return object_enter(number);
}

/* Says on the board what each known object is, for reports. */
void objects_describe(void);

#endif
