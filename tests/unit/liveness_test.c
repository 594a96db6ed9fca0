/* The liveness analysis finds what is live after calls in functions given as machine code. */
#include "coordinator/code/liveness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { START = 0x1000, CODE_MAX = 256, ROWS_MAX = 16, SITES_MAX = 8, WORDS_MAX = 64 };
enum { HOOK = 0x9000, ACCESS = 0x9100, OTHER = 0x9200, TWICE = 0x9300, NEVER = 0x9400 };

/* The function at hand: its bytes, and what call frame information says from some address on. */
static struct {
    uint8_t bytes[CODE_MAX];
    uint32_t size;
    struct {
        uint32_t from;
        struct liveness_rule rule;
    } rows[ROWS_MAX];
    uint32_t row_count;
    uint64_t call, pad; /* of this call, by the address behind it, exceptions go there */
} it;

static struct liveness_site sites[SITES_MAX];
static struct live_word words[SITES_MAX][WORDS_MAX];
static uint32_t site_count;

#define CODE(...)                                                                                  \
    do {                                                                                           \
        static const uint8_t code_[] = {__VA_ARGS__};                                              \
        memcpy(it.bytes + it.size, code_, sizeof code_);                                           \
        it.size += sizeof code_;                                                                   \
    } while (0)

static void call(uint32_t target)
{
    int32_t distance = (int32_t)(target - (START + it.size + 5));
    it.bytes[it.size] = 0xe8;
    memcpy(it.bytes + it.size + 1, &distance, sizeof distance);
    it.size += 5;
}

/* From here on the frame is so large, counted from the stack pointer. */
static void frame(int32_t size)
{
    struct liveness_rule rule = {.offset = size};
    if (it.row_count > 0)
        memcpy(rule.saved, it.rows[it.row_count - 1].rule.saved, sizeof rule.saved);
    it.rows[it.row_count].from = it.size;
    it.rows[it.row_count++].rule = rule;
}

static void saved(enum live_register which, int32_t where)
{
    it.rows[it.row_count - 1].rule.saved[which] = where;
}

static const uint8_t *bytes(void *unused, uint64_t address, size_t *count)
{
    (void)unused;
    if (address < START || address >= START + it.size)
        return NULL;
    *count = START + it.size - address;
    return it.bytes + (address - START);
}

static bool range(void *unused, uint64_t address, uint64_t *start, uint64_t *end)
{
    (void)unused;
    *start = START;
    *end = START + it.size;
    return address >= *start && address < *end;
}

static bool rule(void *unused, uint64_t address, struct liveness_rule *out)
{
    (void)unused;
    bool known = false;
    for (uint32_t i = 0; i < it.row_count && address - START >= it.rows[i].from; i++) {
        *out = it.rows[i].rule;
        known = out->offset > 0;
    }
    return known && address >= START && address < START + it.size;
}

static bool landing(void *unused, uint64_t address, uint64_t *out)
{
    (void)unused;
    *out = it.pad != 0 && address == it.call ? it.pad : 0;
    return true;
}

static enum liveness_callee callee(void *unused, uint64_t address, bool slot)
{
    (void)unused;
    (void)slot;
    return address == HOOK     ? CALLEE_HOOK
           : address == ACCESS ? CALLEE_ACCESS
           : address == TWICE  ? CALLEE_TWICE
           : address == NEVER  ? CALLEE_NEVER
                               : CALLEE_OTHER;
}

static const struct liveness_code code = {
    .bytes = bytes, .range = range, .rule = rule, .landing = landing, .callee = callee};

static void keep(void *unused, const struct liveness_site *site)
{
    (void)unused;
    uint32_t at = site_count++;
    while (at > 0 && sites[at - 1].address > site->address) {
        sites[at] = sites[at - 1];
        memcpy(words[at], words[at - 1], sizeof words[at]);
        at--;
    }
    sites[at] = *site;
    memcpy(words[at], site->live, site->count * sizeof *words[at]);
}

/* false: nothing is said of the function. */
static bool look(void)
{
    struct liveness_function *function = liveness_explore(&code, START);
    site_count = 0;
    if (function == NULL)
        return false;
    liveness_sites(function, keep, NULL);
    liveness_free(function);
    return true;
}

/* The bytes of a word of the frame that are live after that call, if these registers are live in
 * the caller. */
static uint8_t live_bytes(uint32_t site, uint32_t word, uint8_t above)
{
    uint8_t all = 0;
    for (uint32_t i = 0; i < sites[site].count; i++)
        if (words[site][i].word == word &&
            (words[site][i].saved == 0 || words[site][i].saved & above))
            all |= words[site][i].bytes;
    return all;
}

static int begin(void **state)
{
    (void)state;
    memset(&it, 0, sizeof it);
    frame(8);
    return 0;
}

