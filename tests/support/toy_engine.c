/* The engine of toy programs: steps after DESIGN's rules of counting, decisions after the schedule.
 */
#include <string.h>

#include "base/mix.h"
#include "support/toy_parts.h"

static const struct toy_op exit_op = {.kind = TOY_EXIT};

static uint32_t mutex_object(uint32_t mutex)
{
    return 1 + mutex;
}
static uint32_t condition_object(uint32_t condition)
{
    return 1 + TOY_OBJECTS_MAX + condition;
}
static uint32_t variable_object(uint32_t variable)
{
    return 1 + 2 * TOY_OBJECTS_MAX + variable;
}

static uint32_t rwlock_object(uint32_t lock)
{
    return 1 + 3 * TOY_OBJECTS_MAX + lock;
}
static uint32_t semaphore_object(uint32_t semaphore)
{
    return 1 + 4 * TOY_OBJECTS_MAX + semaphore;
}
static uint32_t barrier_object(uint32_t barrier)
{
    return 1 + 5 * TOY_OBJECTS_MAX + barrier;
}

enum op_kind toy_fault;

static const struct toy_op expire_op = {.kind = TOY_EXPIRE};

const struct toy_op *toy_own(const struct toy *toy, thread_id thread)
{
    const struct toy_thread *at = &toy->threads[thread];
    const struct toy_list *list = &toy->program->lists[at->list];
    if (at->is_timer)
        return &expire_op;
    if (at->next < list->count && !at->alerts.exiting)
        return &list->ops[at->next];
    return thread == 0 && !toy->program->bare && !at->alerts.exiting ? &exit_op : NULL;
}

const struct toy_op *toy_next(const struct toy *toy, thread_id thread)
{
    const struct toy_alerts *alerts = &toy->threads[thread].alerts;
    if (alerts->depth == 0)
        return toy_own(toy, thread);
    const struct toy_frame *top = &alerts->frames[alerts->depth - 1];
    return &toy->program->handlers[top->handler].ops[top->next];
}

static bool is_wait(enum toy_kind kind)
{
    return kind == TOY_WAIT || kind == TOY_TIMED_WAIT;
}

static bool sleeps_on(const struct toy *toy, thread_id thread, uint32_t condition)
{
    const struct toy_op *own = toy_own(toy, thread);
    return toy->threads[thread].sleep == ASLEEP && !toy->threads[thread].alerts.woken &&
           own != NULL && is_wait(own->kind) && own->object == condition;
}

static uint32_t count_sleepers(const struct toy *toy, uint32_t condition)
{
    uint32_t count = 0;
    for (thread_id i = 0; i < toy->thread_count; i++)
        count += sleeps_on(toy, i, condition);
    return count;
}

uint32_t toy_mutex_state(const struct toy *toy, uint32_t mutex)
{
    return toy->owner[mutex] == NO_THREAD ? 0 : 1;
}

static const uint8_t rwlock_kinds[] = {OP_RWLOCK_READ,  OP_RWLOCK_TRYREAD,  OP_RWLOCK_UNREAD,
                                       OP_RWLOCK_WRITE, OP_RWLOCK_TRYWRITE, OP_RWLOCK_UNWRITE};
static const uint8_t semaphore_kinds[] = {OP_SEM_WAIT, OP_SEM_TRYWAIT, OP_SEM_POST};

static uint64_t site_of(const struct toy *toy, thread_id thread)
{
    const struct toy_thread *at = &toy->threads[thread];
    if (at->alerts.depth == 0)
        return at->list * 100 + at->next;
    const struct toy_frame *top = &at->alerts.frames[at->alerts.depth - 1];
    return (TOY_THREADS_MAX + top->handler) * 100u + top->next;
}

