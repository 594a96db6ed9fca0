#include "detector/places.h"

#include <string.h>

#include "base/mix.h"

enum { TABLE_FIRST = 1024, PLACE = 4 };

static uint32_t slot_of(const struct places *places, uint64_t address)
{
    uint32_t at = (uint32_t)mix(address, 0) % places->size;
    while (places->addresses[at] != 0 && places->addresses[at] != address)
        at = (at + 1) % places->size;
    return at;
}

static void grow(struct places *places, const struct scene *scene, size_t size)
{
    struct places larger = {.size = places->size == 0 ? TABLE_FIRST : 2 * places->size,
                            .used = places->used};
    larger.addresses = scene->take(larger.size * sizeof *larger.addresses);
    larger.cells = scene->take(larger.size * size);
    for (uint32_t i = 0; i < places->size; i++)
        if (places->addresses[i] != 0) {
            uint32_t at = slot_of(&larger, places->addresses[i]);
            larger.addresses[at] = places->addresses[i];
            memcpy(larger.cells + at * size, places->cells + i * size, size);
        }
    *places = larger;
}

void *places_cell(struct places *places, const struct scene *scene, const struct access *access,
                  size_t size)
{
    uint64_t address = (uint64_t)access->address & ~(uint64_t)(PLACE - 1);
    if (2 * (places->used + 1) > places->size)
        grow(places, scene, size);
    uint32_t at = slot_of(places, address);
    if (places->addresses[at] == 0) {
        places->addresses[at] = address;
        places->used++;
    }
    return places->cells + at * size;
}
