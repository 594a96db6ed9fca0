/* Idioms: what executions show of them is what their definition says, and forcing them shows more
 * of all that are possible than chance does. */
#include <stdlib.h>
#include <string.h>

#include "strategy/guided/idiom.h"
#include "support/search.h"
#include "support/story.h"

enum { PROGRAMS = 300, EXECUTIONS_MAX = 10000, KEYS_MAX = 1 << 14 };

struct keys {
    uint64_t list[KEYS_MAX][2];
    uint32_t count;
};

static bool has(const struct keys *keys, const uint64_t key[2])
{
    for (uint32_t i = 0; i < keys->count; i++)
        if (memcmp(keys->list[i], key, sizeof keys->list[i]) == 0)
            return true;
    return false;
}

static void add(struct keys *keys, const uint64_t key[2])
{
    if (has(keys, key))
        return;
    CHECK(keys->count < KEYS_MAX);
    memcpy(keys->list[keys->count++], key, sizeof keys->list[0]);
}

/* ---- by the definition, without any of the strategy's bookkeeping ---- */

static bool writes(const struct step *step)
{
    return op_access(step->op.kind) == OP_ACCESS_WRITE && !(step->flags & STEP_FAILED);
}

static bool touch_same(const struct trace *trace, uint32_t a, uint32_t b)
{
    return idiom_counts(&trace->steps[a].op) && idiom_counts(&trace->steps[b].op) &&
           trace->steps[a].op.object == trace->steps[b].op.object;
}

/* The later step sees what the earlier one, of another thread, has done, or changes what that saw.
 */
static bool depends(const struct trace *trace, uint32_t early, uint32_t late)
{
    const struct step *steps = trace->steps;
    if (early >= late || !touch_same(trace, early, late) ||
        steps[early].thread == steps[late].thread ||
        !(writes(&steps[early]) || writes(&steps[late])))
        return false;
    for (uint32_t i = early + 1; i < late; i++)
        if (touch_same(trace, i, late) && (writes(&steps[i]) || writes(&steps[late])))
            return false;
    return true;
}

/* Two steps of a thread, with few others between, none of which touches what the later one does. */
static bool is_close(const struct trace *trace, uint32_t early, uint32_t late)
{
    uint32_t distance = 1;
    if (early >= late || trace->steps[early].thread != trace->steps[late].thread ||
        !idiom_counts(&trace->steps[early].op) || !idiom_counts(&trace->steps[late].op))
        return false;
    for (uint32_t i = early + 1; i < late; i++) {
        if (trace->steps[i].thread != trace->steps[late].thread ||
            !idiom_counts(&trace->steps[i].op))
            continue;
        distance++;
        if (touch_same(trace, i, late))
            return false;
    }
    return distance <= IDIOM_WINDOW;
}

static void add_shown(struct keys *keys, const struct trace *trace, uint8_t pattern,
                      const uint32_t *steps)
{
    struct idiom idiom = {.pattern = pattern};
    uint64_t key[2];
    for (uint32_t i = 0; i < patterns[pattern].count; i++)
        idiom.event[i] = idiom_event(&trace->steps[steps[i]].op);
    idiom_key(key, &idiom);
    add(keys, key);
}

static void add_crossing(struct keys *keys, const struct trace *trace, uint32_t early,
                         uint32_t late)
{
    bool same = touch_same(trace, early, late);
    for (uint32_t cause = 0; cause < late; cause++)
        for (uint32_t effect = early + 1; depends(trace, cause, late) && effect < late; effect++) {
            if (!depends(trace, early, effect) ||
                trace->steps[cause].thread != trace->steps[effect].thread)
                continue;
            if (same && cause == effect)
                add_shown(keys, trace, 1, (uint32_t[]){early, cause, late});
            if (effect < cause)
                add_shown(keys, trace, same ? 2 : 3, (uint32_t[]){early, effect, cause, late});
            if (!same && cause < effect)
                add_shown(keys, trace, 4, (uint32_t[]){early, cause, effect, late});
        }
}

