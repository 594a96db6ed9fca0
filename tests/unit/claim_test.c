#include "core/claim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct claim_facts facts_of(enum claim_kind kind, bool complete, enum stop_reason stopped)
{
    return (struct claim_facts){.kind = kind,
                                .complete = complete,
                                .stopped = stopped,
                                .bound_done = -1,
                                .executions = 43,
                                .last_executions = 42,
                                .classes = 12,
                                .steps_max = 20000,
                                .instrumented = true,
                                .refusal = "fork: processes are not modelled"};
}

static void expect(struct claim_facts facts, enum claim_kind kind, const char *text)
{
    struct claim claim;
    claim_state(&claim, &facts);
    assert_string_equal(claim.text, text);
    assert_int_equal(claim.kind, kind);
    assert_int_equal(claim.bound != NULL, kind == CLAIM_WITHIN_BOUND);
}

static void complete_search_claims_all_interleavings(void **state)
{
    expect(facts_of(CLAIM_ALL, true, STOP_NONE), CLAIM_ALL,
           "all 42 interleavings explored; under sequential consistency");
}

static void complete_reduced_search_claims_all_classes(void **state)
{
    expect(
        facts_of(CLAIM_ALL_CLASSES, true, STOP_NONE), CLAIM_ALL_CLASSES,
        "all 12 classes of interleavings explored (43 executions); under sequential consistency");
    struct claim_facts one = facts_of(CLAIM_ALL_CLASSES, true, STOP_NONE);
    one.classes = one.executions = 1;
    expect(one, CLAIM_ALL_CLASSES,
           "the only class of interleavings explored (1 execution); under sequential consistency");
}

static void orders_of_blocks_are_claimed_under_a_discipline(void **state)
{
    struct claim_facts facts = facts_of(CLAIM_BLOCKS, true, STOP_NONE);
    expect(facts, CLAIM_BLOCKS,
           "all orders of atomic blocks that can make a difference explored (43 executions): every "
           "failure and "
           "final state, but not every deadlock of locks taken in a circle; under sequential "
           "consistency");
    facts.kind = CLAIM_BLOCKS_AND_CIRCLES;
    expect(facts, CLAIM_BLOCKS_AND_CIRCLES,
           "all orders of atomic blocks that can make a difference explored (43 executions): every "
           "failure and "
           "final state, and a deadlock if there is one; under sequential consistency");
    facts.synchronisation_only = true, facts.instrumented = false;
    expect(
        facts, CLAIM_BLOCKS_AND_CIRCLES,
        "all orders of atomic blocks that can make a difference explored (43 executions): every "
        "failure and "
        "final state, and a deadlock if there is one; synchronisation operations only (the program "
        "is not "
        "instrumented); whether locks guard what threads share was not checked; under sequential "
        "consistency");
    facts.synchronisation_only = false, facts.instrumented = true;
    facts.undisciplined = true;
    expect(facts, CLAIM_NOTHING,
           "43 executions; nothing is proved; memory is shared without a lock that all hold, so "
           "that more than "
           "the order of atomic blocks matters; under sequential consistency");
}

static void finished_bound_is_claimed(void **state)
{
    struct claim_facts facts = facts_of(CLAIM_WITHIN_BOUND, true, STOP_NONE);
    facts.bound_name = "preemptions";
    facts.bound_done = 2;
    expect(facts, CLAIM_WITHIN_BOUND,
           "every interleaving with at most 2 preemptions explored: a bug that remains needs at "
           "least 3; under sequential consistency");
    facts.reduces = true;
    expect(facts, CLAIM_WITHIN_BOUND,
           "every class that has an interleaving with at most 2 preemptions explored: a bug that "
           "remains needs at least 3; under sequential consistency");
}

static void a_depth_is_counted_from_the_beginning(void **state)
{
    struct claim_facts facts = facts_of(CLAIM_WITHIN_BOUND, true, STOP_NONE);
    facts.bound_name = "decisions";
    facts.bound_is_depth = true;
    facts.bound_done = 8;
    expect(facts, CLAIM_WITHIN_BOUND,
           "every interleaving of the first 8 decisions explored, each continued in the default "
           "order; under sequential consistency");
}

static void what_a_reduction_does_not_know_is_named_and_nothing_else(void **state)
{
    struct claim_facts facts = facts_of(CLAIM_ALL_CLASSES, true, STOP_NONE);
    facts.unreduced = 1 << UNREDUCED_SIGNALS;
    expect(facts, CLAIM_NOTHING,
           "43 executions; nothing is proved; the reduction does not know all orders with signals; "
           "under sequential consistency");
    facts.unreduced |= 1 << UNREDUCED_TIMERS;
    expect(facts, CLAIM_NOTHING,
           "43 executions; nothing is proved; the reduction does not know all orders with signals, "
           "and timers; under sequential consistency");
    facts.unreduced |= 1 << UNREDUCED_POLLS;
    expect(facts, CLAIM_NOTHING,
           "43 executions; nothing is proved; the reduction does not know all orders with loops "
           "that take locks and give them back until something changes, signals, and timers; "
           "under sequential consistency");
    facts.unreduced = 0, facts.faulty = true;
    expect(facts, CLAIM_NOTHING,
           "43 executions; nothing is proved; a fault was put into the search (--fault); "
           "under sequential consistency");
}

