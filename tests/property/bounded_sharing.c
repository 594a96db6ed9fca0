/* A reduced search within a bound that several share: each has a subtree, gives away from it at
 * random moments, and what lies above is the crown's. Together they must show at each bound exactly
 * the classes, deadlocks, failures and final states that preempt shows there. */
#include <string.h>
#include <sys/mman.h>

#include "strategy/parallel/crown.h"
#include "support/results.h"
#include "support/story.h"

enum { PROGRAMS = 400 / SANITIZED };
enum { SEARCHES_MAX = 4, BOUND = 4, EXECUTIONS_MAX = 6000 };
#define CROWN_BYTES (1ul << 32)

static const char name[] = "at each bound several show what preempt shows";

struct crew {
    const struct story *story;
    struct search searches[SEARCHES_MAX];
    uint32_t count;
    struct crown crown;
    void *memory;
    struct rng rng;
    uint64_t given;
};

static uint8_t bytes[BOX_BYTES + BOX_STEP_BYTES * TOY_STEPS_MAX];
static struct parcel box;

static void crew_open(struct crew *crew, const struct story *story, uint32_t count, uint64_t seed)
{
    *crew = (struct crew){.story = story, .count = count, .rng = {.state = seed}};
    for (uint32_t i = 0; i < count; i++) {
        search_open(&crew->searches[i], story->program, "bpor",
                    (struct strategy_options){.bound = BOUND, .shared = true});
        search_advance(&crew->searches[i]);
    }
    crew->memory = mmap(NULL, CROWN_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(crew->memory != MAP_FAILED);
}

static void crew_close(struct crew *crew)
{
    for (uint32_t i = 0; i < crew->count; i++)
        search_close(&crew->searches[i]);
    munmap(crew->memory, CROWN_BYTES);
}

static void bring(struct crew *crew, uint32_t who)
{
    box = (struct parcel){.bytes = bytes, .size = box.used};
    story_expect(crew->story, crown_take(&crew->crown, who, &box), "what was given is understood");
    crew->given++;
}

/* Learns and plans; now and then, and at the end, tells the crown, and gives away or keeps. */
static void go_on(struct crew *crew, uint32_t who)
{
    struct search *search = &crew->searches[who];
    box = (struct parcel){
        .bytes = bytes, .size = sizeof bytes, .news = rng_below(&crew->rng, 3) == 0};
    bool asked = rng_below(&crew->rng, 3) == 0;
    search->wanted = asked ? &box : NULL;
    search_advance(search);
    if (asked && search->wanted == NULL)
        bring(crew, who);
}

static void take_work(struct crew *crew, uint32_t who)
{
    struct search *search = &crew->searches[who];
    box = (struct parcel){.bytes = bytes, .size = sizeof bytes};
    if (crew->crown.held[who] != 0) {
        story_expect(crew->story, search_give(search, &box), "an idle worker says so");
        bring(crew, who);
        return;
    }
    if (!crown_give(&crew->crown, who, &box))
        return;
    box = (struct parcel){.bytes = bytes, .size = box.used};
    story_expect(crew->story, search_adopt(search, &box), "what the crown gives is taken in");
    story_expect(crew->story, search_advance(search), "there is something to run");
}

static void execute(struct crew *crew, struct search *search, struct results *results)
{
    int32_t bound = crew->crown.bound;
    search_execute(search);
    story_expect_count(crew->story, (uint64_t)bound, (uint64_t)search_progress(search).bound);
    story_expect(crew->story, trace_costs(&search->trace).preemptions <= (uint32_t)bound,
                 "nothing costs more than the bound");
    results->executions++;
    if (search->trace.outcome == OUTCOME_CUT_STRATEGY)
        results->cut++;
    else
        results_add(results, search, bound);
}

static void crew_run_bound(struct crew *crew, int32_t bound, struct results *results)
{
    struct arena arena = {.bytes = crew->memory, .capacity = CROWN_BYTES};
    CHECK(madvise(crew->memory, CROWN_BYTES, MADV_DONTNEED) == 0);
    crown_open(&crew->crown, &arena, strategy_find("bpor"), TOY_STEPS_MAX, bound, false);
    while (!crown_is_done(&crew->crown)) {
        uint32_t who = rng_below(&crew->rng, crew->count);
        struct search *search = &crew->searches[who];
        if (!search->planned) {
            take_work(crew, who);
            continue;
        }
        execute(crew, search, results);
        go_on(crew, who);
    }
    for (uint32_t i = 0; i < crew->count; i++) {
        struct progress progress = search_progress(&crew->searches[i]);
        story_expect(crew->story, progress.complete && progress.claim == CLAIM_ALL_CLASSES,
                     "each has explored what it was given");
    }
    story_expect(crew->story, !crew->crown.overflow, "there is room for all");
}

struct sums {
    uint64_t alone, together, given, claims_differ;
};

/* Where nothing costs more than the last bound. */
static void expect_all(const struct story *story, const struct results *shared)
{
    struct results all = {0};
    if (results_of(story->program, "dfs", NO_BOUND, EXECUTIONS_MAX, &all)) {
        struct story every = {name, story->program, "all classes, as several claim"};
        story_expect_count(&every, all.count, shared->count);
    }
    results_free(&all);
}

static void expect_same(const struct toy_program *program, const struct results *plain,
                        uint64_t seed, struct sums *sums)
{
    static struct crew crew;
    struct story story = {name, program, "the classes that preempt shows at this bound"};
    struct results alone = {0};
    results_of(program, "bpor", BOUND, UINT64_MAX, &alone);
    for (uint32_t count = 1; count <= SEARCHES_MAX; count++) {
        struct results shared = {0};
        int32_t bound = 0;
        crew_open(&crew, &story, count, seed + count);
        do
            crew_run_bound(&crew, bound, &shared);
        while (crew.crown.beyond && bound++ < BOUND);
        uint64_t executions = shared.executions;
        results_sort(&shared);
        for (int32_t i = 0; i <= BOUND; i++)
            story_expect_count(&story, results_up_to(plain, i), results_up_to(&shared, i));
        story_expect(&story, results_same(plain, &shared),
                     "the same classes and ends at each bound");
        bool all = !crew.crown.beyond;
        if (all)
            expect_all(&story, &shared);
        sums->claims_differ += all != (alone.progress.claim == CLAIM_ALL_CLASSES);
        sums->alone += alone.executions;
        sums->together += executions;
        sums->given += crew.given;
        results_free(&shared);
        crew_close(&crew);
    }
    results_free(&alone);
}

static void sharing_loses_nothing(void **state)
{
    uint64_t seed = story_first_seed();
    struct sums sums = {0};
    for (uint32_t left = story_programs(PROGRAMS); left > 0; seed++) {
        struct toy_program program = toy_random_any(seed);
        struct results plain = {0};
        if (results_of(&program, "preempt", BOUND, EXECUTIONS_MAX, &plain)) {
            expect_same(&program, &plain, seed, &sums);
            left--;
        }
        results_free(&plain);
    }
    print_message("one alone needs %lu executions, several %lu; %lu letters, %lu other claims\n",
                  sums.alone, sums.together, sums.given, sums.claims_differ);
    assert_true(100 * sums.together <= 101 * sums.alone || story_programs(PROGRAMS) == 1);
    assert_true(100 * sums.claims_differ <= story_programs(PROGRAMS));
    assert_true(story_programs(PROGRAMS) == 1 || sums.given > story_programs(PROGRAMS));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {{name, sharing_loses_nothing, NULL, NULL, NULL}};
    return story_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