/* A prologue that saves rbx on the stack. */
static void begin_with_rbx(void)
{
    CODE(0x53); /* push rbx */
    frame(16);
    saved(LIVE_RBX, -16);
}

static void end_with_rbx(void)
{
    CODE(0x5b); /* pop rbx */
    frame(8);
    saved(LIVE_RBX, LIVENESS_SAME);
    CODE(0xc3); /* ret */
}

static void a_register_is_dead_before_it_is_set_again(void **state)
{
    (void)state;
    begin_with_rbx();
    call(HOOK);
    CODE(0x89, 0xc3); /* mov ebx, eax */
    call(HOOK);
    CODE(0x01, 0xd8, 0x83, 0xf8, 0x01); /* add eax, ebx; cmp eax, 1 */
    CODE(0x7e, 0xed);                   /* jle back */
    end_with_rbx();
    assert_true(look());
    assert_int_equal(site_count, 2);
    assert_int_equal(sites[0].own | sites[0].exits[LIVE_RBX], 0);
    assert_int_equal(sites[1].own, 1 << LIVE_RBX);
    assert_int_equal(sites[0].words, 2);
    assert_int_equal(live_bytes(0, 0, LIVE_ALL), 0xff);
    assert_int_equal(live_bytes(0, 0, LIVE_ALL & ~(1 << LIVE_RBX)), 0);
}

static void a_counter_is_live(void **state)
{
    (void)state;
    begin_with_rbx();
    CODE(0x31, 0xdb); /* xor ebx, ebx */
    call(HOOK);
    CODE(0xff, 0xc3, 0x85, 0xc0); /* inc ebx; test eax, eax */
    CODE(0x74, 0xf5);             /* je back */
    CODE(0x89, 0xd8);             /* mov eax, ebx */
    end_with_rbx();
    assert_true(look());
    assert_int_equal(site_count, 1);
    assert_int_equal(sites[0].own, 1 << LIVE_RBX);
}

static void what_is_not_used_belongs_to_the_caller(void **state)
{
    (void)state;
    CODE(0x50); /* push rax */
    frame(16);
    call(HOOK);
    CODE(0x59); /* pop rcx */
    frame(8);
    CODE(0xc3);
    assert_true(look());
    assert_int_equal(sites[0].own, 0);
    for (int i = 0; i < LIVE_REGISTERS; i++)
        assert_int_equal(sites[0].exits[i], 1 << i);
    assert_int_equal(live_bytes(0, 0, LIVE_ALL), 0);
}

static void frame_of_24(void)
{
    CODE(0x48, 0x83, 0xec, 0x18); /* sub rsp, 24 */
    frame(32);
}

static void end_of_24(void)
{
    CODE(0x48, 0x83, 0xc4, 0x18); /* add rsp, 24 */
    frame(8);
    CODE(0xc3);
}

static void bytes_of_the_frame_are_live_until_they_are_read(void **state)
{
    (void)state;
    frame_of_24();
    CODE(0x89, 0x7c, 0x24, 0x08); /* mov [rsp + 8], edi */
    CODE(0x89, 0x74, 0x24, 0x0c); /* mov [rsp + 12], esi */
    call(HOOK);
    CODE(0x03, 0x44, 0x24, 0x08); /* add eax, [rsp + 8] */
    call(HOOK);
    end_of_24();
    assert_true(look());
    assert_int_equal(sites[0].words, 4);
    assert_int_equal(live_bytes(0, 1, 0), 0x0f);
    assert_int_equal(live_bytes(0, 0, 0) | live_bytes(0, 2, 0), 0);
    assert_int_equal(live_bytes(1, 1, 0), 0);
}

static void an_address_that_gets_away_keeps_the_frame_alive(void **state)
{
    (void)state;
    frame_of_24();
    CODE(0x48, 0x8d, 0x7c, 0x24, 0x08); /* lea rdi, [rsp + 8] */
    call(OTHER);
    call(HOOK);
    end_of_24();
    assert_true(look());
    for (uint32_t word = 0; word < 3; word++)
        assert_int_equal(live_bytes(1, word, 0), 0xff);
}

static void the_runtime_does_not_keep_the_address_of_a_plain_access(void **state)
{
    (void)state;
    frame_of_24();
    CODE(0x48, 0x8d, 0x44, 0x24, 0x08); /* lea rax, [rsp + 8] */
    CODE(0x48, 0x89, 0xc7);             /* mov rdi, rax */
    call(ACCESS);
    CODE(0x89, 0x44, 0x24, 0x08); /* mov [rsp + 8], eax */
    call(HOOK);
    end_of_24();
    assert_true(look());
    assert_int_equal(sites[1].count, 0);
}

