/* Ways to give up on the program or on this process, each with a reason for the user. */
#ifndef RUNTIME_ENGINE_REFUSE_H
#define RUNTIME_ENGINE_REFUSE_H

#include <stdint.h>

_Noreturn void refuse(const char *reason, uintptr_t site); /* beyond our model: exit status 3 */
_Noreturn void refuse_call(const char *name, const char *reason, uintptr_t site);
_Noreturn void fall_back(const char *reason, uintptr_t site); /* not with reset: fork instead */
_Noreturn void give_up(const char *reason);                   /* the machine failed us */
_Noreturn void begin_to_wipe(void);                           /* start again, see rt.wipes */
_Noreturn void grow(uint32_t threads, uint64_t stack_size);   /* start again with a larger pool */

#endif
