#include "support/story.h"

#include <stdlib.h>
#include <string.h>

static struct {
    const char *executable;
    bool print, has_seed;
    uint64_t seed;
    uint32_t times, divisor;
} settings = {.executable = "tests", .times = 1, .divisor = 2};

static bool tier_is(const char *name)
{
    const char *tier = getenv("BOHR_TIER");
    return tier != NULL && strcmp(tier, name) == 0;
}

int story_main(int argc, char **argv, const struct CMUnitTest *tests, size_t count)
{
    settings.executable = argv[0];
    if (tier_is("all")) {
        settings.times = 10;
        settings.divisor = 1;
    }
    if (tier_is("check"))
        settings.divisor = 10;
    for (int i = 1; i < argc; i++) {
        bool has_value = i + 1 < argc;
        if (strcmp(argv[i], "--long") == 0) {
            settings.times = 10;
            settings.divisor = 1;
        } else if (strcmp(argv[i], "--print") == 0) {
            settings.print = true;
        } else if (strcmp(argv[i], "--only") == 0 && has_value) {
            cmocka_set_test_filter(argv[++i]);
        } else if (strcmp(argv[i], "--program") == 0 && has_value) {
            settings.has_seed = true;
            settings.seed = strtoull(argv[++i], NULL, 10);
        } else {
            fprintf(stderr, "usage: %s [--only NAME] [--program SEED] [--print] [--long]\n",
                    argv[0]);
            return 2;
        }
    }
    return _cmocka_run_group_tests(settings.executable, tests, count, NULL, NULL);
}

uint32_t story_programs(uint32_t usual)
{
    uint32_t programs = usual * settings.times / settings.divisor;
    return settings.has_seed || programs == 0 ? 1 : programs;
}

uint64_t story_least(uint64_t usual)
{
    return settings.has_seed ? 0 : usual / settings.divisor;
}

bool story_is_short(void)
{
    return settings.has_seed || settings.divisor > 2;
}

uint64_t story_first_seed(void)
{
    return settings.has_seed ? settings.seed : 1;
}

static void story_begin(const char *file, int line, const struct story *story)
{
    fprintf(stderr, "FAIL %s\n", story->test);
    fprintf(stderr, "     at         %s:%d\n", file, line);
    fprintf(stderr, "     program    %s\n", story->program->name);
    toy_print(stderr, story->program);
}

static void story_end(const struct story *story)
{
    fprintf(stderr, "     again      %s --only '%s'", settings.executable, story->test);
    unsigned long seed;
    if (sscanf(story->program->name, "random program %lu", &seed) == 1)
        fprintf(stderr, " --program %lu", seed);
    fprintf(stderr, " --print\n");
    fail();
}

void story_expect_count_at(const char *file, int line, const struct story *story, uint64_t expected,
                           uint64_t actual)
{
    if (expected == actual)
        return;
    story_begin(file, line, story);
    fprintf(stderr, "     expected   %lu: %s\n", (unsigned long)expected, story->reason);
    fprintf(stderr, "     actual     %lu\n", (unsigned long)actual);
    story_end(story);
}

void story_expect_at(const char *file, int line, const struct story *story, bool condition,
                     const char *what)
{
    if (condition)
        return;
    story_begin(file, line, story);
    fprintf(stderr, "     expected   %s: %s\n", what, story->reason);
    fprintf(stderr, "     actual     it is not so\n");
    story_end(story);
}

static void print_listing(const struct listing *listing)
{
    for (size_t i = 0; i < listing->count; i++)
        printf("%s %c, %u preemptions, %u delays, depth %u\n", listing->items[i].name,
               listing->items[i].end, listing->items[i].costs[LISTED_PREEMPTIONS],
               listing->items[i].costs[LISTED_DELAYS], listing->items[i].costs[LISTED_DEPTH]);
}

struct difference {
    const struct listed *missing, *unexpected, *repeated, *otherwise;
};

static bool same(const struct listed *a, const struct listed *b)
{
    return memcmp(a->costs, b->costs, sizeof a->costs) == 0 && a->end == b->end &&
           memcmp(a->values, b->values, sizeof a->values) == 0;
}

/* Compares two sorted lists; `expected` holds each name once. */
static struct difference compare(const struct listing *expected, const struct listing *actual)
{
    struct difference difference = {0};
    size_t i = 0, k = 0;
    while (i < expected->count || k < actual->count) {
        const struct listed *want = i < expected->count ? &expected->items[i] : NULL;
        const struct listed *got = k < actual->count ? &actual->items[k] : NULL;
        if (got != NULL && k > 0 && strcmp(got->name, got[-1].name) == 0) {
            difference.repeated = got;
            k++;
            continue;
        }
        int order = want == NULL ? 1 : got == NULL ? -1 : strcmp(want->name, got->name);
        if (order < 0)
            difference.missing = want;
        else if (order > 0)
            difference.unexpected = got;
        else if (!same(want, got))
            difference.otherwise = got;
        i += order <= 0;
        k += order >= 0;
    }
    return difference;
}

static void print_one(const char *what, const struct listed *item)
{
    fprintf(stderr, "     %-10s %s\n", what, item != NULL ? item->name : "none");
}

void story_expect_listing_at(const char *file, int line, const struct story *story,
                             struct listing *expected, struct listing *actual)
{
    if (settings.print)
        print_listing(actual);
    listing_sort(expected);
    listing_sort(actual);
    struct difference difference = compare(expected, actual);
    if (difference.missing == NULL && difference.unexpected == NULL &&
        difference.repeated == NULL && difference.otherwise == NULL)
        return;
    story_begin(file, line, story);
    fprintf(stderr, "     expected   %zu executions: %s\n", expected->count, story->reason);
    fprintf(stderr, "     actual     %zu\n", actual->count);
    print_one("missing", difference.missing);
    print_one("unexpected", difference.unexpected);
    print_one("repeated", difference.repeated);
    print_one("otherwise", difference.otherwise);
    story_end(story);
}
