#include "runtime/engine/attention.h"

#include <string.h>

#include "runtime/engine/debugger.h"
#include "runtime/engine/frames.h"
#include "runtime/engine/trusted_code.h"
#include "runtime/engine/upper.h"

__attribute__((cold)) void attention_at_operation(uintptr_t site)
{
    if (ex.attention & ATTENTION_TRUST)
        trust_announced(site);
    if (ex.attention & ATTENTION_DETAIL)
        frames_capture(ex.current);
    if (ex.attention & ATTENTION_WATCH)
        watch_operation();
    if (states_are_compared())
        state_announced();
    if (ex.attention & ATTENTION_DEBUG)
        debug_thread();
}

/* Bytes; the unwinder, which notes where steps are, takes more than 8 KiB. */
enum {
    LEFT_USUALLY = 640,
    LEFT_BY_CHOOSING = 2048,
    LEFT_ON_STACK = 8192,
    LEFT_IN_DETAIL = 32768,
    STACK_SPARED = 1024
};

/* Words that we leave on the stack, the program may have in its frames later, where it does not set
 * all of them. That is another thing with each carrier and each way to decide, and a state that is
 * watched for must not depend on it. */
__attribute__((noinline, cold)) void stack_leave_nothing(void)
{
    size_t size = ex.attention & ATTENTION_DETAIL ? LEFT_IN_DETAIL : LEFT_ON_STACK;
    size_t below = (uintptr_t)__builtin_frame_address(0) - ex.me->stack_low;
    if (below < size + STACK_SPARED) /* a small stack */
        size = below > STACK_SPARED ? below - STACK_SPARED : 0;
    char left[size + 1];
    memset(left, 0, size);
    __asm__ volatile("" : : "r"(left) : "memory");
}
