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

#include "support/search.h"
#include "support/story.h"

enum { TRAP_FLAG = 0x100, PAGE = 4096, PROGRAMS = 10, WRITES_MAX = 1000 };

static struct {
    sigjmp_buf death;
    struct search *search; /* whose memory is protected */
    uint32_t writes_left;
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

/* Learns and plans, killed at one write after another until an attempt gets to its end. */
static bool next_among_deaths(struct search *search, struct rng *rng, uint64_t *deaths)
{
    uint32_t stride = 1 + rng_below(rng, 50);
    for (uint32_t write = stride; kill_at(write, advance, search); write += stride) {
        CHECK(write < WRITES_MAX);
        ++*deaths;
        if (search_is_sealed(search))
            break;
        recover_among_deaths(search, rng);
    }
    if (search->planned)
        search_execute(search);
    return search->planned;
}

struct death_case {
    const char *test, *strategy;
    int32_t bound;
    uint64_t executions_max;
    bool cache;
};

/* Returns how often the search died. */
static uint64_t expect_same(const struct death_case *at, const struct toy_program *program,
                            uint64_t seed)
{
    struct story story = {at->test, program, "those of a search that nobody killed"};
    struct strategy_options options = {
        .seed = seed, .bound = at->bound, .executions_max = at->executions_max, .cache = at->cache};
    struct rng rng = {.state = seed};
    struct search calm, killed;
    uint64_t deaths = 0;
    search_open(&calm, program, at->strategy, options);
    search_open(&killed, program, at->strategy, options);
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

static void death_goes_unnoticed(void **state)
{
    const struct death_case *at = *state;
    struct sigaction before[2];
    sigaction(SIGSEGV, &(struct sigaction){.sa_sigaction = on_write, .sa_flags = SA_SIGINFO},
              &before[0]);
    sigaction(SIGTRAP, &(struct sigaction){.sa_sigaction = on_written, .sa_flags = SA_SIGINFO},
              &before[1]);
    struct toy_program program = toy_lockers(2, 2);
    uint64_t deaths = expect_same(at, &program, 1);
    uint64_t seed = story_first_seed();
    for (uint32_t left = story_programs(PROGRAMS); left > 0;) {
        struct listing listing = {0};
        program = toy_random(seed++);
        if (enumerate(&program, 150, &listing)) {
            deaths += expect_same(at, &program, seed);
            left--;
        }
        listing_free(&listing);
    }
    assert_true(deaths > 100);
    sigaction(SIGSEGV, &before[0], NULL);
    sigaction(SIGTRAP, &before[1], NULL);
}

int main(int argc, char **argv)
{
    static struct death_case cases[] = {
        {"dfs", "dfs", NO_BOUND, 0, false},
        {"preempt", "preempt", NO_BOUND, 0, false},
        {"preempt, bounded", "preempt", 1, 0, false},
        {"delay", "delay", NO_BOUND, 0, false},
        {"delay, bounded", "delay", 2, 0, false},
        {"depth", "depth", NO_BOUND, 0, false},
        {"dfs, cached", "dfs", NO_BOUND, 0, true},
        {"preempt, cached", "preempt", NO_BOUND, 0, true},
        {"random", "random", NO_BOUND, 100, false},
        {"pct", "pct", 3, 100, false},
        {"pos", "pos", NO_BOUND, 100, false},
        {"surw", "surw", NO_BOUND, 100, false},
        {"rf", "rf", NO_BOUND, 100, false},
    };
    enum { CASES = sizeof cases / sizeof *cases };
    struct CMUnitTest tests[CASES];
    for (int i = 0; i < CASES; i++)
        tests[i] = (struct CMUnitTest){cases[i].test, death_goes_unnoticed, NULL, NULL, &cases[i]};
    return story_main(argc, argv, tests, CASES);
}
