#include "coordinator/code/liveness_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

enum { STATES_MAX = 1 << 26 }; /* bytes of all states of a function */

static const uint8_t preserved[LIVE_REGISTERS] = {RBX, RBP, R12, R13, R14, R15};

/* Uses of a location, as bits: by the function itself, or as the caller's n-th register. */
enum { OWN = 1 };
#define EXIT(n) ((uint8_t)(2u << (n)))

static void enter(struct liveness_function *function, int32_t node, uint8_t entries)
{
    if (node == NO_NODE)
        return;
    uint8_t *count = &function->nodes[node].entries;
    *count = *count + entries > 2 ? 2 : *count + entries;
}

static bool is_end(const struct liveness_function *function, const struct node *node)
{
    return node->jump != NO_NODE || node->next == NO_NODE || node->kind == NODE_LEAVES ||
           function->nodes[node->next].entries > 1;
}

static void make_blocks(struct liveness_function *function)
{
    uint32_t count = function->count, used = 0;
    function->order = liveness_grown(NULL, count, sizeof *function->order);
    function->block_of = liveness_grown(NULL, count, sizeof *function->block_of);
    function->blocks = liveness_grown(NULL, count, sizeof *function->blocks);
    memset(function->block_of, 0xff, count * sizeof *function->block_of);
    enter(function, 0, 2);
    for (uint32_t i = 0; i < count; i++) {
        const struct node *node = &function->nodes[i];
        enter(function, node->next, node->jump == NO_NODE ? 1 : 2);
        enter(function, node->jump, 2);
        enter(function, node->pad, 2);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (function->nodes[i].entries < 2)
            continue;
        struct block *block = &function->blocks[function->block_count];
        *block = (struct block){.first = used};
        for (uint32_t at = i;; at = (uint32_t)function->nodes[at].next) {
            function->block_of[at] = (int32_t)function->block_count;
            function->order[used++] = at;
            block->count++;
            if (is_end(function, &function->nodes[at]))
                break;
        }
        function->block_count++;
    }
}

/* A state is a set of uses for each register, then for each byte of the frame from the lowest on.
 */

static uint32_t width(const struct liveness_function *function)
{
    return REGISTERS + (uint32_t)-function->low;
}

static uint8_t *byte_at(const struct liveness_function *function, uint8_t *uses, int32_t low)
{
    return uses + REGISTERS + (low - function->low);
}

static uint8_t uses_of(const struct liveness_function *function, uint8_t *uses,
                       const struct access *access)
{
    uint8_t all = function->escapes ? OWN : 0;
    const uint8_t *byte = byte_at(function, uses, access->low);
    for (uint32_t i = 0; i < access->size; i++)
        all |= byte[i];
    return all;
}

static void use(const struct liveness_function *function, uint8_t *uses,
                const struct access *access, uint8_t by)
{
    uint8_t *byte = byte_at(function, uses, access->low);
    for (uint32_t i = 0; i < access->size; i++)
        byte[i] |= by;
}

static void overwrite(const struct liveness_function *function, uint8_t *uses,
                      const struct access *access)
{
    memset(byte_at(function, uses, access->low), 0, access->size);
}

static void join(uint8_t *to, const uint8_t *from, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        to[i] |= from[i];
}

static void join_block(const struct liveness_function *function, uint8_t *uses, int32_t node)
{
    if (node != NO_NODE)
        join(uses, function->blocks[function->block_of[node]].in, width(function));
}

static void leave_function(uint8_t *uses, uint32_t own)
{
    for (int i = 0; i < REGISTERS; i++)
        uses[i] = own & BIT(i) ? OWN : 0;
    for (int i = 0; i < LIVE_REGISTERS; i++)
        uses[preserved[i]] |= EXIT(i);
}

