/* Random programs: the search through states comes to the states, ends and final values that plain
 * search comes to; and this test notices if a part of the state is left out. */
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"
#include "support/search.h"
#include "support/story.h"

enum { PROGRAMS = 400 / SANITIZED, PROGRAMS_WITH_FAULTS = 150 };
enum { EXECUTIONS_MAX = 3000, SLOTS = 1 << 16 };

struct set { /* of fingerprints; 0 is none */
    uint64_t count, sum;
    uint64_t slots[SLOTS];
};

static struct set states, ends;

static void set_add(struct set *set, uint64_t name)
{
    uint64_t at = name % SLOTS;
    while (set->slots[at] != 0 && set->slots[at] != name)
        at = (at + 1) % SLOTS;
    if (set->slots[at] != 0)
        return;
    CHECK(set->count < SLOTS / 2);
    set->slots[at] = name;
    set->sum += name * (name | 1);
    set->count++;
}

static void visit(const uint64_t state[2])
{
    set_add(&states, mix_fold(state[0], state[1] ^ 0x9e3779b97f4a7c15) | 1);
}

/* How it ended, with what values, and which threads were left. */
static void note_end(const struct search *search)
{
    const struct trace *trace = &search->trace;
    if (trace->outcome == OUTCOME_CUT_STRATEGY)
        return;
    uint64_t name = mix(trace->outcome, trace->waiting.word[0]);
    for (int i = 0; i < TOY_OBJECTS_MAX; i++)
        name =
            mix_fold(name ^ 0xa0761d6478bd642f, (uint32_t)search->values[i] ^ 0xe7037ed1a0b428db);
    set_add(&ends, name | 1);
}

struct found {
    uint64_t states, ends, end_sum;
    bool complete;
};

static struct found explore(const struct toy_program *program, const char *strategy, uint64_t most)
{
    struct search search;
    memset(&states, 0, sizeof states);
    memset(&ends, 0, sizeof ends);
    search_open(&search, program, strategy, (struct strategy_options){.bound = NO_BOUND});
    while (search.executions < most && search_next(&search))
        note_end(&search);
    struct progress progress = search_progress(&search);
    struct found found = {.states = search.strategy->traits.compares ? progress.states.known
                                                                     : states.count,
                          .ends = ends.count,
                          .end_sum = ends.sum,
                          .complete = progress.complete};
    CHECK(!search.strategy->traits.compares || !progress.complete ||
          progress.claim == CLAIM_ALL_STATES);
    search_close(&search);
    return found;
}

typedef struct toy_program maker(uint64_t seed);
static maker *const makers[] = {toy_random, toy_random_more, toy_random_awaits, toy_random_timed};
enum { MAKERS = sizeof makers / sizeof *makers };

/* Calls `judge` with programs that plain search gets to the end of, and what it finds. */
static void each_program(uint32_t programs,
                         void (*judge)(const struct toy_program *, const struct found *))
{
    uint64_t seed = story_first_seed();
    for (uint32_t left = story_programs(programs); left > 0; seed++) {
        struct toy_program program = makers[seed % MAKERS](seed);
        toy_visit = visit;
        struct found plain = explore(&program, "dfs", EXECUTIONS_MAX);
        toy_visit = NULL;
        if (!plain.complete)
            continue;
        judge(&program, &plain);
        left--;
    }
}

static void judge_found(const struct toy_program *program, const struct found *plain)
{
    struct story story = {"stateful finds all states and ends", program, "those of plain search"};
    struct found got = explore(program, "stateful", UINT64_MAX);
    story_expect(&story, got.complete, "the search comes to its end");
    story_expect_count(&story, plain->states, got.states);
    story_expect_count(&story, plain->ends, got.ends);
    story_expect_count(&story, plain->end_sum, got.end_sum);
}

static void stateful_finds_all(void **state)
{
    each_program(PROGRAMS, judge_found);
}

static uint32_t noticed[TOY_PARTS];

static void judge_fault(const struct toy_program *program, const struct found *plain)
{
    for (int part = 1; part < TOY_PARTS; part++) {
        toy_left_out = (enum toy_part)part;
        struct found got = explore(program, "stateful", UINT64_MAX);
        noticed[part] += got.end_sum != plain->end_sum;
    }
    toy_left_out = TOY_PART_NONE;
}

static void what_is_left_out_is_noticed(void **state)
{
    each_program(PROGRAMS_WITH_FAULTS, judge_fault);
    for (int part = 1; part < TOY_PARTS; part++)
        assert_true(noticed[part] > 0 || story_programs(2) == 1);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stateful_finds_all),
        cmocka_unit_test(what_is_left_out_is_noticed),
    };
    return story_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
