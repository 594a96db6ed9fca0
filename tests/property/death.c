/* A worker may be killed at any instruction, which shows only in what it had written by then. Here
 * lasting memory is write-protected while the strategy learns and plans: each write faults, is let
 * through and counted, and before the n-th the work stops dead. Then the journal is rolled back
 * (and the roll-back killed, too, now and then) and the search goes on. It must not notice. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "strategy/guided/priority.h"
#include "strategy/parallel/crown.h"
#include "support/search.h"
#include "support/story.h"

enum { TRAP_FLAG = 0x100, PAGE = 4096, WRITES_BITS = 12, PARCELS_MAX = 6 };
enum { PROGRAMS = SANITIZED == 1 ? 8 : 3 };
#define CROWN_BYTES (1ul << 32)

static struct {
    sigjmp_buf death;
    struct search *search; /* whose memory is protected */
    uint32_t writes_left;
    struct parcel parcel;  /* to be taken in, or given */
    char *open, *open_end; /* the pages that the write under way may touch, NULL between writes */
} killer;

static void allow(void *pages, size_t size, int access)
{
    CHECK(mprotect(pages, size, access) == 0);
}

static void protect(bool on)
{
    killer.open = NULL;
    allow(killer.search->memory, search_memory_size(), on ? PROT_READ : PROT_READ | PROT_WRITE);
}

static void single_step(ucontext_t *context, bool on)
{
    greg_t *flags = &context->uc_mcontext.gregs[REG_EFL];
    *flags = on ? *flags | TRAP_FLAG : *flags & ~TRAP_FLAG;
}

/* Only the page written to is opened: there are many writes, and the memory is large. A write that
 * spans two pages comes here twice, yet is one. */
static void on_write(int signal, siginfo_t *info, void *context)
{
    char *memory = (char *)killer.search->memory;
    uintptr_t offset = (uintptr_t)info->si_addr - (uintptr_t)memory;
    CHECK(offset < search_memory_size());
    char *page = memory + offset / PAGE * PAGE;
    if (killer.open == NULL) {
        if (--killer.writes_left == 0) {
            protect(false);
            siglongjmp(killer.death, 1);
        }
        killer.open = page;
        killer.open_end = page + PAGE;
    }
    killer.open = page < killer.open ? page : killer.open;
    killer.open_end = page < killer.open_end ? killer.open_end : page + PAGE;
    allow(page, PAGE, PROT_READ | PROT_WRITE);
    single_step(context, true);
}

static void on_written(int signal, siginfo_t *info, void *context)
{
    single_step(context, false);
    allow(killer.open, (size_t)(killer.open_end - killer.open), PROT_READ);
    killer.open = NULL;
}

static void advance(struct search *search)
{
    search_advance(search);
}

/* Does the work up to its n-th write to lasting memory. True: it was killed. */
static bool kill_at(uint32_t write, void (*work)(struct search *), struct search *search)
{
    killer.search = search;
    killer.writes_left = write;
    if (sigsetjmp(killer.death, 1) != 0)
        return true;
    protect(true);
    work(search);
    protect(false);
    return false;
}

/* Recovers as a new worker would, but may die before that is done. */
static void recover_among_deaths(struct search *search, struct rng *rng)
{
    while (rng_below(rng, 4) == 0)
        kill_at(1 + rng_below(rng, 20), search_recover, search);
    search_recover(search);
}

/* Does the work, killed at one write after another, near its beginning or far from it, until an
 * attempt gets to its end or is left alone. */
static void work_among_deaths(void (*work)(struct search *), struct search *search, struct rng *rng,
                              uint64_t *deaths)
{
    while (kill_at(1 + rng_below(rng, 1u << rng_below(rng, WRITES_BITS)), work, search)) {
        ++*deaths;
        if (search_is_sealed(search))
            return;
        recover_among_deaths(search, rng);
        if (rng_below(rng, 3) == 0) {
            work(search);
            return;
        }
    }
}

static bool next_among_deaths(struct search *search, struct rng *rng, uint64_t *deaths)
{
    work_among_deaths(advance, search, rng, deaths);
    if (search->planned)
        search_execute(search);
    return search->planned;
}

struct death_case {
    const char *test, *strategy;
    int32_t bound;
    uint64_t executions_max;
    bool cache, sharing;
    bool shrinks; /* an execution of the program is given */
    enum reduction reduction;
};

/* One that is far from simple, to be shrunk to another with the same end. */
static char give_execution(const struct toy_program *program, struct decision steps[TOY_STEPS_MAX],
                           struct strategy_options *options)
{
    struct listing listing = {0};
    CHECK(enumerate(program, 1000, &listing));
    const struct listed *worst = &listing.items[0];
    for (size_t i = 0; i < listing.count; i++)
        if (listing.items[i].costs[LISTED_PREEMPTIONS] > worst->costs[LISTED_PREEMPTIONS])
            worst = &listing.items[i];
    options->start = steps;
    options->start_count = listed_decisions(worst, steps);
    char end = worst->end;
    listing_free(&listing);
    return end;
}

