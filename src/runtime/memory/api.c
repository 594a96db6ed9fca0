#include "runtime/memory/api.h"

#include "runtime/engine/flight.h"
#include "runtime/engine/guard.h"
#include "runtime/engine/object.h"
#include "runtime/engine/refuse.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/upper.h"

enum { OUTCOMES_MAX = 32767 }; /* of all choices that wait at one time */

static _Noreturn void misuse(const char *what, uintptr_t site)
{
    finding_add(FINDING_MISUSE, what, site, 0);
    execution_fail();
}

uint16_t api_choose(uint32_t outcomes, uintptr_t site)
{
    if (outcomes == 0)
        misuse("bohr_choose(0): there is nothing to choose from", site);
    uint64_t all = outcomes;
    THREADS_EACH(thread, &ex.live)
    if (thread != ex.current && ex.pending[thread].kind == OP_CHOOSE)
        all += ex.pending[thread].choices;
    if (all > OUTCOMES_MAX)
        refuse_call("bohr_choose", "more than 32767 outcomes at one time; choose in several steps",
                    site);
    announce((struct op){.kind = OP_CHOOSE, .choices = (uint16_t)outcomes, .site = site});
    return step_choice();
}

void api_atomic_begin(void)
{
    ex.me->atomic_depth++;
    ex.careful |= CAREFUL_BY_PROGRAM;
    guard_note(&the_board->options.marks, MARK_ATOMIC);
}

void api_atomic_end(uintptr_t site)
{
    if (atomic_sections(ex.me) == 0)
        misuse("bohr_atomic_end without bohr_atomic_begin", site);
    ex.me->atomic_depth--;
    if (atomic_sections(ex.me) == 0)
        ex.me->atomic_entered = false;
}

void api_ignore_begin(void)
{
    ex.me->ignore_depth++;
    ex.memory.seen.ignoring = true;
    memory_quicken();
    guard_note(&the_board->options.marks, MARK_IGNORE);
}

void api_ignore_end(uintptr_t site)
{
    if (!is_ignoring(ex.me))
        misuse("bohr_ignore_end without bohr_ignore_begin", site);
    ex.me->ignore_depth--;
}

void api_happens_before(const volatile void *object, uintptr_t site)
{
    uint32_t number = object_number(object);
    announce_on(OP_HAPPENS_BEFORE, number, site);
    race_release_more(&ex.race, &object_state(number)->sync);
    step_touch(number, OP_ACCESS_WRITE);
}

void api_happens_after(const volatile void *object, uintptr_t site)
{
    uint32_t number = object_number(object);
    announce_on(OP_HAPPENS_AFTER, number, site);
    race_acquire(&ex.race, &object_state(number)->sync);
    step_touch(number, OP_ACCESS_READ);
}

struct benign {
    struct benign *next;
    uintptr_t start;
    size_t size;
};

void api_benign_race(const volatile void *start, size_t size)
{
    for (const struct benign *known = ex.memory.benign; known != NULL; known = known->next)
        if (known->start == (uintptr_t)start && known->size == size)
            return;
    struct benign *new = execution_take(sizeof *new);
    *new = (struct benign){.next = ex.memory.benign, .start = (uintptr_t)start, .size = size};
    ex.memory.benign = new;
}

bool api_is_benign(const void *address, size_t size)
{
    for (const struct benign *known = ex.memory.benign; known != NULL; known = known->next)
        if ((uintptr_t)address < known->start + known->size &&
            known->start < (uintptr_t)address + (size > 0 ? size : 1))
            return true;
    return false;
}

/* Only reports ask for names, and they are written after a detailed execution. */
void api_name(const volatile void *object, size_t size, const char *name)
{
    if (!rt.options->detail || the_board->label_count == LABELS_MAX)
        return;
    struct label *label = &the_board->labels[the_board->label_count++];
    label->start = (uint64_t)object;
    label->size = size;
    size_t i = 0;
    for (; name[i] != 0 && i < LABEL_TEXT_MAX - 1; i++)
        label->text[i] = name[i];
    for (; i < LABEL_TEXT_MAX; i++)
        label->text[i] = 0;
}