static struct op find_op(const struct toy *toy, thread_id thread)
{
    const struct toy_op *next = toy_next(toy, thread);
    uint32_t object = next->object;
    struct op op = {.choices = 1, .site = site_of(toy, thread)};
    if (alerts_are_next(next))
        return alerts_op(toy, thread, next);
    switch (next->kind) {
    case TOY_LOCK:
        op.kind = OP_MUTEX_LOCK, op.object = mutex_object(object);
        op.before = toy_mutex_state(toy, object);
        return op;
    case TOY_TRYLOCK:
    case TOY_TIMED_LOCK:
        op.kind = next->kind == TOY_TRYLOCK ? OP_MUTEX_TRYLOCK : OP_MUTEX_TIMEDLOCK;
        op.object = mutex_object(object);
        op.before = toy_mutex_state(toy, object);
        return op;
    case TOY_UNLOCK:
        op.kind = OP_MUTEX_UNLOCK, op.object = mutex_object(object);
        op.before = toy_mutex_state(toy, object);
        return op;
    case TOY_WAIT:
    case TOY_TIMED_WAIT:
        op.kind = OP_COND_WAIT, op.object = condition_object(object);
        op.second = mutex_object(next->second);
        op.before = 1;
        if (toy->threads[thread].sleep == AWAKE)
            return op;
        op.kind = OP_COND_WAKE, op.second = condition_object(object);
        op.object = mutex_object(next->second);
        op.before = toy->threads[thread].sleep == ASLEEP && !toy->threads[thread].alerts.woken
                        ? COND_ASLEEP
                        : toy_mutex_state(toy, next->second);
        if (next->kind == TOY_TIMED_WAIT && !toy->threads[thread].timed_out)
            op.size = toy->time_matters ? OP_WIDE : OP_TIMED;
        return op;
    case TOY_SIGNAL: {
        uint32_t sleepers = count_sleepers(toy, object);
        op.kind = OP_COND_SIGNAL, op.object = condition_object(object);
        op.choices = (uint16_t)(sleepers > 0 ? sleepers : 1);
        return op;
    }
    case TOY_BROADCAST:
        op.kind = OP_COND_BROADCAST, op.object = condition_object(object);
        return op;
    case TOY_LOAD:
    case TOY_AWAIT:
    case TOY_BACK:
    case TOY_ASSERT:
        op.kind = OP_ATOMIC_LOAD, op.object = variable_object(object), op.size = 4;
        op.before = (uint32_t)toy->values[object];
        return op;
    case TOY_STORE:
        op.kind = OP_ATOMIC_STORE, op.object = variable_object(object), op.size = 4;
        op.before = (uint32_t)toy->values[object];
        return op;
    case TOY_ACQUIRE:
        op.kind = OP_ATOMIC_UPDATE, op.object = variable_object(object), op.size = 4;
        op.before = (uint32_t)toy->values[object];
        return op;
    case TOY_LOOK:
    case TOY_ADD:
        op.kind = OP_ATOMIC_UPDATE, op.object = variable_object(object), op.size = 4;
        op.before = (uint32_t)toy->values[object];
        return op;
    case TOY_COMPARE:
        op.kind = OP_ATOMIC_COMPARE, op.object = variable_object(object), op.size = 4;
        op.before = (uint32_t)toy->values[object], op.second = (uint32_t)next->value;
        return op;
    case TOY_READ_LOCK:
    case TOY_TRY_READ_LOCK:
    case TOY_READ_UNLOCK:
    case TOY_WRITE_LOCK:
    case TOY_TRY_WRITE_LOCK:
    case TOY_WRITE_UNLOCK:
        op.kind = rwlock_kinds[next->kind - TOY_READ_LOCK], op.object = rwlock_object(object);
        op.before = toy->readers[object];
        return op;
    case TOY_SEM_WAIT:
    case TOY_SEM_TRY:
    case TOY_SEM_POST:
    case TOY_SEM_TIMED:
        op.kind = next->kind == TOY_SEM_TIMED ? OP_SEM_TIMEDWAIT
                                              : semaphore_kinds[next->kind - TOY_SEM_WAIT];
        op.object = semaphore_object(object);
        op.before = toy->counts[object];
        return op;
    case TOY_BARRIER:
        op.kind = toy->threads[thread].sleep == AWAKE ? OP_BARRIER_ARRIVE : OP_BARRIER_LEAVE;
        op.object = barrier_object(object);
        return op;
    case TOY_YIELD:
        op.kind = OP_YIELD;
        return op;
    case TOY_SLEEP:
        op.kind = OP_SLEEP;
        return op;
    case TOY_CHOOSE:
        op.kind = OP_CHOOSE, op.choices = (uint16_t)next->value;
        return op;
    case TOY_CREATE:
        op.kind = OP_CREATE, op.second = toy->thread_count;
        return op;
    case TOY_JOIN:
        op.kind = OP_JOIN, op.second = toy->thread_of[object];
        return op;
    case TOY_EXIT:
        op.kind = OP_EXIT;
        return op;
    case TOY_KILL:
    case TOY_KILL_ANY:
    case TOY_BLOCK:
    case TOY_UNBLOCK:
    case TOY_IGNORE:
    case TOY_SIGWAIT:
    case TOY_SIGPOLL:
    case TOY_PENDING:
    case TOY_PAUSE:
    case TOY_CANCEL:
    case TOY_TEST_CANCEL:
    case TOY_ALARM:
    case TOY_EXPIRE:
    case TOY_KINDS:
        break;
    }
    UNREACHABLE();
}

static struct op announce(const struct toy *toy, thread_id thread)
{
    struct op op = find_op(toy, thread);
    if (op_is_timed(op.kind))
        op.second = toy->time_matters;
    return alerts_replace(toy, thread, op);
}

static bool is_own(const struct trace *trace, uint32_t step, uint32_t object, bool writes)
{
    for (uint32_t i = trace_touches_begin(trace->steps, step); i < trace->steps[step].touches_end;
         i++)
        if (trace->touches[i].object == object &&
            (trace->touches[i].access == TOUCH_WRITES ||
             (!writes && trace->touches[i].access == TOUCH_READS)))
            return true;
    return false;
}

/* A futile iteration changes nothing for others. */
static bool is_harmless(const struct toy *toy, uint32_t step)
{
    const struct toy_thread *thread = &toy->threads[toy->trace->steps[step].thread];
    return toy->forgotten[step] || (thread->stays && step + 1 >= thread->turn);
}

/* Whether somebody has changed what the thread has touched in its last turn. Locks, which it has
 * given back, count only where it does not look again: the program's plain memory is what they
 * guard. */
static bool turn_is_over(const struct toy *toy, thread_id thread)
{
    const struct trace *trace = toy->trace;
    for (uint32_t i = toy->threads[thread].turn - 1; i < trace->count; i++) {
        uint32_t object = trace->steps[i].op.object;
        if (trace->steps[i].thread != thread || object == NO_OBJECT)
            continue;
        for (uint32_t k = i + 1; k < trace->count; k++)
            if (trace->steps[k].thread != thread && !is_harmless(toy, k) &&
                is_own(trace, k, object, true))
                return true;
    }
    return false;
}

