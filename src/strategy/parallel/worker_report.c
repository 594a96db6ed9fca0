#include "strategy/parallel/worker_report.h"

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

/* Writes the returns that fit, with a 0 after them, and takes them off the list. Returns false if
 * there were none. A return that is longer than any box is dropped, and sets `lost`. */
static bool put_returns(struct wakeup *wakeup, uint32_t *list, struct numbers *letter,
                        uint8_t *lost)
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
            *lost = true; /* the return is longer than any box */
        }
        some = true;
        wakeup_free_path(wakeup, place);
        *list = next;
    }
    return some;
}

bool report_put(const struct report *report, const struct strategy *strategy, struct parcel *out)
{
    struct subtree whole = strategy_whole(strategy, 0);
    if (*report->told_end)
        return false;
    struct numbers numbers = parcel_begin(out, &whole);
    CHECK(numbers.size > NUMBER_BYTES);
    numbers.size -= NUMBER_BYTES; /* for the last number */
    numbers_put(&numbers, report->facts);
    bool news = report->put_root(report->search, &numbers);
    struct numbers before = numbers;
    bool gives = !out->news && report->give_steps(report->search, report->trace, &numbers);
    if (!gives) {
        numbers = before;
        numbers_put(&numbers, 0);
    }
    news |= gives;
    news |= put_returns(report->nodes, report->returns, &numbers, report->lost);
    *report->told_end = report->ended && *report->returns == 0;
    if (!news && !*report->told_end)
        return false;
    numbers.size += NUMBER_BYTES;
    numbers_put(&numbers, *report->told_end);
    parcel_end(out, &numbers);
    return true;
}

bool task_fits(const struct subtree *task, uint32_t steps_max)
{
    uint32_t count = task->prefix_count;
    return task->floor <= steps_max && task->first <= task->floor &&
           (count == 0 || task->prefix[count - 1].step < task->first);
}
