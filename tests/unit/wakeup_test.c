#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "strategy/reduction/wakeup.h"

enum { ARENA = 1 << 20 };

static struct journal journal;
static char bytes[ARENA];

static struct wakeup begin(void)
{
    struct arena arena = {.bytes = bytes, .capacity = sizeof bytes};
    struct wakeup wakeup;
    journal.origin = bytes;
    if (journal_is_open(&journal))
        journal_seal(&journal);
    journal_begin(&journal);
    wakeup_open(&wakeup, &arena, &journal);
    return wakeup;
}

static struct event writes(thread_id thread, uint32_t object)
{
    struct event event = {.thread = thread};
    footprint_add(&event.footprint, (struct touch){object, TOUCH_WRITES});
    return event;
}

static struct event reads(thread_id thread, uint32_t object)
{
    struct event event = {.thread = thread};
    footprint_add(&event.footprint, (struct touch){object, TOUCH_READS});
    return event;
}

static void reads_commute(void **state)
{
    struct event read = reads(1, 7), other = reads(2, 7), write = writes(3, 7);
    assert_false(events_depend(&read, &other));
    assert_true(events_depend(&read, &write));
    struct event all = {.thread = 4, .footprint = {.all = true}};
    struct event nothing = {.thread = 5};
    assert_true(events_depend(&all, &nothing));
}

static void what_does_not_fit_depends_on_all(void **state)
{
    struct footprint footprint = {0};
    for (uint32_t i = 0; i < FOOTPRINT_MAX; i++)
        footprint_add(&footprint, (struct touch){i, TOUCH_WRITES});
    assert_false(footprint.all);
    footprint_add(&footprint, (struct touch){FOOTPRINT_MAX, TOUCH_WRITES});
    assert_true(footprint.all);
}

static void an_initial_has_nothing_before_it(void **state)
{
    struct event sequence[] = {writes(1, 1), writes(2, 2), writes(3, 1)};
    struct event second = writes(2, 2), third = writes(3, 1), absent = writes(4, 3),
                 conflicting = writes(4, 2), other_choice = writes(2, 2);
    other_choice.choice = 1;
    assert_int_equal(event_initial(&second, sequence, 3), 1);
    assert_int_equal(event_initial(&third, sequence, 3), EVENT_LATER);
    assert_int_equal(event_initial(&absent, sequence, 3), EVENT_ABSENT);
    assert_int_equal(event_initial(&conflicting, sequence, 3), EVENT_LATER);
    assert_int_equal(event_initial(&other_choice, sequence, 3), EVENT_LATER);
}

/* Two sequences that are equivalent are kept once; another order is kept beside them. */
static void equivalent_sequences_are_kept_once(void **state)
{
    struct wakeup wakeup = begin();
    uint32_t list = 0;
    struct event first[] = {writes(1, 1), writes(2, 2)}, same[] = {writes(2, 2), writes(1, 1)};
    struct event other[] = {writes(3, 1), writes(1, 1)};
    assert_true(wakeup_insert(&wakeup, &list, first, 2));
    assert_false(wakeup_insert(&wakeup, &list, same, 2));
    assert_int_equal(wakeup.in_use, 2);
    assert_true(wakeup_insert(&wakeup, &list, other, 2));
    assert_int_equal(wakeup.in_use, 4);
    assert_int_equal(wakeup.nodes[list].event.thread, 1);
    assert_int_equal(wakeup.nodes[wakeup.nodes[list].next].event.thread, 3);
}

static void sequences_share_their_beginnings(void **state)
{
    struct wakeup wakeup = begin();
    uint32_t list = 0;
    struct event first[] = {writes(1, 1), writes(2, 2), writes(3, 3)};
    struct event second[] = {writes(1, 1), writes(4, 2), writes(2, 2)};
    assert_true(wakeup_insert(&wakeup, &list, first, 3));
    assert_true(wakeup_insert(&wakeup, &list, second, 3));
    assert_int_equal(wakeup.nodes[list].next, 0);
    assert_int_equal(wakeup.in_use, 5);
}

static void freed_nodes_are_used_again(void **state)
{
    struct wakeup wakeup = begin();
    uint32_t list = 0, done = 0;
    struct event first[] = {writes(1, 1), writes(2, 2), writes(3, 3)}, again[] = {writes(1, 1)};
    assert_true(wakeup_insert(&wakeup, &list, first, 3));
    wakeup_free_path(&wakeup, list);
    wakeup_push(&wakeup, &done, &again[0]);
    wakeup_push(&wakeup, &done, &again[0]);
    wakeup_free_list(&wakeup, done);
    assert_int_equal(wakeup.in_use, 0);
    assert_int_equal(wakeup.in_use_max, 3);
    list = 0;
    assert_true(wakeup_insert(&wakeup, &list, again, 1));
    assert_int_equal(wakeup.used, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_commute),
        cmocka_unit_test(what_does_not_fit_depends_on_all),
        cmocka_unit_test(an_initial_has_nothing_before_it),
        cmocka_unit_test(equivalent_sequences_are_kept_once),
        cmocka_unit_test(sequences_share_their_beginnings),
        cmocka_unit_test(freed_nodes_are_used_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