/* Whether the operation could be carried out if nothing else were in its place. */
static bool is_possible(const struct toy *toy, thread_id thread)
{
    const struct toy_op *next = toy_next(toy, thread);
    if (alerts_are_next(next))
        return alerts_can_run(toy, thread, next);
    if (toy->threads[thread].stays ||
        (toy->threads[thread].turn != 0 && !turn_is_over(toy, thread)))
        return false;
    switch (next->kind) {
    case TOY_LOCK:
        return toy->owner[next->object] == NO_THREAD;
    case TOY_WAIT:
        if (toy->threads[thread].sleep == AWAKE)
            return true;
        return (toy->threads[thread].sleep == SIGNALLED || toy->threads[thread].alerts.woken) &&
               toy->owner[next->second] == NO_THREAD;
    case TOY_TIMED_WAIT:
        return (toy->threads[thread].sleep != SIGNALLED && !toy->threads[thread].alerts.woken) ||
               toy->owner[next->second] == NO_THREAD;
    case TOY_AWAIT:
    case TOY_ACQUIRE:
        return toy->threads[thread].awaits != toy->written[next->object] + 1;
    case TOY_READ_LOCK:
        return toy->readers[next->object] != RWLOCK_WRITTEN;
    case TOY_WRITE_LOCK:
        return toy->readers[next->object] == 0;
    case TOY_SEM_WAIT:
        return toy->counts[next->object] > 0;
    case TOY_BARRIER:
        return toy->threads[thread].sleep != ASLEEP;
    case TOY_JOIN: {
        thread_id joined = toy->thread_of[next->object];
        return joined != NO_THREAD && toy->threads[joined].ended;
    }
    default:
        return true;
    }
}

bool toy_is_waiting(const struct toy *toy, thread_id thread)
{
    const struct toy_thread *who = &toy->threads[thread];
    const struct toy_op *next = toy_next(toy, thread);
    switch (next->kind) {
    case TOY_SLEEP:
        return who->deadline > toy->time;
    case TOY_WAIT:
    case TOY_TIMED_WAIT:
        return who->sleep == ASLEEP && !who->alerts.woken;
    case TOY_TIMED_LOCK:
        return toy->owner[next->object] != NO_THREAD;
    case TOY_SEM_TIMED:
        return toy->counts[next->object] == 0;
    default:
        return !is_possible(toy, thread);
    }
}

static bool can_run(const struct toy *toy, thread_id thread)
{
    return toy->threads[thread].alerts.kind != OP_NONE ||
           (is_possible(toy, thread) && !alerts_hold_back(toy, thread));
}

static thread_id twin_of(const struct toy *toy, thread_id thread)
{
    uint8_t list = toy->program->twin_of[toy->threads[thread].list];
    return list != 0 ? toy->thread_of[list] : NO_THREAD;
}

static thread_id twin_after(const struct toy *toy, thread_id thread)
{
    for (thread_id i = 0; i < toy->thread_count; i++)
        if (twin_of(toy, i) == thread)
            return i;
    return NO_THREAD;
}

static bool is_held(const struct toy *toy, thread_id thread)
{
    thread_id elder = twin_of(toy, thread);
    return toy->program->symmetry && elder != NO_THREAD && !toy->threads[elder].begun;
}

/* Announces all operations again and finds the enabled threads. */
static void look_around(struct toy *toy)
{
    thread_set able = {0};
    toy->live = (thread_set){0};
    for (thread_id i = 0; i < toy->thread_count; i++) {
        if (toy->threads[i].ended)
            continue;
        thread_set_add(&toy->live, i);
        toy->pending[i] = announce(toy, i);
        if (can_run(toy, i) && !is_held(toy, i))
            thread_set_add(&able, i);
    }
    toy->enabled = able;
    for (thread_id i = 0; i < toy->thread_count; i++)
        if (thread_set_meets(&toy->threads[i].owed, &able))
            thread_set_remove(&toy->enabled, i);
}

static void begin_sleep(struct toy *toy, thread_id thread)
{
    const struct toy_op *next = toy_own(toy, thread);
    if (next != NULL && next->kind == TOY_SLEEP)
        toy->threads[thread].deadline = toy->time + (uint32_t)next->value;
}

thread_id toy_begin_thread(struct toy *toy, uint64_t name)
{
    CHECK(toy->thread_count < TOY_THREADS_MAX);
    thread_id thread = (thread_id)toy->thread_count++;
    toy->threads[thread] = (struct toy_thread){.name = name, .past = name};
    return thread;
}

static thread_id thread_begin(struct toy *toy, uint32_t list, uint64_t name)
{
    CHECK(toy->thread_of[list] == NO_THREAD);
    thread_id thread = toy_begin_thread(toy, name);
    toy->thread_of[list] = thread;
    toy->threads[thread].list = list;
    toy->threads[thread].ended = toy_next(toy, thread) == NULL;
    begin_sleep(toy, thread);
    return thread;
}

void toy_touch(struct toy *toy, struct step *step, uint32_t object, enum touch_access access)
{
    CHECK(step->touches_end < TOY_TOUCHES_MAX);
    toy->trace->touches[step->touches_end++] = (struct touch){object, access};
}

static void rouse(struct toy *toy, struct step *step, thread_id thread)
{
    toy->threads[thread].sleep = SIGNALLED;
    if (!alerts_in_handler(toy, thread)) /* else its handler comes first */
        toy_touch(toy, step, thread, TOUCH_LEADS);
}

static bool sleeps_at_barrier(const struct toy *toy, thread_id thread, uint32_t barrier)
{
    const struct toy_op *own = toy_own(toy, thread);
    return toy->threads[thread].sleep == ASLEEP && own != NULL && own->kind == TOY_BARRIER &&
           own->object == barrier;
}

static void wake(struct toy *toy, struct step *step, uint32_t condition, uint32_t which)
{
    for (thread_id i = 0; i < toy->thread_count; i++)
        if (sleeps_on(toy, i, condition) && which-- == 0) {
            rouse(toy, step, i);
            return;
        }
}

