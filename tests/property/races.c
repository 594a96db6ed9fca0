/* The race detector against an oracle that knows nothing of clocks: every pair of accesses, and
 * happens-before as reachability along the edges that C11 and pthreads define. Programs are random
 * sequences of events; bytes are used again by one after the other, with checkpoints in between.
 * Then small programs in all their interleavings: the detector need not see every race in each of
 * them, but in all together it sees exactly the pairs that race in one. */
#include "support/story.h"

#include <string.h>

#include "base/rng.h"
#include "support/watched.h"

enum { PROGRAMS = 4000, EVENTS_MAX = 60, THREADS = 4, MUTEXES = 2, RETURNS = 3 };

enum kind { CREATE, JOIN, LOCK, UNLOCK, FENCE, READ, WRITE, ATOMIC, FREE, KINDS };
static const char *const words[KINDS] = {"create", "join",  "lock",   "unlock", "fence",
                                         "read",   "write", "atomic", "free"};

struct event {
    uint8_t kind, thread;
    uint8_t object; /* the other thread, the mutex, the first byte */
    uint8_t size;
    struct race_atomic atomic; /* acquire and release of a fence, too */
};

struct location { /* atomics of one place are always of one size */
    uint8_t offset, size;
};
static const struct location locations[] = {{0, 4},  {4, 2},  {6, 2}, {8, 8},
                                            {16, 1}, {17, 1}, {20, 4}};
enum { LOCATIONS = sizeof locations / sizeof locations[0], PLAIN_BYTES = 24, BLOCK = 8 };

static struct {
    struct event events[EVENTS_MAX];
    uint64_t before[EVENTS_MAX]; /* the events that happen before it */
    uint64_t seen[EVENTS_MAX];   /* of an atomic read: whom an acquire synchronises with */
    uint32_t count;
} oracle;

static bool is_before(uint32_t earlier, uint32_t later)
{
    return oracle.before[later] >> earlier & 1;
}

static uint64_t with_all_before(uint64_t events)
{
    uint64_t all = events;
    for (uint32_t i = 0; i < oracle.count; i++)
        if (events >> i & 1)
            all |= oracle.before[i];
    return all;
}

/* The events of a thread, and its birth. */
static uint64_t life_of(uint8_t thread)
{
    uint64_t events = 0;
    for (uint32_t i = 0; i < oracle.count; i++) {
        const struct event *event = &oracle.events[i];
        if (event->thread == thread || (event->kind == CREATE && event->object == thread))
            events |= 1ul << i;
    }
    return events;
}

/* The events that release with this modification: itself, and release fences that came before it.
 */
static uint64_t released_by(uint32_t modification)
{
    const struct event *event = &oracle.events[modification];
    uint64_t events = event->atomic.release ? 1ul << modification : 0;
    for (uint32_t i = 0; i < modification; i++)
        if (oracle.events[i].kind == FENCE && oracle.events[i].atomic.release &&
            oracle.events[i].thread == event->thread)
            events |= 1ul << i;
    return events;
}

/* Release sequences that end in the value read now: back to the last store that is no update. */
static uint64_t seen_at(uint8_t offset)
{
    uint64_t events = 0;
    for (uint32_t i = oracle.count; i-- > 0;) {
        const struct event *event = &oracle.events[i];
        if (event->kind != ATOMIC || event->object != offset || !event->atomic.writes)
            continue;
        events |= released_by(i);
        if (!event->atomic.reads)
            break;
    }
    return events;
}

static uint64_t seen_by_thread(uint8_t thread)
{
    uint64_t events = 0;
    for (uint32_t i = 0; i < oracle.count; i++)
        if (oracle.events[i].thread == thread)
            events |= oracle.seen[i];
    return events;
}

static uint64_t unlocks_of(uint8_t mutex)
{
    uint64_t events = 0;
    for (uint32_t i = 0; i < oracle.count; i++)
        if (oracle.events[i].kind == UNLOCK && oracle.events[i].object == mutex)
            events |= 1ul << i;
    return events;
}

static void oracle_add(const struct event *event)
{
    uint64_t before = life_of(event->thread), seen = 0;
    if (event->kind == JOIN)
        before |= life_of(event->object);
    if (event->kind == LOCK)
        before |= unlocks_of(event->object);
    if (event->kind == ATOMIC && event->atomic.reads)
        seen = seen_at(event->object);
    if (event->kind == ATOMIC && event->atomic.acquire)
        before |= seen;
    if (event->kind == FENCE && event->atomic.acquire)
        before |= seen_by_thread(event->thread);
    oracle.events[oracle.count] = *event;
    oracle.before[oracle.count] = with_all_before(before);
    oracle.seen[oracle.count] = seen;
    oracle.count++;
}

