#include "runtime/memory/called.h"

#include <sys/uio.h>

#include "runtime/arch/x86_64/signals.h"
#include "runtime/engine/flight.h"
#include "runtime/memory/memory.h"

void called_reads(const void *from, size_t size, uintptr_t site)
{
    if (size > 0 && called_counts(site))
        memory_called(from, size, false, site);
}

void called_writes(const void *to, size_t size, uintptr_t site)
{
    if (size > 0 && called_counts(site))
        memory_called(to, size, true, site);
}

void called_reads_before(enum op_kind kind, const void *from, size_t size, uintptr_t site)
{
    bool hidden = unlikely(rt.memory.fault_memory) && rt.options->fault == kind;
    if (from != NULL && !hidden)
        called_reads(from, size, site);
}

static void in_step(const void *at, size_t size, bool writes, uintptr_t site)
{
    if (!called_counts(site) || is_ignoring(ex.me))
        return;
    if (rt.plain_points && site_is_promoted(site))
        touch_also(at, size, writes ? OP_ACCESS_WRITE : OP_ACCESS_READ);
    memory_done(at, size, writes, site);
}

void called_reads_in_step(const void *from, size_t size, uintptr_t site)
{
    in_step(from, size, false, site);
}

void called_writes_in_step(const void *to, size_t size, uintptr_t site)
{
    in_step(to, size, true, site);
}

void called_reads_text(const char *text, size_t most, uintptr_t site)
{
    size_t size = 0;
    if (!called_counts(site))
        return;
    while (size < most && text[size] != 0)
        size++;
    called_reads(text, size < most ? size + 1 : size, site);
}

size_t readable_text(const char *text)
{
    for (size_t size = 0; text != NULL; size++) {
        bool page_begins = size == 0 || (uintptr_t)(text + size) % 4096 == 0;
        if (page_begins && !memory_probe(text + size))
            break;
        if (text[size] == 0)
            return size + 1;
    }
    return 0;
}

void called_reads_path(const char *path, uintptr_t site)
{
    if (called_counts(site))
        called_reads(path, readable_text(path), site);
}

void called_reads_wide(const int *text, size_t most, uintptr_t site)
{
    size_t size = 0;
    if (!called_counts(site))
        return;
    while (size < most && text[size] != 0)
        size++;
    called_reads(text, (size < most ? size + 1 : size) * sizeof *text, site);
}

void called_reads_texts(char *const *texts, uintptr_t site)
{
    size_t count = 0;
    if (texts == NULL || !called_counts(site))
        return;
    for (; texts[count] != NULL; count++)
        called_reads_text(texts[count], SIZE_MAX, site);
    called_reads(texts, (count + 1) * sizeof *texts, site);
}

void called_reads_parts(const struct iovec *parts, int count, uintptr_t site)
{
    for (int i = 0; i < count; i++)
        called_reads(parts[i].iov_base, parts[i].iov_len, site);
}

void called_may_write(void *to, size_t size, uintptr_t site)
{
    if (size > 0 && called_counts(site))
        memory_point(to, size, true, site);
}

void called_wrote(void *to, long size, uintptr_t site)
{
    if (size > 0 && called_counts(site))
        memory_done(to, (size_t)size, true, site);
}

void called_wrote_text(char *text, uintptr_t site)
{
    long size = 0;
    while (text[size] != 0)
        size++;
    called_wrote(text, size + 1, site);
}

void called_wrote_parts(const struct iovec *parts, int count, long size, uintptr_t site)
{
    for (int i = 0; i < count && size > 0; i++) {
        long some = size < (long)parts[i].iov_len ? size : (long)parts[i].iov_len;
        called_wrote(parts[i].iov_base, some, site);
        size -= some;
    }
}

enum { INTEGERS_END = 48, REALS_END = 176 };

uint64_t argument_next(struct arguments *arguments)
{
    char *at = arguments->more;
    if (arguments->integers < INTEGERS_END) {
        at = arguments->saved + arguments->integers;
        arguments->integers += 8;
    } else {
        arguments->more += 8;
    }
    return *(const uint64_t *)at;
}

static void skip_real(struct arguments *arguments, bool is_long)
{
    if (is_long)
        arguments->more = (char *)(((uintptr_t)arguments->more + 15) & ~15ul) + 16;
    else if (arguments->reals < REALS_END)
        arguments->reals += 16;
    else
        arguments->more += 8;
}

static bool is_among(char c, const char *set)
{
    for (; *set != 0; set++)
        if (c == *set)
            return true;
    return false;
}

/* A width or precision: a number, or an argument. */
static const char *skip_number(const char *at, struct arguments *arguments, size_t *number)
{
    if (*at == '*') {
        int value = (int)argument_next(arguments);
        *number = value < 0 ? SIZE_MAX : (size_t)value;
        return at + 1;
    }
    for (*number = 0; *at >= '0' && *at <= '9'; at++)
        *number = *number * 10 + (size_t)(*at - '0');
    return at;
}

void called_reads_format(const char *format, struct arguments arguments, uintptr_t site)
{
    for (const char *at = format; *at != 0; at++) {
        if (*at != '%')
            continue;
        size_t width, most = SIZE_MAX;
        for (at++; is_among(*at, "-+ #0'I");)
            at++;
        at = skip_number(at, &arguments, &width);
        if (*at == '$') /* arguments by number: in whatever order */
            return;
        if (*at == '.')
            at = skip_number(at + 1, &arguments, &most);
        const char *length = at;
        while (is_among(*at, "hlLqjzt"))
            at++;
        switch (*at) {
        case '%':
        case 'm':
            break;
        case 's': {
            const char *text = (const char *)argument_next(&arguments);
            if (*length == 'l' && text != NULL)
                called_reads_wide((const int *)text, most, site);
            else if (text != NULL)
                called_reads_text(text, most, site);
            break;
        }
        case 'n': {
            size_t size = *length == 'l' || *length == 'j' || *length == 'z' || *length == 't' ? 8
                          : *length == 'h' ? (length[1] == 'h' ? 1 : 2)
                                           : 4;
            called_writes((const void *)argument_next(&arguments), size, site);
            break;
        }
        case 'a':
        case 'A':
        case 'e':
        case 'E':
        case 'f':
        case 'F':
        case 'g':
        case 'G':
            skip_real(&arguments, *length == 'L');
            break;
        case 'd':
        case 'i':
        case 'o':
        case 'u':
        case 'x':
        case 'X':
        case 'c':
        case 'C':
        case 'S':
        case 'p':
            argument_next(&arguments);
            break;
        default:
            return; /* nobody knows what it takes */
        }
    }
}
