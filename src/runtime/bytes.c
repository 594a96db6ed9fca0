/* compile: -fno-builtin -fno-tree-loop-distribute-patterns */
/* The few string functions that the runtime needs, its own: the program may have others of the same
 * name, instrumented ones even. The three that copy and fill are the program's too: there the compiler
 * shows us no accesses, so we note them here. */
#include <stddef.h>
#include <stdint.h>

#include "runtime/memory/memory.h"
#include "runtime/modules.h"

enum { LONG = 512 };

typedef uint64_t __attribute__((aligned(1), may_alias)) word;

static inline void copy(char *out, const char *in, size_t size)
{
    if (size >= LONG) {
        __asm__ volatile("rep movsb" : "+D"(out), "+S"(in), "+c"(size)::"memory");
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
        __asm__ volatile("rep stosb" : "+D"(out), "+c"(size) : "a"(value) : "memory");
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

int memcmp(const void *a, const void *b, size_t size)
{
    const unsigned char *x = a, *y = b;
    for (; size >= 8; size -= 8, x += 8, y += 8)
        if (*(const word *)x != *(const word *)y)
            break;
    for (; size > 0; size--, x++, y++)
        if (*x != *y)
            return *x - *y;
    return 0;
}

size_t strlen(const char *text)
{
    size_t size = 0;
    while (text[size] != 0)
        size++;
    return size;
}

int strncmp(const char *a, const char *b, size_t size)
{
    for (; size > 0; size--, a++, b++)
        if (*a != *b || *a == 0)
            return (unsigned char)*a - (unsigned char)*b;
    return 0;
}

int strcmp(const char *a, const char *b)
{
    return strncmp(a, b, SIZE_MAX);
}
