/* Single instructions that C has no words for. */
#ifndef RUNTIME_ARCH_X86_64_CPU_H
#define RUNTIME_ARCH_X86_64_CPU_H

#include <cpuid.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* String instructions: they take long to begin. */
static inline void cpu_copy(void *to, const void *from, size_t size)
{
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size)::"memory");
}

static inline void cpu_fill(void *to, int value, size_t size)
{
    __asm__ volatile("rep stosb" : "+D"(to), "+c"(size) : "a"(value) : "memory");
}

/* The processor has wide registers, and the kernel keeps them. */
static inline bool cpu_has_wide_registers(void)
{
    enum { WIDE_STATE = 6 /* of XCR0 */ };
    uint32_t a, b, c, d, low, high;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) || !(c & bit_AVX))
        return false;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (low & WIDE_STATE) == WIDE_STATE;
}

/* The base of the calling thread's TLS */
static inline uintptr_t cpu_tls(void)
{
    return __builtin_ia32_rdfsbase64();
}

/* Words that libc keeps there: the guard of stacks, and the key that hides pointers */
static inline void cpu_set_guards(uint64_t stack, uint64_t pointers)
{
    __asm__ volatile("movq %0, %%fs:0x28; movq %1, %%fs:0x30" : : "r"(stack), "r"(pointers));
}

/* The stack pointer in a buffer of setjmp, which libc hides */
static inline uintptr_t cpu_jump_target(const uint64_t *registers)
{
    enum { JUMP_SP = 6, JUMP_ROTATION = 17 };
    uint64_t hidden = registers[JUMP_SP], key;
    __asm__("movq %%fs:0x30, %0" : "=r"(key));
    return (hidden >> JUMP_ROTATION | hidden << (64 - JUMP_ROTATION)) ^ key;
}

/* Registers that a call preserves */
enum { CPU_KEPT = 6 };
static inline void cpu_keep(const void *registers[CPU_KEPT])
{
    __asm__ volatile("movq %%rbx, (%0); movq %%rbp, 8(%0); movq %%r12, 16(%0); movq %%r13, 24(%0); "
                     "movq %%r14, 32(%0); movq %%r15, 40(%0)"
                     :
                     : "r"(registers)
                     : "memory");
}

#endif