static bool is_access(const struct event *event)
{
    return event->kind == READ || event->kind == WRITE || event->kind == ATOMIC ||
           event->kind == FREE;
}

static bool writes(const struct event *event)
{
    return event->kind == WRITE || event->kind == FREE ||
           (event->kind == ATOMIC && event->atomic.writes);
}

static bool covers(const struct event *event, uint32_t byte)
{
    return is_access(event) && byte >= event->object && byte < event->object + event->size;
}

static bool races_on(uint32_t earlier, uint32_t later, uint32_t byte)
{
    const struct event *a = &oracle.events[earlier], *b = &oracle.events[later];
    return covers(a, byte) && covers(b, byte) && (writes(a) || writes(b)) &&
           !(a->kind == ATOMIC && b->kind == ATOMIC) && !is_before(earlier, later);
}

static bool races(uint32_t earlier, uint32_t later)
{
    for (uint32_t byte = 0; byte < PLAIN_BYTES; byte++)
        if (races_on(earlier, later, byte))
            return true;
    return false;
}

static bool races_with_any(uint32_t later, uint32_t byte)
{
    for (uint32_t i = 0; i < later; i++)
        if (races_on(i, later, byte))
            return true;
    return false;
}

static bool is_freed(uint32_t later)
{
    for (uint32_t i = 0; i < later; i++)
        for (uint32_t byte = 0; byte < PLAIN_BYTES; byte++)
            if (oracle.events[i].kind == FREE && covers(&oracle.events[i], byte) &&
                covers(&oracle.events[later], byte))
                return true;
    return false;
}

static struct {
    struct rng rng;
    uint64_t seed;
    uint8_t alive, ended, born; /* bits of threads; how many there ever were */
    int8_t holder[MUTEXES];     /* -1: nobody */
} maker;

static bool flip(void)
{
    return rng_below(&maker.rng, 2) == 0;
}

static uint8_t any_alive(void)
{
    uint8_t thread;
    do
        thread = (uint8_t)rng_below(&maker.rng, THREADS);
    while (!(maker.alive >> thread & 1));
    return thread;
}

static bool holds_any(uint8_t thread)
{
    return maker.holder[0] == thread || maker.holder[1] == thread;
}

static struct event make_atomic(uint8_t thread)
{
    struct location at = locations[rng_below(&maker.rng, LOCATIONS)];
    struct event event = {.kind = ATOMIC, .thread = thread, .object = at.offset, .size = at.size};
    uint32_t how = rng_below(&maker.rng, 3);
    event.atomic.reads = how != 0;
    event.atomic.writes = how != 1;
    event.atomic.acquire = event.atomic.reads && flip();
    event.atomic.release = event.atomic.writes && flip();
    return event;
}

static struct event make_plain(uint8_t thread)
{
    uint8_t size = (uint8_t)(1u << rng_below(&maker.rng, 4));
    return (struct event){.kind = flip() ? READ : WRITE,
                          .thread = thread,
                          .size = size,
                          .object = (uint8_t)rng_below(&maker.rng, PLAIN_BYTES - size + 1u)};
}

/* False: this kind of event cannot happen now. */
static bool make(struct event *event)
{
    uint8_t thread = any_alive();
    uint8_t mutex = (uint8_t)rng_below(&maker.rng, MUTEXES);
    uint8_t other = (uint8_t)rng_below(&maker.rng, THREADS);
    *event = (struct event){.thread = thread};
    switch (rng_below(&maker.rng, 16)) {
    case 0:
        if (maker.born == THREADS)
            return false;
        event->kind = CREATE;
        event->object = maker.born;
        maker.alive |= (uint8_t)(1u << maker.born++);
        return true;
    case 1:
        if (other == thread || holds_any(other) || other >= maker.born)
            return false;
        event->kind = JOIN;
        event->object = other;
        maker.alive &= (uint8_t) ~(1u << other);
        return true;
    case 2:
    case 3:
        if (maker.holder[mutex] >= 0)
            return false;
        *event = (struct event){.kind = LOCK, .thread = thread, .object = mutex};
        maker.holder[mutex] = (int8_t)thread;
        return true;
    case 4:
    case 5:
    case 6:
        if (maker.holder[mutex] != thread)
            return false;
        *event = (struct event){.kind = UNLOCK, .thread = thread, .object = mutex};
        maker.holder[mutex] = -1;
        return true;
    case 7:
        event->kind = FENCE;
        event->atomic.acquire = flip();
        event->atomic.release = flip();
        return true;
    case 8:
    case 9:
    case 10:
        *event = make_atomic(thread);
        return true;
    case 11:
        if (rng_below(&maker.rng, 8) != 0)
            return false;
        *event = (struct event){.kind = FREE,
                                .thread = thread,
                                .size = BLOCK,
                                .object = (uint8_t)(BLOCK * rng_below(&maker.rng, 3))};
        return true;
    default:
        *event = make_plain(thread);
        return true;
    }
}

