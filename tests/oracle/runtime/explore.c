/* The enumeration: runs the program again and again, each time with the next sequence of choices.
 *
 * A choice is taken only where two alternatives or more exist. The list of choices is the whole state of the search:
 * the last one that has an alternative left moves on, all behind it are dropped. Nothing is pruned. */
#define _GNU_SOURCE
#include "oracle.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct oracle *the;

/* Saves the callee-saved registers on the running stack, and goes on with those of another one. */
void stack_switch(void **from, void *to);
__asm__(".text\n.globl stack_switch\nstack_switch:\n"
        "push %rbp\npush %rbx\npush %r12\npush %r13\npush %r14\npush %r15\n"
        "mov %rsp, (%rdi)\nmov %rsi, %rsp\n"
        "pop %r15\npop %r14\npop %r13\npop %r12\npop %rbx\npop %rbp\nret\n");

static void to_scheduler(void)
{
    struct thread *me = self;
    stack_switch(&me->stack_pointer, the->scheduler_stack_pointer);
}

void exceeded(const char *limit)
{
    fprintf(stderr, "oracle: too small: %s\n", limit);
    _exit(3);
}

void clock_join(uint32_t *into, const uint32_t *other)
{
    for (int i = 0; i < THREADS; i++)
        if (other[i] > into[i])
            into[i] = other[i];
}

