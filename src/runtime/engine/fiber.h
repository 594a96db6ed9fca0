/* Stacks and switching; nothing about what threads mean. */
#ifndef RUNTIME_ENGINE_FIBER_H
#define RUNTIME_ENGINE_FIBER_H

#include "runtime/engine/runtime.h"

/* A function that may switch, or call one that does, and is called often: see switch.S. In
 * src/runtime.cmake there are whole files of them; one in such a file that never switches, and is
 * called from elsewhere, returns as usual. */
#if __has_attribute(function_return)
#define RETURNS_BY_JUMP  __attribute__((function_return("thunk-extern")))
#define RETURNS_AS_USUAL __attribute__((function_return("keep")))
#else
#define RETURNS_BY_JUMP
#define RETURNS_AS_USUAL
#endif
/* Keeps the call before from becoming a jump, which would return in its caller's place. */
#define NOT_LAST_CALL() __asm__ volatile("")

void fiber_switch(void **save_sp, void *sp, uintptr_t fs); /* fs: 0: the TLS stays the same */
void fiber_enter(void **save_sp, void *sp, uintptr_t fs);  /* to a fiber that left otherwise */
_Noreturn void fiber_go(void *sp, uintptr_t fs);           /* nobody comes back */
void stack_wipe(void); /* what lies below, as far as choosing a step goes down */
long fiber_clone(unsigned long flags, void *stack, void (*function)(void));

/* A context on an empty stack that begins with function. */
void *fiber_context(char *stack_high, void (*function)(void));

/* A stack of its own for a thread, with a page below that may not be touched; false: no room. */
bool fiber_stack_map(uint32_t thread);

/* Maps the stacks and makes a ghost for each thread but the first: a pthread whose kernel thread
 * has left, so that libc has TLS for it and the kernel nothing to schedule. False: why not. */
bool fiber_pool_open(uint32_t threads, const char **why);

#endif
