/* syscall(SYS_futex, …): what std::atomic::wait, semaphores, latches, barriers and futures of
 * libstdc++ are made of. A wait is one step that compares, and fails or goes to sleep; then a
 * second one, once woken. A wake that does not wake all chooses whom. Who sleeps is known from the
 * threads themselves, so the word holds only what the program puts there. */
#include "runtime/sync/futex.h"

#include <errno.h>
#include <linux/futex.h>
#include <time.h>

#include "runtime/arch/x86_64/signals.h"
#include "runtime/engine/object.h"
#include "runtime/engine/refuse.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/upper.h"
#include "runtime/memory/called.h"
#include "runtime/memory/memory.h"
#include "runtime/progress/await.h"
#include "runtime/time/alert.h"
#include "runtime/time/timeout.h"
#include "runtime/time/virtual_clock.h"

#define SECOND 1000000000ul

enum { CHOICES_MAX = 4096, ANY = FUTEX_BITSET_MATCH_ANY };

static bool sleeps_on(thread_id thread, const void *word, uint32_t bits)
{
    const struct thread *who = &ex.threads[thread];
    return ex.pending[thread].kind == OP_FUTEX_WAKE && alias_same(who->cond, word) &&
           !who->signalled && (who->sync.futex.bits & bits) != 0;
}

static uint32_t count_sleepers(const void *word, uint32_t bits)
{
    uint32_t count = 0;
    THREADS_EACH(thread, &ex.live)
    count += sleeps_on(thread, word, bits);
    return count;
}

/* Ways to take `few` out of `all`; CHOICES_MAX + 1 stands for more than that. */
static uint32_t ways(uint32_t all, uint32_t few)
{
    uint64_t result = 1;
    if (few > all)
        return 0;
    if (few > all - few)
        few = all - few;
    for (uint32_t i = 1; i <= few && result <= CHOICES_MAX; i++)
        result = result * (all - few + i) / i;
    return result <= CHOICES_MAX ? (uint32_t)result : CHOICES_MAX + 1;
}

uint16_t futex_choices(thread_id waking)
{
    const struct thread *who = &ex.threads[waking];
    uint32_t sleepers = count_sleepers(who->cond, who->sync.futex.bits);
    if (who->sync.futex.count >= sleepers)
        return 1;
    uint32_t choices = ways(sleepers, who->sync.futex.count);
    if (choices > CHOICES_MAX)
        refuse_call("syscall", "a futex wake has more than 4096 outcomes; test with fewer threads",
                    ex.pending[waking].site);
    return (uint16_t)choices;
}

/* The sleepers on a word are an object of their own: going to sleep commutes with going to sleep
 * and with reads of the word, but not with a wake, not even with one that finds nobody. */
static uint32_t queue_of(const void *word)
{
    return object_number((const void *)(alias_name(word) | 1ul << 62));
}

static void wake(thread_id thread)
{
    ex.threads[thread].signalled = true;
    thread_depends(thread, ex.current);
}

/* Wakes the choice-th set of `few` sleepers, counted in the order of thread numbers. */
static uint32_t wake_some(const void *word, uint32_t bits, uint32_t few)
{
    uint32_t left = count_sleepers(word, bits), choice = step_choice();
    uint32_t woken = few < left ? few : left;
    few = woken;
    THREADS_EACH(thread, &ex.live)
    {
        if (few == 0 || !sleeps_on(thread, word, bits))
            continue;
        uint32_t with = ways(--left, few - 1);
        if (choice < with) {
            wake(thread);
            few--;
        } else {
            choice -= with;
        }
    }
    return woken;
}

static uint32_t move_all(const void *from, void *to)
{
    uint32_t moved = 0;
    THREADS_EACH(thread, &ex.live)
    if (sleeps_on(thread, from, ANY)) {
        ex.threads[thread].cond = to;
        moved++;
    }
    return moved;
}

static struct timespec later(clockid_t clock, const struct timespec *duration)
{
    uint64_t at = clock_now(clock) + (uint64_t)duration->tv_nsec;
    return (struct timespec){.tv_sec = duration->tv_sec + (time_t)(at / SECOND),
                             .tv_nsec = (long)(at % SECOND)};
}

