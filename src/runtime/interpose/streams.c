/* compile: LOCAL_HERE */
/* Where the functions of streams.def go on; streams.S calls stream_pass. */
#include <string.h>

#include "runtime/engine/real.h"
#include "runtime/engine/upper.h"
#include "runtime/file/stream.h"
#include "runtime/interpose/interpose.h"
#include "runtime/memory/called.h"
#include "runtime/time/signal_unsafe.h"

enum where { FIRST, SECOND, THIRD, FOURTH, STDIN, STDOUT, STDERR };
enum memory_read {
    NOTHING,
    PLACE,
    TEXT,
    WIDE,
    BLOCK,
    FORMAT,
    FORMAT_SECOND,
    FORMAT_THIRD,
    LIST,
    LIST_SECOND,
    LIST_THIRD
};

static const struct {
    const char *name;
    enum where where;
    enum memory_read reads;
} rows[] = {
#define STREAM(name, where, reads) {#name, where, reads},
#include "runtime/interpose/streams.def"
#undef STREAM
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static void *functions[ROWS];

void *stream_pass(uint32_t row, void *const *arguments, uintptr_t site, char *more);

void streams_find(void)
{
    for (uint32_t row = 0; row < ROWS; row++)
        functions[row] = real_symbol(rows[row].name);
}

static void *stream_of(enum where where, void *const *arguments)
{
    return where < STDIN ? arguments[where] : stream_standard(where - STDIN);
}

/* The first six arguments were saved, `more` of them lie on the stack. */
static void note(enum memory_read reads, void *const *arguments, char *more, uintptr_t site)
{
    switch (reads) {
    case NOTHING:
    case PLACE:
        return;
    case TEXT:
        if (arguments[0] != NULL)
            called_reads_text(arguments[0], SIZE_MAX, site);
        return;
    case WIDE:
        called_reads_wide(arguments[0], SIZE_MAX, site);
        return;
    case BLOCK:
        called_reads(arguments[0], (size_t)arguments[1] * (size_t)arguments[2], site);
        return;
    case FORMAT:
    case FORMAT_SECOND:
    case FORMAT_THIRD: {
        uint32_t format = reads - FORMAT;
        called_reads_format(arguments[format],
                            (struct arguments){.integers = 8 * (format + 1),
                                               .reals = 48, /* behind the integers */
                                               .more = more,
                                               .saved = (char *)arguments},
                            site);
        return;
    }
    case LIST:
    case LIST_SECOND:
    case LIST_THIRD: {
        struct arguments list;
        memcpy(&list, arguments[reads - LIST + 1], sizeof list);
        called_reads_format(arguments[reads - LIST], list, site);
        return;
    }
    }
}

/* The program's registers and stack at its call; `more` is where the arguments on its stack begin.
 */
static __attribute__((always_inline)) inline void watch_caller(uintptr_t site, char *more)
{
    LOCAL_HERE(local);
    local.rbp = ((uint64_t *)more)[-2];
    local.frame = (uintptr_t)more;
    local.site = site;
    watch_call(&local);
}

/* Returns when the calling thread may take the stream's lock: what to call then. */
void *stream_pass(uint32_t row, void *const *arguments, uintptr_t site, char *more)
{
    if (unlikely(functions[row] == NULL))
        functions[row] = real_symbol(rows[row].name);
    if (called_counts(site))
        note(rows[row].reads, arguments, more, site);
    if (running()) {
        void *stream = stream_of(rows[row].where, arguments);
        unsafe_call(CALL_STATEFUL, rows[row].name, site);
        if (unlikely(!running_calmly()))
            watch_caller(site, more);
        stream_enter(stream, site);
        if (rows[row].reads == PLACE)
            watch_outside();
    }
    return functions[row];
}
