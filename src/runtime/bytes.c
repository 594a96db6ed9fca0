/* compile: -fno-builtin -fno-tree-loop-distribute-patterns */
/* The few string functions that the runtime needs, its own: the program may have others of the same
 * name, instrumented ones even. The three that copy and fill are the program's too: there the compiler
 * shows us no accesses, so we note them here. */
#include <stddef.h>
#include <stdint.h>

#include "runtime/memory/memory.h"
#include "runtime/modules.h"

enum { LONG = 512 };

typedef uint64_t __attribute__((aligned(1), may_alias)) loose_word;

static inline bool is_programs(uintptr_t site)
{
    return running() && unlikely(module_is_watched(site));
}

EXPORT void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    if (is_programs(CALL_SITE) && size > 0) {
        memory_access(from, size, false, CALL_SITE);
        memory_access(to, size, true, CALL_SITE);
    }
    char *out = to;
    const char *in = from;
    if (size >= LONG) {
        __asm__ volatile("rep movsb" : "+D"(out), "+S"(in), "+c"(size)::"memory");
        return to;
    }
    for (; size >= 8; size -= 8, out += 8, in += 8)
        *(loose_word *)out = *(const loose_word *)in;
    while (size-- > 0)
        *out++ = *in++;
    return to;
}

EXPORT void *memmove(void *to, const void *from, size_t size)
{
    char *out = to;
    const char *in = from;
    if (is_programs(CALL_SITE) && size > 0) {
        memory_access(from, size, false, CALL_SITE);
        memory_access(to, size, true, CALL_SITE);
    }
    if (out <= in || out >= in + size)
        return memcpy(to, from, size);
    while (size-- > 0)
        out[size] = in[size];
    return to;
}

EXPORT void *memset(void *to, int value, size_t size)
{
    char *out = to;
    if (is_programs(CALL_SITE) && size > 0)
        memory_access(to, size, true, CALL_SITE);
    if (size >= LONG) {
        __asm__ volatile("rep stosb" : "+D"(out), "+c"(size) : "a"(value) : "memory");
        return to;
    }
    uint64_t word = 0x0101010101010101 * (uint8_t)value;
    for (; size >= 8; size -= 8, out += 8)
        *(loose_word *)out = word;
    while (size-- > 0)
        *out++ = (char)value;
    return to;
}

int memcmp(const void *a, const void *b, size_t size)
{
    const unsigned char *x = a, *y = b;
    for (; size >= 8; size -= 8, x += 8, y += 8)
        if (*(const loose_word *)x != *(const loose_word *)y)
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
