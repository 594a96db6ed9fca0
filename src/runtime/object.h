/* Objects that operations are about: from addresses to small numbers, and what is known of each in
 * the execution in flight. */
#ifndef RUNTIME_OBJECT_H
#define RUNTIME_OBJECT_H

#include "runtime/runtime.h"

/* Numbers that other processes gave: earlier workers, the child of the last execution. */
void objects_learn(void);
uint32_t object_number(const volatile void *address);
struct object_state *object_enter(uint32_t number); /* first use in an execution: a new state */

static inline struct object_state *object_state(uint32_t number)
{
    const struct object_use *use = &rt.object_uses[number];
    if (likely(use->generation == rt.generation))
        return use->state;
    return object_enter(number);
}

/* Says on the board what each known object is, for reports. */
void objects_describe(void);

#endif
