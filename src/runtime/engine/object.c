#include "runtime/engine/object.h"

#include <string.h>

#include "base/mix.h"
#include "core/address_name.h"
#include "runtime/engine/refuse.h"
#include "runtime/engine/upper.h"

static struct object_slot *slot_of(uint64_t address, uint32_t at)
{
    for (;;) {
        struct object_slot *slot = &rt.objects.slots[at];
        if (slot->address == address || slot->number == NO_OBJECT)
            return slot;
        at = (at + 1) % OBJECT_SLOTS;
    }
}

void objects_learn(void)
{
    for (uint32_t i = rt.objects.known + 1; i <= the_board->object_count && i < OBJECTS_MAX; i++) {
        uint64_t address = the_board->objects[i].address;
        struct object_slot *slot = slot_of(address, object_slot_first(address));
        slot->address = the_board->objects[i].address;
        slot->number = i;
        rt.objects.known = i;
        rt.memory.frees |= the_board->objects[i].freed;
    }
}

void objects_refresh(void)
{
    objects_learn();
    for (uint32_t i = 1; i <= rt.objects.known; i++)
        rt.memory.frees |= the_board->objects[i].freed;
}

uint32_t object_lookup(uint64_t address)
{
    return slot_of(address, object_slot_first(address))->number;
}

uint32_t object_find(uint64_t address, uint32_t first)
{
    struct object_slot *slot = slot_of(address, first);
    if (slot->number != NO_OBJECT)
        return slot->number;
    /* The board knows the numbers that earlier workers gave. */
    uint32_t number = the_board->object_count + 1;
    if (number >= SPURIOUS_OBJECT)
        refuse("the program has more than 65534 shared objects; test with less data", 0);
    the_board->objects[number] = (struct object){.address = address};
    the_board->object_count = number;
    slot->address = address;
    slot->number = number;
    rt.objects.known = number;
    return number;
}

/* Equal in equivalent executions, where threads may have other numbers: what lies in a thread's
 * heap or stack is named after the thread. */
static uint64_t name_of(uint64_t address)
{
    uint64_t in_program = address - rt.code.program_start;
    if (in_program < rt.code.program_size)
        return mix(in_program, 0x5bd1e995);
    uint64_t in_threads = address - (uint64_t)ex.threads;
    if (in_threads < sizeof ex.threads)
        return mix(ex.threads[in_threads / sizeof(struct thread)].name,
                   in_threads % sizeof(struct thread));
    if (address >= STACKS_ADDRESS && address < SETUP_HEAP_ADDRESS) {
        for (uint32_t i = 0; i < ex.thread_count; i++)
            if (address >= (uint64_t)rt.stacks[i].low && address < (uint64_t)rt.stacks[i].top)
                return mix(ex.threads[i].name, (uint64_t)rt.stacks[i].top - address);
    }
    uint32_t thread = heap_owner((const void *)address);
    if (thread < ex.thread_count)
        return mix(ex.threads[thread].name, address - (uint64_t)heap_start(thread));
    return mix(address_name(the_board, address), 0x9e3779b9);
}

struct object_state *object_enter(uint32_t number)
{
    struct object_use *use = &rt.objects.uses[number];
    use->state = execution_take(sizeof *use->state);
    use->state->name = name_of(the_board->objects[number].address);
    use->state->number = number;
    use->generation = rt.generation;
    return use->state;
}

static void describe(struct object *object)
{
    uint64_t address = object->address;
    uint64_t in_threads = address - (uint64_t)ex.threads;
    if (in_threads < sizeof ex.threads) {
        object->place = OBJECT_THREAD;
        object->thread = (thread_id)(in_threads / sizeof(struct thread));
        return;
    }
    object->place = OBJECT_STATIC;
    if (heap_describe(object))
        return;
    for (uint32_t i = 0; i < rt.threads_ready; i++)
        if (address >= (uint64_t)rt.stacks[i].low && address < (uint64_t)rt.stacks[i].top) {
            object->place = OBJECT_STACK;
            object->thread = (thread_id)i;
        }
}

void objects_describe(void)
{
    for (uint32_t i = 1; i <= the_board->object_count && i < OBJECTS_MAX; i++)
        describe(&the_board->objects[i]);
}
