/* Large blocks that are freed: what is visited is what was accessed, and what was not accessed
 * counts as freed all the same. Pages of the shadow that became resident are counted, no time is
 * taken. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "base/assert.h"
#include "detector/race.h"

enum { THREADS = 3, ARENA_BYTES = 1 << 16, PAGE_BYTES = 4096 };
static const size_t BLOCK = 1ul << 30, CELLS = (1ul << 30) / GRANULE;
#define BLOCK_ADDRESS                                                                              \
    ((char *)0x200600000000) /* nothing is mapped there: only addresses matter                     \
                              */

static struct race race;
static struct cell *cells;
static uint8_t *touched;
static _Alignas(16) char arena[ARENA_BYTES];
static size_t used;
static uint32_t generation, setups[RACE_SETUPS], races, uses_after_free, undone;
static struct race_place freed_at;

static void *take(size_t size)
{
    size = (size + 15) & ~15ul;
    CHECK(used + size <= ARENA_BYTES);
    used += size;
    return memset(arena + used - size, 0, size);
}

static void on_race(const struct race_place *earlier, const void *address, uint8_t size,
                    bool writes, bool atomic, uint64_t site)
{
    races++;
}

static void on_use_after_free(const struct race_place *freed, const void *address, uint8_t size,
                              bool writes, bool atomic, uint64_t site)
{
    uses_after_free++;
    freed_at = *freed;
}

static struct {
    struct cell *cell, content;
} undo[16];

static void keep(struct cell *cell)
{
    CHECK(undone < 16);
    undo[undone].cell = cell;
    undo[undone++].content = *cell;
}

static void *map(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(memory != MAP_FAILED);
    madvise(memory, size, MADV_NOHUGEPAGE);
    return memory;
}

static void open_execution(void)
{
    used = 16;
    races = uses_after_free = 0;
    race = (struct race){.generation = ++generation,
                         .setups = setups,
                         .threads = THREADS,
                         .memory = arena,
                         .take = take,
                         .undo = keep,
                         .report = on_race,
                         .watched_low = (uintptr_t)BLOCK_ADDRESS,
                         .watched_size = BLOCK,
                         .touched = touched,
                         .first_cell = cells,
                         .use_after_free = on_use_after_free};
    race_open(&race);
    race_start(&race, 0, NO_THREAD);
    race_start(&race, 1, 0);
}

static int set_up(void **state)
{
    cells = map(CELLS * sizeof *cells);
    touched = map(CELLS / RACE_CHUNK);
    memset(setups, -1, sizeof setups);
    undone = 0;
    open_execution();
    return 0;
}

static int tear_down(void **state)
{
    munmap(cells, CELLS * sizeof *cells);
    munmap(touched, CELLS / RACE_CHUNK);
    return 0;
}

static void write_at(size_t offset, uint64_t site)
{
    race_plain(&race, &cells[offset / GRANULE], BLOCK_ADDRESS + offset, 0xf, GRANULE, true, site);
}

static void free_all(uint64_t site)
{
    race_free(&race, cells, BLOCK_ADDRESS, BLOCK, site);
}

static size_t resident_pages(void)
{
    static unsigned char in_memory[(1ul << 33) / PAGE_BYTES];
    size_t count = 0, all = CELLS * sizeof *cells / PAGE_BYTES;
    CHECK(mincore(cells, all * PAGE_BYTES, in_memory) == 0);
    for (size_t i = 0; i < all; i++)
        count += in_memory[i] & 1;
    return count;
}

static void a_free_visits_what_was_accessed(void **state)
{
    size_t per_chunk = RACE_CHUNK * sizeof(struct cell) / PAGE_BYTES;
    write_at(0, 1);
    write_at(BLOCK / 2, 2);
    write_at(BLOCK - GRANULE, 3);
    free_all(4);
    assert_true(resident_pages() <= 3 * per_chunk); /* of 2097152 */
    assert_int_equal(races + uses_after_free, 0);
}

static void what_was_not_accessed_is_freed_too(void **state)
{
    write_at(0, 1);
    free_all(4);
    write_at(BLOCK / 2 + 64, 5);
    assert_int_equal(uses_after_free, 1);
    assert_int_equal(freed_at.site, 4);
    assert_int_equal(freed_at.thread, 0);
    assert_int_equal(races, 0); /* by the same thread */
    race_switch(&race, 1);
    write_at(BLOCK / 2 + 128, 6);
    assert_int_equal(uses_after_free, 2);
    assert_int_equal(races, 1);
}

static void an_unordered_access_before_races(void **state)
{
    write_at(BLOCK / 3 / GRANULE * GRANULE, 1);
    race_switch(&race, 1);
    free_all(2);
    assert_int_equal(races, 1);
}

static void a_second_free_races_once(void **state)
{
    free_all(1);
    race_switch(&race, 1);
    free_all(2);
    assert_int_equal(races, 1);
}

static void another_execution_begins_with_nothing(void **state)
{
    write_at(64, 1);
    free_all(2);
    open_execution();
    write_at(64, 3);
    write_at(BLOCK / 2, 3);
    assert_int_equal(races + uses_after_free, 0);
}

/* The cells that a set-up wrote stay touched, whatever later executions did in their chunk. */
static void what_a_set_up_accessed_is_visited(void **state)
{
    write_at(BLOCK / 2, 1);
    setups[generation % RACE_SETUPS] = generation;
    struct race checkpoint = race;
    for (int i = 0; i < 3; i++) {
        race = checkpoint;
        race.generation = ++generation;
        while (undone > 0) {
            undone--;
            *undo[undone].cell = undo[undone].content;
        }
        races = 0;
        race_switch(&race, 1);
        write_at(BLOCK / 2 + 4096, 2);
        free_all(3);
        assert_int_equal(races, 1);
    }
}

static void what_is_renewed_was_not_freed(void **state)
{
    write_at(64, 1);
    free_all(2);
    race_renew(&race, cells, BLOCK_ADDRESS, BLOCK);
    race_switch(&race, 1);
    write_at(64, 3);
    write_at(BLOCK / 2, 3);
    assert_int_equal(races + uses_after_free, 0);
}

static void many_blocks_are_told_apart(void **state)
{
    enum { PARTS = 64 };
    size_t part = BLOCK / PARTS;
    for (size_t i = 0; i < PARTS; i++) { /* each but the last, not in order of address */
        size_t which = i * 37 % PARTS;
        if (which != PARTS - 1)
            race_free(&race, cells + which * (part / GRANULE), BLOCK_ADDRESS + which * part, part,
                      100 + which);
    }
    for (size_t i = 0; i < PARTS - 1; i++) {
        uses_after_free = 0;
        write_at(i * part + part / 2, 1);
        assert_int_equal(uses_after_free, 1);
        assert_int_equal(freed_at.site, 100 + i);
    }
    uses_after_free = 0;
    write_at(BLOCK - part / 2, 1);
    assert_int_equal(uses_after_free, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_free_visits_what_was_accessed),       TEST(what_was_not_accessed_is_freed_too),
        TEST(an_unordered_access_before_races),      TEST(a_second_free_races_once),
        TEST(another_execution_begins_with_nothing), TEST(what_a_set_up_accessed_is_visited),
        TEST(what_is_renewed_was_not_freed),         TEST(many_blocks_are_told_apart),
    };
    return cmocka_run_group_tests_name("race_large", tests, NULL, NULL);
}