/* Returns how often the search died. */
static uint64_t expect_same(const struct death_case *at, const struct toy_program *program,
                            uint64_t seed)
{
    struct story story = {at->test, program, "those of a search that nobody killed"};
    struct strategy_options options = {
        .seed = seed,
        .bound = at->bound,
        .executions_max = at->executions_max,
        .cache = at->cache,
        .reduction = at->reduction,
        .hierarchy = {3, {PRIORITY_mdpor, PRIORITY_pb, PRIORITY_rand}}};
    struct rng rng = {.state = seed};
    struct search calm, killed;
    struct decision steps[TOY_STEPS_MAX];
    uint64_t deaths = 0;
    char end = at->shrinks ? give_execution(program, steps, &options) : 0;
    search_open(&calm, program, at->strategy, options);
    search_open(&killed, program, at->strategy, options);
    calm.target = killed.target = end;
    for (;;) {
        bool more = search_next(&calm);
        story_expect(&story, next_among_deaths(&killed, &rng, &deaths) == more,
                     "both searches end together");
        if (!more)
            break;
        story_expect_count(&story, calm.trace.fingerprint, killed.trace.fingerprint);
        story_expect(&story, search_keeps_same(&calm, &killed), "both searches keep the same");
        struct progress expected = search_progress(&calm), actual = search_progress(&killed);
        story_expect_count(&story, expected.pending, actual.pending);
        story_expect_count(&story, (uint64_t)expected.bound, (uint64_t)actual.bound);
    }
    story_expect_count(&story, calm.executions, killed.executions);
    search_close(&calm);
    search_close(&killed);
    return deaths;
}

static void adopt(struct search *search)
{
    struct parcel parcel = killer.parcel;
    CHECK(search_adopt(search, &parcel));
}

/* Two searches that do the same, but only one of them dies; what they give away they take back when
 * they have nothing else to do. */
struct pair {
    struct search calm, killed;
    struct rng rng;
    uint64_t deaths;
    struct parcel parcels[PARCELS_MAX];
    uint32_t count;
    uint8_t bytes[PARCELS_MAX][PARCEL_BYTES];
};

/* A transaction between two plans: there is nothing to recover, but it is another one. */
static void change_among_deaths(struct pair *pair, void (*work)(struct search *))
{
    search_recover(&pair->killed);
    work_among_deaths(work, &pair->killed, &pair->rng, &pair->deaths);
    search_recover(&pair->killed);
}

static void pair_adopt(struct pair *pair, struct parcel parcel)
{
    killer.parcel = (struct parcel){.bytes = parcel.bytes, .size = parcel.used};
    adopt(&pair->calm);
    change_among_deaths(pair, adopt);
}

static void pair_rise(struct pair *pair)
{
    search_rise(&pair->calm);
    change_among_deaths(pair, search_rise);
}

static bool pair_find_work(struct pair *pair)
{
    if (pair->count > 0)
        pair_adopt(pair, pair->parcels[--pair->count]);
    else if (search_progress(&pair->calm).pending > 0)
        pair_rise(pair);
    else
        return false;
    return true;
}

static void pair_next(struct pair *pair, const struct story *story)
{
    static uint8_t bytes[PARCEL_BYTES];
    struct parcel *kept = &pair->parcels[pair->count];
    struct parcel other = {.bytes = bytes, .size = sizeof bytes};
    *kept = (struct parcel){.bytes = pair->bytes[pair->count], .size = PARCEL_BYTES};
    bool asked = pair->count < PARCELS_MAX - 1 && rng_below(&pair->rng, 3) == 0;
    pair->calm.wanted = asked ? kept : NULL;
    pair->killed.wanted = asked ? &other : NULL;
    bool more = search_next(&pair->calm);
    story_expect(story, next_among_deaths(&pair->killed, &pair->rng, &pair->deaths) == more,
                 "both searches pause together");
    story_expect(story, (pair->calm.wanted == NULL) == (pair->killed.wanted == NULL),
                 "both searches give something away");
    if (asked && pair->calm.wanted == NULL) {
        story_expect_count(story, kept->used, other.used);
        story_expect(story, memcmp(kept->bytes, bytes, kept->used) == 0, "… and it is the same");
        pair->count++;
    }
    if (more)
        story_expect_count(story, pair->calm.trace.fingerprint, pair->killed.trace.fingerprint);
    story_expect(story, search_keeps_same(&pair->calm, &pair->killed),
                 "both searches keep the same");
}