static void open_barrier(struct toy *toy, struct step *step, uint32_t barrier)
{
    toy->inside[barrier] = 0;
    for (thread_id i = 0; i < toy->thread_count; i++)
        if (sleeps_at_barrier(toy, i, barrier))
            rouse(toy, step, i);
}

static void yield(struct toy *toy, thread_id thread)
{
    for (thread_id i = 0; i < toy->thread_count; i++)
        if (i != thread && !toy->threads[i].ended)
            thread_set_add(&toy->threads[thread].owed, i);
}

static void touch(struct toy *toy, uint64_t *past, uint32_t object, bool writes)
{
    struct toy_object *at = &toy->objects[object];
    if (!writes) {
        *past = mix(*past, at->writes);
        at->reads += mix(*past, 1); /* reads commute */
        return;
    }
    *past = mix(mix(*past, at->writes), at->reads);
    at->writes = *past;
    at->reads = 0;
}

/* How an operation touches its object; with a fault it does so less. */
static void touch_object(struct toy *toy, struct step *step)
{
    const struct op *op = &step->op;
    bool fails = step->flags & STEP_FAILED;
    enum op_access access = fails ? op_access_failed(op->kind) : op_access(op->kind);
    if (op->object != NO_OBJECT && access != OP_ACCESS_NONE)
        toy_touch(toy, step, op->object, op_access_writes(access) ? TOUCH_WRITES : TOUCH_READS);
    bool cancelled = op->kind == OP_COND_WAKE && toy->threads[step->thread].alerts.exiting;
    if (op->kind == OP_COND_WAIT || step->flags & STEP_TIMED_OUT || cancelled)
        toy_touch(toy, step, op->second, TOUCH_WRITES);
    if (op->kind == OP_JOIN)
        toy_touch(toy, step, op->second, TOUCH_FOLLOWS);
    if (op->kind == OP_CREATE) {
        toy_touch(toy, step, THREADS_OBJECT, TOUCH_WRITES);
        toy_touch(toy, step, op->second, TOUCH_LEADS);
    }
}

static bool is_faulty(const struct op *op)
{
    return toy_fault != OP_NONE && op->kind == toy_fault;
}

static void weaken(struct toy *toy, struct step *step, uint32_t first)
{
    uint32_t kept = first;
    for (uint32_t i = first; i < step->touches_end; i++) {
        struct touch touch = toy->trace->touches[i];
        if (touch.access != TOUCH_READS && touch.access != TOUCH_WRITES)
            toy->trace->touches[kept++] = touch;
    }
    step->touches_end = kept;
    step->flags &= (uint16_t)~STEP_ALL;
}

static void begin(struct toy *toy, struct step *step)
{
    thread_id younger = twin_after(toy, step->thread);
    if (toy->program->symmetry && younger != NO_THREAD && !toy->threads[step->thread].begun)
        toy_touch(toy, step, younger, TOUCH_LEADS);
    toy->threads[step->thread].begun = true;
}

/* Joins of equal threads are one step, of which the class knows when all were joined. */
static bool joins_twin(struct toy *toy, const struct step *step)
{
    thread_id joined = (thread_id)step->op.second;
    if (!toy->program->renamed || step->op.kind != OP_JOIN ||
        (twin_of(toy, joined) == NO_THREAD && twin_after(toy, joined) == NO_THREAD))
        return false;
    struct toy_thread *thread = &toy->threads[step->thread];
    toy->joined += mix(toy->threads[joined].past, 1);
    if (twin_after(toy, joined) == NO_THREAD) {
        thread->past = mix(thread->past, toy->joined);
        toy->joined = 0;
    }
    return true;
}

/* The happens-before relation as a sum over steps of what each of them knows about its past. */
static void know_touches(struct toy *toy, struct step *step, uint32_t first, uint32_t end)
{
    struct toy_thread *thread = &toy->threads[step->thread];
    struct trace *trace = toy->trace;
    bool chosen = step->op.kind != OP_COND_SIGNAL && step->choice > 0;
    uint64_t past = mix(
        mix(thread->past, (uint64_t)step->op.kind << 32 | (chosen ? step->choice : 0)), toy->all);
    if (step->flags & STEP_IDLE || joins_twin(toy, step))
        return;
    for (uint32_t i = first; i < end; i++) {
        struct touch at = trace->touches[i];
        if (at.access == TOUCH_READS || at.access == TOUCH_WRITES)
            touch(toy, &past, at.object, at.access == TOUCH_WRITES);
        if (at.access == TOUCH_FOLLOWS)
            past = mix(past, toy->threads[at.object].past);
        if (at.access == TOUCH_LEADS && step->op.kind == OP_COND_SIGNAL)
            past = mix(past, toy->threads[at.object].name);
    }
    if (step->flags & (STEP_ENDS | STEP_ALL))
        toy->all = past = mix(past, trace->class[0]);
    for (uint32_t i = first; i < end; i++) {
        struct touch at = trace->touches[i];
        if (at.access != TOUCH_LEADS)
            continue;
        struct toy_thread *led = &toy->threads[at.object];
        led->past = mix(led->past, past);
        if (step->op.kind == OP_CREATE) {
            thread_id elder = twin_of(toy, (thread_id)at.object);
            if (toy->program->renamed && elder != NO_THREAD)
                led->past = toy->threads[elder].start;
            led->start = led->past;
        }
    }
    thread->past = past;
    trace->class[0] += mix(past, thread->name);
    trace->class[1] += mix(thread->name, past);
}

