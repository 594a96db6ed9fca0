#define _GNU_SOURCE
#include "runtime/memory/exact.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include "base/mix.h"
#include "base/os.h"
#include "runtime/modules.h"
#include "runtime/runtime.h"

#define TRAP_FLAG      0x100l
#define DISTANCE_FLAGS (0x001ul | 0x004ul | 0x080ul | 0x800ul) /* carry, parity, sign, overflow */
enum { STOP = 0xcc };

/* Code cannot be written but by this way. */
static bool write_code(uint8_t *at, uint8_t byte)
{
    long file = os_call(SYS_open, (long)"/proc/self/mem", O_WRONLY | O_CLOEXEC, 0, 0, 0, 0);
    bool done = file >= 0 && os_call(SYS_pwrite64, file, (long)&byte, 1, (long)at, 0, 0) == 1;
    if (file >= 0)
        os_close((int)file);
    return done;
}

static uint32_t stop_at(const uint8_t *at)
{
    uint32_t i = 0;
    while (i < rt.exact.stops && rt.exact.stop[i].at != at)
        i++;
    return i;
}

static void set_stop(uintptr_t place)
{
    struct exact *exact = &rt.exact;
    uint8_t *at = (uint8_t *)place;
    uint32_t i = stop_at(at);
    if (i == EXACT_STOPS || module_is_ours(place) || !module_has(place)) {
        exact_doubt();
        return;
    }
    if (i == exact->stops) {
        exact->stop[i].at = at;
        exact->stop[i].was = *at;
        exact->stop[i].is_set = false;
        exact->stops++;
    }
    if (!exact->stop[i].is_set && !(exact->stop[i].is_set = write_code(at, STOP)))
        exact_doubt();
}

static void clear_stop(uint32_t i)
{
    if (rt.exact.stop[i].is_set && write_code(rt.exact.stop[i].at, rt.exact.stop[i].was))
        rt.exact.stop[i].is_set = false;
}

void exact_begin(void)
{
    rt.exact.asks = 1;
    rt.exact.goes = true;
    THREADS_EACH(thread, &ex.live)
    if (ex.threads[thread].timer == NULL)
        set_stop(ex.pending[thread].site);
}

uint64_t exact_end(void)
{
    for (uint32_t i = 0; i < rt.exact.stops; i++)
        clear_stop(i);
    rt.exact.stops = 0;
    rt.exact.goes = false;
    return rt.exact.asks;
}

void exact_doubt(void)
{
    rt.exact.asks = 0;
}

static bool is_prefix(uint8_t byte)
{
    return (byte & 0xf0) == 0x40 || byte == 0x66 || byte == 0x2e || byte == 0x3e || byte == 0xf2;
}

/* Conditions of instructions, by half of the byte that tells them. */
enum { BELOW = 2, ABOVE_OR_EQUAL, EQUAL, NOT_EQUAL, BELOW_OR_EQUAL, ABOVE };

/* A jump, a value or a move that depends on whether a result was zero; or on how it was without a
 * sign, since so compilers ask whether a number lies between two others. */
static bool asks(const uint8_t *code)
{
    while (is_prefix(*code))
        code++;
    bool is_long = code[0] == 0x0f;
    uint8_t kind = (is_long ? code[1] : code[0]) & 0xf0,
            condition = (is_long ? code[1] : code[0]) & 0x0f;
    bool conditional = is_long ? kind == 0x80 || kind == 0x90 || kind == 0x40 : kind == 0x70;
    return conditional && condition >= BELOW && condition <= ABOVE;
}

static void hear(uintptr_t pc, uint64_t flags)
{
    if (rt.exact.asks != 0 && module_is_watched(pc) && asks((const uint8_t *)pc))
        rt.exact.asks = mix(mix(rt.exact.asks, pc), flags & DISTANCE_FLAGS) | 1;
}

static void at_stop(uint32_t i, greg_t *registers)
{
    clear_stop(i);
    registers[REG_RIP]--;
    registers[REG_EFL] |= TRAP_FLAG;
    hear((uintptr_t)registers[REG_RIP], (uint64_t)registers[REG_EFL]);
}

/* It was called: all others that come back have to stop again, too. */
static void at_our_door(greg_t *registers)
{
    registers[REG_EFL] &= ~TRAP_FLAG;
    set_stop(*(uintptr_t *)registers[REG_RSP]);
    for (uint32_t i = 0; i < rt.exact.stops; i++)
        set_stop((uintptr_t)rt.exact.stop[i].at);
}

bool exact_trap(const siginfo_t *info, void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    uintptr_t pc = (uintptr_t)registers[REG_RIP];
    uint32_t stop = stop_at((const uint8_t *)pc - 1);
    bool goes = rt.exact.goes && rt.child == 0;
    if (info->si_code == SI_KERNEL && goes && stop < rt.exact.stops && rt.exact.stop[stop].is_set) {
        at_stop(stop, registers);
        return true;
    }
    /* after a call of the kernel's the signal does not say that it is this */
    if (info->si_code != TRAP_TRACE && !(registers[REG_EFL] & TRAP_FLAG))
        return false;
    if (!goes)
        registers[REG_EFL] &= ~TRAP_FLAG;
    else if (module_is_ours(pc))
        at_our_door(registers);
    else
        hear(pc, (uint64_t)registers[REG_EFL]);
    return true;
}
