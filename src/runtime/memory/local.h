/* The local state of a thread at a call into the runtime: the registers that a call preserves and
 * its stack. Only files that are compiled with these registers fixed may use LOCAL_HERE: there the
 * registers still hold what the program put into them. */
#ifndef RUNTIME_MEMORY_LOCAL_H
#define RUNTIME_MEMORY_LOCAL_H

#include <stdint.h>

struct local {
    uint64_t rbx, r12, r13, r14, r15, rbp;
    uintptr_t frame; /* the program's stack begins here */
    uintptr_t site;
};

#define LOCAL_HERE(name)                                                                       \
    struct local name;                                                                         \
    __asm__ volatile("movq %%rbx, %0; movq %%r12, %1; movq %%r13, %2; movq %%r14, %3; "        \
                     "movq %%r15, %4"                                                          \
                     : "=m"(name.rbx), "=m"(name.r12), "=m"(name.r13), "=m"(name.r14),         \
                       "=m"(name.r15));                                                        \
    name.rbp = *(uint64_t *)__builtin_frame_address(0);                                        \
    name.frame = (uintptr_t)__builtin_frame_address(0) + 16;                                   \
    name.site = (uintptr_t)__builtin_return_address(0)

#endif