static void know(struct toy *toy, struct step *step)
{
    uint32_t first = trace_touches_begin(toy->trace->steps, toy->trace->count - 1);
    touch_object(toy, step);
    know_touches(toy, step, first, step->touches_end);
    if (is_faulty(&step->op))
        weaken(toy, step, first);
}

/* The class without futile iterations, which show only when they are over. */
static void know_again(struct toy *toy)
{
    struct trace *trace = toy->trace;
    memset(toy->objects, 0, sizeof toy->objects);
    toy->all = toy->joined = trace->class[0] = trace->class[1] = 0;
    for (thread_id i = 0; i < toy->thread_count; i++)
        toy->threads[i].past = toy->threads[i].name;
    for (uint32_t i = 0; i < trace->count; i++)
        if (!toy->forgotten[i])
            know_touches(toy, &trace->steps[i], trace_touches_begin(trace->steps, i),
                         trace->steps[i].touches_end - toy->waited[i]);
}

/* A clock that nobody looks at orders nothing. */
void toy_reach(struct toy *toy, struct step *step, uint32_t moment)
{
    if (toy->time < moment)
        toy->time = moment;
    if (toy->time_matters)
        step->flags |= STEP_ALL;
}

/* Carries out a thread's accesses to variables up to its next operation. Returns false if the
 * execution ends with it. */
static bool use_variables(struct toy *toy, thread_id id, struct step *step)
{
    struct toy_thread *thread = &toy->threads[id];
    for (const struct toy_op *op; toy->program->plain && (op = toy_next(toy, id)) != NULL;) {
        bool writes = op->kind == TOY_STORE || op->kind == TOY_ADD, skips = false;
        int32_t *value = &toy->values[op->object];
        if (!writes && op->kind != TOY_LOAD && op->kind != TOY_ASSERT)
            break;
        toy_touch(toy, step, variable_object(op->object), writes ? TOUCH_WRITES : TOUCH_READS);
        if (op->kind == TOY_ASSERT && *value != op->value) {
            toy->trace->outcome = OUTCOME_FAILED;
            return false;
        }
        if (writes)
            *value = op->kind == TOY_STORE ? op->value : *value + op->value;
        else
            skips = op->kind == TOY_LOAD && *value != op->value;
        thread->next += 1u + (skips ? op->skip : 0);
    }
    return true;
}

static bool takes_lock(const struct step *step)
{
    return step->op.kind == OP_MUTEX_LOCK ||
           (step->op.kind == OP_MUTEX_TRYLOCK && !(step->flags & STEP_FAILED));
}

/* Somebody has found a lock taken that the turn has taken since. */
static bool is_noticed(const struct toy *toy, thread_id thread, uint32_t takes)
{
    const struct step *steps = toy->trace->steps;
    for (uint32_t i = takes + 1; i < toy->trace->count; i++) {
        if (steps[i].op.object != steps[takes].op.object)
            continue;
        if (steps[i].thread == thread)
            return false; /* gives it back */
        if (steps[i].flags & STEP_FAILED)
            return true;
    }
    return false;
}

/* The thread is about to go back. All that loops are made of gives back what it takes. */
static void end_turn(struct toy *toy, thread_id thread, const struct toy_op *op)
{
    const struct trace *trace = toy->trace;
    struct toy_thread *who = &toy->threads[thread];
    uint32_t from = trace->count, last = trace->count - 1;
    uint64_t head = who->list * 100 + who->next - op->second;
    bool lasts = false;
    do { /* of several operations of one site the last turn's come last */
        from--;
        if (trace->steps[from].thread == thread && takes_lock(&trace->steps[from]))
            lasts |= is_noticed(toy, thread, from);
    } while (trace->steps[from].thread != thread || trace->steps[from].op.site != head);
    if (lasts)
        return;
    who->turn = from + 1;
    who->stays = toy->turns == TURNS_SKIPPED;
    for (uint32_t i = from; i <= last; i++)
        toy->forgotten[i] |= trace->steps[i].thread == thread;
}

/* The step could not have come before something that its last iteration has read had changed. */
static void touch_waited(struct toy *toy, struct step *step)
{
    struct toy_thread *thread = &toy->threads[step->thread];
    const struct trace *trace = toy->trace;
    uint32_t count = trace->count - 1, before = step->touches_end;
    for (uint32_t i = thread->turn - 1; toy->turns == TURNS_READ && i < count; i++)
        if (trace->steps[i].thread == step->thread &&
            trace->steps[i].op.object != step->op.object && trace->steps[i].op.object != NO_OBJECT)
            toy_touch(toy, step, trace->steps[i].op.object, TOUCH_READS);
    toy->waited[count] = (uint8_t)(step->touches_end - before);
}

static void end_step(struct toy *toy, thread_id id)
{
    if (!toy->threads[id].is_timer) {
        toy->threads[id].ended = toy_next(toy, id) == NULL;
        alerts_announce(toy, id);
    }
    for (thread_id i = 0; i < toy->thread_count; i++)
        if (i != id)
            thread_set_remove(&toy->threads[i].owed, id);
}