/* A search that explores loops by other orders explores the step after a timeout at once, too. */
static void give_way_after_timeout(void)
{
    if (!rt.turns_skipped) {
        thread_give_way(UNREDUCED_TIMEOUTS);
        return;
    }
    timeout_give_way();
    ex.me->time.timeout_site = ex.pending[ex.current].site;
}

static long sleep_on(struct futex_call *call, uint32_t object)
{
    struct thread *me = ex.me;
    struct timespec deadline = {0};
    if (call->time != NULL)
        deadline = call->absolute ? *call->time : later(call->clock, call->time);
    await_wrote(&me->await); /* a sleeper can be noticed: a new iteration begins */
    me->await.turn = NOT_AWAITING;
    me->signalled = false;
    me->cond = call->word;
    me->sync.futex.bits = call->bits;
    me->sync.futex.timed = call->time != NULL;
    me->deadline = call->time != NULL ? clock_moment(call->clock, &deadline) : 0;
    bool done = announce_interruptible(
        (struct op){
            .kind = OP_FUTEX_WAKE, .choices = 1, .object = object, .site = call->local->site},
        INTERRUPTED);
    bool woken = me->signalled;
    me->cond = NULL;
    me->signalled = false;
    if (call->time != NULL)
        step_moves_time();
    if (!done) /* the call ends with the handler, and whether it was woken shows then */
        touch_order(object_state(queue_of(call->word)), true);
    if (!done && !woken)
        return -EINTR;
    step_touch(object, OP_ACCESS_READ);
    if (woken)
        return 0;
    touch_order(object_state(queue_of(call->word)), true);
    clock_jump(call->clock, &deadline);
    give_way_after_timeout();
    return -ETIMEDOUT;
}

/* A wake that compares nothing does not look at the word: it may be gone by then. */
static void word_is_read(const struct futex_call *call)
{
    if (is_on_some_stack(call->word))
        stack_used(call->word, sizeof *call->word, false, call->local->site);
}

/* After a handler that was installed with SA_RESTART it compares again, unless there is a timeout.
 */
static long futex_wait(struct futex_call *call)
{
    called_reads_before(OP_FUTEX_WAIT, call->time, sizeof *call->time, call->local->site);
    if (call->time != NULL && (call->time->tv_sec < 0 || !clock_is_valid(call->time)))
        return -EINVAL;
    if (call->bits == 0)
        return -EINVAL;
    if (!memory_probe(call->word))
        return -EFAULT;
    uint32_t object = object_number(call->word);
    for (;;) {
        await_before_read(call->word, sizeof *call->word, object, call->local);
        announce((struct op){.kind = OP_FUTEX_WAIT,
                             .choices = 1,
                             .object = object,
                             .second = queue_of(call->word),
                             .site = call->local->site});
        word_is_read(call);
        if (unlikely(rt.notes))
            step_before(atomic_word(call->word, sizeof *call->word));
        if (rt.race_check &&
            !(unlikely(rt.memory.fault_memory) && memory_is_hidden(call->local->site)))
            race_atomic_access(&ex.race, shadow_of((const void *)alias_name(call->word)),
                               (const void *)alias_name(call->word), sizeof *call->word, false,
                               call->local->site);
        step_touch(object, OP_ACCESS_READ);
        if (*call->word != call->value)
            break;
        touch_order(object_state(queue_of(call->word)), false);
        long result = sleep_on(call, object);
        if (result != -EINTR || !ex.me->time.restarts || call->time != NULL)
            return result;
    }
    await_after_read();
    step_failed();
    return -EAGAIN;
}

static uint32_t announce_signal(struct futex_call *call)
{
    uint32_t object = object_number(call->word);
    ex.me->cond = call->word;
    ex.me->sync.futex.bits = call->bits;
    ex.me->sync.futex.count = call->count;
    announce((struct op){.kind = OP_FUTEX_SIGNAL,
                         .choices = 1,
                         .object = object,
                         .second = queue_of(call->word),
                         .site = call->local->site});
    ex.me->cond = NULL;
    return object;
}

