/* The gate of the reduction within a bound: for random programs bpor must show at each bound
 * exactly the classes, deadlocks, failures and final states that preempt shows there. */
#include "support/results.h"
#include "support/story.h"

enum { PROGRAMS = 1000 / SANITIZED };
enum { READERS = 500 / SANITIZED };
enum { LONG = 2, BOUND = 4, EXECUTIONS_MAX = 5000, LONG_EXECUTIONS_MAX = 20000 };
enum { FAULT_PROGRAMS = 4000, FAULT_EXECUTIONS_MAX = 1000 };

static const char same_name[] = "at each bound bpor shows what preempt shows";

static void expect_same(const struct toy_program *program, const struct results *plain,
                        uint64_t *executions)
{
    struct story story = {same_name, program, "the classes that preempt shows at this bound"};
    struct results reduced = {0};
    results_of(program, "bpor", BOUND, UINT64_MAX, &reduced);
    for (int32_t bound = 0; bound <= BOUND; bound++)
        story_expect_count(&story, results_up_to(plain, bound), results_up_to(&reduced, bound));
    story_expect(&story, results_same(plain, &reduced), "the same classes and ends at each bound");
    story_expect(&story, reduced.progress.complete, "it comes to its end");
    story_expect(&story,
                 reduced.progress.claim == CLAIM_ALL_CLASSES ||
                     reduced.progress.claim == CLAIM_WITHIN_BOUND,
                 "it claims what was searched");
    if (reduced.progress.claim == CLAIM_ALL_CLASSES) {
        struct results all = {0}, unbounded = {0};
        if (results_of(program, "dfs", NO_BOUND, EXECUTIONS_MAX, &all)) {
            results_of(program, "bpor", NO_BOUND, UINT64_MAX, &unbounded);
            struct story every = {same_name, program, "all classes, as bpor claims"};
            story_expect_count(&every, all.count, reduced.count);
            story_expect(&every, results_same(&all, &unbounded), "the classes and ends of dfs");
        }
        results_free(&all);
        results_free(&unbounded);
    }
    *executions += reduced.executions;
    results_free(&reduced);
}

static void bounds_lose_nothing(void **state)
{
    uint64_t seed = story_first_seed(), plainly = 0, reduced = 0;
    uint32_t programs = story_programs(PROGRAMS), most = EXECUTIONS_MAX;
    if (programs > PROGRAMS) /* --long: 20,000 */
        programs *= LONG, most = LONG_EXECUTIONS_MAX;
    for (uint32_t i = 0; i < programs; seed++) {
        struct toy_program program = toy_random_any(seed);
        struct results plain = {0};
        if (results_of(&program, "preempt", BOUND, most, &plain)) {
            expect_same(&program, &plain, &reduced);
            plainly += plain.executions;
            i++;
        }
        results_free(&plain);
    }
    print_message("%u programs: preempt %lu executions, bpor %lu\n", programs, plainly, reduced);
}

/* T3 reads, waits for T2 and leaves the lock before T1 writes; T2 reads after that. T3 has to run
 * in place of T2, though its leaving does not depend on what T2 does. If T2 stays inside, T1 waits
 * forever where T2 came before it. */
static struct toy_program reader_who_waits(bool stays)
{
    struct toy_program program = {.thread_count = 4};
    snprintf(program.name, sizeof program.name, "a writer after one reader%s",
             stays ? ", where the other stays inside" : "");
    toy_add(&program, 0, (struct toy_op){.kind = TOY_SEM_WAIT, .object = 1});
    toy_create_all(&program);
    toy_add(&program, 1, (struct toy_op){.kind = TOY_WRITE_LOCK});
    toy_add(&program, 1, (struct toy_op){.kind = TOY_WRITE_UNLOCK});
    toy_add(&program, 2, (struct toy_op){.kind = TOY_SEM_WAIT});
    toy_add(&program, 2, (struct toy_op){.kind = TOY_SEM_POST, .object = 1});
    toy_add(&program, 2, (struct toy_op){.kind = TOY_READ_LOCK});
    if (!stays)
        toy_add(&program, 2, (struct toy_op){.kind = TOY_READ_UNLOCK});
    toy_add(&program, 3, (struct toy_op){.kind = TOY_READ_LOCK});
    toy_add(&program, 3, (struct toy_op){.kind = TOY_SEM_POST});
    toy_add(&program, 3, (struct toy_op){.kind = TOY_SEM_WAIT, .object = 1});
    toy_add(&program, 3, (struct toy_op){.kind = TOY_READ_UNLOCK});
    toy_join_all(&program);
    return program;
}

static void readers_leave_before_others_come(void **state)
{
    uint64_t executions = 0;
    for (int stays = 0; stays < 2; stays++) {
        struct toy_program program = reader_who_waits(stays);
        struct results plain = {0};
        assert_true(results_of(&program, "preempt", BOUND, EXECUTIONS_MAX, &plain));
        expect_same(&program, &plain, &executions);
        results_free(&plain);
    }
}

static void readers_and_writers_lose_nothing(void **state)
{
    uint64_t seed = story_first_seed(), executions = 0;
    for (uint32_t left = story_programs(READERS); left > 0; seed++) {
        struct toy_program program = toy_random_readers(seed);
        struct results plain = {0};
        if (results_of(&program, "preempt", BOUND, EXECUTIONS_MAX, &plain)) {
            expect_same(&program, &plain, &executions);
            left--;
        }
        results_free(&plain);
    }
}

static const char *const rule_names[BPOR_RULES] = {
    [BPOR_STEP] = "steps before the step that depends on them",
    [BPOR_BEGIN] = "the conservative points",
    [BPOR_WAITED] = "what was waited for",
    [BPOR_JOIN] = "joins",
    [BPOR_PENDING] = "what was pending",
    [BPOR_LEADING] = "threads that lead to one",
    [BPOR_RUN] = "all that a sleeper would do",
    [BPOR_STOP] = "what others stop for",
    [BPOR_ANYONE] = "the unknown wakers",
    [BPOR_LED] = "who could have timed out",
};

/* The gate sees that bpor does without a rule. */
static void each_rule_is_needed(void **state)
{
    bool caught[BPOR_RULES] = {[BPOR_EVERY_RULE] = true};
    uint32_t left = BPOR_RULES - 1;
    if (story_is_short())
        skip();
    for (uint64_t seed = 1; seed < FAULT_PROGRAMS && left > 0; seed++) {
        struct toy_program program = seed % 2 == 0 ? toy_random_timed(seed) : toy_random_more(seed);
        struct results plain = {0};
        bool fits = results_of(&program, "preempt", BOUND, FAULT_EXECUTIONS_MAX, &plain);
        for (enum bpor_rule rule = BPOR_STEP; fits && rule < BPOR_RULES; rule++) {
            struct results reduced = {0};
            if (caught[rule])
                continue;
            results_without(&program, "bpor", BOUND, rule, UINT64_MAX, &reduced);
            caught[rule] = !results_same(&plain, &reduced);
            left -= caught[rule];
            results_free(&reduced);
        }
        results_free(&plain);
    }
    for (enum bpor_rule rule = BPOR_STEP; rule < BPOR_RULES; rule++)
        if (!caught[rule])
            fail_msg("nobody notices that bpor does without %s", rule_names[rule]);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        {same_name, bounds_lose_nothing, NULL, NULL, NULL},
        {"readers leave before others come", readers_leave_before_others_come, NULL, NULL, NULL},
        {"readers and writers lose nothing", readers_and_writers_lose_nothing, NULL, NULL, NULL},
        {"each rule is needed", each_rule_is_needed, NULL, NULL, NULL},
    };
    return story_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
