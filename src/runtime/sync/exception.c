/* Exceptions of C++ that several threads hold (std::exception_ptr, futures): the last one destroys
 * them. libstdc++ counts the holders where we do not see it; so what a thread does before it lets
 * go comes before what the last one does then. */
#include "runtime/engine/object.h"
#include "runtime/engine/real.h"
#include "runtime/sync/sync_calls.h"

#define CLASS_PRIMARY   0x474e5543432b2b00ul /* "GNUCC++" and a number */
#define CLASS_DEPENDENT (CLASS_PRIMARY + 1)

struct thrown { /* as libstdc++ has it, in front of the object, or of nothing: then another one has
                   that */
    void *primary;
    void *more[9];
    uint64_t class;
    uint64_t rest[3];
};

struct caught {
    struct thrown *innermost;
};

enum {
    HOLDERS_BEFORE = 128
}; /* bytes: where the number of those who hold an object is, in front of it */

static void lets_go_of(const void *object)
{
    struct object_state *state = object_state(object_number(object));
    if (*(const int *)((const char *)object - HOLDERS_BEFORE) == 1)
        race_acquire(&ex.race, &state->sync);
    race_release_more(&ex.race, &state->sync);
}

void exception_let_go(void *const *pointer)
{
    if (*pointer != NULL)
        lets_go_of(*pointer);
}

void exception_is_left(void)
{
    static struct caught *(*globals)(void);
    if (globals == NULL)
        globals = (struct caught * (*)(void)) real_symbol("__cxa_get_globals");
    const struct thrown *thrown = globals != NULL ? globals()->innermost : NULL;
    if (thrown != NULL && thrown->class == CLASS_PRIMARY)
        lets_go_of(thrown + 1);
    else if (thrown != NULL && thrown->class == CLASS_DEPENDENT)
        lets_go_of(thrown->primary);
}
