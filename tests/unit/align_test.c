#include "coordinator/record/align.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { STEPS_MAX = 64 };
static uint32_t to[STEPS_MAX];

#define STEPS(...)                                                                                 \
    (struct landmarks)                                                                             \
    {                                                                                              \
        .steps = (struct landmark[]){__VA_ARGS__},                                                 \
        .count = sizeof((struct landmark[]){__VA_ARGS__}) / sizeof(struct landmark)                \
    }
#define CREATE(name)                                                                               \
    {                                                                                              \
        .thread = 0, .kind = OP_CREATE, .function = "main", .object = name                         \
    }
#define LOCK(who, in, name)                                                                        \
    {                                                                                              \
        .thread = who, .kind = OP_MUTEX_LOCK, .function = in, .object = name                       \
    }
#define UNLOCK(who, in, name)                                                                      \
    {                                                                                              \
        .thread = who, .kind = OP_MUTEX_UNLOCK, .function = in, .object = name                     \
    }
#define WRITE(who, in, name)                                                                       \
    {                                                                                              \
        .thread = who, .kind = OP_WRITE, .function = in, .object = name                            \
    }

static struct followed follow(struct landmarks recorded, struct landmarks came)
{
    align(&recorded, &came, to);
    return align_followed(&recorded, &came, to);
}

static void the_same_is_followed_to_its_end(void **state)
{
    struct landmarks both = STEPS(CREATE("T1"), LOCK(1, "work", "m"), UNLOCK(1, "work", "m"));
    struct followed followed = follow(both, both);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(to[i], i);
    assert_int_equal(followed.matched, 3);
    assert_int_equal(followed.reached, 3);
    assert_int_equal(followed.added, 0);
    assert_int_equal(followed.stray, NO_STEP);
}

static void new_steps_come_in_between(void **state)
{
    struct followed followed =
        follow(STEPS(CREATE("T1"), LOCK(1, "work", "m"), UNLOCK(1, "work", "m")),
               STEPS(CREATE("T1"), LOCK(1, "note", "log"), UNLOCK(1, "note", "log"),
                     LOCK(1, "work", "m"), WRITE(1, "work", "x"), UNLOCK(1, "work", "m")));
    assert_int_equal(to[1], 3);
    assert_int_equal(to[2], 5);
    assert_int_equal(followed.matched, 3);
    assert_int_equal(followed.added, 3);
}

static void steps_that_are_gone_are_left_out(void **state)
{
    struct followed followed = follow(
        STEPS(LOCK(0, "f", "a"), LOCK(0, "f", "b"), UNLOCK(0, "f", "b"), UNLOCK(0, "f", "a")),
        STEPS(LOCK(0, "f", "b"), UNLOCK(0, "f", "b")));
    assert_int_equal(to[0], NO_STEP);
    assert_int_equal(to[1], 0);
    assert_int_equal(to[2], 1);
    assert_int_equal(to[3], NO_STEP);
    assert_int_equal(followed.matched, 2);
    assert_int_equal(followed.reached, 3);
    assert_int_equal(followed.stray, 0);
}

static void functions_and_objects_may_get_other_names(void **state)
{
    follow(STEPS(LOCK(0, "f", "a"), LOCK(0, "g", "b"), WRITE(0, "g", "queue+8")),
           STEPS(LOCK(0, "f", "account_lock"), LOCK(0, "get", "b"), WRITE(0, "put", "queue+16")));
    assert_int_equal(to[0], 0);
    assert_int_equal(to[1], 1);
    assert_int_equal(to[2], 2);
    follow(STEPS(LOCK(0, "f", "a")),
           STEPS(LOCK(0, "g", "b"))); /* nothing but the operation is the same */
    assert_int_equal(to[0], NO_STEP);
}

static void threads_are_told_by_what_they_do(void **state)
{
    struct followed followed =
        follow(STEPS(CREATE("T1"), CREATE("T2"), LOCK(1, "work", "m"), WRITE(2, "read_all", "x")),
               STEPS(CREATE("T1"), CREATE("T2"), CREATE("T3"), LOCK(1, "watch", "w"),
                     LOCK(2, "work", "m"), WRITE(3, "read_all", "x")));
    assert_int_equal(to[2], 4);
    assert_int_equal(to[3], 5);
    assert_int_equal(followed.matched, 4);
}

static void children_of_children_are_found(void **state)
{
    struct landmark created = {.thread = 2, .kind = OP_CREATE, .function = "work", .object = "T3"};
    struct landmark creates = {.thread = 1, .kind = OP_CREATE, .function = "work", .object = "T2"};
    follow(STEPS(CREATE("T1"), creates, LOCK(2, "leaf", "m")),
           STEPS(CREATE("T1"), CREATE("T2"), created, LOCK(3, "leaf", "m"), LOCK(1, "watch", "w")));
    assert_int_equal(to[0], 1);
    assert_int_equal(to[1], 2);
    assert_int_equal(to[2], 3);
}

static void another_order_is_told(void **state)
{
    struct followed followed = follow(
        STEPS(CREATE("T1"), LOCK(0, "main", "a"), LOCK(1, "work", "b"), UNLOCK(0, "main", "a")),
        STEPS(CREATE("T1"), LOCK(1, "work", "b"), LOCK(0, "main", "a"), UNLOCK(0, "main", "a")));
    assert_int_equal(followed.matched, 3);
    assert_int_equal(followed.reached, 4);
    assert_true(followed.stray == 1 || followed.stray == 2);
}

static void numbers_make_no_difference(void **state)
{
    assert_true(names_are_alike("block #1 of T2+8", "block #3 of T1+24"));
    assert_true(names_are_alike("queue", "queue+8"));
    assert_true(names_are_alike("", ""));
    assert_false(names_are_alike("queue", "quay"));
    assert_false(names_are_alike("T1", "m"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_is_followed_to_its_end),
        cmocka_unit_test(new_steps_come_in_between),
        cmocka_unit_test(steps_that_are_gone_are_left_out),
        cmocka_unit_test(functions_and_objects_may_get_other_names),
        cmocka_unit_test(threads_are_told_by_what_they_do),
        cmocka_unit_test(children_of_children_are_found),
        cmocka_unit_test(another_order_is_told),
        cmocka_unit_test(numbers_make_no_difference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
