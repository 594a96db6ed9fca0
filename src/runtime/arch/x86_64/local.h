/* The local state of a thread at a call into the runtime: the registers that a call preserves and
 * its stack. Only files that are compiled with these registers fixed may use LOCAL_HERE: there the
 * registers still hold what the program put into them. */
#ifndef RUNTIME_ARCH_X86_64_LOCAL_H
#define RUNTIME_ARCH_X86_64_LOCAL_H

#include <stdint.h>

struct local {
    uint64_t rbx, r12, r13, r14, r15, rbp;
    uintptr_t frame; /* the program's stack begins here */
    uintptr_t site;
};

struct live_table;

/* A hash of it, up to the end of the stack; 0: the stack is too deep. What the program's code no
 * longer reads, as far as that is known (core/live.h; NULL: it is not), is no part of it. Sites in
 * that table count from live_base. */
uint64_t local_hash_below(const struct local *local, uintptr_t high, const struct live_table *live,
                          uintptr_t live_base);

#define LOCAL_HERE(name)                                                                           \
    struct local name;                                                                             \
    __asm__ volatile("movq %%rbx, %0; movq %%r12, %1; movq %%r13, %2; movq %%r14, %3; "            \
                     "movq %%r15, %4"                                                              \
                     : "=m"(name.rbx), "=m"(name.r12), "=m"(name.r13), "=m"(name.r14),             \
                       "=m"(name.r15));                                                            \
    name.rbp = *(uint64_t *)__builtin_frame_address(0);                                            \
    name.frame = (uintptr_t)__builtin_frame_address(0) + 16;                                       \
    name.site = (uintptr_t)__builtin_return_address(0)

/* The registers hold this from now on. */
#define LOCAL_BACK(local)                                                                          \
    do {                                                                                           \
        __asm__ volatile("movq %0, %%rbx; movq %1, %%r12; movq %2, %%r13; movq %3, %%r14; "        \
                         "movq %4, %%r15"                                                          \
                         :                                                                         \
                         : "m"((local)->rbx), "m"((local)->r12), "m"((local)->r13),                \
                           "m"((local)->r14), "m"((local)->r15));                                  \
        ((uint64_t *)(local)->frame)[-2] = (local)->rbp;                                           \
    } while (0)

#endif