/* Carries out the thread's next operation. Returns false if the execution ends with it. */
static bool take_step(struct toy *toy, struct step *step)
{
    thread_id id = step->thread;
    struct toy_thread *thread = &toy->threads[id];
    const struct toy_op *op = toy_next(toy, id);
    bool goes_on = true, skips = false, advances = true;
    if (thread->yielded)
        step->flags |= STEP_ALL;
    thread->yielded = op->kind == TOY_YIELD;
    thread->owed = (thread_set){0};
    if (alerts_in_handler(toy, id) || op_depends_on_all(step->op.kind))
        step->flags |= STEP_ALL;
    if (thread->alerts.kind != OP_NONE) {
        alerts_strike(toy, step);
        know(toy, step);
        end_step(toy, id);
        return true;
    }
    bool own = thread->alerts.depth == 0;
    switch (op->kind) {
    case TOY_LOCK:
        toy->owner[op->object] = id;
        break;
    case TOY_TRYLOCK:
    case TOY_TIMED_LOCK:
        skips = toy->owner[op->object] != NO_THREAD;
        if (skips)
            step->flags |= STEP_FAILED;
        else
            toy->owner[op->object] = id;
        if (skips && op->kind == TOY_TIMED_LOCK)
            toy_reach(toy, step, (uint32_t)op->value);
        break;
    case TOY_UNLOCK:
        CHECK(toy->owner[op->object] == id);
        toy->owner[op->object] = NO_THREAD;
        break;
    case TOY_WAIT:
    case TOY_TIMED_WAIT:
        if (thread->alerts.woken) {
            toy->owner[op->second] = id;
            alerts_cancel(toy, id);
            advances = false;
            break;
        }
        if (thread->sleep == ASLEEP) {
            step->flags |= STEP_TIMED_OUT;
            step->op.before = toy_mutex_state(toy, op->second);
            toy_reach(toy, step, (uint32_t)op->value);
            thread->timed_out = true;
        }
        if (thread->sleep == ASLEEP && toy->owner[op->second] != NO_THREAD) {
            step->flags |= STEP_FAILED;
            thread->sleep = SIGNALLED;
            advances = false;
        } else if (thread->sleep == AWAKE) {
            CHECK(toy->owner[op->second] == id);
            toy->owner[op->second] = NO_THREAD;
            thread->sleep = ASLEEP;
            if (op->kind == TOY_TIMED_WAIT && toy->time_matters)
                step->flags |= STEP_ALL; /* how long it waits depends on what the time is */
            advances = false;
        } else {
            toy->owner[op->second] = id;
            thread->sleep = AWAKE;
            skips = thread->timed_out;
            thread->timed_out = false;
        }
        break;
    case TOY_SIGNAL:
        wake(toy, step, op->object, step->choice);
        break;
    case TOY_BROADCAST:
        while (count_sleepers(toy, op->object) > 0)
            wake(toy, step, op->object, 0);
        break;
    case TOY_LOAD:
        skips = toy->values[op->object] != op->value;
        break;
    case TOY_AWAIT:
        advances = op->second ? toy->values[op->object] == op->value
                              : toy->values[op->object] >= op->value;
        thread->awaits = advances ? 0 : toy->written[op->object] + 1;
        if (!advances)
            step->flags |= STEP_IDLE;
        break;
    case TOY_BACK:
        advances = toy->values[op->object] >= op->value;
        break;
    case TOY_ACQUIRE:
        advances = toy->values[op->object] != 1;
        thread->awaits = advances ? 0 : toy->written[op->object] + 1;
        if (advances)
            toy->values[op->object] = 1, toy->written[op->object]++;
        else
            step->flags |= STEP_IDLE | STEP_FAILED;
        break;
    case TOY_STORE:
        toy->values[op->object] = op->value;
        toy->written[op->object]++;
        break;
    case TOY_LOOK:
        toy->values[op->object] += (int32_t)++toy->time;
        toy->written[op->object]++;
        step->flags |= STEP_ALL;
        break;
    case TOY_ADD:
        toy->values[op->object] += op->value;
        toy->written[op->object]++;
        break;
    case TOY_COMPARE:
        skips = toy->values[op->object] != op->value;
        if (skips)
            step->flags |= STEP_FAILED;
        else
            toy->values[op->object] = op->second, toy->written[op->object]++;
        break;
    case TOY_READ_LOCK:
        toy->readers[op->object]++;
        break;
    case TOY_TRY_READ_LOCK:
        skips = toy->readers[op->object] == RWLOCK_WRITTEN;
        if (skips)
            step->flags |= STEP_FAILED;
        else
            toy->readers[op->object]++;
        break;
    case TOY_READ_UNLOCK:
        toy->readers[op->object]--;
        break;
    case TOY_WRITE_LOCK:
        toy->readers[op->object] = RWLOCK_WRITTEN;
        break;
    case TOY_TRY_WRITE_LOCK:
        skips = toy->readers[op->object] != 0;
        if (skips)
            step->flags |= STEP_FAILED;
        else
            toy->readers[op->object] = RWLOCK_WRITTEN;
        break;
    case TOY_WRITE_UNLOCK:
        toy->readers[op->object] = 0;
        break;
    case TOY_SEM_WAIT:
        toy->counts[op->object]--;
        break;
    case TOY_SEM_TRY:
    case TOY_SEM_TIMED:
        skips = toy->counts[op->object] == 0;
        if (skips)
            step->flags |= STEP_FAILED;
        else
            toy->counts[op->object]--;
        if (skips && op->kind == TOY_SEM_TIMED)
            toy_reach(toy, step, (uint32_t)op->value);
        break;
    case TOY_SEM_POST:
        toy->counts[op->object]++;
        break;
    case TOY_BARRIER:
        if (thread->sleep == SIGNALLED) {
            thread->sleep = AWAKE;
            break;
        }
        advances = false;
        if (++toy->inside[op->object] == (uint32_t)op->value) {
            open_barrier(toy, step, op->object);
            thread->sleep = SIGNALLED;
        } else {
            thread->sleep = ASLEEP;
        }
        break;
    case TOY_ASSERT:
        goes_on = toy->values[op->object] == op->value;
        toy->trace->outcome = goes_on ? OUTCOME_NONE : OUTCOME_FAILED;
        break;
    case TOY_YIELD:
        yield(toy, id);
        break;
    case TOY_CHOOSE:
        skips = step->choice != 0;
        break;
    case TOY_CREATE: {
        thread_id child = thread_begin(toy, op->object, mix(thread->name, ++thread->children));
        if (toy->program->renamed && twin_of(toy, child) != NO_THREAD)
            toy->threads[child].name = toy->threads[twin_of(toy, child)].name;
        break;
    }
    case TOY_SLEEP:
        toy_reach(toy, step, thread->deadline);
        break;
    case TOY_JOIN:
        break;
    case TOY_EXIT:
        goes_on = false;
        toy->trace->outcome = OUTCOME_FINISHED;
        break;
    case TOY_KILL:
    case TOY_KILL_ANY:
    case TOY_BLOCK:
    case TOY_UNBLOCK:
    case TOY_IGNORE:
    case TOY_SIGWAIT:
    case TOY_SIGPOLL:
    case TOY_PENDING:
    case TOY_PAUSE:
    case TOY_CANCEL:
    case TOY_TEST_CANCEL:
    case TOY_ALARM:
    case TOY_EXPIRE:
        advances = alerts_take(toy, step, op, &skips);
        break;
    case TOY_KINDS:
        UNREACHABLE();
    }
    if (!goes_on)
        step->flags |= STEP_ENDS;
    know(toy, step);
    begin(toy, step);
    if (thread->turn != 0)
        touch_waited(toy, step);
    thread->turn = 0;
    if (op->kind == TOY_BACK && !advances) {
        end_turn(toy, id, op);
        thread->next -= op->second;
    }
    if (own) {
        thread->next += advances + (skips ? op->skip : 0);
        begin_sleep(toy, id);
    } else
        alerts_advance(toy, id);
    goes_on = goes_on && use_variables(toy, id, step);
    if (!goes_on)
        step->flags |= STEP_ENDS;
    end_step(toy, id);
    return goes_on;
}

