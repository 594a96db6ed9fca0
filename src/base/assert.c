/* Ends a process that found a defect of its own: one line on descriptor 2, then a trap. */
#include "base/assert.h"

#include "base/os.h"
#include "base/out.h"

_Noreturn void check_failed(const char *file, int line, const char *condition)
{
    char buffer[512];
    struct out out = out_to(2, buffer, sizeof buffer);
    out_text(&out, "bohr: internal error at ");
    out_text(&out, file);
    out_char(&out, ':');
    out_number(&out, (uint64_t)line);
    out_text(&out, ": ");
    out_text(&out, condition);
    out_char(&out, '\n');
    out_flush(&out);
    __builtin_trap();
}