static void equal_threads_are_mentioned(void **state)
{
    struct claim_facts facts = facts_of(CLAIM_ALL_CLASSES, true, STOP_NONE);
    facts.executions = facts.classes = 3;
    facts.symmetry = true;
    facts.told_apart = 2;
    expect(facts, CLAIM_ALL_CLASSES,
           "all 3 classes of interleavings explored (3 executions); of executions that differ only "
           "in which "
           "of several equal threads does what, one was run, but for the threads of 2 functions, "
           "which can "
           "be told apart; under sequential consistency");
}

static void turns_that_are_left_out_are_mentioned(void **state)
{
    struct claim_facts facts = facts_of(CLAIM_ALL_CLASSES, true, STOP_NONE);
    facts.executions = 40;
    facts.classes = 20;
    facts.turns_left_out = true;
    expect(facts, CLAIM_ALL_CLASSES,
           "all 20 classes of interleavings explored (40 executions); futile iterations of waiting "
           "loops are no part of a class; under sequential consistency");
}

static void threads_that_give_way_are_mentioned(void **state)
{
    struct claim_facts facts = facts_of(CLAIM_ALL, true, STOP_NONE);
    facts.executions = facts.last_executions = 5;
    facts.gives_way = true;
    expect(facts, CLAIM_ALL,
           "all 5 interleavings explored; after each yield, sleep and repeated timeout of a thread "
           "every other one had a step (accesses that race only before that are no steps); under "
           "sequential consistency");
    facts.all_points = true;
    expect(facts, CLAIM_ALL,
           "all 5 interleavings explored; after each yield, sleep and repeated timeout of a thread "
           "every other one had a step; under sequential consistency");
    facts.kind = CLAIM_ALL_CLASSES; /* the reduction lets them go on */
    facts.classes = 5;
    expect(facts, CLAIM_ALL_CLASSES,
           "all 5 classes of interleavings explored (5 executions); under sequential consistency");
}

static void a_cache_is_mentioned(void **state)
{
    struct claim_facts facts = facts_of(CLAIM_WITHIN_BOUND, true, STOP_NONE);
    facts.bound_name = "delays";
    facts.bound_done = 1;
    facts.cached = true;
    expect(facts, CLAIM_WITHIN_BOUND,
           "every interleaving with at most 1 delay explored: a bug that remains needs at least 2; "
           "of executions with equivalent pasts one was continued; under sequential consistency");
}

static void the_guarantee_of_a_sampler_is_printed(void **state)
{
    struct claim_facts facts = facts_of(CLAIM_SAMPLED, false, STOP_EXECUTIONS);
    facts.guarantee = (struct guarantee){.depth = 2, .threads = 2, .steps = 5, .executions = 22};
    /* 0.9 ^ 22 = 0.098477 */
    expect(facts, CLAIM_SAMPLED,
           "43 executions sampled; nothing is proved; each shows a bug of depth 2 with a "
           "probability of at least 1/(2 threads * 5 steps ^ 1), so that all 22 miss one with at "
           "most 9.848%; the search stopped at the limit of executions; under sequential "
           "consistency");
    facts.guarantee = (struct guarantee){.depth = 60, .threads = 9, .steps = 900, .executions = 9};
    expect(facts, CLAIM_SAMPLED,
           "43 executions sampled; nothing is proved; each shows a bug of depth 60 with a "
           "probability of at least 1/(9 threads * 900 steps ^ 59), so that all 9 miss one with at "
           "most 100.000%; the search stopped at the limit of executions; under sequential "
           "consistency");
    facts.guarantee.executions = 0;
    expect(facts, CLAIM_SAMPLED,
           "43 executions sampled; nothing is proved; the search stopped at the limit of "
           "executions; under sequential consistency");
}

static void finding_at_a_bound_claims_the_bound_before(void **state)
{
    struct claim_facts facts = facts_of(CLAIM_WITHIN_BOUND, false, STOP_FINDING);
    facts.bound_name = "preemptions";
    facts.bound_done = 1;
    expect(facts, CLAIM_WITHIN_BOUND,
           "every interleaving with at most 1 preemption explored: a bug that remains needs at "
           "least 2; the search stopped at the first finding; under sequential consistency");
    facts.bound_done = -1;
    expect(facts, CLAIM_NOTHING,
           "43 executions; nothing is proved; the search stopped at the first finding; under "
           "sequential consistency");
}