static void toy_begin(struct toy *toy, const struct toy_program *program, struct trace *trace)
{
    memset(toy, 0, sizeof *toy);
    toy->program = program;
    toy->trace = trace;
    for (int i = 0; i < TOY_THREADS_MAX; i++)
        toy->thread_of[i] = NO_THREAD;
    for (int i = 0; i < TOY_OBJECTS_MAX; i++)
        toy->owner[i] = NO_THREAD, toy->counts[i] = (uint32_t)i;
    trace->count = 0;
    trace->outcome = OUTCOME_NONE;
    trace->status = 0;
    trace->accesses = true;
    trace->fingerprint = 0;
    trace->class[0] = trace->class[1] = 0;
    trace->waiting = trace->alive = (thread_set){0};
    toy->time_matters = toy_has(program, TOY_LOOK) || toy_has(program, TOY_ALARM);
    toy->timer = NO_THREAD;
    for (uint32_t i = 0; i < (program->bare ? program->thread_count : 1); i++)
        thread_begin(toy, i, i + 1);
}

static void toy_end(struct toy *toy)
{
    struct trace *trace = toy->trace;
    trace->thread_count = toy->thread_count;
    for (thread_id i = 0; i < toy->thread_count; i++) {
        if (toy->threads[i].ended)
            continue;
        thread_set_add(&trace->waiting, i);
        trace->pending[i] = (struct op){.kind = OP_NONE};
        if (toy_next(toy, i) == NULL || is_held(toy, i) || toy->threads[i].stays)
            continue;
        thread_set_add(&trace->alive, i);
        trace->pending[i] = announce(toy, i);
        if (toy->threads[i].turn != 0 || alerts_in_handler(toy, i))
            trace->pending[i].size = OP_WIDE;
        uint8_t kind = toy->pending[i].kind;
        trace->owner[i] =
            kind == OP_MUTEX_LOCK ? toy->owner[toy->pending[i].object - 1] : NO_THREAD;
    }
}

static bool fits(const struct toy *toy, struct decision decision)
{
    return thread_set_has(&toy->enabled, decision.thread) &&
           decision.choice < toy->pending[decision.thread].choices;
}

static struct decision decide(const struct strategy *strategy, bool cache, struct pilot *pilot,
                              const struct choice_point *at, uint32_t *used)
{
    const struct schedule *schedule = pilot->schedule;
    if (*used < schedule->prefix_count) {
        if (schedule->prefix[*used].step == at->step)
            return schedule->prefix[(*used)++];
        return decision_nth(at, 0);
    }
    if (at->alternatives == 1 && !strategy_reduces(strategy, pilot->state) &&
        !strategy->traits.compares)
        return decision_nth(at, 0);
    return cache ? strategy->choose_unseen(pilot, at) : strategy->choose(pilot, at);
}

/* The numbers of threads, and which thread waits for which after a yield, depend on the order of
 * independent steps. */
static uint64_t order_class(const struct toy *toy)
{
    uint64_t sum = 0;
    for (thread_id i = 0; i < toy->thread_count; i++)
        sum += mix(mix(toy->threads[i].name, i), toy->threads[i].owed.word[0]);
    return sum;
}

enum toy_part toy_left_out;
void (*toy_visit)(const uint64_t state[2]);

static void put(uint64_t state[2], enum toy_part part, uint64_t where, uint64_t value)
{
    if (part == toy_left_out)
        return;
    uint64_t both = mix_fold((where << 8 | part) ^ 0x9e3779b97f4a7c15, value ^ 0xbf58476d1ce4e5b9);
    state[0] += mix_fold(both ^ 0xa0761d6478bd642f, value ^ 0xe7037ed1a0b428db);
    state[1] += mix_fold(both ^ 0x8ebc6af09c88c6e3, value ^ 0x589965cc75374cc3);
}

