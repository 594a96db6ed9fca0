/* Where the functions of streams.def go on; streams.S calls stream_pass. */
#include "runtime/interpose/interpose.h"
#include "runtime/model/stream.h"
#include "runtime/real.h"

enum where { FIRST, SECOND, THIRD, FOURTH, STDIN, STDOUT, STDERR };

static const struct {
    const char *name;
    enum where where;
} rows[] = {
#define STREAM(name, where) {#name, where},
#include "runtime/interpose/streams.def"
#undef STREAM
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static void *functions[ROWS];

void *stream_pass(uint32_t row, void *const *arguments, uintptr_t site);

void streams_find(void)
{
    for (uint32_t row = 0; row < ROWS; row++)
        functions[row] = real_symbol(rows[row].name);
}

static void *stream_of(enum where where, void *const *arguments)
{
    return where < STDIN ? arguments[where] : stream_standard(where - STDIN);
}

/* Returns when the calling thread may take the stream's lock: what to call then. */
void *stream_pass(uint32_t row, void *const *arguments, uintptr_t site)
{
    if (unlikely(functions[row] == NULL))
        functions[row] = real_symbol(rows[row].name);
    if (running())
        stream_enter(stream_of(rows[row].where, arguments), site);
    return functions[row];
}