static struct sync mutexes[MUTEXES], mutexes_kept[MUTEXES];

/* Tells the detector of an event, whose number plus one is its site. */
static void tell(uint32_t number)
{
    const struct event *event = &oracle.events[number];
    uint64_t site = number + 1;
    race_switch(&watched, event->thread);
    switch ((enum kind)event->kind) {
    case CREATE:
        race_start(&watched, event->object, event->thread);
        return;
    case JOIN:
        race_join(&watched, event->object);
        return;
    case LOCK:
        race_acquire(&watched, &mutexes[event->object]);
        return;
    case UNLOCK:
        race_release(&watched, &mutexes[event->object]);
        return;
    case FENCE:
        race_fence(&watched, event->atomic.acquire, event->atomic.release);
        return;
    case READ:
        watched_plain(event->object, event->size, false, site);
        return;
    case WRITE:
        watched_plain(event->object, event->size, true, site);
        return;
    case ATOMIC:
        watched_atomic(event->object, event->size, event->atomic, site);
        return;
    case FREE:
        watched_free(event->object, event->size, site);
        return;
    case KINDS:
        break;
    }
    UNREACHABLE();
}

static void fail_with(const char *expected)
{
    print_error("     program    seed %lu\n", (unsigned long)maker.seed);
    for (uint32_t i = 0; i < oracle.count; i++) {
        const struct event *event = &oracle.events[i];
        print_error("     %2u  T%u %s %u, %u bytes%s%s%s%s\n", i, event->thread, words[event->kind],
                    event->object, event->size, event->atomic.reads ? " reads" : "",
                    event->atomic.writes ? " writes" : "", event->atomic.acquire ? " acquire" : "",
                    event->atomic.release ? " release" : "");
    }
    print_error("     expected   %s\n     again      tests/property_races --program %lu\n",
                expected, (unsigned long)maker.seed);
    for (uint32_t i = 0; i < told_count; i++)
        print_error("     reported   event %lu with event %lu%s\n", (unsigned long)told[i].site - 1,
                    (unsigned long)told[i].earlier.site - 1,
                    told[i].after_free ? ", use after free" : "");
    fail();
}

static bool reported_on(uint32_t from, uint32_t byte)
{
    for (uint32_t i = from; i < told_count; i++)
        if (!told[i].after_free && covers(&oracle.events[told[i].earlier.site - 1], byte))
            return true;
    return false;
}

static uint64_t races_told, frees_told;

/* The detector's reports of the last event, from this report on, are right. Nothing is promised for
 * a byte that has raced before. False: a use after free, which ends an execution. */
static bool judge(uint32_t from, bool raced[PLAIN_BYTES])
{
    uint32_t last = oracle.count - 1;
    bool freed = false;
    for (uint32_t i = from; i < told_count; i++) {
        uint32_t earlier = (uint32_t)told[i].earlier.site - 1;
        freed |= told[i].after_free;
        if (earlier >= last || told[i].site != last + 1ul)
            fail_with("a report of the event that happened, with one before it");
        if (!told[i].after_free && !races(earlier, last))
            fail_with("no race between ordered accesses");
    }
    bool again =
        oracle.events[last].kind == FREE; /* a double free is not the detector's business */
    if (freed != (!again && is_access(&oracle.events[last]) && is_freed(last)))
        fail_with("a use after free where there is one, only there");
    for (uint32_t byte = 0; byte < PLAIN_BYTES; byte++) {
        if (raced[byte] || !races_with_any(last, byte))
            continue;
        if (!reported_on(from, byte))
            fail_with("the first race on each byte");
        raced[byte] = true;
        races_told++;
    }
    frees_told += freed;
    return !freed && !(again && is_freed(last));
}

/* False: the execution ended. */
static bool happen(bool raced[PLAIN_BYTES])
{
    struct event event;
    while (!make(&event))
        ;
    oracle_add(&event);
    uint32_t from = told_count;
    tell(oracle.count - 1);
    return judge(from, raced);
}