/* All that decides what can follow, and nothing of the past. */
static void toy_state(const struct toy *toy, uint64_t state[2])
{
    state[0] = state[1] = 1;
    for (thread_id i = 0; i < toy->thread_count; i++) {
        const struct toy_thread *thread = &toy->threads[i];
        const struct toy_op *op = thread->ended ? NULL : toy_next(toy, i);
        bool awaits =
            op != NULL && thread->awaits != 0 && thread->awaits - 1 == toy->written[op->object];
        put(state, TOY_PART_PLACES, i,
            (uint64_t)thread->list << 32 | thread->next << 1 | thread->ended);
        put(state, TOY_PART_WAITS, i,
            (uint64_t)thread->sleep << 2 | (uint64_t)thread->timed_out << 1 | awaits);
        put(state, TOY_PART_WAITS, i + 64u, thread->deadline);
        put(state, TOY_PART_WAITS, i + 128u, thread->owed.word[0]);
    }
    for (uint32_t i = 0; i < TOY_OBJECTS_MAX; i++) {
        put(state, TOY_PART_OBJECTS, i, toy->owner[i]);
        put(state, TOY_PART_OBJECTS, i + 64u, toy->readers[i]);
        put(state, TOY_PART_OBJECTS, i + 128u, (uint64_t)toy->counts[i] << 32 | toy->inside[i]);
        put(state, TOY_PART_OBJECTS, i + 192u, (uint32_t)toy->values[i]);
    }
    put(state, TOY_PART_WAITS, 256, toy->time);
}

/* One turn of the engine's loop; false: the execution has ended. */
static bool toy_turn(struct toy *toy, const struct strategy *strategy, bool cache,
                     struct pilot *pilot, uint32_t *used)
{
    struct trace *trace = toy->trace;
    uint32_t count = trace->count;
    if (thread_set_is_empty(&toy->enabled)) {
        bool alive = false;
        for (thread_id i = 0; i < toy->thread_count; i++)
            alive |= !toy->threads[i].ended;
        trace->outcome = alive ? OUTCOME_DEADLOCK : OUTCOME_FINISHED;
        for (thread_id i = 0; i < toy->thread_count; i++)
            if (toy->threads[i].stays && turn_is_over(toy, i))
                trace->outcome = OUTCOME_CUT_STRATEGY;
        return false;
    }
    if (count == trace->capacity) {
        trace->outcome = OUTCOME_CUT_STEPS;
        return false;
    }
    const struct step *before = count > 0 ? &trace->steps[count - 1] : NULL;
    struct choice_point at = {
        .step = count,
        .last = before != NULL ? before->thread : 0,
        .last_gave_way = before != NULL && op_gives_way(before->op.kind),
        .enabled = toy->enabled,
        .live = &toy->live,
        .pending = toy->pending,
        .steps = trace->steps,
        .touches = trace->touches,
        .class = {trace->class[0] + order_class(toy), trace->class[1] + order_class(toy)},
        .alternatives = schedule_alternatives(&toy->enabled, toy->pending),
    };
    if (strategy->traits.compares || toy_visit != NULL)
        toy_state(toy, at.state);
    if (toy_visit != NULL)
        toy_visit(at.state);
    struct decision decision = decide(strategy, cache, pilot, &at, used);
    if (decision.thread == NO_THREAD) {
        trace->outcome = OUTCOME_CUT_STRATEGY;
        return false;
    }
    const struct schedule *schedule = pilot->schedule;
    bool other_past = schedule->check_step != 0 && schedule->check_step == count &&
                      schedule->check != schedule_check(trace->fingerprint);
    if (other_past || !fits(toy, decision)) {
        trace->outcome = OUTCOME_DIVERGED;
        return false;
    }
    struct step *step = &trace->steps[trace->count++];
    *step = (struct step){
        .op = toy->pending[decision.thread],
        .enabled = toy->enabled,
        .choice = decision.choice,
        .thread = decision.thread,
        .alternatives = (uint16_t)at.alternatives,
        .fingerprint = (uint32_t)trace->fingerprint,
        .touches_end = trace_touches_begin(trace->steps, count),
    };
    bool goes_on = take_step(toy, step);
    trace->fingerprint =
        mix(trace->fingerprint, (uint64_t)step->op.object << 32 | (uint64_t)step->op.kind << 24 |
                                    (uint64_t)step->choice << 8 | step->thread);
    if (goes_on)
        look_around(toy);
    return goes_on;
}

void toy_execute(const struct toy_program *program, const struct strategy *strategy, bool cache,
                 const void *state, const struct schedule *schedule, struct trace *trace,
                 int32_t values[TOY_OBJECTS_MAX])
{
    struct toy toy;
    struct pilot pilot = {.state = state, .schedule = schedule, .rng = {.state = schedule->seed}};
    uint32_t used = 0;
    toy_begin(&toy, program, trace);
    toy.turns = strategy_reduces(strategy, state) ? strategy->traits.turns : TURNS_UNKNOWN;
    toy.loops = toy_has(program, TOY_BACK);
    look_around(&toy);
    while (toy_turn(&toy, strategy, cache, &pilot, &used))
        ;
    if (used < schedule->prefix_count)
        trace->outcome = OUTCOME_DIVERGED;
    if (toy.loops)
        know_again(&toy);
    toy_end(&toy);
    memcpy(values, toy.values, sizeof toy.values);
}
