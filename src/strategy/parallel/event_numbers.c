#include "strategy/parallel/letter.h"

enum { BRANCHINGS_MAX = 512 }; /* limit of nested branchings of a tree */

/* Which node follows in the letter: none, a child, a sibling, or both, the child first. */
enum { HAS_CHILD = 1, HAS_NEXT = 2 };

struct letter letter_begin(struct parcel *out, uint32_t decisions)
{
    uint32_t head = SUBTREE_HEAD_BYTES + decisions * SUBTREE_DECISION_BYTES;
    return (struct letter){
        .bytes = out->bytes + out->used + head,
        .size = parcel_room(out, decisions),
        .names = out->names,
    };
}

struct letter letter_open(const struct subtree *subtree)
{
    return (struct letter){
        .bytes = (uint8_t *)subtree->extra, .size = subtree->extra_size, .names = subtree->names};
}

void letter_put(struct letter *letter, uint64_t number)
{
    do {
        if (letter->used == letter->size) {
            letter->wrong = true;
            return;
        }
        letter->bytes[letter->used++] = (uint8_t)(number & 0x7f) | (number >= 0x80 ? 0x80 : 0);
        number >>= 7;
    } while (number > 0);
}

uint64_t letter_take(struct letter *letter, uint64_t most)
{
    uint64_t number = 0;
    for (uint32_t shift = 0; letter->used < letter->size && shift < 64; shift += 7) {
        uint8_t byte = letter->bytes[letter->used++];
        number |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            letter->wrong |= number > most;
            return letter->wrong ? 0 : number;
        }
    }
    letter->wrong = true;
    return 0;
}

static uint64_t name_of(const struct letter *letter, uint32_t object)
{
    const struct naming *names = letter->names;
    return names == NULL ? object : names->name(names->context, object);
}

void letter_put_event(struct letter *letter, const struct event *event)
{
    const struct footprint *footprint = &event->footprint;
    letter_put(letter, event->thread);
    letter_put(letter, event->choice);
    letter_put(letter, footprint->count * 4u + footprint->chooses * 2u + footprint->all);
    for (uint32_t i = 0; i < footprint->count; i++) {
        struct touch touch = footprint->touches[i];
        letter_put(letter, name_of(letter, touch.object) * 2 + (touch.access == TOUCH_WRITES));
    }
}

struct event letter_take_event(struct letter *letter)
{
    const struct naming *names = letter->names;
    struct event event = {.thread = (thread_id)letter_take(letter, THREADS_MAX - 1)};
    event.choice = (uint16_t)letter_take(letter, UINT16_MAX);
    uint64_t count = letter_take(letter, FOOTPRINT_MAX * 4 + 3);
    event.footprint.all = count % 2;
    event.footprint.chooses = count / 2 % 2;
    for (uint64_t i = 0; i < count / 4 && !letter->wrong; i++) {
        uint64_t touch = letter_take(letter, UINT64_MAX), name = touch / 2;
        uint32_t object = names == NULL ? (uint32_t)name : names->number(names->context, name);
        footprint_add(&event.footprint,
                      (struct touch){object & (UINT32_MAX >> 2),
                                     touch % 2 != 0 ? TOUCH_WRITES : TOUCH_READS});
    }
    return event;
}

void letter_put_threads(struct letter *letter, const thread_set *threads)
{
    letter_put(letter, thread_set_count(threads));
    THREADS_EACH(thread, threads)
    letter_put(letter, thread);
}

thread_set letter_take_threads(struct letter *letter)
{
    thread_set threads = {{0}};
    for (uint64_t left = letter_take(letter, THREADS_MAX); left > 0; left--)
        thread_set_add(&threads, (thread_id)letter_take(letter, THREADS_MAX - 1));
    return threads;
}

static void put_trees(struct letter *letter, const struct wakeup *wakeup, uint32_t node,
                      uint32_t branchings)
{
    letter->wrong |= branchings > BRANCHINGS_MAX;
    while (!letter->wrong) {
        const struct wakeup_node *at = &wakeup->nodes[node];
        letter_put_event(letter, &at->event);
        letter_put(letter, (at->child != 0 ? HAS_CHILD : 0) | (at->next != 0 ? HAS_NEXT : 0));
        if (at->child != 0 && at->next != 0)
            put_trees(letter, wakeup, at->child, branchings + 1);
        else if (at->child != 0)
            node = at->child;
        if (at->next != 0)
            node = at->next;
        else if (at->child == 0)
            return;
    }
}

void letter_put_trees(struct letter *letter, const struct wakeup *wakeup, uint32_t list)
{
    letter_put(letter, list != 0);
    if (list != 0)
        put_trees(letter, wakeup, list, 0);
}

static uint32_t take_trees(struct letter *letter, struct wakeup *wakeup, uint32_t branchings)
{
    uint32_t first = 0, last = 0;
    bool below = false;
    letter->wrong |= branchings > BRANCHINGS_MAX;
    while (!letter->wrong) {
        struct event event = letter_take_event(letter);
        uint64_t follows = letter_take(letter, HAS_CHILD | HAS_NEXT);
        if (letter->wrong)
            break;
        uint32_t node = wakeup_take(wakeup, &event);
        if (first == 0)
            first = node;
        else if (below)
            wakeup->nodes[last].child = node;
        else
            wakeup->nodes[last].next = node;
        if (follows == 0)
            break;
        if (follows == (HAS_CHILD | HAS_NEXT))
            wakeup->nodes[node].child = take_trees(letter, wakeup, branchings + 1);
        below = follows == HAS_CHILD;
        last = node;
    }
    return first;
}

uint32_t letter_take_trees(struct letter *letter, struct wakeup *wakeup)
{
    return letter_take(letter, 1) == 0 ? 0 : take_trees(letter, wakeup, 0);
}
