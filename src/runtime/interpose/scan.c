/* compile: LOCAL_HERE */
/* scanf and its kin: what they write through their arguments, as far as they came; sscanf reads its
 * text. They take any number of arguments, so they are not rows of the table. */
#include <string.h>

#include "runtime/engine/real.h"
#include "runtime/engine/upper.h"
#include "runtime/file/stream.h"
#include "runtime/interpose/interpose.h"
#include "runtime/memory/called.h"
#include "runtime/time/signal_unsafe.h"

struct conversion {
    char kind;      /* as in the format: d, s, [, …; 0: there is none left, or nobody knows */
    bool assigns;   /* there is an argument for it, and it counts in the result */
    bool allocates; /* the argument is where a pointer goes */
    char length[2]; /* h, hh, l and so on */
    size_t width;   /* 0: none given */
};

static bool is_among(char c, const char *set)
{
    return c != 0 && strchr(set, c) != NULL;
}

/* Goes to the end of a set: [abc], []abc], [^]abc]. */
static const char *skip_set(const char *at)
{
    at += at[1] == '^' ? 2 : 1;
    if (*at == ']')
        at++;
    while (*at != 0 && *at != ']')
        at++;
    return at;
}

static struct conversion conversion_next(const char **format)
{
    struct conversion next = {.kind = 0};
    const char *at = *format;
    while (*at != 0 && (at[0] != '%' || at[1] == '%'))
        at += *at == '%' ? 2 : 1;
    if (*at == 0)
        return next;
    at++;
    bool skips = *at == '*';
    for (at += skips; *at >= '0' && *at <= '9'; at++)
        next.width = next.width * 10 + (size_t)(*at - '0');
    for (; is_among(*at, "'Im"); at++)
        next.allocates |= *at == 'm';
    for (int i = 0; is_among(*at, "hlLqjzt"); at++, i++)
        if (i < 2)
            next.length[i] = *at;
    next.kind = *at;
    if (*at == '[')
        at = skip_set(at);
    next.assigns = !skips && next.kind != 'n';
    if (*at == 0 || next.kind == '$' || (skips && next.kind == 'n'))
        next.kind = 0;
    else
        *format = at + 1;
    return next;
}

static size_t integer_size(const struct conversion *of)
{
    if (of->length[0] == 'h')
        return of->length[1] == 'h' ? 1 : 2;
    return of->length[0] == 0 ? 4 : 8;
}

/* The bytes that a conversion has written; before that: the least that it writes. */
static size_t size_of(const struct conversion *of, const void *to, bool written)
{
    bool is_wide = of->kind == 'S' || of->kind == 'C' || of->length[0] == 'l';
    if (of->allocates)
        return sizeof(void *);
    switch (of->kind) {
    case 'c':
    case 'C':
        return (of->width == 0 ? 1 : of->width) * (is_wide ? 4 : 1);
    case 's':
    case 'S':
    case '[': {
        size_t size = 0;
        if (!written)
            return 1;
        while (is_wide ? ((const int *)to)[size] != 0 : ((const char *)to)[size] != 0)
            size++;
        return (size + 1) * (is_wide ? 4 : 1);
    }
    case 'p':
        return sizeof(void *);
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
        return of->length[0] == 'L' ? 10 : of->length[0] == 'l' ? 8 : 4;
    default:
        return integer_size(of);
    }
}

static void note_before(const char *format, struct arguments arguments, uintptr_t site)
{
    struct conversion next;
    while ((next = conversion_next(&format)).kind != 0)
        if (next.assigns || next.kind == 'n') {
            void *to = (void *)argument_next(&arguments);
            called_may_write(to, size_of(&next, to, false), site);
        }
}

static int count_conversions(const char *format)
{
    int count = 0;
    struct conversion next;
    while ((next = conversion_next(&format)).kind != 0)
        count += next.assigns;
    return count;
}

