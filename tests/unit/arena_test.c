#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "support/trap.h"

static char bytes[256] __attribute__((aligned(16)));

static void pieces_are_aligned_and_apart(void **state)
{
    struct arena arena = {.bytes = bytes, .capacity = sizeof bytes};
    char *before = NULL;
    for (size_t size = 1; size <= 20; size += 3) {
        char *piece = arena_take(&arena, size);
        assert_int_equal((uintptr_t)piece % 16, 0);
        assert_true(before == NULL || piece > before);
        assert_true(arena.used >= size);
        assert_ptr_equal(bytes + arena.used, piece + size);
        before = piece;
    }
}

static void all_of_it_can_be_taken(void **state)
{
    struct arena arena = {.bytes = bytes, .capacity = sizeof bytes};
    assert_ptr_equal(arena_take(&arena, sizeof bytes), bytes);
    assert_int_equal(arena.used, sizeof bytes);
    assert_ptr_equal(arena_take(&arena, 0), bytes + sizeof bytes);
}

static void take(void *size)
{
    struct arena arena = {.bytes = bytes, .capacity = sizeof bytes, .used = 1};
    arena_take(&arena, *(size_t *)size);
}

static void more_than_there_is_is_refused(void **state)
{
    size_t fits = sizeof bytes - 16, too_much = fits + 1, wraps = SIZE_MAX;
    assert_false(traps(take, &fits));
    assert_true(traps(take, &too_much));
    assert_true(traps(take, &wraps));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_aligned_and_apart),
        cmocka_unit_test(all_of_it_can_be_taken),
        cmocka_unit_test(more_than_there_is_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
