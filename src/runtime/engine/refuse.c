#include "runtime/engine/refuse.h"

#include "base/os.h"
#include "base/out.h"
#include "runtime/engine/runtime.h"

static _Noreturn void leave(enum worker_status status, const char *name, const char *reason,
                            uintptr_t site)
{
    struct control *control = &the_board->control;
    struct out out = out_to(-1, control->reason, sizeof control->reason);
    if (name != NULL) {
        out_text(&out, name);
        out_text(&out, ": ");
    }
    out_text(&out, reason);
    out_string(&out);
    control->reason_site = site;
    control->status = status;
    os_exit(0);
}

_Noreturn void refuse(const char *reason, uintptr_t site)
{
    leave(WORKER_REFUSED, NULL, reason, site);
}

_Noreturn void refuse_call(const char *name, const char *reason, uintptr_t site)
{
    leave(WORKER_REFUSED, name, reason, site);
}

_Noreturn void fall_back(const char *reason, uintptr_t site)
{
    leave(WORKER_FALLBACK, NULL, reason, site);
}

_Noreturn void give_up(const char *reason)
{
    leave(WORKER_BROKEN, NULL, reason, 0);
}

_Noreturn void begin_to_wipe(void)
{
    the_board->options.wipes = 1;
    leave(WORKER_GROW, NULL, "", 0);
}

_Noreturn void grow(uint32_t threads, uint64_t stack_size)
{
    struct options *options = &the_board->options;
    if (threads > options->threads_ready)
        options->threads_ready = threads;
    if (stack_size > options->stack_size)
        options->stack_size = stack_size;
    leave(WORKER_GROW, NULL, "", 0);
}