static void give(struct search *search)
{
    killer.parcel.used = 0;
    CHECK(search_give(search, &killer.parcel));
}

static void give_to(struct search *search, struct parcel *parcel)
{
    killer.parcel = *parcel;
    give(search);
    *parcel = killer.parcel;
}

static void pair_bring(struct pair *pair, struct crown *crown, const struct story *story)
{
    struct parcel parcel = pair->parcels[--pair->count];
    parcel = (struct parcel){.bytes = parcel.bytes, .size = parcel.used};
    story_expect(story, crown_take(crown, 0, &parcel), "it is understood");
}

/* A worker that has finished its part says so, and then gets another part. */
static bool pair_find_work_below(struct pair *pair, struct crown *crown, const struct story *story)
{
    static uint8_t bytes[PARCEL_BYTES];
    struct parcel *kept = &pair->parcels[0];
    *kept = (struct parcel){.bytes = pair->bytes[0], .size = PARCEL_BYTES};
    if (crown->held[0] == 0) {
        if (!crown_give(crown, 0, kept))
            return false;
        pair_adopt(pair, *kept);
        return true;
    }
    give_to(&pair->calm, kept);
    killer.parcel = (struct parcel){.bytes = bytes, .size = sizeof bytes};
    change_among_deaths(pair, give);
    story_expect_count(story, kept->used, killer.parcel.used);
    story_expect(story, memcmp(kept->bytes, bytes, kept->used) == 0, "both say the same");
    pair->count = 1;
    pair_bring(pair, crown, story);
    return true;
}

static void pair_search_bound(struct pair *pair, struct crown *crown, const struct story *story)
{
    while (!crown_is_done(crown)) {
        if (!pair->calm.planned) {
            story_expect(story, pair_find_work_below(pair, crown, story), "something is left");
            if (crown->held[0] == 0)
                continue;
        }
        pair_next(pair, story);
        if (pair->count > 0)
            pair_bring(pair, crown, story);
    }
}

