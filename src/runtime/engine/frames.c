#include "runtime/engine/frames.h"

#include <string.h>
#include <sys/syscall.h>
#include <unwind.h>

#include "base/os.h"
#include "runtime/engine/modules.h"

enum { RBP = 6 }; /* its number in unwind tables */

struct walk {
    struct frames *frames;
    uintptr_t from; /* frames before this pc are our own; 0: those in our module are */
    bool open;      /* the last one's end is not known yet */
};

static _Unwind_Reason_Code visit(struct _Unwind_Context *context, void *argument)
{
    struct walk *walk = argument;
    uintptr_t pc = _Unwind_GetIP(context);
    struct frames *frames = walk->frames;
    uint64_t low = _Unwind_GetCFA(context); /* of the one before, which it called */
    if (walk->open)
        frames->range[frames->count - 1].high = low;
    walk->open = false;
    if (pc == 0 || frames->count == FRAMES_MAX)
        return _URC_END_OF_STACK;
    if (walk->from != 0 && pc != walk->from)
        return _URC_NO_REASON;
    walk->from = 0;
    if (module_is_ours(pc))
        return _URC_NO_REASON;
    frames->range[frames->count] =
        (struct frame_range){.low = low, .base = _Unwind_GetGR(context, RBP)};
    frames->pc[frames->count++] = pc;
    walk->open = true;
    return _URC_NO_REASON;
}

/* An execution goes on, though rt.running says no; and a hang of it was put off. */
static bool walking, hang_put_off;

void frames_put_off_hang(void)
{
    hang_put_off = walking;
}

/* Calls that the unwinder makes for itself are not the program's. */
static void collect(struct frames *frames, uintptr_t from)
{
    struct walk walk = {.frames = frames, .from = from};
    bool was_running = rt.running;
    frames->count = 0;
    walking = was_running && !rt.in_signal;
    rt.running = false;
    _Unwind_Backtrace(visit, &walk);
    rt.running = was_running;
    walking = false;
    if (hang_put_off) {
        hang_put_off = false;
        os_call(SYS_kill, os_call(SYS_getpid, 0, 0, 0, 0, 0, 0), SIGNAL_HANG, 0, 0, 0, 0);
    }
}

void frames_here(struct frames *frames)
{
    collect(frames, 0);
}

void frames_at_signal(struct frames *frames, uintptr_t pc, uintptr_t caller)
{
    frames->count = 0;
    if (module_has(pc)) /* else the unwinder would look for code where there is none */
        collect(frames, pc);
    if (frames->count == 0) { /* the stack cannot be walked */
        frames->range[0] = frames->range[1] = (struct frame_range){0};
        frames->pc[frames->count++] = pc;
        if (caller != 0)
            frames->pc[frames->count++] = caller;
    }
}

void frames_capture(thread_id thread)
{
    frames_here(&the_board->trace[the_board->which].pending_frames[thread]);
}

void frames_keep(uint32_t step, thread_id thread)
{
    struct frames *kept = board_at(the_board, the_board->layout.frames);
    kept[step] = the_board->trace[the_board->which].pending_frames[thread];
}
