#include "strategy/parallel/returns.h"

bool returns_have(struct journal *journal, uint64_t sent[RETURNS_SENT], uint64_t fingerprint)
{
    uint64_t *known = &sent[fingerprint % RETURNS_SENT];
    if (*known == fingerprint)
        return true;
    journal_save(journal, known, sizeof *known);
    *known = fingerprint;
    return false;
}

void returns_add(struct wakeup *wakeup, uint32_t *list, uint32_t step, const struct event *events,
                 uint32_t count)
{
    struct event place = {.footprint = {.count = 1}};
    place.footprint.touches[0].object = step & (UINT32_MAX >> 2);
    wakeup_push(wakeup, list, &place);
    wakeup->nodes[*list].child = wakeup_chain(wakeup, events, count);
}

static void put_return(struct numbers *letter, const struct wakeup *wakeup, uint32_t place)
{
    uint32_t count = 0, first = wakeup->nodes[place].child;
    for (uint32_t node = first; node != 0; node = wakeup->nodes[node].child)
        count++;
    numbers_put(letter, count);
    numbers_put(letter, wakeup->nodes[place].event.footprint.touches[0].object);
    for (uint32_t node = first; node != 0; node = wakeup->nodes[node].child)
        event_put(letter, &wakeup->nodes[node].event);
    numbers_put(letter, 0); /* ends the list; the next return overwrites it */
}

bool returns_put(struct wakeup *wakeup, uint32_t *list, struct numbers *letter, uint8_t *lost)
{
    bool some = false;
    numbers_put(letter, 0);
    while (*list != 0) {
        uint32_t place = *list, next = wakeup->nodes[place].next;
        struct numbers before = *letter;
        letter->used--;
        put_return(letter, wakeup, place);
        if (letter->wrong) {
            *letter = before;
            letter->bytes[letter->used - 1] = 0;
            if (some)
                break;
            *lost = true; /* the return is longer than any letter */
        }
        some = true;
        wakeup_free_path(wakeup, place);
        *list = next;
    }
    return some;
}
