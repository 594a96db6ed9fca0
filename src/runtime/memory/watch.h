/* Long executions are watched now and then: does one come back to a state in which it was before?
 * Then it goes round a loop, whatever that is made of.
 *
 * The state is taken when a thread announces an operation. It is what all threads are about to do,
 * each in what local state, and all memory of the program, also that of libc and of code without
 * instrumentation. What is in the program's own files is part of it, and how far off deadlines are.
 * If somebody looks at the clock, times in memory count by how far off they are, too (shift.h).
 * What lies elsewhere (the kernel's files, processes, signals, timers) has changed for good as soon
 * as an operation changes it. */
#ifndef RUNTIME_MEMORY_WATCH_H
#define RUNTIME_MEMORY_WATCH_H

#include "runtime/memory/local.h"
#include "runtime/runtime.h"

void watch_open(void);  /* a new execution */
void watch_begin(void); /* ex.due has come, and the steps are not at their end */
void watch_end(void);
bool watch_goes_on(void); /* … has come while it watches; false: it is to end */
void watch_call(
    const struct local *local); /* the program calls us: its thread may announce something */
const struct local *watch_leapt(void);
#define WATCH_CALL(local)                                                                          \
    do {                                                                                           \
        watch_call(local);                                                                         \
        if (unlikely(ex.attention & ATTENTION_LEAP))                                               \
            LOCAL_BACK(watch_leapt()); /* what its registers hold was carried on with the clock */ \
    } while (0)
void watch_operation(void); /* … does */
/* Where the calling thread is, while it runs a handler; false: nobody wants to know. */
struct watch_place {
    struct local local;
    uint64_t place;
    uintptr_t site, frame;
};
bool watch_keep(struct watch_place *out);
void watch_put_back(const struct watch_place *kept);
void watch_timer(void); /* one has expired while all orders are tried */
thread_id
watch_lead(const thread_set *able); /* who goes on; NO_THREAD: whoever the strategy says */
uint32_t watch_drops_end(void);     /* it ends where it was carried to, which says nothing, after so
                                       many     steps; 0: it does not */
void watch_thread(thread_id thread); /* this one is made */
void watch_outside(void);            /* something changes that is no memory of the program's */
void watch_look(void);               /* somebody looks at the clock */
uint64_t watch_sees(uint64_t time);  /* … and sees this instead of that */

#endif