static void add_all(struct keys *keys, const struct trace *trace)
{
    for (uint32_t late = 0; late < trace->count; late++)
        for (uint32_t early = 0; early < late; early++) {
            if (depends(trace, early, late))
                add_shown(keys, trace, 0, (uint32_t[]){early, late});
            if (is_close(trace, early, late))
                add_crossing(keys, trace, early, late);
        }
}

/* ---- */

static void what_is_shown_is_what_the_definition_says(void **state)
{
    static struct keys shown;
    static struct memo memo;
    uint64_t all = 0;
    for (uint32_t i = 0; i < story_programs(PROGRAMS); i++) {
        struct toy_program program = toy_random_more(story_first_seed() + i);
        struct story story = {"what is shown is what the definition says", &program,
                              "each execution is looked at by the definition, too"};
        struct search search;
        shown.count = 0;
        memo.count = 0;
        search_open(&search, &program, "idiom",
                    (struct strategy_options){.seed = i, .executions_max = 50, .memo = &memo});
        while (search_advance(&search)) {
            search_execute(&search);
            if (search.trace.outcome == OUTCOME_FINISHED)
                add_all(&shown, &search.trace);
        }
        uint32_t missing = 0; /* failed attempts are remembered, too */
        for (uint32_t k = 0; k < shown.count; k++) {
            bool found = false;
            for (uint64_t at = 0; !found && at < memo.count; at++)
                found = memcmp(memo.keys[at], shown.list[k], sizeof memo.keys[at]) == 0;
            missing += !found;
        }
        story_expect_count(&story, 0, missing);
        all += shown.count;
        search_close(&search);
    }
    CHECK(all > story_least(PROGRAMS) || story_is_short());
}

/* Idioms that so many executions of a strategy show; *limit 0: until it ends, which is noted there.
 */
static uint32_t shown_by(const struct toy_program *program, const char *strategy, uint64_t seed,
                         uint64_t *limit, struct keys *keys)
{
    struct search search;
    keys->count = 0;
    search_open(
        &search, program, strategy,
        (struct strategy_options){.seed = seed, .bound = NO_BOUND, .executions_max = *limit});
    while (search_next(&search)) {
        add_all(keys, &search.trace);
        CHECK(search.executions <= 1u << 20);
    }
    *limit = search.executions;
    search_close(&search);
    return keys->count;
}

static void forcing_shows_more_than_chance(void **state)
{
    static struct keys possible, forced, drawn;
    uint64_t all = 0, by_force = 0, by_chance = 0;
    for (uint32_t i = 0; i < story_programs(PROGRAMS); i++) {
        struct toy_program program = toy_random_more(story_first_seed() + i);
        struct story story = {"forcing shows more than chance", &program,
                              "what is possible is known from all interleavings"};
        struct listing listing = {0};
        bool few = enumerate(&program, EXECUTIONS_MAX, &listing);
        listing_free(&listing);
        if (!few)
            continue;
        uint64_t none = 0, executions = 0;
        all += shown_by(&program, "dfs", 1, &none, &possible);
        by_force += shown_by(&program, "idiom", i, &executions, &forced);
        by_chance += shown_by(&program, "random", i, &executions, &drawn);
        for (uint32_t k = 0; k < forced.count; k++)
            story_expect(&story, has(&possible, forced.list[k]), "only what is possible is shown");
    }
    struct story story = {"forcing shows more than chance", NULL, "in sum over all programs"};
    print_message("possible %lu, forced %lu, by chance %lu\n", all, by_force, by_chance);
    story_expect(&story, by_force * 10 >= all * 9,
                 "nine in ten of those that are possible are shown");
    story_expect(&story, by_force > by_chance, "as many random executions show fewer");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        {"what is shown is what the definition says", what_is_shown_is_what_the_definition_says,
         NULL, NULL, NULL},
        {"forcing shows more than chance", forcing_shows_more_than_chance, NULL, NULL, NULL},
    };
    return story_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
