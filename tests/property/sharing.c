/* One search done by several: parts are given away at random moments, carried as bytes, and taken
 * in by idle workers. Nothing may be lost, nothing done twice, and no bound begun
 * before every worker is through with the one before. */
#include <stdlib.h>
#include <string.h>

#include "support/search.h"
#include "support/story.h"

enum { PROGRAMS = 300 / SANITIZED, EXECUTIONS_MAX = 600, WALKS = 100 };
enum { SEARCHES_MAX = 4, PARCELS_MAX = 8 };

struct mail { /* given away, not yet taken in */
    uint8_t bytes[PARCEL_BYTES];
    uint32_t size;
};

struct crew {
    const struct story *story;
    struct search searches[SEARCHES_MAX];
    uint32_t count;
    struct parcel writing[SEARCHES_MAX];
    struct mail answers[SEARCHES_MAX], mail[PARCELS_MAX];
    uint32_t mail_count;
    struct rng rng;
    uint64_t given;
};

static void crew_open(struct crew *crew, const struct story *story, const char *strategy,
                      struct strategy_options options, uint32_t count)
{
    crew->story = story;
    crew->count = count;
    crew->rng = (struct rng){.state = options.seed + count};
    options.shared = true;
    for (uint32_t i = 0; i < count; i++)
        search_open(&crew->searches[i], story->program, strategy, options);
    struct subtree whole = strategy_whole(strategy_find(strategy), options.executions_max);
    struct parcel parcel = {.bytes = crew->mail[0].bytes, .size = PARCEL_BYTES};
    parcel_put(&parcel, &whole);
    crew->mail[0].size = parcel.used;
    crew->mail_count = 1;
}

static void crew_close(struct crew *crew)
{
    for (uint32_t i = 0; i < crew->count; i++)
        search_close(&crew->searches[i]);
}

/* Somebody without work takes in one of the parcels, any of them. */
static bool take_mail(struct crew *crew, struct search *search)
{
    if (crew->mail_count == 0)
        return false;
    uint32_t at = rng_below(&crew->rng, crew->mail_count);
    struct mail mail = crew->mail[at];
    crew->mail[at] = crew->mail[--crew->mail_count];
    struct parcel parcel = {.bytes = mail.bytes, .size = mail.size};
    story_expect(crew->story, search_adopt(search, &parcel), "a parcel is taken in");
    return search_advance(search);
}

/* Learns and plans, and now and then gives part of what is left away. */
static bool go_on(struct crew *crew, uint32_t who)
{
    struct search *search = &crew->searches[who];
    bool asked = crew->mail_count < PARCELS_MAX && rng_below(&crew->rng, 4) == 0;
    struct parcel *parcel = &crew->writing[who];
    *parcel = (struct parcel){.bytes = crew->answers[who].bytes, .size = PARCEL_BYTES};
    search->wanted = asked ? parcel : NULL;
    bool more = search_advance(search);
    if (asked && search->wanted == NULL) {
        story_expect(crew->story, more, "a worker that gives work away keeps some");
        struct mail *mail = &crew->mail[crew->mail_count++];
        memcpy(mail->bytes, parcel->bytes, parcel->used);
        mail->size = parcel->used;
        crew->given++;
    }
    return more;
}

static bool rise(struct crew *crew)
{
    bool left = false;
    for (uint32_t i = 0; i < crew->count; i++)
        left |= search_progress(&crew->searches[i]).pending > 0;
    for (uint32_t i = 0; left && i < crew->count; i++) {
        search_rise(&crew->searches[i]);
        search_advance(&crew->searches[i]);
    }
    return left;
}

static bool somebody_can(const struct crew *crew)
{
    for (uint32_t i = 0; i < crew->count; i++)
        if (crew->searches[i].planned)
            return true;
    return crew->mail_count > 0;
}