static long futex_wake(struct futex_call *call)
{
    if (call->bits == 0)
        return -EINVAL;
    call->count = (int)call->value > 1 ? call->value : 1; /* Linux wakes one for 0, too */
    uint32_t object = announce_signal(call);
    uint32_t woken = wake_some(call->word, call->bits, call->count);
    step_touch(object, OP_ACCESS_READ);
    touch_order(object_state(queue_of(call->word)), true);
    if (woken == 0)
        step_failed();
    return woken;
}

/* Wakes some and lets the others go on sleeping on another word. */
static long futex_requeue(struct futex_call *call, bool compares)
{
    if ((int)call->value < 0 || (int)call->moves < 0)
        return -EINVAL;
    call->count = call->value;
    call->bits = ANY;
    uint32_t object = announce_signal(call);
    if (compares)
        word_is_read(call);
    step_touch(object, OP_ACCESS_READ);
    touch_order(object_state(queue_of(call->word)),
                true); /* also where it fails: another time it need not */
    touch_order(object_state(queue_of(call->other)), true);
    if (compares && *call->word != call->compared) {
        step_failed();
        return -EAGAIN;
    }
    uint32_t woken = wake_some(call->word, ANY, call->count);
    uint32_t left = count_sleepers(call->word, ANY);
    if (call->moves > 0 && call->moves < left)
        refuse_call("syscall",
                    "a futex requeue that leaves some behind is not modelled; wake or requeue all",
                    call->local->site);
    uint32_t moved = call->moves > 0 ? move_all(call->word, call->other) : 0;
    if (woken + moved == 0)
        step_failed();
    return compares ? woken + moved : woken;
}

static long check_word(const void *word)
{
    if ((uintptr_t)word % sizeof(uint32_t) != 0)
        return -EINVAL;
    return (uintptr_t)word < 4096 ? -EFAULT : 0;
}

long futex_syscall(const long a[6], const struct local *local)
{
    int operation = (int)a[1] & FUTEX_CMD_MASK;
    bool date = (int)a[1] & FUTEX_CLOCK_REALTIME;
    struct futex_call call = {.word = (uint32_t *)a[0],
                              .value = (uint32_t)a[2],
                              .time = (const struct timespec *)a[3],
                              .moves = (uint32_t)a[3],
                              .other = (uint32_t *)a[4],
                              .compared = (uint32_t)a[5],
                              .bits = ANY,
                              .clock = date ? CLOCK_REALTIME : CLOCK_MONOTONIC,
                              .local = local};
    long error = check_word(call.word);
    if (error != 0)
        return error;
    switch (operation) {
    case FUTEX_WAIT_BITSET:
        call.absolute = true;
        call.bits = (uint32_t)a[5];
        return futex_wait(&call);
    case FUTEX_WAIT:
        return futex_wait(&call);
    case FUTEX_WAKE_BITSET:
        call.bits = (uint32_t)a[5];
        return date ? -ENOSYS : futex_wake(&call);
    case FUTEX_WAKE:
        return date ? -ENOSYS : futex_wake(&call);
    case FUTEX_REQUEUE:
    case FUTEX_CMP_REQUEUE:
        error = check_word(call.other);
        if (error != 0 || date)
            return date ? -ENOSYS : error;
        return futex_requeue(&call, operation == FUTEX_CMP_REQUEUE);
    case FUTEX_WAKE_OP:
        refuse_call("syscall",
                    "FUTEX_WAKE_OP is not modelled; "
                    "use FUTEX_WAKE or a condition variable",
                    local->site);
    case FUTEX_LOCK_PI:
    case FUTEX_LOCK_PI2:
    case FUTEX_UNLOCK_PI:
    case FUTEX_TRYLOCK_PI:
    case FUTEX_WAIT_REQUEUE_PI:
    case FUTEX_CMP_REQUEUE_PI:
        refuse_call("syscall",
                    "futexes with priority inheritance are not modelled; "
                    "use pthread_mutex_lock",
                    local->site);
    default:
        return -ENOSYS;
    }
}
