/* Accesses that libc or the kernel makes for the program, where its own code calls them. Noted
 * before they happen; only how much is filled in may be known afterwards. */
#ifndef RUNTIME_MEMORY_CALLED_H
#define RUNTIME_MEMORY_CALLED_H

#include <stdarg.h>

#include "runtime/engine/modules.h"

struct iovec;

static inline bool called_counts(uintptr_t site)
{
    return running() && module_is_watched(site);
}

void called_reads(const void *from, size_t size, uintptr_t site);
void called_writes(const void *to, size_t size, uintptr_t site);
void called_reads_text(const char *text, size_t most,
                       uintptr_t site); /* with the zero, if that is among them */
/* The bytes of a text with its zero; 0: it is NULL, or not all of it is in readable memory. */
size_t readable_text(const char *text);
/* A path, name or command that the kernel reads. One that is not in readable memory is no access:
 * the call fails. */
void called_reads_path(const char *path, uintptr_t site);
void called_reads_wide(const int *text, size_t most, uintptr_t site); /* the same of wchar_t */
void called_reads_texts(char *const *texts,
                        uintptr_t site); /* and the array, which ends with NULL */
void called_reads_parts(const struct iovec *parts, int count, uintptr_t site);

/* An operation of this kind, which the caller announces next, reads this before its step. A NULL
 * pointer is not read. */
void called_reads_before(enum op_kind kind, const void *from, size_t size, uintptr_t site);

/* Accesses of the operation being carried out for its caller are part of the step. */
void called_reads_in_step(const void *from, size_t size, uintptr_t site);
void called_writes_in_step(const void *to, size_t size, uintptr_t site);

/* Before: so much may be written. After: so much was. */
void called_may_write(void *to, size_t size, uintptr_t site);
void called_wrote(void *to, long size, uintptr_t site);
void called_wrote_text(char *text, uintptr_t site);
void called_wrote_parts(const struct iovec *parts, int count, long size, uintptr_t site);

/* The arguments through which a function like printf reads; as va_list lays them out. */
struct arguments {
    uint32_t integers, reals; /* offsets in `saved`, behind those that were taken */
    char *more, *saved;
};
uint64_t argument_next(struct arguments *arguments); /* an integer or a pointer */
void called_reads_format(const char *format, struct arguments arguments, uintptr_t site);

static inline struct arguments arguments_of(va_list list)
{
    struct arguments arguments;
    __builtin_memcpy(&arguments, list, sizeof arguments);
    return arguments;
}
_Static_assert(sizeof(struct arguments) == sizeof(va_list), "the same memory");

#endif