static void crew_run(struct crew *crew, struct listing *listing, size_t limit)
{
    while (somebody_can(crew) || rise(crew)) {
        uint32_t who = rng_below(&crew->rng, crew->count);
        struct search *search = &crew->searches[who];
        if (!search->planned && !take_mail(crew, search))
            continue;
        search_execute(search);
        search_list(search, listing);
        story_expect(crew->story, search_replays(search), "every trace replays");
        story_expect(crew->story, listing->count <= limit, "nothing is done twice");
        go_on(crew, who);
    }
}

/* Depths are searched by the power of two up to which they reach. */
static uint64_t bound_of(uint64_t of, enum listed_cost cost)
{
    uint64_t bound = of > 0;
    while (cost == LISTED_DEPTH && bound < of)
        bound *= 2;
    return cost == LISTED_DEPTH ? bound : of;
}

static void expect_bounds_rise(const struct story *story, const struct listing *listing,
                               enum listed_cost cost)
{
    for (size_t i = 1; i < listing->count; i++)
        story_expect(story,
                     bound_of(listing->items[i - 1].costs[cost], cost) <=
                         bound_of(listing->items[i].costs[cost], cost),
                     "bounds rise");
}

static void expect_claims(const struct crew *crew)
{
    for (uint32_t i = 0; i < crew->count; i++) {
        struct progress progress = search_progress(&crew->searches[i]);
        story_expect(crew->story, progress.complete, "each says that it is complete");
        story_expect_count(crew->story, 0, progress.pending);
    }
}

struct sharing_case {
    const char *test, *strategy;
    int32_t bound;
};

static enum listed_cost cost_of(const char *strategy)
{
    return strcmp(strategy, "delay") == 0   ? LISTED_DELAYS
           : strcmp(strategy, "depth") == 0 ? LISTED_DEPTH
                                            : LISTED_PREEMPTIONS;
}

static void keep_bound(struct listing *listing, int32_t bound, enum listed_cost cost)
{
    size_t kept = 0;
    for (size_t i = 0; i < listing->count; i++) {
        if ((int32_t)listing->items[i].costs[cost] <= bound)
            listing->items[kept++] = listing->items[i];
        else
            free(listing->items[i].name);
    }
    listing->count = kept;
}

static uint64_t expect_all(const struct sharing_case *at, const struct toy_program *program,
                           struct listing *expected, uint64_t seed)
{
    static struct crew crew;
    struct story story = {at->test, program, "those that the independent counter lists"};
    crew.given = 0;
    for (uint32_t count = 1; count <= SEARCHES_MAX; count++) {
        struct listing actual = {0};
        crew_open(&crew, &story, at->strategy,
                  (struct strategy_options){.seed = seed, .bound = at->bound}, count);
        crew_run(&crew, &actual, expected->count);
        if (strcmp(at->strategy, "dfs") != 0)
            expect_bounds_rise(&story, &actual, cost_of(at->strategy));
        story_expect_listing(&story, expected, &actual);
        expect_claims(&crew);
        listing_free(&actual);
        crew_close(&crew);
    }
    return crew.given;
}

static void nothing_is_lost_or_done_twice(void **state)
{
    const struct sharing_case *at = *state;
    uint64_t given = 0, seed = story_first_seed();
    for (uint32_t left = story_programs(PROGRAMS); left > 0;) {
        struct toy_program program = toy_random(seed++);
        struct listing listing = {0};
        if (enumerate(&program, EXECUTIONS_MAX, &listing)) {
            if (at->bound != NO_BOUND)
                keep_bound(&listing, at->bound, cost_of(at->strategy));
            given += expect_all(at, &program, &listing, seed);
            left--;
        }
        listing_free(&listing);
    }
    assert_true(given >= story_least(100 / SANITIZED));
}

