/* The crown of a search whose alternatives are threads and outcomes of data choices (bpor). When an
 * alternative is begun, those begun before it sleep, whether explored or not. How an alternative
 * sleeps shows when it has run once; until then no other is begun beside it. */
#include "strategy/parallel/crown_node.h"
#include "strategy/reduction/bpor_state.h"

static thread_set threads_begun(const struct crown *crown, uint32_t node)
{
    thread_set threads = {{0}};
    for (uint32_t at = crown->nodes[node].first; at != 0; at = crown->nodes[at].next)
        thread_set_add(&threads, crown->nodes[at].event.thread);
    return threads;
}

static void add_threads_waiting(const struct crown *crown, uint32_t node, thread_set *threads)
{
    for (uint32_t at = crown->nodes[node].waiting; at != 0; at = crown->wakeup.nodes[at].next)
        thread_set_add(threads, crown->wakeup.nodes[at].event.thread);
}

/* The order in which a single search runs alternatives: further outcomes first, then threads by
 * number. Continuing the same thread, whatever its outcome, may cost less than an alternative begun
 * after it, so it must not sleep beside that one. */
static bool comes_before(const struct event *event, const struct event *other)
{
    if ((event->choice != 0) != (other->choice != 0))
        return event->choice != 0;
    return event->thread != other->thread ? event->thread < other->thread
                                          : event->choice < other->choice;
}

static void add_waiting(struct crown *crown, uint32_t node, thread_id thread, uint16_t outcome)
{
    struct event event = {.thread = thread, .choice = outcome};
    const struct wakeup_node *nodes = crown->wakeup.nodes;
    uint32_t before = 0;
    for (uint32_t at = crown->nodes[node].waiting;
         at != 0 && comes_before(&nodes[at].event, &event); at = nodes[at].next)
        before = at;
    if (before == 0)
        wakeup_push(&crown->wakeup, &crown->nodes[node].waiting, &event);
    else
        wakeup_push_behind(&crown->wakeup, before, &event);
}

/* Adds the further outcomes that the thread's operation can have there. */
static void add_outcomes(struct crown *crown, uint32_t node, uint64_t choices)
{
    const struct crown_node *at = &crown->nodes[node];
    for (uint64_t outcome = choices; outcome-- > at->outcome + 1u;)
        add_waiting(crown, at->parent, at->event.thread, (uint16_t)outcome);
}

static uint32_t put_prefix(const struct crown *crown, uint32_t node, struct decision *prefix)
{
    uint32_t count = 0, all = 0;
    for (uint32_t at = node; at != ROOT; at = crown->nodes[at].parent)
        all += crown->nodes[at].decides;
    for (uint32_t at = node; at != ROOT; at = crown->nodes[at].parent) {
        const struct crown_node *step = &crown->nodes[at];
        if (step->decides)
            prefix[all - ++count] =
                (struct decision){step->depth - 1, step->event.thread, step->outcome};
    }
    return count;
}

/* Puts the events that sleep beside a child of a node, or, if it is 0, beside what waits there;
 * then the threads that run there elsewhere. */
static void put_level(struct crown *crown, struct numbers *letter, uint32_t node, uint32_t child,
                      const thread_set *threads)
{
    uint32_t list = 0;
    for (uint32_t at = crown->nodes[node].first; at != child; at = crown->nodes[at].next)
        if (!crown->nodes[at].event.footprint.all)
            wakeup_push(&crown->wakeup, &list, &crown->nodes[at].event);
    trees_put(letter, &crown->wakeup, list);
    threads_put(letter, threads);
    wakeup_free_list(&crown->wakeup, list);
}

static void put_levels(struct crown *crown, struct numbers *letter, uint32_t parent, uint32_t child)
{
    uint32_t *path = crown->path, depth = crown->nodes[parent].depth, at = parent;
    CHECK(depth + 1 < crown->events_max);
    path[depth + 1] = child;
    for (uint32_t i = depth + 1; i-- > 0; at = crown->nodes[at].parent)
        path[i] = at;
    numbers_put(letter, depth + 1);
    for (uint32_t step = 0; step <= depth; step++) {
        thread_set threads = threads_begun(crown, path[step]);
        if (path[step + 1] != 0) /* otherwise the worker that gets this task runs them */
            add_threads_waiting(crown, path[step], &threads);
        numbers_put(letter, 0); /* number of steps in between */
        put_level(crown, letter, path[step], path[step + 1], &threads);
    }
}