static bool run_until(uint32_t end, bool raced[PLAIN_BYTES])
{
    while (oracle.count < end)
        if (!happen(raced))
            return false;
    return true;
}

/* A set-up, and from its end on several ways to go on. */
static void compare(uint64_t seed)
{
    bool raced[PLAIN_BYTES] = {0}, raced_before[PLAIN_BYTES];
    memset(&oracle, 0, sizeof oracle);
    memset(&maker, 0, sizeof maker);
    memset(mutexes, 0, sizeof mutexes);
    maker.seed = maker.rng.state = seed;
    maker.alive = maker.born = 1;
    maker.holder[0] = maker.holder[1] = -1;
    watched_open(THREADS);
    uint32_t setup = rng_below(&maker.rng, EVENTS_MAX / 2);
    if (!run_until(setup, raced))
        return;
    watched_checkpoint();
    __typeof__(oracle) *oracle_kept = test_malloc(sizeof oracle);
    __typeof__(maker) maker_kept = maker;
    *oracle_kept = oracle;
    memcpy(raced_before, raced, sizeof raced);
    memcpy(mutexes_kept, mutexes, sizeof mutexes);
    for (int way = 0; way < RETURNS; way++) {
        run_until(EVENTS_MAX, raced);
        struct rng rng = maker.rng;
        watched_return();
        oracle = *oracle_kept;
        maker = maker_kept;
        maker.rng = rng;
        memcpy(raced, raced_before, sizeof raced);
        memcpy(mutexes, mutexes_kept, sizeof mutexes);
    }
    test_free(oracle_kept);
}

static void races_are_those_of_the_definition(void **state)
{
    uint64_t seed = story_first_seed();
    watched_clear();
    races_told = frees_told = 0;
    uint32_t programs = story_programs(PROGRAMS);
    for (uint32_t left = programs; left > 0; left--)
        compare(seed++);
    if (programs >= PROGRAMS) {
        assert_true(races_told > PROGRAMS);
        assert_true(frees_told > PROGRAMS / 20);
    }
}

enum {
    SMALL_PROGRAMS = 500,
    SMALL_THREADS = 3,
    EACH_MAX = 4,
    SMALL_MAX = SMALL_THREADS * EACH_MAX
};

static struct {
    struct event events[SMALL_THREADS][EACH_MAX];
    uint8_t counts[SMALL_THREADS];
    uint8_t order[SMALL_MAX]; /* whose event comes next, in the interleaving being made */
    bool defined[SMALL_MAX][SMALL_MAX],
        found[SMALL_MAX][SMALL_MAX]; /* pairs of events, both ways */
    uint64_t interleavings;
} small;

/* Of a thread's own: no creations, and a lock is taken and released around one access. */
static void make_small_thread(uint8_t thread, uint8_t count)
{
    uint8_t mutex = (uint8_t)rng_below(&maker.rng, MUTEXES);
    bool locks = count >= 3 && rng_below(&maker.rng, 3) == 0;
    uint8_t first = locks ? (uint8_t)rng_below(&maker.rng, count - 2u) : EACH_MAX;
    for (uint8_t i = 0; i < count; i++) {
        struct event *event = &small.events[thread][i];
        uint32_t what = rng_below(&maker.rng, 16);
        if (i == first || i == first + 2)
            *event = (struct event){
                .kind = i == first ? LOCK : UNLOCK, .thread = thread, .object = mutex};
        else if (what < 2)
            *event = (struct event){
                .kind = FENCE, .thread = thread, .atomic = {.acquire = flip(), .release = flip()}};
        else if (what < 8)
            *event = make_atomic(thread);
        else if (what < 9)
            *event = (struct event){.kind = FREE, .thread = thread, .size = BLOCK};
        else
            *event = make_plain(thread);
        if (is_access(event) && event->kind != FREE) /* few bytes, so that they meet */
            event->object = event->kind == ATOMIC ? (event->size == 4 ? 0 : 4) : event->object % 6;
        if (event->kind == ATOMIC && event->size != 4)
            event->size = 2;
    }
    small.counts[thread] = count;
}

static void make_small(uint64_t seed)
{
    memset(&small, 0, sizeof small);
    memset(&maker, 0, sizeof maker);
    maker.seed = maker.rng.state = seed;
    uint8_t at = 0;
    for (uint8_t child = 1; child < SMALL_THREADS; child++)
        small.events[0][at++] = (struct event){.kind = CREATE, .object = child};
    make_small_thread(0, 1); /* its access goes to the end of the thread, or behind a join */
    struct event own = small.events[0][0];
    small.events[0][0] = (struct event){.kind = CREATE, .object = 1};
    small.events[0][at++] = own;
    if (flip()) { /* behind a join */
        small.events[0][at - 1] = (struct event){.kind = JOIN, .object = 1};
        small.events[0][at++] = own;
    }
    small.counts[0] = at;
    for (uint8_t child = 1; child < SMALL_THREADS; child++)
        make_small_thread(child, 3);
}