static void put_back_move(const struct liveness_function *function, const struct node *node,
                          uint8_t *uses)
{
    uint8_t moved;
    switch ((enum move)node->move) {
    case MOVE_NONE:
        break;
    case MOVE_REGISTERS:
        moved = uses[node->to];
        uses[node->to] = 0;
        uses[node->from] |= moved;
        break;
    case MOVE_TO_FRAME:
        moved = uses_of(function, uses, &node->memory[0]);
        overwrite(function, uses, &node->memory[0]);
        uses[node->from] |= moved;
        break;
    case MOVE_FROM_FRAME:
        moved = uses[node->to];
        uses[node->to] = 0;
        use(function, uses, &node->memory[0], moved);
        break;
    }
}

/* The caller's registers come back from where they are kept, when an exception passes by. */
static void add_unwinding(const struct liveness_function *function, const struct node *node,
                          uint8_t *uses)
{
    for (int i = 0; i < LIVE_REGISTERS; i++) {
        struct access kept = {.low = node->saved[i], .size = 8};
        if (node->saved[i] == LIVENESS_SAME)
            uses[preserved[i]] |= EXIT(i);
        else
            use(function, uses, &kept, EXIT(i));
    }
}

static bool stores_to(const struct liveness_function *function, int32_t low)
{
    for (uint32_t i = 0; i < function->count; i++)
        for (uint32_t k = 0; k < function->nodes[i].count; k++) {
            const struct access *access = &function->nodes[i].memory[k];
            if (access->writes && access->low < low + 8 &&
                access->low + (int32_t)access->size > low)
                return true;
        }
    return false;
}

/* Arguments on the stack begin at the stack pointer: where nothing is ever stored there are none.
 */
static void look_at_callees(struct liveness_function *function)
{
    const struct liveness_code *code = function->code;
    for (uint32_t i = 0; i < function->count; i++) {
        struct node *node = &function->nodes[i];
        if (node->kind != NODE_CALL)
            continue;
        if (node->target != 0) /* by now it may have been explored */
            node->callee = (uint8_t)code->callee(code->context, node->target, false);
        if (node->callee == CALLEE_NEVER)
            node->next = NO_NODE;
        node->takes_stack = node->callee == CALLEE_OTHER && node->rsp < AT_ENTRY &&
                            (function->escapes || stores_to(function, node->rsp));
    }
}

static void use_frame(const struct liveness_function *function, uint8_t *uses, int32_t from)
{
    if (from < AT_ENTRY) {
        struct access all = {.low = from, .size = (uint32_t)(AT_ENTRY - from)};
        use(function, uses, &all, OWN);
    }
}

static void put_back_call(const struct liveness_function *function, const struct node *node,
                          uint8_t *uses)
{
    for (int i = 0; i < REGISTERS; i++)
        if (CLOBBERED & BIT(i))
            uses[i] = OWN; /* any of them may be an argument */
    memset(uses + REGISTERS, 0, (uint32_t)(node->rsp - function->low));
    if (node->takes_stack)
        use_frame(function, uses, node->rsp);
}

/* Uses before the node, from uses after it. */
static void put_back(const struct liveness_function *function, const struct node *node,
                     uint8_t *uses)
{
    if (node->kind == NODE_CALL)
        put_back_call(function, node, uses);
    put_back_move(function, node, uses);
    for (uint32_t i = 0; node->move == MOVE_NONE && i < node->count; i++)
        if (node->memory[i].writes)
            overwrite(function, uses, &node->memory[i]);
    for (int i = 0; i < REGISTERS; i++)
        if (node->writes & BIT(i))
            uses[i] = 0;
    for (int i = 0; i < REGISTERS; i++)
        if (node->reads & BIT(i))
            uses[i] |= OWN;
    for (uint32_t i = 0; node->move == MOVE_NONE && i < node->count; i++)
        if (node->memory[i].reads)
            use(function, uses, &node->memory[i], OWN);
}

