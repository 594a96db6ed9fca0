#include "runtime/worker/arena_file.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "base/os.h"
#include "runtime/worker/class_set.h"

#ifndef MADV_PAGEOUT
#define MADV_PAGEOUT 21
#endif

enum { GROWTH_LEAST = 1 << 20, EXECUTIONS_BETWEEN = 1 << 16 };

bool spill_map(int fd)
{
    char *arena = board_at(the_board, the_board->layout.arena);
    long got = os_call(SYS_mmap, (long)arena, (long)the_board->layout.arena_size,
                       PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, fd, 0);
    os_close(fd);
    return got == (long)arena;
}

/* Dirty pages of a file are not let go of before they are written. */
static void let_go(const char *from, uint64_t size)
{
    uintptr_t first = (uintptr_t)from & ~(PAGE - 1);
    uint64_t bytes = (uintptr_t)from + size - first;
    os_call(SYS_msync, (long)first, (long)bytes, MS_SYNC, 0, 0, 0);
    os_call(SYS_madvise, (long)first, (long)bytes, MADV_PAGEOUT, 0, 0, 0);
}

/* If it cannot be done the memory is used again later, that is all. */
static void give_back(const char *kept, uint64_t size)
{
    uintptr_t first = ((uintptr_t)kept + size + PAGE - 1) & ~(PAGE - 1);
    uintptr_t last = (uintptr_t)kept + rt.worker.spill.most;
    if (first < last)
        os_call(SYS_madvise, (long)first, (long)(last - first), MADV_REMOVE, 0, 0, 0);
    rt.worker.spill.most = size;
}

void spill_slow(void)
{
    struct tally *tally = &the_board->tally;
    uint64_t max = rt.options->memory_max, kept = tally->kept_bytes;
    struct progress progress = rt.strategy->progress(the_board->state);
    if (rt.worker.spill.most >= kept + SPILL_LEAST)
        give_back(progress.kept, kept);
    if (max == 0 || kept <= max)
        return;
    uint64_t growth = max / 2 > GROWTH_LEAST ? max / 2 : GROWTH_LEAST;
    bool grown = kept >= rt.worker.spill.bytes + growth;
    if (rt.worker.spill.bytes != 0 && !grown &&
        rt.worker.executions < rt.worker.spill.executions + EXECUTIONS_BETWEEN)
        return;
    let_go(progress.kept, progress.kept_bytes);
    rt.worker.spill.bytes = kept;
    rt.worker.spill.executions = rt.worker.executions;
    if (tally->spilled < kept - max)
        tally->spilled = kept - max; /* one word: it needs no transaction */
}

enum { AGAIN = 16 };

bool spill_can_go_on(void)
{
    struct control *control = &the_board->control;
    uint64_t now = the_board->tally.executions + the_board->tally.cut + 1;
    control->full_again = control->full_at == now ? control->full_again + 1 : 0;
    if (rt.strategy->full == NULL || !the_board->opened || control->full_again == AGAIN)
        return false;
    control->full_at = now;
    control->full = 1;
    return true;
}

void spill_tell(void)
{
    if (!the_board->control.full)
        return;
    classes_forget(the_board->journal.sequence + 1); /* else this one would seal them */
    journal_begin(&the_board->journal);
    rt.strategy->full(the_board->state);
    journal_seal(&the_board->journal);
    the_board->control.full = 0;
}

bool spill_is_full(int number, const void *address)
{
    uintptr_t offset = (uintptr_t)address - (uintptr_t)the_board;
    return number == SIGBUS && rt.options->memory_max != 0 &&
           offset - the_board->layout.arena < the_board->layout.arena_size;
}