/* Puts a task. Without levels the worker does not know what sleeps and what others have begun: its
 * search then takes longer. */
static bool put_task(struct crown *crown, struct parcel *out, uint32_t parent, uint32_t child,
                     struct event first, bool levels)
{
    struct subtree task = {.strategy = "bpor",
                           .bound = crown->bound,
                           .first = crown->nodes[parent].depth,
                           .floor = crown->nodes[parent].depth + (child != 0),
                           .check = crown->nodes[parent].check,
                           .prefix = crown->prefix,
                           .prefix_count = put_prefix(crown, parent, crown->prefix)};
    crown->prefix[task.prefix_count++] =
        (struct decision){(uint32_t)task.first, first.thread, first.choice};
    struct numbers letter = parcel_begin(out, &task);
    letter.names = &crown->naming;
    if (levels)
        put_levels(crown, &letter, parent, child);
    else
        numbers_put(&letter, 0);
    thread_set waiting = {{0}};
    if (child == 0)
        add_threads_waiting(crown, parent, &waiting);
    threads_put(&letter, &waiting);
    if (letter.wrong)
        return false;
    parcel_end(out, &letter);
    return true;
}

static struct event take_waiting(struct crown *crown, uint32_t node)
{
    uint32_t first = crown->nodes[node].waiting;
    struct event event = crown->wakeup.nodes[first].event;
    crown->nodes[node].waiting = crown->wakeup.nodes[first].next;
    wakeup_free_path(&crown->wakeup, first);
    return event;
}

/* Gives a whole node, below which no worker is at work, so that its details need not stay in the
 * crown. A node at which outcomes wait stays: a worker finds outcomes only by itself. */
static bool give_node(struct crown *crown, uint32_t node, struct parcel *out)
{
    for (uint32_t at = crown->nodes[node].waiting; at != 0; at = crown->wakeup.nodes[at].next)
        if (crown->wakeup.nodes[at].event.choice != 0)
            return false;
    struct event first = take_waiting(crown, node);
    if (!put_task(crown, out, node, 0, first, true)) {
        add_waiting(crown, node, first.thread, first.choice);
        return false;
    }
    wakeup_free_list(&crown->wakeup, crown->nodes[node].waiting);
    crown->nodes[node].waiting = 0;
    crown_clear_node(crown, node, NODE_HELD);
    return true;
}

static uint32_t give_alternative(struct crown *crown, uint32_t node, struct parcel *out)
{
    struct event first = take_waiting(crown, node);
    struct event event = {.thread = first.thread, .footprint.all = first.choice != 0};
    uint32_t child = crown_add_child(crown, node, &event, NODE_HELD);
    crown->nodes[child].outcome = first.choice;
    crown->nodes[child].known = first.choice != 0;
    CHECK(put_task(crown, out, node, child, first, true) ||
          put_task(crown, out, node, child, first, false));
    return child;
}

static void put_whole(const struct crown *crown, struct parcel *out)
{
    struct subtree task = {.strategy = "bpor", .bound = crown->bound};
    struct numbers letter = parcel_begin(out, &task);
    numbers_put(&letter, 0); /* no levels */
    numbers_put(&letter, 0); /* no waiting threads */
    parcel_end(out, &letter);
}

bool crown_give_threads(struct crown *crown, uint32_t worker, struct parcel *out)
{
    CHECK(worker < CROWN_HOLDERS_MAX);
    CHECK(crown->held[worker] == 0);
    if (!crown->begun) {
        crown->begun = true;
        crown->held[worker] = ROOT;
        put_whole(crown, out);
        return true;
    }
    bool whole;
    uint32_t node = crown_node_to_give(crown, false, &whole);
    if (node == 0)
        return false;
    journal_begin(crown->journal);
    if (!whole || !give_node(crown, node, out))
        node = give_alternative(crown, node, out);
    journal_seal(crown->journal);
    crown->held[worker] = node;
    return true;
}

/* Notes how the thread that was handed out sleeps, once it has run. */
static void take_root(struct crown *crown, struct numbers *letter, uint32_t node)
{
    if (numbers_take(letter, 1) == 0)
        return;
    struct event event = event_take(letter);
    uint64_t choices = numbers_take(letter, UINT16_MAX);
    letter->wrong |= node == ROOT || event.thread != crown->nodes[node].event.thread;
    if (letter->wrong)
        return;
    crown->nodes[node].event = event;
    crown->nodes[node].known = true;
    if (crown->nodes[node].outcome == 0)
        add_outcomes(crown, node, choices);
}

