/* compile: -fno-builtin -fno-tree-loop-distribute-patterns */
/* Copying and filling, for the runtime and for the program: there the compiler shows us no
 * accesses, so we note them here. The program may have functions of the same name, instrumented
 * ones even. */
#include <stddef.h>
#include <stdint.h>

#include "runtime/arch/x86_64/cpu.h"
#include "runtime/engine/modules.h"
#include "runtime/memory/memory.h"

enum { LONG = 512 };

typedef uint64_t __attribute__((aligned(1), may_alias)) word;

static inline void copy(char *out, const char *in, size_t size)
{
    if (size >= LONG) {
        cpu_copy(out, in, size);
        return;
    }
    for (; size >= 32; size -= 32, out += 32, in += 32) {
        word a = ((const word *)in)[0], b = ((const word *)in)[1];
        word c = ((const word *)in)[2], d = ((const word *)in)[3];
        ((word *)out)[0] = a;
        ((word *)out)[1] = b;
        ((word *)out)[2] = c;
        ((word *)out)[3] = d;
    }
    for (; size >= 8; size -= 8, out += 8, in += 8)
        *(word *)out = *(const word *)in;
    while (size-- > 0)
        *out++ = *in++;
}

static inline void fill(char *out, int value, size_t size)
{
    if (size >= LONG) {
        cpu_fill(out, value, size);
        return;
    }
    uint64_t all = 0x0101010101010101 * (uint8_t)value;
    for (; size >= 8; size -= 8, out += 8)
        *(word *)out = all;
    while (size-- > 0)
        *out++ = (char)value;
}

static __attribute__((noinline)) void note(const void *from, void *to, size_t size, uintptr_t site)
{
    if (!module_is_watched(site) || size == 0)
        return;
    if (from != NULL)
        memory_access(from, size, false, site);
    memory_access(to, size, true, site);
}

static __attribute__((noinline)) void *copy_noted(void *to, const void *from, size_t size,
                                                  uintptr_t site)
{
    note(from, to, size, site);
    copy(to, from, size);
    return to;
}

EXPORT void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    if (running())
        return copy_noted(to, from, size, CALL_SITE);
    copy(to, from, size);
    return to;
}

EXPORT void *mempcpy(void *restrict to, const void *restrict from, size_t size)
{
    if (running())
        note(from, to, size, CALL_SITE);
    copy(to, from, size);
    return (char *)to + size;
}

EXPORT void *memmove(void *to, const void *from, size_t size)
{
    char *out = to;
    const char *in = from;
    if (running())
        note(from, to, size, CALL_SITE);
    if (out <= in || out >= in + size) {
        copy(out, in, size);
        return to;
    }
    while (size-- > 0)
        out[size] = in[size];
    return to;
}

EXPORT void *memset(void *to, int value, size_t size)
{
    if (running())
        note(NULL, to, size, CALL_SITE);
    fill(to, value, size);
    return to;
}