/* Uses after the last node of a block, before its jump or end is undone. */
static void begin_at_end(const struct liveness_function *function, const struct node *node,
                         uint8_t *uses)
{
    memset(uses, 0, width(function));
    if (node->kind == NODE_RETURN)
        leave_function(uses, RESULTS);
    if (node->kind == NODE_LEAVES)
        leave_function(uses, CLOBBERED);
    join_block(function, uses, node->next);
    join_block(function, uses, node->jump);
}

struct finding_sites {
    void (*found)(void *context, const struct liveness_site *site);
    void *context;
    struct live_word *words;
    uint32_t *stack; /* of a walk back from a call */
    uint32_t *seen, mark;
    uint32_t *before, *before_first; /* predecessors */
};

/* Registers and bytes that were read since the call before: the arguments were made from them,
 * which are gone from view where the local state is taken. */
static void add_arguments(const struct liveness_function *function, struct finding_sites *sites,
                          uint32_t call, uint8_t *uses)
{
    uint32_t count = 0;
    sites->mark++;
    sites->stack[count++] = call;
    sites->seen[call] = sites->mark;
    while (count > 0) {
        uint32_t at = sites->stack[--count];
        const struct node *node = &function->nodes[at];
        if (at != call && node->kind == NODE_CALL)
            continue;
        for (int i = 0; i < REGISTERS; i++)
            if (node->reads & BIT(i))
                uses[i] |= OWN;
        if (node->move == MOVE_REGISTERS || node->move == MOVE_TO_FRAME)
            uses[node->from] |= OWN;
        for (uint32_t i = 0; i < node->count; i++)
            if (node->memory[i].reads)
                use(function, uses, &node->memory[i], OWN);
        for (uint32_t i = sites->before_first[at]; i < sites->before_first[at + 1]; i++) {
            uint32_t from = sites->before[i];
            if (sites->seen[from] != sites->mark) {
                sites->seen[from] = sites->mark;
                sites->stack[count++] = from;
            }
        }
    }
}

static bool is_saved(const struct node *call, int32_t low)
{
    for (int i = 0; i < LIVE_REGISTERS; i++)
        if (call->saved[i] == low)
            return true;
    return false;
}

static uint32_t collect_words(const struct liveness_function *function, uint8_t *uses, int32_t rsp,
                              struct live_word *out)
{
    uint32_t count = 0;
    for (int32_t low = rsp; low < AT_ENTRY; low += 8) {
        const uint8_t *byte = byte_at(function, uses, low);
        struct live_word own = {.word = (uint16_t)((low - rsp) / 8)}, saved = own;
        for (int i = 0; i < 8; i++) {
            if (byte[i] & OWN) {
                own.bytes |= (uint8_t)(1u << i);
            } else if (byte[i] != 0) {
                saved.bytes |= (uint8_t)(1u << i);
                saved.saved |= byte[i] >> 1;
            }
        }
        if (own.bytes != 0)
            out[count++] = own;
        if (saved.bytes != 0)
            out[count++] = saved;
    }
    return count;
}

static void tell_site(const struct liveness_function *function, struct finding_sites *sites,
                      uint32_t number, const uint8_t *after)
{
    const struct node *node = &function->nodes[number];
    uint8_t *uses = malloc(width(function));
    CHECK(uses != NULL);
    memcpy(uses, after, width(function));
    if (node->callee == CALLEE_OTHER)
        add_arguments(function, sites, number, uses);
    if (node->takes_stack)
        use_frame(function, uses, node->rsp);
    for (int32_t low = node->rsp; function->escapes && low < AT_ENTRY; low += 8)
        if (!is_saved(node, low))
            use(function, uses, &(struct access){.low = low, .size = 8}, OWN);
    struct liveness_site site = {.address = node->address + node->length,
                                 .words = (uint32_t)-node->rsp / 8,
                                 .last = function->above,
                                 .live = sites->words};
    for (int i = 0; i < LIVE_REGISTERS; i++) {
        site.own |= (uint8_t)((uses[preserved[i]] & OWN) << i);
        site.exits[i] = uses[preserved[i]] >> 1;
    }
    site.count = collect_words(function, uses, node->rsp, sites->words);
    sites->found(sites->context, &site);
    free(uses);
}

