#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "core/journal.h"
#include "support/trap.h"

static struct {
    struct journal journal;
    char text[64];
    char large[4096];
} kept;

static int set_up(void **state)
{
    memset(&kept, 0, sizeof kept);
    kept.journal.origin = (char *)&kept;
    strcpy(kept.text, "as it was");
    return 0;
}

static void change(const char *text)
{
    journal_save(&kept.journal, kept.text, strlen(kept.text) + 1);
    strcpy(kept.text, text);
}

static void a_sealed_change_stays(void **state)
{
    journal_begin(&kept.journal);
    change("new");
    journal_seal(&kept.journal);
    journal_roll_back(&kept.journal);
    assert_string_equal(kept.text, "new");
    assert_int_equal(kept.journal.sequence, 1);
}

static void an_open_change_is_undone(void **state)
{
    journal_begin(&kept.journal);
    change("new");
    journal_roll_back(&kept.journal);
    assert_string_equal(kept.text, "as it was");
    assert_false(journal_is_open(&kept.journal));
}

static void changes_are_undone_in_reverse(void **state)
{
    journal_begin(&kept.journal);
    change("second");
    change("third");
    change("4");
    journal_roll_back(&kept.journal);
    assert_string_equal(kept.text, "as it was");
}

static void every_size_is_kept(void **state)
{
    for (size_t i = 0; i < sizeof kept.large; i++)
        kept.large[i] = (char)(i * 7);
    journal_begin(&kept.journal);
    for (size_t size = 1; size < 100; size++) {
        journal_save(&kept.journal, kept.large + size * 40, size);
        memset(kept.large + size * 40, 0, size);
    }
    journal_roll_back(&kept.journal);
    for (size_t i = 0; i < sizeof kept.large; i++)
        assert_int_equal(kept.large[i], (char)(i * 7));
}

/* The new worker may have mapped all of it elsewhere. */
static void the_memory_may_move(void **state)
{
    static char elsewhere[sizeof kept];
    journal_begin(&kept.journal);
    change("new");
    memcpy(elsewhere, &kept, sizeof kept);
    struct journal *journal = (struct journal *)elsewhere;
    journal->origin = elsewhere;
    journal_roll_back(journal);
    assert_string_equal(elsewhere + ((char *)kept.text - (char *)&kept), "as it was");
    assert_string_equal(kept.text, "new");
}

static void a_new_transaction_forgets_the_one_before(void **state)
{
    journal_begin(&kept.journal);
    change("first");
    journal_seal(&kept.journal);
    journal_begin(&kept.journal);
    journal_roll_back(&kept.journal);
    assert_string_equal(kept.text, "first");
}

static void save_outside(void *argument)
{
    journal_save(&kept.journal, kept.text, 1);
}

static void save_too_much(void *argument)
{
    journal_begin(&kept.journal);
    for (int i = 0; i < JOURNAL_BYTES / 4096 + 1; i++)
        journal_save(&kept.journal, kept.large, sizeof kept.large);
}

static void misuse_is_noticed(void **state)
{
    assert_true(traps(save_outside, NULL));
    assert_true(traps(save_too_much, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_sealed_change_stays, set_up),
        cmocka_unit_test_setup(an_open_change_is_undone, set_up),
        cmocka_unit_test_setup(changes_are_undone_in_reverse, set_up),
        cmocka_unit_test_setup(every_size_is_kept, set_up),
        cmocka_unit_test_setup(the_memory_may_move, set_up),
        cmocka_unit_test_setup(a_new_transaction_forgets_the_one_before, set_up),
        cmocka_unit_test_setup(misuse_is_noticed, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
