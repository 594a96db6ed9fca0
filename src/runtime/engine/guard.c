#include "runtime/engine/guard.h"

#include <sys/mman.h>
#include <sys/syscall.h>

#include "base/os.h"
#include "base/rng.h"
#include "runtime/engine/modules.h"
#include "runtime/engine/runtime.h"

enum {
    GUARD_SHARE = 512, /* one in so many nanoseconds may be spent here, beyond GUARD_ALLOWANCE */
    GUARD_ALLOWANCE = 2000 * 1000, /* nanoseconds that may be spent in any case */
    GUARD_PAUSE_MAX = 1 << 20,
};

static void protect(int rights)
{
    struct board *board = the_board;
    os_call(SYS_mprotect, (long)board, offsetof(struct board, unused), rights, 0, 0, 0);
    os_call(SYS_mprotect, (long)board_at(board, board->layout.lasting),
            (long)(board->layout.size - board->layout.lasting), rights, 0, 0, 0);
    rt.guard.up = rights == PROT_READ;
}

void guard_raise_always(void)
{
    rt.guard.always = true;
    protect(PROT_READ);
}

/* Which ones are guarded is not to depend on a period of the search: hence by chance. */
static void pause_next(void)
{
    uint64_t passed = os_cpu_nanoseconds() - rt.guard.first;
    if (rt.guard.spent <= GUARD_ALLOWANCE + passed / GUARD_SHARE)
        rt.guard.pause /= 2;
    else if (rt.guard.pause < GUARD_PAUSE_MAX)
        rt.guard.pause = 2 * rt.guard.pause + 1;
    rt.guard.left = rt.guard.pause + (uint32_t)rng_below(&rt.guard.rng, rt.guard.pause + 1);
}

void guard_raise(void)
{
    if (likely(rt.guard.left > 0)) {
        rt.guard.left--;
        return;
    }
    uint64_t begin = os_cpu_nanoseconds();
    if (rt.guard.first == 0)
        rt.guard.first = begin;
    protect(PROT_READ);
    rt.guard.raised = true;
    rt.guard.spent += os_cpu_nanoseconds() - begin;
}

void guard_lower(void)
{
    if (likely(!rt.guard.raised))
        return;
    uint64_t begin = os_cpu_nanoseconds();
    if (rt.guard.up)
        protect(PROT_READ | PROT_WRITE);
    rt.guard.raised = false;
    rt.guard.spent += os_cpu_nanoseconds() - begin;
    if (!rt.guard.always)
        pause_next();
}

void guard_note(uint8_t *options_field, uint8_t bits)
{
    if ((*options_field & bits) == bits)
        return;
    bool up = rt.guard.up;
    if (up)
        protect(PROT_READ | PROT_WRITE);
    *options_field |= bits;
    if (up)
        protect(PROT_READ);
}

static bool is_guarded(const void *address)
{
    uintptr_t at = (uintptr_t)address - (uintptr_t)the_board;
    return rt.guard.up &&
           (at < offsetof(struct board, unused) ||
            at - the_board->layout.lasting < the_board->layout.size - the_board->layout.lasting);
}

bool guard_lets_pass(const void *address, uintptr_t pc)
{
    if (!is_guarded(address) || !module_is_ours(pc))
        return false;
    protect(PROT_READ | PROT_WRITE);
    return true;
}

/* From now on each execution is guarded. */
bool guard_stops(const void *address, uintptr_t pc)
{
    if (!is_guarded(address) || module_is_ours(pc))
        return false;
    rt.guard.always = true;
    return true;
}