static void lockers(void **state)
{
    static const struct sharing_case cases[] = {
        {"lockers", "dfs", NO_BOUND}, {"lockers", "preempt", NO_BOUND}, {"lockers", "preempt", 2}};
    for (uint32_t times = 1; times <= 4; times++) {
        struct toy_program program = toy_lockers(2, times);
        for (int i = 0; i < 3; i++) {
            struct listing listing = {0};
            assert_true(enumerate(&program, 1000, &listing));
            if (cases[i].bound != NO_BOUND)
                keep_bound(&listing, cases[i].bound, cost_of(cases[i].strategy));
            expect_all(&cases[i], &program, &listing, times);
            listing_free(&listing);
        }
    }
}

/* Random walks are the same in whichever worker runs them. */
static void walks(void **state)
{
    static struct crew crew;
    struct toy_program program = toy_lockers(3, 2);
    struct story story = {"walks", &program, "those of one search"};
    struct strategy_options options = {.seed = 5, .executions_max = WALKS};
    struct listing expected = {0};
    struct search alone;
    search_open(&alone, &program, "random", options);
    while (search_next(&alone))
        search_list(&alone, &expected);
    search_close(&alone);
    story_expect_count(&story, WALKS, expected.count);
    crew.given = 0;
    for (uint32_t count = 1; count <= SEARCHES_MAX; count++) {
        struct listing actual = {0};
        crew_open(&crew, &story, "random", options, count);
        crew_run(&crew, &actual, WALKS);
        story_expect_count(&story, WALKS, actual.count);
        listing_sort(&expected);
        listing_sort(&actual);
        for (size_t i = 0; i < WALKS; i++)
            assert_string_equal(expected.items[i].name, actual.items[i].name);
        listing_free(&actual);
        crew_close(&crew);
    }
    assert_true(crew.given > 10);
    listing_free(&expected);
}

static void what_does_not_fit_is_not_adopted(void **state)
{
    struct toy_program program = toy_lockers(2, 2);
    static const char *const names[] = {"dfs", "preempt", "random"};
    for (int i = 0; i < 3; i++) {
        struct search search;
        search_open(&search, &program, names[i], (struct strategy_options){.shared = true});
        assert_false(search_advance(&search));
        assert_true(search_progress(&search).complete || i == 2);
        struct decision decision = {.step = 5, .thread = 1};
        struct subtree wrong = {.bound = 1,
                                .floor = 3,
                                .first = 2,
                                .count = UINT64_MAX,
                                .prefix = &decision,
                                .prefix_count = 1};
        strcpy(wrong.strategy, names[i]);
        static uint8_t bytes[PARCEL_BYTES];
        struct parcel parcel = {.bytes = bytes, .size = sizeof bytes};
        parcel_put(&parcel, &wrong);
        parcel = (struct parcel){.bytes = bytes, .size = parcel.used};
        assert_false(search_adopt(&search, &parcel));
        search_close(&search);
    }
}

int main(int argc, char **argv)
{
    static struct sharing_case cases[] = {
        {"dfs", "dfs", NO_BOUND},     {"preempt", "preempt", NO_BOUND}, {"preempt 0", "preempt", 0},
        {"preempt 1", "preempt", 1},  {"preempt 2", "preempt", 2},      {"preempt 3", "preempt", 3},
        {"delay", "delay", NO_BOUND}, {"delay 1", "delay", 1},          {"delay 3", "delay", 3},
        {"depth", "depth", NO_BOUND}, {"depth 4", "depth", 4},          {"depth 6", "depth", 6},
    };
    enum { CASES = sizeof cases / sizeof *cases };
    struct CMUnitTest tests[CASES + 3] = {
        [CASES] = {"lockers", lockers, NULL, NULL, NULL},
        {"walks", walks, NULL, NULL, NULL},
        {"what does not fit", what_does_not_fit_is_not_adopted, NULL, NULL, NULL},
    };
    for (int i = 0; i < CASES; i++)
        tests[i] = (struct CMUnitTest){cases[i].test, nothing_is_lost_or_done_twice, NULL, NULL,
                                       &cases[i]};
    return story_main(argc, argv, tests, CASES + 3);
}
