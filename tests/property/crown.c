/* A reduced search that several share: each has a subtree, gives away from it at random moments,
 * and what lies above is the crown's. Together they must show what plain search shows, and each
 * class once. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "strategy/parallel/crown.h"
#include "support/search.h"
#include "support/story.h"

enum { PROGRAMS = 600 / SANITIZED };
enum { SEARCHES_MAX = 4, EXECUTIONS_MAX = 4000, MORE_EXECUTIONS_MAX = 40000 };
#define CROWN_BYTES (1ul << 32)

struct class_list {
    uint64_t (*items)[2];
    size_t count, capacity;
    uint64_t cut;
    bool fails, fails_early; /* with a failure, or by whatever ends it before its time */
    uint64_t wide[TOY_THREADS_MAX * TOY_OPS_MAX]; /* sites, marked */
    uint32_t wide_count;
};

static void class_list_add(struct class_list *list, const struct trace *trace)
{
    if (trace->outcome == OUTCOME_CUT_STRATEGY) {
        list->cut++;
        return;
    }
    if (list->count == list->capacity) {
        list->capacity = list->capacity * 2 + 64;
        list->items = realloc(list->items, list->capacity * sizeof *list->items);
        CHECK(list->items != NULL);
    }
    memcpy(list->items[list->count++], trace->class, sizeof *list->items);
    const struct step *last = trace->count > 0 ? &trace->steps[trace->count - 1] : NULL;
    if (last != NULL && last->flags & STEP_ENDS &&
        (last->op.kind != OP_EXIT || trace->waiting.word[0] != 0))
        list->fails_early = true;
    list->fails |= trace->outcome == OUTCOME_FAILED;
    for (uint32_t i = 0; i < trace->count; i++) {
        uint32_t at = 0;
        while (at < list->wide_count && list->wide[at] != (trace->steps[i].op.site | SITE_WIDE))
            at++;
        if (at == list->wide_count && step_is_wide(&trace->steps[i]))
            list->wide[list->wide_count++] = trace->steps[i].op.site | SITE_WIDE;
    }
}

static int compare(const void *left, const void *right)
{
    return memcmp(left, right, sizeof(uint64_t[2]));
}

static size_t class_list_unite(struct class_list *list)
{
    size_t kept = 0;
    qsort(list->items, list->count, sizeof *list->items, compare);
    for (size_t i = 0; i < list->count; i++)
        if (kept == 0 || compare(list->items[i], list->items[kept - 1]) != 0)
            memcpy(list->items[kept++], list->items[i], sizeof *list->items);
    list->count = kept;
    return kept;
}

static void class_list_free(struct class_list *list)
{
    free(list->items);
    *list = (struct class_list){0};
}

static bool list_plain(const struct toy_program *program, size_t most, struct class_list *list)
{
    struct search search;
    search_open(&search, program, "dfs", (struct strategy_options){.bound = NO_BOUND});
    while (list->count <= most && search_next(&search))
        class_list_add(list, &search.trace);
    bool all = search_progress(&search).complete;
    search_close(&search);
    class_list_unite(list);
    return all;
}

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

