/* compile: LOCAL_HERE */
/* dprintf and its kin write by themselves: to a modelled file we must do it. They take any number
 * of arguments, so they are not rows of the table; some come in vector registers. */
#include <stdarg.h>

#include "runtime/engine/real.h"
#include "runtime/engine/refuse.h"
#include "runtime/engine/upper.h"
#include "runtime/file/descriptor.h"
#include "runtime/interpose/interpose.h"
#include "runtime/time/signal_unsafe.h"

enum { TEXT_MAX = 4096 };

static int print(int descriptor, const char *format, va_list list, const struct local *local)
{
    char text[TEXT_MAX];
    int size = real_vsnprintf(text, sizeof text, format, list);
    if (size < 0)
        return size;
    if ((size_t)size >= sizeof text)
        refuse_call("dprintf",
                    "more than 4095 bytes to a pipe or socket are not modelled; "
                    "use snprintf and write",
                    local->site);
    return (int)file_write(descriptor, text, (size_t)size, local);
}

static bool is_ours(int descriptor, uintptr_t site)
{
    if (running()) {
        unsafe_call(CALL_UNSAFE, "dprintf", site);
        descriptor_uses(descriptor, site);
    }
    bool ours = running() && file_of(descriptor) != NULL;
    if (running() && !ours)
        await_wrote_out(&ex.me->await);
    return ours;
}

/* `last` is the parameter before the arguments; libc's own gets all of them as a list. */
#define PRINT(name, parameters, last)                                                              \
    EXPORT __attribute__((target("sse2"))) int name parameters                                     \
    {                                                                                              \
        va_list list;                                                                              \
        va_start(list, last);                                                                      \
        LOCAL_HERE(local);                                                                         \
        int written = is_ours(descriptor, local.site) ? print(descriptor, format, list, &local)    \
                                                      : real_vdprintf(descriptor, format, list);   \
        va_end(list);                                                                              \
        return written;                                                                            \
    }

PRINT(dprintf, (int descriptor, const char *format, ...), format)
PRINT(__dprintf_chk, (int descriptor, int level, const char *format, ...), format)

EXPORT int vdprintf(int descriptor, const char *format, va_list list)
{
    LOCAL_HERE(local);
    return is_ours(descriptor, local.site) ? print(descriptor, format, list, &local)
                                           : real_vdprintf(descriptor, format, list);
}

EXPORT int __vdprintf_chk(int descriptor, int level, const char *format, va_list list)
{
    LOCAL_HERE(local);
    return is_ours(descriptor, local.site) ? print(descriptor, format, list, &local)
                                           : real_vdprintf(descriptor, format, list);
}