/* Searches that share give the same with a crown that is handed over and hands over. */
static uint64_t expect_same_crowned(const struct death_case *at, const struct toy_program *program,
                                    uint64_t seed)
{
    static struct pair pair;
    static struct crown crown;
    struct story story = {at->test, program, "those of a search that nobody killed"};
    struct strategy_options options = {
        .seed = seed, .bound = at->bound, .shared = true, .fails = true};
    void *memory = mmap(NULL, CROWN_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(memory != MAP_FAILED);
    pair.rng = (struct rng){.state = seed};
    pair.deaths = pair.count = 0;
    search_open(&pair.calm, program, at->strategy, options);
    search_open(&pair.killed, program, at->strategy, options);
    int32_t bound = 0;
    do {
        struct arena arena = {.bytes = memory, .capacity = CROWN_BYTES};
        CHECK(madvise(memory, CROWN_BYTES, MADV_DONTNEED) == 0);
        crown_open(&crown, &arena, pair.calm.strategy, TOY_STEPS_MAX, bound, true);
        pair_search_bound(&pair, &crown, &story);
    } while (crown.beyond && bound++ < at->bound);
    story_expect_count(&story, pair.calm.executions, pair.killed.executions);
    search_close(&pair.calm);
    search_close(&pair.killed);
    munmap(memory, CROWN_BYTES);
    return pair.deaths;
}

/* Returns how often the search died. */
static uint64_t expect_same_sharing(const struct death_case *at, const struct toy_program *program,
                                    uint64_t seed)
{
    static struct pair pair;
    struct story story = {at->test, program, "those of a search that nobody killed"};
    struct strategy_options options = {.seed = seed, .bound = at->bound, .shared = true};
    pair.rng = (struct rng){.state = seed};
    pair.deaths = 0;
    search_open(&pair.calm, program, at->strategy, options);
    search_open(&pair.killed, program, at->strategy, options);
    struct subtree whole = strategy_whole(strategy_find(at->strategy), at->executions_max);
    pair.parcels[0] = (struct parcel){.bytes = pair.bytes[0], .size = PARCEL_BYTES};
    parcel_put(&pair.parcels[0], &whole);
    pair.count = 1;
    while (pair.calm.planned || pair_find_work(&pair))
        pair_next(&pair, &story);
    story_expect_count(&story, pair.calm.executions, pair.killed.executions);
    search_close(&pair.calm);
    search_close(&pair.killed);
    return pair.deaths;
}

static void death_goes_unnoticed(void **state)
{
    const struct death_case *at = *state;
    uint64_t (*expect)(const struct death_case *, const struct toy_program *, uint64_t) =
        !at->sharing                                               ? expect_same
        : strategy_find(at->strategy)->sharing.crown == CROWN_NONE ? expect_same_sharing
                                                                   : expect_same_crowned;
    struct sigaction before[2];
    sigaction(SIGSEGV, &(struct sigaction){.sa_sigaction = on_write, .sa_flags = SA_SIGINFO},
              &before[0]);
    sigaction(SIGTRAP, &(struct sigaction){.sa_sigaction = on_written, .sa_flags = SA_SIGINFO},
              &before[1]);
    struct toy_program program = toy_lockers(2, 2);
    uint64_t deaths = expect(at, &program, 1);
    uint64_t seed = story_first_seed();
    for (uint32_t left = story_programs(expect == expect_same_sharing ? PROGRAMS / 3 : PROGRAMS);
         left > 0;) {
        struct listing listing = {0};
        program = toy_random(seed++);
        if (enumerate(&program, 150, &listing)) {
            deaths += expect(at, &program, seed);
            left--;
        }
        listing_free(&listing);
    }
    assert_true(deaths >= story_least(40 / SANITIZED));
    sigaction(SIGSEGV, &before[0], NULL);
    sigaction(SIGTRAP, &before[1], NULL);
}

int main(int argc, char **argv)
{
    static struct death_case cases[] = {
        {"dfs", "dfs", NO_BOUND, 0, false, false, false, 0},
        {"preempt", "preempt", NO_BOUND, 0, false, false, false, 0},
        {"preempt, bounded", "preempt", 1, 0, false, false, false, 0},
        {"delay", "delay", NO_BOUND, 0, false, false, false, 0},
        {"delay, bounded", "delay", 2, 0, false, false, false, 0},
        {"depth", "depth", NO_BOUND, 0, false, false, false, 0},
        {"dfs, cached", "dfs", NO_BOUND, 0, true, false, false, 0},
        {"stateful", "stateful", NO_BOUND, 0, false, false, false, 0},
        {"best", "best", NO_BOUND, 0, false, false, false, 0},
        {"best, bounded", "best", 1, 0, false, false, false, 0},
        {"best, reduced", "best", NO_BOUND, 0, false, false, false, REDUCTION_CLASSIC},
        {"best, cached", "best", NO_BOUND, 0, true, false, false, 0},
        {"preempt, cached", "preempt", NO_BOUND, 0, true, false, false, 0},
        {"dpor", "dpor", NO_BOUND, 0, false, false, false, 0},
        {"bpor", "bpor", NO_BOUND, 0, false, false, false, 0},
        {"bpor, bounded", "bpor", 1, 0, false, false, false, 0},
        {"exitblock", "exitblock", NO_BOUND, 0, false, false, false, 0},
        {"exitblock-rw", "exitblock-rw", NO_BOUND, 0, false, false, false, 0},
        {"exitblock-dd", "exitblock-dd", NO_BOUND, 0, false, false, false, 0},
        {"exitblock-rwdd", "exitblock-rwdd", NO_BOUND, 0, false, false, false, 0},
        {"random", "random", NO_BOUND, 100, false, false, false, 0},
        {"pct", "pct", 3, 100, false, false, false, 0},
        {"pos", "pos", NO_BOUND, 100, false, false, false, 0},
        {"surw", "surw", NO_BOUND, 100, false, false, false, 0},
        {"rf", "rf", NO_BOUND, 100, false, false, false, 0},
        {"rare", "rare", NO_BOUND, 100, false, false, false, 0},
        {"few", "few", NO_BOUND, 100, false, false, false, 0},
        {"idiom", "idiom", NO_BOUND, 100, false, false, false, 0},
        {"auto", "auto", NO_BOUND, 100, false, false, false, 0},
        {"shrink", "shrink", NO_BOUND, 0, false, false, true, 0},
        {"wander", "wander", NO_BOUND, 100, false, false, true, 0},
        {"critical", "critical", NO_BOUND, 0, false, false, true, 0},
        {"dfs, sharing", "dfs", NO_BOUND, 0, false, true, false, 0},
        {"preempt, sharing", "preempt", NO_BOUND, 0, false, true, false, 0},
        {"random, sharing", "random", NO_BOUND, 100, false, true, false, 0},
        {"delay, sharing", "delay", NO_BOUND, 0, false, true, false, 0},
        {"pos, sharing", "pos", NO_BOUND, 100, false, true, false, 0},
        {"dpor, sharing", "dpor", NO_BOUND, 0, false, true, false, 0},
        {"bpor, sharing", "bpor", 2, 0, false, true, false, 0},
    };
    enum { CASES = sizeof cases / sizeof *cases };
    struct CMUnitTest tests[CASES];
    for (int i = 0; i < CASES; i++)
        tests[i] = (struct CMUnitTest){cases[i].test, death_goes_unnoticed, NULL, NULL, &cases[i]};
    return story_main(argc, argv, tests, CASES);
}