/* Uses before the block; its sites are told if there is somebody to tell. */
static void put_back_block(const struct liveness_function *function, const struct block *block,
                           uint8_t *uses, struct finding_sites *sites)
{
    const struct node *last = &function->nodes[function->order[block->first + block->count - 1]];
    begin_at_end(function, last, uses);
    for (uint32_t i = block->count; i-- > 0;) {
        uint32_t number = function->order[block->first + i];
        const struct node *node = &function->nodes[number];
        if (node->kind == NODE_CALL) {
            join_block(function, uses, node->pad);
            add_unwinding(function, node, uses);
            if (sites != NULL)
                tell_site(function, sites, number, uses);
        }
        put_back(function, node, uses);
    }
}

static void disturb(struct liveness_function *function, const struct finding_sites *sites,
                    const struct block *block)
{
    uint32_t first = function->order[block->first];
    for (uint32_t i = sites->before_first[first]; i < sites->before_first[first + 1]; i++)
        function->blocks[function->block_of[sites->before[i]]].stale = true;
}

static void settle(struct liveness_function *function, const struct finding_sites *sites,
                   uint8_t *uses)
{
    for (uint32_t i = 0; i < function->block_count; i++)
        function->blocks[i].stale = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = function->block_count; i-- > 0;) {
            struct block *block = &function->blocks[i];
            if (!block->stale)
                continue;
            block->stale = false;
            put_back_block(function, block, uses, NULL);
            if (memcmp(block->in, uses, width(function)) != 0) {
                join(block->in, uses, width(function));
                disturb(function, sites, block);
                changed = true;
            }
        }
    }
}

static void list_predecessors(const struct liveness_function *function, struct finding_sites *sites)
{
    uint32_t count = function->count;
    sites->before_first = calloc(count + 2, sizeof *sites->before_first);
    sites->before = calloc(3 * (size_t)count, sizeof *sites->before);
    CHECK(sites->before_first != NULL && sites->before != NULL);
    uint32_t *first = sites->before_first;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < count; i++) {
            const struct node *node = &function->nodes[i];
            int32_t next[] = {node->next, node->jump, node->pad};
            for (int k = 0; k < 3; k++) {
                if (next[k] == NO_NODE)
                    continue;
                if (pass == 0)
                    first[next[k] + 2]++;
                else
                    sites->before[first[next[k] + 1]++] = i;
            }
        }
        for (uint32_t i = 2; pass == 0 && i < count + 2; i++)
            first[i] += first[i - 1];
    }
}

void liveness_sites(struct liveness_function *function,
                    void (*found)(void *context, const struct liveness_site *site), void *context)
{
    function->low &= ~7;
    look_at_callees(function);
    make_blocks(function);
    uint32_t size = width(function);
    if ((uint64_t)size * function->block_count > STATES_MAX)
        return;
    for (uint32_t i = 0; i < function->block_count; i++) {
        function->blocks[i].in = calloc(1, size);
        CHECK(function->blocks[i].in != NULL);
    }
    struct finding_sites sites = {.found = found, .context = context};
    uint8_t *uses = malloc(size);
    sites.words = malloc((size / 4 + 2) * sizeof *sites.words);
    sites.stack = calloc(function->count, sizeof *sites.stack);
    sites.seen = calloc(function->count, sizeof *sites.seen);
    CHECK(uses != NULL && sites.words != NULL && sites.stack != NULL && sites.seen != NULL);
    list_predecessors(function, &sites);
    settle(function, &sites, uses);
    for (uint32_t i = 0; i < function->block_count; i++)
        put_back_block(function, &function->blocks[i], uses, &sites);
    free(uses);
    free(sites.words);
    free(sites.stack);
    free(sites.seen);
    free(sites.before);
    free(sites.before_first);
}
