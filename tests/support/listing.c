#include "support/listing.h"

#include <stdlib.h>
#include <string.h>

void listing_add(struct listing *listing, const char *name, const uint32_t costs[LISTED_COSTS],
                 char end, const int32_t values[TOY_OBJECTS_MAX])
{
    if (listing->count == listing->capacity) {
        listing->capacity = listing->capacity > 0 ? listing->capacity * 2 : 256;
        listing->items = realloc(listing->items, listing->capacity * sizeof *listing->items);
        CHECK(listing->items != NULL);
    }
    struct listed *item = &listing->items[listing->count++];
    item->name = strdup(name);
    CHECK(item->name != NULL);
    memcpy(item->costs, costs, sizeof item->costs);
    item->end = end;
    memcpy(item->values, values, sizeof item->values);
}

uint32_t listed_decisions(const struct listed *item, struct decision decisions[TOY_STEPS_MAX])
{
    uint32_t count = 0;
    for (const char *at = item->name; *at != 0; at++)
        if (*at >= 'A')
            decisions[count] = (struct decision){count, (thread_id)(*at - 'A'), 0}, count++;
        else
            decisions[count - 1].choice = (uint16_t)(*at - '0');
    return count;
}

static int compare(const void *left, const void *right)
{
    return strcmp(((const struct listed *)left)->name, ((const struct listed *)right)->name);
}

void listing_sort(struct listing *listing)
{
    if (listing->count > 0)
        qsort(listing->items, listing->count, sizeof *listing->items, compare);
}

void listing_free(struct listing *listing)
{
    for (size_t i = 0; i < listing->count; i++)
        free(listing->items[i].name);
    free(listing->items);
    *listing = (struct listing){0};
}