/* Conversions before the last that was assigned have been carried out; behind it nothing is known,
 * unless there was no more to assign. */
static void note_after(const char *format, struct arguments arguments, int assigned, uintptr_t site)
{
    bool all = assigned == count_conversions(format);
    struct conversion next;
    while ((next = conversion_next(&format)).kind != 0) {
        if (!next.assigns && next.kind != 'n')
            continue;
        if (assigned <= 0 && !(all && next.kind == 'n'))
            return;
        void *to = (void *)argument_next(&arguments);
        called_wrote(to, (long)size_of(&next, to, true), site);
        assigned -= next.assigns;
    }
}

/* from: a stream, or a text. */
static int scan(int (*libc)(void *, const char *, va_list), void *from, bool is_stream,
                const char *format, va_list list, const struct local *local)
{
    uintptr_t site = local->site;
    struct arguments arguments = arguments_of(list);
    bool counts = called_counts(site);
    if (running())
        unsafe_call(is_stream ? CALL_STATEFUL : CALL_UNSAFE, is_stream ? "scanf" : "sscanf", site);
    if (counts && !is_stream)
        called_reads_text(from, SIZE_MAX, site);
    if (counts)
        note_before(format, arguments, site);
    if (is_stream && running()) {
        if (unlikely(!running_calmly()))
            watch_call(local);
        stream_enter(from, site);
    }
    int assigned = libc(from, format, list);
    if (counts)
        note_after(format, arguments, assigned, site);
    return assigned;
}

#define LISTED(name, parameters, libc_name, from, is_stream)                                       \
    static int (*libc_of_##name)(void *, const char *, va_list);                                   \
    static int scan_by_##name(void *source, const char *format, va_list list,                      \
                              const struct local *local)                                           \
    {                                                                                              \
        if (unlikely(libc_of_##name == NULL))                                                      \
            libc_of_##name = real_symbol(libc_name);                                               \
        return scan(libc_of_##name, source, is_stream, format, list, local);                       \
    }                                                                                              \
    EXPORT int name parameters                                                                     \
    {                                                                                              \
        LOCAL_HERE(local);                                                                         \
        return scan_by_##name(from, format, list, &local);                                         \
    }

#define VARIADIC(name, parameters, by, from)                                                       \
    EXPORT __attribute__((target("sse2"))) int name parameters                                     \
    {                                                                                              \
        va_list list;                                                                              \
        va_start(list, format);                                                                    \
        LOCAL_HERE(local);                                                                         \
        int assigned = scan_by_##by(from, format, list, &local);                                   \
        va_end(list);                                                                              \
        return assigned;                                                                           \
    }

#define SCANS(prefix)                                                                              \
    LISTED(prefix##vscanf, (const char *format, va_list list), #prefix "vfscanf",                  \
           stream_standard(0), true)                                                               \
    LISTED(prefix##vfscanf, (void *file, const char *format, va_list list), #prefix "vfscanf",     \
           file, true)                                                                             \
    LISTED(prefix##vsscanf, (const char *text, const char *format, va_list list),                  \
           #prefix "vsscanf", (void *)text, false)                                                 \
    VARIADIC(prefix##scanf, (const char *format, ...), prefix##vscanf, stream_standard(0))         \
    VARIADIC(prefix##fscanf, (void *file, const char *format, ...), prefix##vfscanf, file)         \
    VARIADIC(prefix##sscanf, (const char *text, const char *format, ...), prefix##vsscanf,         \
             (void *)text)

SCANS()
SCANS(__isoc99_)
SCANS(__isoc23_)

void scans_find(void)
{
#define FIND(prefix)                                                                               \
    libc_of_##prefix##vscanf = libc_of_##prefix##vfscanf = real_symbol(#prefix "vfscanf");         \
    libc_of_##prefix##vsscanf = real_symbol(#prefix "vsscanf");
    FIND() FIND(__isoc99_) FIND(__isoc23_)
#undef FIND
}