/* The workers know in advance what would make the search restart. */
static void crew_open(struct crew *crew, const struct story *story, const struct class_list *known,
                      uint32_t count, uint64_t seed)
{
    *crew = (struct crew){.story = story, .count = count, .rng = {.state = seed}};
    for (uint32_t i = 0; i < count; i++) {
        search_open(&crew->searches[i], story->program, "dpor",
                    (struct strategy_options){.bound = NO_BOUND,
                                              .shared = true,
                                              .fails = known->fails,
                                              .sites = known->wide,
                                              .site_count = known->wide_count});
        search_advance(&crew->searches[i]);
    }
    crew->memory = mmap(NULL, CROWN_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(crew->memory != MAP_FAILED);
    struct arena arena = {.bytes = crew->memory, .capacity = CROWN_BYTES};
    crown_open(&crew->crown, &arena, strategy_find("dpor"), TOY_STEPS_MAX, 0, known->fails);
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

/* Learns and plans; now and then, and at the end, tells the crown. */
static void go_on(struct crew *crew, uint32_t who)
{
    struct search *search = &crew->searches[who];
    box = (struct parcel){.bytes = bytes, .size = sizeof bytes};
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

static void crew_run(struct crew *crew, struct class_list *list, size_t limit)
{
    while (!crown_is_done(&crew->crown)) {
        uint32_t who = rng_below(&crew->rng, crew->count);
        struct search *search = &crew->searches[who];
        if (!search->planned) {
            take_work(crew, who);
            continue;
        }
        search_execute(search);
        class_list_add(list, &search->trace);
        story_expect(crew->story, list->count <= limit, "it needs no more than plain search");
        go_on(crew, who);
    }
    for (uint32_t i = 0; i < crew->count; i++) {
        struct progress progress = search_progress(&crew->searches[i]);
        story_expect(crew->story, progress.complete && progress.claim == CLAIM_ALL_CLASSES,
                     "each claims all classes");
    }
    story_expect(crew->story, !crew->crown.overflow, "there is room for all");
}

static uint64_t expect_same(const struct toy_program *program, const struct class_list *plain,
                            size_t most, uint64_t seed)
{
    static struct crew crew;
    uint64_t given = 0;
    struct story story = {"a shared reduction shows each class once", program,
                          "the classes that dfs shows"};
    for (uint32_t count = 1; count <= SEARCHES_MAX; count++) {
        struct class_list shared = {0};
        crew_open(&crew, &story, plain, count, seed + count);
        crew_run(&crew, &shared, most);
        size_t executions = shared.count;
        story_expect_count(&story, plain->count, class_list_unite(&shared));
        story_expect(&story,
                     memcmp(plain->items, shared.items, plain->count * sizeof *plain->items) == 0,
                     "the same classes");
        if (!plain->fails_early &&
            seed % 3 != 0) { /* where loops wait, turns of them are tried, too */
            story_expect_count(&story, plain->count, executions);
            story_expect_count(&story, 0, shared.cut);
        }
        given += crew.given;
        class_list_free(&shared);
        crew_close(&crew);
    }
    return given;
}

static struct toy_program random_program(uint64_t seed)
{
    switch (seed % 3) {
    case 0:
        return toy_random_awaits(seed);
    case 1:
        return toy_random_timed(seed);
    default:
        return toy_random_more(seed);
    }
}

static void shared_reductions_lose_nothing(void **state)
{
    uint64_t given = 0, seed = story_first_seed();
    for (uint32_t left = story_programs(PROGRAMS); left > 0; seed++) {
        struct toy_program program = random_program(seed);
        struct class_list plain = {0};
        if (list_plain(&program, EXECUTIONS_MAX, &plain)) {
            given += expect_same(&program, &plain, EXECUTIONS_MAX, seed);
            left--;
        }
        class_list_free(&plain);
    }
    assert_true(story_programs(PROGRAMS) == 1 || given > story_programs(PROGRAMS));
}

/* Work below the end of a sequence may be found by a thread that was begun before it and is in the
 * sleep set there: two that time out, a store and a thread that waits for it, as in
 * property/reductions. */
static void a_sleeper_at_the_end_of_a_sequence_hides_nothing(void **state)
{
    struct toy_program program = toy_two_time_out();
    struct class_list plain = {0};
    assert_true(list_plain(&program, MORE_EXECUTIONS_MAX, &plain));
    for (uint64_t seed = 0; seed < 10 / SANITIZED; seed++)
        expect_same(&program, &plain, MORE_EXECUTIONS_MAX, 3 * seed + 1);
    class_list_free(&plain);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        {"a shared reduction shows each class once", shared_reductions_lose_nothing, NULL, NULL,
         NULL},
        {"a sleeper at the end of a sequence hides nothing",
         a_sleeper_at_the_end_of_a_sequence_hides_nothing, NULL, NULL, NULL},
    };
    return story_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