static void pair(bool pairs[SMALL_MAX][SMALL_MAX], uint8_t one, uint8_t other)
{
    pairs[one][other] = pairs[other][one] = true;
}

/* Runs the interleaving that was made, in the detector and by the definition. */
static void run_small(uint32_t length)
{
    uint8_t next[SMALL_THREADS] = {0}, number[SMALL_MAX];
    memset(&oracle, 0, sizeof oracle);
    memset(mutexes, 0, sizeof mutexes);
    watched_open(SMALL_THREADS);
    small.interleavings++;
    for (uint32_t i = 0; i < length; i++) {
        uint8_t thread = small.order[i];
        number[i] = (uint8_t)(thread * EACH_MAX + next[thread]);
        oracle_add(&small.events[thread][next[thread]++]);
        uint32_t from = told_count;
        tell(i);
        /* a use of freed memory ends the execution: only the race with the free counts */
        bool ends = is_access(&oracle.events[i]) && is_freed(i);
        for (uint32_t earlier = 0; earlier < i; earlier++)
            if (races(earlier, i) && (!ends || oracle.events[earlier].kind == FREE))
                pair(small.defined, number[earlier], number[i]);
        for (uint32_t k = from; k < told_count; k++) {
            uint32_t earlier = (uint32_t)told[k].earlier.site - 1;
            if (!told[k].after_free && (!ends || oracle.events[earlier].kind == FREE))
                pair(small.found, number[earlier], number[i]);
        }
        if (ends)
            return;
    }
}

static bool can_happen(const struct event *event, const uint8_t *next, const int8_t *holder,
                       uint8_t born)
{
    if (event->thread >= born)
        return false;
    if (event->kind == JOIN)
        return next[event->object] == small.counts[event->object];
    return event->kind != LOCK || holder[event->object] < 0;
}

static void interleave(uint32_t length, uint8_t *next, int8_t *holder, uint8_t born)
{
    bool any = false;
    for (uint8_t thread = 0; thread < SMALL_THREADS; thread++) {
        const struct event *event = &small.events[thread][next[thread]];
        if (next[thread] == small.counts[thread] || !can_happen(event, next, holder, born))
            continue;
        int8_t held[MUTEXES];
        memcpy(held, holder, sizeof held);
        if (event->kind == LOCK || event->kind == UNLOCK)
            held[event->object] = event->kind == LOCK ? (int8_t)thread : -1;
        any = true;
        small.order[length] = thread;
        next[thread]++;
        interleave(length + 1, next, held, (uint8_t)(born + (event->kind == CREATE)));
        next[thread]--;
    }
    if (!any)
        run_small(length);
}

static void compare_small(uint64_t seed)
{
    make_small(seed);
    uint8_t next[SMALL_THREADS] = {0};
    int8_t holder[MUTEXES] = {-1, -1};
    interleave(0, next, holder, 1);
    for (uint32_t a = 0; a < SMALL_MAX; a++)
        for (uint32_t b = 0; b < a; b++) {
            if (small.found[a][b] != small.defined[a][b]) {
                print_error("     pair       event %u of T%u with event %u of T%u\n", a % EACH_MAX,
                            a / EACH_MAX, b % EACH_MAX, b / EACH_MAX);
                fail_with(small.defined[a][b] ? "this pair, which races in an interleaving"
                                              : "this pair in no interleaving");
            }
            races_told += small.found[a][b];
        }
}

static void all_interleavings_show_all_pairs(void **state)
{
    uint64_t seed = story_first_seed(), interleavings = 0;
    watched_clear();
    races_told = 0;
    uint32_t programs = story_programs(SMALL_PROGRAMS);
    for (uint32_t left = programs; left > 0; left--) {
        compare_small(seed++);
        interleavings += small.interleavings;
    }
    if (programs >= SMALL_PROGRAMS) {
        assert_true(races_told > SMALL_PROGRAMS);
        assert_true(interleavings > 50 * SMALL_PROGRAMS);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(races_are_those_of_the_definition),
                                       cmocka_unit_test(all_interleavings_show_all_pairs)};
    return story_main(argc, argv, tests, sizeof tests / sizeof tests[0]);
}