static void a_landing_pad_may_read(void **state)
{
    (void)state;
    frame_of_24();
    CODE(0x89, 0x7c, 0x24, 0x08); /* mov [rsp + 8], edi */
    call(HOOK);
    it.call = START + it.size;
    CODE(0xeb, 0x04); /* jmp over */
    it.pad = START + it.size;
    CODE(0x03, 0x44, 0x24, 0x08); /* add eax, [rsp + 8] */
    end_of_24();
    assert_true(look());
    assert_int_equal(live_bytes(0, 1, 0), 0x0f);
    it.pad = 0;
    assert_true(look());
    assert_int_equal(live_bytes(0, 1, 0), 0);
}

static void arguments_on_the_stack_belong_to_the_caller(void **state)
{
    (void)state;
    frame_of_24();
    call(HOOK);
    CODE(0x03, 0x44, 0x24, 0x20); /* add eax, [rsp + 32] */
    end_of_24();
    assert_true(look());
    assert_true(sites[0].last);
}

static void arguments_of_an_unknown_call_are_live(void **state)
{
    (void)state;
    begin_with_rbx();
    call(HOOK);
    CODE(0x89, 0xc3); /* mov ebx, eax */
    call(HOOK);
    CODE(0x89, 0xdf); /* mov edi, ebx */
    call(OTHER);
    end_with_rbx();
    assert_true(look());
    assert_int_equal(sites[2].own, 1 << LIVE_RBX);
}

static void code_behind_a_call_that_never_returns_is_another_block(void **state)
{
    (void)state;
    frame_of_24();
    CODE(0x89, 0x7c, 0x24, 0x08); /* mov [rsp + 8], edi */
    CODE(0x85, 0xff, 0x74, 0x05); /* test edi, edi; je over */
    call(NEVER);
    call(HOOK);
    CODE(0x03, 0x44, 0x24, 0x08); /* add eax, [rsp + 8] */
    end_of_24();
    assert_true(look());
    assert_int_equal(site_count, 2);
    assert_int_equal(live_bytes(0, 1, 0), 0);
    assert_int_equal(live_bytes(1, 1, 0), 0x0f);
}

static void doubts_end_the_analysis(void **state)
{
    static const uint8_t doubtful[][8] = {
        {0xff, 0xe0},                            /* jmp rax */
        {0x48, 0x29, 0xc4},                      /* sub rsp, rax */
        {0x48, 0x83, 0xe4, 0xe0},                /* and rsp, -32 */
        {0x48, 0x83, 0xec, 0x04, 0xe8, 0, 0, 0}, /* sub rsp, 4: not where frames end */
        {0xc2, 0x08, 0x00},                      /* ret 8 */
        {0xc3},                                  /* ret, inside the frame */
        {0x48, 0xc7, 0x44, 0x24, 0x18, 0, 0, 0}, /* mov [rsp + 24], 0: the return address */
        {0x9d},                                  /* popf */
        {0x06},                                  /* no instruction */
    };
    for (size_t i = 0; i < sizeof doubtful / sizeof *doubtful; i++) {
        begin(state);
        frame_of_24();
        call(HOOK);
        memcpy(it.bytes + it.size, doubtful[i], sizeof *doubtful);
        it.size += sizeof *doubtful;
        memset(it.bytes + it.size, 0x90, 8);
        it.size += 8;
        end_of_24();
        assert_false(look());
    }
    begin(state);
    frame_of_24();
    call(TWICE);
    end_of_24();
    assert_false(look());
    begin(state);
    frame_of_24();
    call(OTHER);
    CODE(0xf3, 0x0f, 0x1e, 0xfa); /* endbr64: it may return twice */
    end_of_24();
    assert_false(look());
    begin(state);
    frame_of_24();
    it.rows[it.row_count - 1].rule.offset = 40; /* frame descriptions say something else */
    call(HOOK);
    end_of_24();
    assert_false(look());
    begin(state);
    frame_of_24();
    saved(LIVE_R12, LIVENESS_UNKNOWN);
    call(HOOK);
    end_of_24();
    assert_false(look());
}

#define TEST(name) cmocka_unit_test_setup(name, begin)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_register_is_dead_before_it_is_set_again),
        TEST(a_counter_is_live),
        TEST(what_is_not_used_belongs_to_the_caller),
        TEST(bytes_of_the_frame_are_live_until_they_are_read),
        TEST(an_address_that_gets_away_keeps_the_frame_alive),
        TEST(the_runtime_does_not_keep_the_address_of_a_plain_access),
        TEST(a_landing_pad_may_read),
        TEST(arguments_on_the_stack_belong_to_the_caller),
        TEST(arguments_of_an_unknown_call_are_live),
        TEST(code_behind_a_call_that_never_returns_is_another_block),
        TEST(doubts_end_the_analysis),
    };
    return cmocka_run_group_tests_name("liveness", tests, NULL, NULL);
}