static void budget_lowers_the_claim(void **state)
{
    expect(facts_of(CLAIM_ALL, false, STOP_TIME), CLAIM_NOTHING,
           "43 executions; nothing is proved; the search stopped at the time limit; under "
           "sequential consistency");
    expect(facts_of(CLAIM_ALL, false, STOP_EXECUTIONS), CLAIM_NOTHING,
           "43 executions; nothing is proved; the search stopped at the limit of executions; under "
           "sequential consistency");
    expect(facts_of(CLAIM_ALL, false, STOP_INTERRUPT), CLAIM_NOTHING,
           "43 executions; nothing is proved; the search was interrupted; under sequential "
           "consistency");
}

static void sampling_proves_nothing(void **state)
{
    expect(facts_of(CLAIM_SAMPLED, true, STOP_EXECUTIONS), CLAIM_SAMPLED,
           "43 executions sampled; nothing is proved; the search stopped at the limit of "
           "executions; under sequential consistency");
}

static void step_limit_lowers_the_claim(void **state)
{
    struct claim_facts facts = facts_of(CLAIM_ALL, true, STOP_NONE);
    facts.cut_by_steps = 1;
    expect(facts, CLAIM_NOTHING,
           "43 executions; nothing is proved; 1 execution cut at the limit of 20000 steps; under "
           "sequential consistency");
}

static void dropped_findings_lower_the_claim(void **state)
{
    struct claim_facts facts = facts_of(CLAIM_ALL, true, STOP_NONE);
    facts.findings_dropped = 2;
    expect(facts, CLAIM_NOTHING,
           "43 executions; nothing is proved; 2 findings found no room and dropped; under "
           "sequential consistency");
}

static void what_cannot_be_repeated_lowers_the_claim(void **state)
{
    struct claim_facts facts = facts_of(CLAIM_ALL, true, STOP_NONE);
    facts.unrepeatable = true;
    expect(
        facts, CLAIM_NOTHING,
        "43 executions; nothing is proved; an execution did not come out the same when it was run "
        "again; under sequential consistency");
}

static void unpromoted_races_lower_the_claim(void **state)
{
    struct claim_facts facts = facts_of(CLAIM_WITHIN_BOUND, true, STOP_NONE);
    facts.bound_name = "preemptions";
    facts.bound_done = 2;
    facts.races_unpromoted = 3;
    expect(facts, CLAIM_NOTHING,
           "43 executions; nothing is proved; racing sites not made into steps; under sequential "
           "consistency");
}

static void refusal_claims_nothing_and_says_why(void **state)
{
    struct claim_facts facts = facts_of(CLAIM_ALL, true, STOP_REFUSED);
    expect(facts, CLAIM_NOTHING,
           "43 executions; nothing is proved; the program did what is not modelled: fork: "
           "processes are not modelled; under sequential consistency");
    facts.kind = CLAIM_SAMPLED;
    struct claim claim;
    claim_state(&claim, &facts);
    assert_int_equal(claim.kind, CLAIM_NOTHING);
}

static void program_without_instrumentation_is_said_so(void **state)
{
    struct claim_facts facts = facts_of(CLAIM_ALL, true, STOP_NONE);
    facts.synchronisation_only = true;
    expect(facts, CLAIM_ALL,
           "all 42 interleavings explored; synchronisation operations only; under sequential "
           "consistency");
    facts.instrumented = false;
    expect(facts, CLAIM_ALL,
           "all 42 interleavings explored; synchronisation operations only (the program is not "
           "instrumented); under sequential consistency");
}

static void replay_claims_nothing(void **state)
{
    expect(facts_of(CLAIM_NOTHING, false, STOP_REPLAY), CLAIM_NOTHING,
           "one recorded execution was run again; nothing is proved; under sequential consistency");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(complete_search_claims_all_interleavings),
        cmocka_unit_test(complete_reduced_search_claims_all_classes),
        cmocka_unit_test(orders_of_blocks_are_claimed_under_a_discipline),
        cmocka_unit_test(finished_bound_is_claimed),
        cmocka_unit_test(a_depth_is_counted_from_the_beginning),
        cmocka_unit_test(what_a_reduction_does_not_know_is_named_and_nothing_else),
        cmocka_unit_test(equal_threads_are_mentioned),
        cmocka_unit_test(turns_that_are_left_out_are_mentioned),
        cmocka_unit_test(threads_that_give_way_are_mentioned),
        cmocka_unit_test(a_cache_is_mentioned),
        cmocka_unit_test(the_guarantee_of_a_sampler_is_printed),
        cmocka_unit_test(finding_at_a_bound_claims_the_bound_before),
        cmocka_unit_test(budget_lowers_the_claim),
        cmocka_unit_test(sampling_proves_nothing),
        cmocka_unit_test(step_limit_lowers_the_claim),
        cmocka_unit_test(dropped_findings_lower_the_claim),
        cmocka_unit_test(what_cannot_be_repeated_lowers_the_claim),
        cmocka_unit_test(unpromoted_races_lower_the_claim),
        cmocka_unit_test(refusal_claims_nothing_and_says_why),
        cmocka_unit_test(program_without_instrumentation_is_said_so),
        cmocka_unit_test(replay_claims_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
