/* compile: -fno-builtin -fno-tree-loop-distribute-patterns */
/* The functions on texts that programs call most, and the runtime itself: what they read and write
 * for the program is noted first, all of it as one access. */
#include <stddef.h>
#include <stdint.h>

#include "runtime/interpose/interpose.h"
#include "runtime/memory/called.h"
#include "runtime/memory/memory.h"

static size_t length(const char *text)
{
    size_t size = 0;
    while (text[size] != 0)
        size++;
    return size;
}

static size_t length_within(const char *text, size_t most)
{
    size_t size = 0;
    while (size < most && text[size] != 0)
        size++;
    return size;
}

/* With the zero that ends it, if that is among them. */
static size_t read_within(const char *text, size_t most)
{
    size_t size = length_within(text, most);
    return size < most ? size + 1 : size;
}

static void reads(const void *from, size_t size, uintptr_t site)
{
    if (size > 0 && (rt.memory.reads_matter || is_on_some_stack(from)))
        memory_called(from, size, false, site);
}

static void writes(const void *to, size_t size, uintptr_t site)
{
    if (size > 0)
        memory_called(to, size, true, site);
}

static void put(char *to, const char *from, size_t size)
{
    for (size_t i = 0; i < size; i++)
        to[i] = from[i];
}

EXPORT size_t strlen(const char *text)
{
    if (called_counts(CALL_SITE))
        reads(text, length(text) + 1, CALL_SITE);
    return length(text);
}

EXPORT size_t strnlen(const char *text, size_t most)
{
    if (called_counts(CALL_SITE))
        reads(text, read_within(text, most), CALL_SITE);
    return length_within(text, most);
}

/* How far two texts are compared: up to the first difference, or their end. */
static size_t compared(const char *a, const char *b, size_t most)
{
    size_t size = 0;
    while (size < most && a[size] == b[size] && a[size] != 0)
        size++;
    return size < most ? size + 1 : size;
}

static int compare(const char *a, const char *b, size_t most)
{
    for (; most > 0; most--, a++, b++)
        if (*a != *b || *a == 0)
            return (unsigned char)*a - (unsigned char)*b;
    return 0;
}

static void note_comparison(const char *a, const char *b, size_t most, uintptr_t site)
{
    size_t size = compared(a, b, most);
    reads(a, size, site);
    reads(b, size, site);
}

EXPORT int strcmp(const char *a, const char *b)
{
    if (called_counts(CALL_SITE))
        note_comparison(a, b, SIZE_MAX, CALL_SITE);
    return compare(a, b, SIZE_MAX);
}

EXPORT int strncmp(const char *a, const char *b, size_t size)
{
    if (called_counts(CALL_SITE))
        note_comparison(a, b, size, CALL_SITE);
    return compare(a, b, size);
}

EXPORT int memcmp(const void *a, const void *b, size_t size)
{
    typedef uint64_t __attribute__((aligned(1), may_alias)) word;
    const unsigned char *x = a, *y = b;
    if (called_counts(CALL_SITE)) {
        reads(a, size, CALL_SITE);
        reads(b, size, CALL_SITE);
    }
    for (; size >= 8; size -= 8, x += 8, y += 8)
        if (*(const word *)x != *(const word *)y)
            break;
    for (; size > 0; size--, x++, y++)
        if (*x != *y)
            return *x - *y;
    return 0;
}

static char *find(const char *text, char wanted, size_t most)
{
    for (size_t i = 0; i < most; i++)
        if (text[i] == wanted)
            return (char *)text + i;
    return NULL;
}

EXPORT void *memchr(const void *bytes, int wanted, size_t size)
{
    if (called_counts(CALL_SITE)) {
        const char *found = find(bytes, (char)wanted, size);
        reads(bytes, found == NULL ? size : (size_t)(found - (const char *)bytes) + 1, CALL_SITE);
    }
    return find(bytes, (char)wanted, size);
}

EXPORT char *strchr(const char *text, int wanted)
{
    if (called_counts(CALL_SITE)) {
        const char *found = find(text, (char)wanted, length(text) + 1);
        reads(text, found == NULL ? length(text) + 1 : (size_t)(found - text) + 1, CALL_SITE);
    }
    return find(text, (char)wanted, length(text) + 1);
}

EXPORT char *strrchr(const char *text, int wanted)
{
    if (called_counts(CALL_SITE))
        reads(text, length(text) + 1, CALL_SITE);
    for (size_t i = length(text) + 1; i-- > 0;)
        if (text[i] == (char)wanted)
            return (char *)text + i;
    return NULL;
}

EXPORT char *stpcpy(char *restrict to, const char *restrict from)
{
    if (called_counts(CALL_SITE)) {
        reads(from, length(from) + 1, CALL_SITE);
        writes(to, length(from) + 1, CALL_SITE);
    }
    size_t size = length(from);
    put(to, from, size + 1);
    return to + size;
}

EXPORT char *strcpy(char *restrict to, const char *restrict from)
{
    if (called_counts(CALL_SITE)) {
        reads(from, length(from) + 1, CALL_SITE);
        writes(to, length(from) + 1, CALL_SITE);
    }
    put(to, from, length(from) + 1);
    return to;
}

EXPORT char *strncpy(char *restrict to, const char *restrict from, size_t size)
{
    if (called_counts(CALL_SITE)) {
        reads(from, read_within(from, size), CALL_SITE);
        writes(to, size, CALL_SITE);
    }
    size_t used = length_within(from, size);
    put(to, from, used);
    for (size_t i = used; i < size; i++)
        to[i] = 0;
    return to;
}

static void append(char *to, const char *from, size_t most, uintptr_t site)
{
    if (called_counts(site)) {
        reads(from, read_within(from, most), site);
        reads(to, length(to) + 1, site);
        writes(to + length(to), length_within(from, most) + 1, site);
    }
    size_t size = length_within(from, most), end = length(to);
    put(to + end, from, size);
    to[end + size] = 0;
}

EXPORT char *strcat(char *restrict to, const char *restrict from)
{
    append(to, from, SIZE_MAX, CALL_SITE);
    return to;
}

EXPORT char *strncat(char *restrict to, const char *restrict from, size_t most)
{
    append(to, from, most, CALL_SITE);
    return to;
}

/* Outside of the program's code malloc is libc's, as ours would say. */
static char *duplicate(const char *from, size_t most, uintptr_t site)
{
    if (called_counts(site))
        reads(from, read_within(from, most), site);
    size_t size = length_within(from, most);
    char *made = malloc_at(size + 1, site);
    if (made == NULL)
        return NULL;
    put(made, from, size);
    made[size] = 0;
    return made;
}

EXPORT char *strdup(const char *text)
{
    return duplicate(text, SIZE_MAX, CALL_SITE);
}

EXPORT char *strndup(const char *text, size_t most)
{
    return duplicate(text, most, CALL_SITE);
}
