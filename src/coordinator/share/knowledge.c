#include "coordinator/share/knowledge.h"

#include <stdlib.h>

#include "base/assert.h"
#include "core/address_name.h"

static int compare_addresses(const void *left, const void *right)
{
    const struct object *const *a = left, *const *b = right;
    return ((*a)->address > (*b)->address) - ((*a)->address < (*b)->address);
}

static uint32_t object_count(const struct board *board)
{
    return board->object_count < OBJECTS_MAX ? board->object_count : OBJECTS_MAX - 1;
}

static bool matters(const struct object *object)
{
    return object->overlaps || object->freed;
}

static void learn(struct object *object, const struct object *known)
{
    object->overlaps |= known->overlaps;
    object->freed |= known->freed;
    if (object->bytes < known->bytes)
        object->bytes = known->bytes;
}

static struct object *add(struct board *board, uint64_t address)
{
    if (board->object_count + 1 >= SPURIOUS_OBJECT)
        return NULL; /* the program has too many objects: its worker will say so */
    struct object *object = &board->objects[++board->object_count];
    *object = (struct object){.address = address};
    return object;
}

/* Adds to a board what the workers know, sorted by address. */
static void tell(struct board *board, const struct object *const *known, size_t count)
{
    uint32_t objects = object_count(board);
    struct object **sorted = calloc(objects + 1, sizeof *sorted);
    CHECK(sorted != NULL);
    for (uint32_t i = 0; i < objects; i++)
        sorted[i] = &board->objects[i + 1];
    qsort(sorted, objects, sizeof *sorted, compare_addresses);
    uint32_t at = 0;
    struct object *object = NULL;
    for (size_t i = 0; i < count; i++) {
        while (at < objects && sorted[at]->address < known[i]->address)
            at++;
        if (object == NULL || object->address != known[i]->address)
            object = at < objects && sorted[at]->address == known[i]->address
                         ? sorted[at]
                         : add(board, known[i]->address);
        if (object != NULL)
            learn(object, known[i]);
    }
    free(sorted);
}

/* Counts the objects that matter. If `known` has room for them, it gets them, with their addresses
 * in the process of the first member. */
static size_t collect(struct member *members, uint32_t count, struct object *known)
{
    const struct board *first = members[0].board;
    size_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct board *board = members[i].board;
        for (uint32_t k = 1; k <= object_count(board); k++) {
            if (!matters(&board->objects[k]))
                continue;
            if (known != NULL) {
                known[found] = board->objects[k];
                known[found].address = address_moved(first, board, board->objects[k].address);
            }
            found++;
        }
    }
    return found;
}

void knowledge_unite(struct member *members, uint32_t count)
{
    uint32_t clock_matters = 0, fails = 0;
    for (uint32_t i = 0; i < count; i++) {
        clock_matters |= members[i].board->tally.clock_matters;
        fails |= members[i].board->tally.fails;
    }
    for (uint32_t i = 0; i < count; i++) {
        members[i].board->tally.clock_matters = clock_matters;
        members[i].board->tally.fails = fails;
    }
    size_t found = collect(members, count, NULL);
    if (found == 0)
        return;
    struct object *known = calloc(found, sizeof *known), *moved = calloc(found, sizeof *moved);
    const struct object **sorted = calloc(found, sizeof *sorted);
    CHECK(known != NULL && moved != NULL && sorted != NULL);
    collect(members, count, known);
    for (uint32_t i = 0; i < count; i++) {
        for (size_t k = 0; k < found; k++) {
            moved[k] = known[k];
            moved[k].address = address_moved(members[i].board, members[0].board, known[k].address);
            sorted[k] = &moved[k];
        }
        qsort(sorted, found, sizeof *sorted, compare_addresses);
        tell(members[i].board, sorted, found);
    }
    free(known);
    free(moved);
    free(sorted);
}