static void take_done(struct crown *crown, struct numbers *letter, uint32_t node)
{
    uint32_t asleep = trees_take(letter, &crown->wakeup);
    thread_set done = threads_take(letter);
    for (uint32_t at = asleep; at != 0; at = crown->wakeup.nodes[at].next) {
        crown_add_child(crown, node, &crown->wakeup.nodes[at].event, NODE_CLOSED);
        thread_set_remove(&done, crown->wakeup.nodes[at].event.thread);
    }
    wakeup_free_list(&crown->wakeup, asleep);
    THREADS_EACH(thread, &done)
    {
        struct event event = {.thread = thread, .footprint.all = true};
        crown_add_child(crown, node, &event, NODE_CLOSED);
    }
}

/* Adds the steps below the node that the worker held, down to the node that it holds now. */
static uint32_t take_steps(struct crown *crown, struct numbers *letter, uint32_t node)
{
    uint64_t count = numbers_take(letter, crown->events_max);
    letter->wrong |= count > 0 && !crown->nodes[node].known;
    letter->wrong |= crown->nodes[node].depth + count > crown->events_max;
    for (; count > 0 && !letter->wrong; count--) {
        crown->nodes[node].state = NODE_OPEN;
        crown->nodes[node].check = (uint32_t)numbers_take(letter, UINT32_MAX);
        take_done(crown, letter, node);
        thread_set waiting = threads_take(letter);
        THREADS_EACH(thread, &waiting)
        add_waiting(crown, node, thread, 0);
        bool decides = numbers_take(letter, 1);
        uint16_t outcome = (uint16_t)numbers_take(letter, UINT16_MAX);
        uint64_t choices = numbers_take(letter, UINT16_MAX);
        struct event event = event_take(letter);
        node = crown_add_child(crown, node, &event, NODE_HELD);
        crown->nodes[node].decides = decides;
        crown->nodes[node].outcome = outcome;
        add_outcomes(crown, node, choices);
    }
    return node;
}

/* Adds threads that must run at a step, unless one of `enough` runs there. */
static void add_threads(struct crown *crown, uint32_t held, uint32_t step, const thread_set *enough,
                        const thread_set *added)
{
    uint32_t node = held;
    while (crown->nodes[node].depth > step)
        node = crown->nodes[node].parent;
    thread_set threads = threads_begun(crown, node);
    add_threads_waiting(crown, node, &threads);
    if (thread_set_meets(&threads, enough))
        return;
    THREADS_EACH(thread, added)
    if (!thread_set_has(&threads, thread))
        add_waiting(crown, node, thread, 0);
}

static void take_returns(struct crown *crown, struct numbers *letter, uint32_t held)
{
    uint64_t count;
    while ((count = numbers_take(letter, THREADS_MAX)) > 0) {
        uint64_t step = numbers_take(letter, UINT32_MAX);
        thread_set enough = {{0}}, added = {{0}};
        letter->wrong |= step >= crown->nodes[held].depth;
        for (; count > 0 && !letter->wrong; count--) {
            struct event event = event_take(letter);
            if (event.choice & RETURN_ENOUGH)
                thread_set_add(&enough, event.thread);
            if (event.choice & RETURN_ADDED)
                thread_set_add(&added, event.thread);
        }
        if (letter->wrong)
            return;
        add_threads(crown, held, (uint32_t)step, &enough, &added);
    }
}

bool crown_take_threads(struct crown *crown, uint32_t worker, struct parcel *in)
{
    struct numbers letter;
    if (!crown_read(crown, worker, in, &letter))
        return false;
    uint32_t node = crown->held[worker];
    journal_begin(crown->journal);
    crown->beyond |= numbers_take(&letter, 1) != 0;
    take_root(crown, &letter, node);
    node = crown->held[worker] = take_steps(crown, &letter, node);
    take_returns(crown, &letter, node);
    bool ended = numbers_take(&letter, 1);
    bool good = numbers_end(&letter);
    if (good && ended) {
        crown_finish(crown, node, true);
        crown->held[worker] = 0;
    }
    journal_seal(crown->journal);
    return good;
}
