/* snprintf and its kin: what they read through %s, and what they write. They take any number of
 * arguments, so they are not rows of the table; some come in vector registers. */
#include <limits.h>
#include <stdarg.h>
#include <string.h>

#include "runtime/engine/real.h"
#include "runtime/interpose/interpose.h"
#include "runtime/memory/called.h"
#include "runtime/time/signal_unsafe.h"

static int (*libc_snprintf_checked)(char *, size_t, int, size_t, const char *, va_list);
static int (*libc_sprintf_checked)(char *, int, size_t, const char *, va_list);
static int (*libc_asprintf)(char **, const char *, va_list);

void formats_find(void)
{
    libc_snprintf_checked = real_symbol("__vsnprintf_chk");
    libc_sprintf_checked = real_symbol("__vsprintf_chk");
    libc_asprintf = real_symbol("vasprintf");
}

#define UNSAFE_HERE(name) (running() ? unsafe_call(CALL_UNSAFE, name, CALL_SITE) : (void)0)

/* Measures the output by writing it nowhere. */
static void note(char *to, size_t size, const char *format, va_list list, uintptr_t site)
{
    if (!called_counts(site))
        return;
    va_list copy;
    va_copy(copy, list);
    called_reads_format(format, arguments_of(copy), site);
    int length = real_vsnprintf(NULL, 0, format, copy);
    va_end(copy);
    if (length >= 0)
        called_writes(to, (size_t)length < size ? (size_t)length + 1 : size, site);
}

static int print(char *to, size_t size, const char *format, va_list list, uintptr_t site)
{
    note(to, size, format, list, site);
    return real_vsnprintf(to, size, format, list);
}

static int print_checked(char *to, size_t size, int level, size_t room, const char *format,
                         va_list list, uintptr_t site)
{
    if (size <= room)
        note(to, size, format, list, site);
    return libc_snprintf_checked(to, size, level, room, format, list);
}

static int print_all_checked(char *to, int level, size_t room, const char *format, va_list list,
                             uintptr_t site)
{
    note(to, room, format, list, site);
    return libc_sprintf_checked(to, level, room, format, list);
}

/* The text is in a block of its own, which nobody else knows yet. */
static int print_anew(char **to, const char *format, va_list list, uintptr_t site)
{
    if (called_counts(site)) {
        called_reads_format(format, arguments_of(list), site);
        called_writes(to, sizeof *to, site);
    }
    return libc_asprintf(to, format, list);
}

#define FORMAT(name, parameters, call)                                                             \
    EXPORT __attribute__((target("sse2"))) int name parameters                                     \
    {                                                                                              \
        va_list list;                                                                              \
        va_start(list, format);                                                                    \
        UNSAFE_HERE(#name);                                                                        \
        int written = call;                                                                        \
        va_end(list);                                                                              \
        return written;                                                                            \
    }

FORMAT(snprintf, (char *to, size_t size, const char *format, ...),
       print(to, size, format, list, CALL_SITE))
FORMAT(sprintf, (char *to, const char *format, ...), print(to, INT_MAX, format, list, CALL_SITE))
FORMAT(__snprintf_chk, (char *to, size_t size, int level, size_t room, const char *format, ...),
       print_checked(to, size, level, room, format, list, CALL_SITE))
FORMAT(__sprintf_chk, (char *to, int level, size_t room, const char *format, ...),
       print_all_checked(to, level, room, format, list, CALL_SITE))

FORMAT(asprintf, (char **to, const char *format, ...), print_anew(to, format, list, CALL_SITE))
FORMAT(__asprintf_chk, (char **to, int level, const char *format, ...),
       print_anew(to, format, list, CALL_SITE))

EXPORT int vasprintf(char **to, const char *format, va_list list)
{
    UNSAFE_HERE("vasprintf");
    return print_anew(to, format, list, CALL_SITE);
}

EXPORT int __vasprintf_chk(char **to, int level, const char *format, va_list list)
{
    UNSAFE_HERE("__vasprintf_chk");
    return print_anew(to, format, list, CALL_SITE);
}

EXPORT int vsnprintf(char *to, size_t size, const char *format, va_list list)
{
    UNSAFE_HERE("vsnprintf");
    return print(to, size, format, list, CALL_SITE);
}

EXPORT int vsprintf(char *to, const char *format, va_list list)
{
    UNSAFE_HERE("vsprintf");
    return print(to, INT_MAX, format, list, CALL_SITE);
}

EXPORT int __vsnprintf_chk(char *to, size_t size, int level, size_t room, const char *format,
                           va_list list)
{
    UNSAFE_HERE("__vsnprintf_chk");
    return print_checked(to, size, level, room, format, list, CALL_SITE);
}

EXPORT int __vsprintf_chk(char *to, int level, size_t room, const char *format, va_list list)
{
    UNSAFE_HERE("__vsprintf_chk");
    return print_all_checked(to, level, room, format, list, CALL_SITE);
}