void note_finding(const char *format, ...)
{
    char text[sizeof the->findings[0].text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (int i = 0; i < the->finding_count; i++)
        if (strcmp(the->findings[i].text, text) == 0) {
            the->findings[i].count++;
            return;
        }
    if (the->finding_count == (int)(sizeof the->findings / sizeof the->findings[0]))
        exceeded("findings");
    struct finding *finding = &the->findings[the->finding_count++];
    strcpy(finding->text, text);
    finding->count = 1;
}

/* The running thread ends the whole execution and never goes on. */
void end_here(const char *how, Site site)
{
    if (how != NULL)
        note_finding("%s %#lx", how, (unsigned long)site);
    for (int i = 0; i < the->thread_count; i++)
        if (&the->threads[i] != self && the->threads[i].state != DONE && !timer_rests(&the->threads[i]))
            the->cut_short = true;
    the->ended = true;
    to_scheduler();
    abort();
}

static void stand_before(struct operation operation)
{
    struct thread *me = self;
    me->operation = operation;
    alert_at_operation(me);
    if (me->creator != NULL) {
        struct thread *creator = me->creator;
        me->creator = NULL;
        me->state = READY;
        the->running = creator;
        stack_switch(&me->stack_pointer, creator->stack_pointer);
    } else {
        to_scheduler();
    }
}

/* Before every operation: the thread says what it is about to do, and goes on when it is chosen. A thread that was sent a
 * signal handles it first and stands before the operation again, unless the call is interrupted. */
void announce(struct operation operation)
{
    struct thread *me = self;
    bool interrupted = false;
    stand_before(operation);
    while (me->alert != NO_ALERT && !interrupted) {
        interrupted = alert_take();
        if (!interrupted)
            stand_before(operation);
    }
    me->interrupted = interrupted;
}

static void coroutine(void)
{
    struct thread *me = self;
    thread_end(me->start(me->argument));
}

/* Runs after the function of a thread: its last step ends here. */
void thread_end(void *result)
{
    struct thread *me = self;
    me->result = result;
    me->state = DONE;
    touch(me, true);
    struct thread *creator = me->creator;
    if (creator != NULL) {
        me->creator = NULL;
        the->running = creator;
        stack_switch(&me->stack_pointer, creator->stack_pointer);
    }
    to_scheduler();
    abort();
}

struct thread *thread_make(void *(*start)(void *), void *argument)
{
    if (the->thread_count == THREADS)
        exceeded("threads");
    struct thread *thread = &the->threads[the->thread_count];
    char *stack = thread->stack;
    memset(thread, 0, sizeof *thread);
    thread->id = the->thread_count++;
    thread->stack = stack;
    thread->start = start;
    thread->argument = argument;
    thread->state = STARTING;
    void **top = (void **)(stack + STACK - 64);
    *--top = NULL; /* where coroutine() would return to; also aligns the stack as after a call */
    *--top = (void *)coroutine;
    top -= 6;
    memset(top, 0, 6 * sizeof *top);
    thread->stack_pointer = top;
    return thread;
}

void thread_run_to_first_operation(struct thread *thread)
{
    struct thread *creator = self;
    thread->creator = creator;
    the->running = thread;
    stack_switch(&creator->stack_pointer, thread->stack_pointer);
}

static bool enabled(struct thread *thread)
{
    if (thread->state != READY)
        return false;
    if (thread->alert != NO_ALERT)
        return true;
    return thread->operation.enabled == NULL || thread->operation.enabled(thread);
}

static unsigned outcomes(struct thread *thread)
{
    if (thread->alert != NO_ALERT)
        return alert_outcomes(thread);
    return thread->operation.outcomes == NULL ? 1 : thread->operation.outcomes(thread);
}

/* One of the alternatives: the one that the list of choices says, or the first at its end. */
static unsigned choose(unsigned count)
{
    if (count == 1)
        return 0;
    if (count > ALTERNATIVES || the->depth == STEPS)
        exceeded("alternatives");
    if (the->depth == the->choice_count) {
        the->choices[the->choice_count].count = (uint8_t)count;
        the->choices[the->choice_count++].taken = 0;
    }
    return the->choices[the->depth++].taken;
}

static void step_begin(struct thread *thread)
{
    if (the->step_count == STEPS)
        exceeded("steps");
    struct step *step = &the->steps[the->step_count];
    int before = the->own_steps[thread->id];
    if (before >= 0)
        memcpy(step->past, the->steps[before].past, sizeof step->past);
    else
        memset(step->past, 0, sizeof step->past);
    step->past[thread->id]++;
    step->thread = thread->id;
    step->label = mix(mix(mix(7, thread->operation.site), thread->choice), thread->alert);
    the->own_steps[thread->id] = the->step_count;
    thread->clock[thread->id]++;
}

static void deadlock(void)
{
    char text[160] = "deadlock";
    size_t used = strlen(text);
    for (int i = 0; i < the->thread_count; i++)
        if (the->threads[i].state == READY && !the->threads[i].is_timer)
            used += (size_t)snprintf(text + used, sizeof text - used, " %d@%#lx", i,
                                     (unsigned long)the->threads[i].operation.site);
    note_finding("%s", text);
}

/* Alternatives in the order of threads, and of each thread in the order of its data choices. */
static bool step_take(void)
{
    unsigned total = 0, count[THREADS], able = 0;
    for (int i = 0; i < the->thread_count; i++)
        able |= (unsigned)enabled(&the->threads[i]) << i;
    for (int i = 0; i < the->thread_count; i++) {
        bool chosen = (able >> i & 1) && (the->threads[i].gives_way & able) == 0;
        count[i] = chosen ? outcomes(&the->threads[i]) : 0;
        total += count[i];
    }
    if (total == 0) {
        deadlock();
        return false;
    }
    unsigned picked = choose(total);
    int thread = 0;
    while (picked >= count[thread])
        picked -= count[thread++];
    the->running = &the->threads[thread];
    self->choice = picked;
    self->gives_way = 0;
    for (int i = 0; i < the->thread_count; i++)
        the->threads[i].gives_way &= ~(1u << thread);
    step_begin(self);
    stack_switch(&the->scheduler_stack_pointer, self->stack_pointer);
    the->step_count++;
    return !the->ended;
}

/* The class is the set of its steps, each with its past: that determines the partial order. */
static uint64_t class_of(void)
{
    uint64_t sum = 0;
    for (int i = 0; i < the->step_count; i++) {
        uint64_t hash = mix(the->steps[i].label, (uint64_t)the->steps[i].thread);
        for (int t = 0; t < THREADS; t++)
            hash = mix(hash, the->steps[i].past[t]);
        sum += hash;
    }
    return sum;
}

static void *(*program)(void *);

static void execute(void)
{
    the->execution++;
    the->thread_count = 0;
    the->step_count = 0;
    the->ended = the->cut_short = false;
    the->depth = 0;
    the->time = 0;
    memset(the->own_steps, -1, sizeof the->own_steps);
    heap_reset();
    for (int i = 0; i < the->reset_count; i++)
        the->resets[i]();
    struct thread *first = thread_make(program, NULL);
    first->state = READY;
    first->operation = (struct operation){.name = "start"};
    while (step_take())
        ;
    the->executions++;
    the->cut_any |= the->cut_short;
    set_add(the->classes, &the->class_count, class_of());
}

/* False when no choice has an alternative left. */
static bool next_choices(void)
{
    while (the->choice_count > 0) {
        int last = the->choice_count - 1;
        if (++the->choices[last].taken < the->choices[last].count)
            return true;
        the->choice_count--;
    }
    return false;
}

extern char __data_start[], _end[];
static int (*program_main)(int, char **, char **);
static char program_number[16], *program_arguments[] = {"program", program_number, NULL};

void __wrap_exit(int status) __attribute__((noreturn));

static void *program_run(void *unused)
{
    (void)unused;
    __wrap_exit(program_main(2, program_arguments, program_arguments + 2));
}

/* Until an enumeration has seen no new shared location. */
static void enumerate(int number, const char *copy)
{
    memset(the->owners, 0, sizeof the->owners);
    results_clear();
    do {
        memcpy(__data_start, copy, (size_t)(_end - __data_start));
        snprintf(program_number, sizeof program_number, "%d", number);
        execute();
        if (the->grown) {
            the->grown = false;
            results_clear();
            the->choice_count = 0;
            continue;
        }
        if (the->executions == the->executions_max)
            the->limit = "executions";
        else if (!next_choices())
            break;
    } while (the->limit == NULL);
}

/* First with all accesses to shared memory as steps. Then with those only that race in an enumeration where fewer of them
 * are steps, from none on: a thread that gives way until others have had a step, or an error that ends executions, may keep
 * other races from showing there. False: there are too many executions. */
static bool explore(int number, const char *copy, bool fair)
{
    the->fair = fair;
    the->at_races = the->everywhere = false;
    enumerate(number, copy);
    if (the->cut_any && the->limit == NULL) {
        the->everywhere = true;
        enumerate(number, copy);
    }
    results_print(number);
    bool complete = the->limit == NULL;
    the->at_races = complete;
    the->racing_count = 0;
    if (the->at_races)
        do
            enumerate(number, copy);
        while (racing_add());
    results_print_at_races();
    return complete;
}

/* A program that never gives way has the same executions where yields are fair. */
static void explore_both(int number, const char *copy)
{
    the->gave_way = false;
    if (explore(number, copy, false) && the->gave_way)
        (void)explore(number, copy, true);
}

/* Memory outside of the program's data, zero at first. */
void *room(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        exceeded("memory");
    return memory;
}

void at_reset(void (*reset)(void))
{
    the->resets[the->reset_count++] = reset;
}

void sync_open(void), streams_open(void), files_open(void), signals_open(void), timers_open(void), processes_open(void);

static int oracle_main(int count, char **arguments, char **environment)
{
    (void)environment;
    if (count < 4) {
        fprintf(stderr, "oracle: FIRST LAST EXECUTIONS\n");
        _exit(2);
    }
    the = room(sizeof *the);
    for (int i = 0; i < THREADS; i++)
        the->threads[i].stack = room(STACK);
    the->heap = room(HEAP);
    program = program_run;
    the->executions_max = strtoull(arguments[3], NULL, 10);
    sync_open();
    streams_open();
    files_open();
    signals_open();
    timers_open();
    processes_open();
    size_t size = (size_t)(_end - __data_start);
    char *copy = room(size);
    memcpy(copy, __data_start, size);
    for (int number = atoi(arguments[1]); number < atoi(arguments[2]); number++)
        explore_both(number, copy);
    fflush(stdout);
    _exit(0);
}

int __real___libc_start_main(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void),
                             void (*)(void), void *);

/* The object file keeps its own main(): the C library is started with the oracle's instead. */
int __wrap___libc_start_main(int (*main)(int, char **, char **), int count, char **arguments,
                             void (*begin)(void), void (*end)(void), void (*linker)(void), void *stack)
{
    program_main = main;
    return __real___libc_start_main(oracle_main, count, arguments, begin, end, linker, stack);
}
