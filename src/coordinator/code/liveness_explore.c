/* A function's instructions, found by following its control flow from the first one. */
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "coordinator/code/liveness_operands.h"

enum { NODES_MAX = 1 << 16 };

static uint64_t spread(uint64_t address)
{
    return address * 0x9e3779b97f4a7c15 >> 32;
}

static void index_put(struct liveness_function *function, uint32_t node)
{
    uint64_t place = spread(function->nodes[node].address) & (function->places - 1);
    while (function->index[place] != NO_NODE)
        place = (place + 1) & (function->places - 1);
    function->index[place] = (int32_t)node;
}

static int32_t node_at(const struct liveness_function *function, uint64_t address)
{
    uint64_t place = spread(address) & (function->places - 1);
    while (function->index[place] != NO_NODE &&
           function->nodes[function->index[place]].address != address)
        place = (place + 1) & (function->places - 1);
    return function->index[place];
}

void *liveness_grown(void *old, size_t count, size_t size)
{
    void *all = reallocarray(old, count, size);
    CHECK(all != NULL);
    return all;
}

static void index_grow(struct liveness_function *function)
{
    function->places = function->places == 0 ? 64 : 2 * function->places;
    function->index = liveness_grown(function->index, function->places, sizeof *function->index);
    memset(function->index, 0xff, function->places * sizeof *function->index);
    for (uint32_t i = 0; i < function->count; i++)
        index_put(function, i);
}

/* The instruction there, with these pointers before it; NO_NODE: the analysis has failed. */
static int32_t reach(struct liveness_function *function, uint64_t address,
                     const struct pointers *at)
{
    int32_t known = function->places == 0 ? NO_NODE : node_at(function, address);
    if (known != NO_NODE) {
        const struct node *node = &function->nodes[known];
        if (node->rsp != at->rsp || node->rbp != at->rbp)
            liveness_fail(function);
        if (node->addresses != at->others)
            function->escapes = true;
        return known;
    }
    if (function->count == NODES_MAX) {
        liveness_fail(function);
        return NO_NODE;
    }
    if (function->count == function->capacity) {
        function->capacity = function->capacity == 0 ? 64 : 2 * function->capacity;
        function->nodes =
            liveness_grown(function->nodes, function->capacity, sizeof *function->nodes);
        function->todo = liveness_grown(function->todo, function->capacity, sizeof *function->todo);
    }
    function->nodes[function->count] = (struct node){.address = address,
                                                     .rsp = at->rsp,
                                                     .rbp = at->rbp,
                                                     .addresses = at->others,
                                                     .next = NO_NODE,
                                                     .jump = NO_NODE,
                                                     .pad = NO_NODE};
    function->todo[function->todo_count++] = function->count;
    if (++function->count * 2 > function->places)
        index_grow(function);
    else
        index_put(function, function->count - 1);
    return (int32_t)function->count - 1;
}

static bool fits(const struct liveness_rule *rule, int32_t rsp, int32_t rbp)
{
    return rule->from_rbp ? rbp == -rule->offset : rsp == -rule->offset;
}

/* Whether code can go on there, with these pointers. */
static bool goes_on(const struct liveness_function *function, uint64_t address,
                    const struct pointers *at)
{
    const struct liveness_code *code = function->code;
    struct liveness_rule rule;
    return code->rule(code->context, address, &rule) && fits(&rule, at->rsp, at->rbp);
}

static bool is_in_same_range(const struct liveness_function *function, uint64_t from, uint64_t to)
{
    const struct liveness_code *code = function->code;
    uint64_t start, end;
    return code->range(code->context, from, &start, &end) && to >= start && to < end;
}

static void leaves_to(struct liveness_function *function, struct node *node,
                      enum liveness_callee callee)
{
    bool hook = callee == CALLEE_HOOK || callee == CALLEE_ACCESS;
    function->jumps_away = function->jumps_away || !hook;
    function->hooks = function->hooks || hook;
    function->escapes = function->escapes || node->addresses != 0;
    if (callee == CALLEE_TWICE)
        liveness_fail(function);
    node->kind = NODE_LEAVES;
    function->returns = true;
}

static bool target_of(const struct node *node, const struct decoded *at, uint64_t *target,
                      bool *slot)
{
    const ZydisDecodedOperand *operand = &at->operands[0];
    *slot = operand->type == ZYDIS_OPERAND_TYPE_MEMORY;
    bool fixed = operand->type == ZYDIS_OPERAND_TYPE_IMMEDIATE ||
                 (*slot && operand->mem.base == ZYDIS_REGISTER_RIP &&
                  operand->mem.index == ZYDIS_REGISTER_NONE);
    return fixed &&
           ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(&at->head, operand, node->address, target));
}

/* The node may have moved: a successor was reached. */
static void jump_to(struct liveness_function *function, uint32_t number, uint64_t target)
{
    struct node *node = &function->nodes[number];
    struct pointers here = {.rsp = node->rsp, .rbp = node->rbp, .others = node->addresses};
    if (is_in_same_range(function, node->address, target) ||
        (node->rsp != AT_ENTRY && goes_on(function, target, &here))) {
        int32_t reached = reach(function, target, &here);
        function->nodes[number].jump = reached;
    } else if (node->rsp == AT_ENTRY) {
        const struct liveness_code *code = function->code;
        leaves_to(function, node, code->callee(code->context, target, false));
    } else {
        liveness_fail(function);
    }
}

static void look_at_jump(struct liveness_function *function, uint32_t number,
                         const struct decoded *at)
{
    struct node *node = &function->nodes[number];
    uint64_t target;
    bool slot;
    if (target_of(node, at, &target, &slot) && !slot) {
        jump_to(function, number, target);
        return;
    }
    look_at_operands(function, node, at, 0, at->head.operand_count_visible);
    if (node->rsp != AT_ENTRY) {
        liveness_fail(function);
        return;
    }
    const struct liveness_code *code = function->code;
    enum liveness_callee callee = CALLEE_OTHER;
    if (target_of(node, at, &target, &slot))
        callee = code->callee(code->context, target, true);
    else
        function->above = true; /* it may go on in this function, where nobody has looked */
    leaves_to(function, node, callee);
}

static bool is_jump_target_marker(const struct liveness_function *function, uint64_t address)
{
    static const uint8_t marker[] = {0xf3, 0x0f, 0x1e, 0xfa}; /* endbr64 */
    size_t count;
    const uint8_t *bytes = function->code->bytes(function->code->context, address, &count);
    return bytes != NULL && count >= sizeof marker && memcmp(bytes, marker, sizeof marker) == 0;
}

/* Where the caller's registers are during a call. */
static bool keep_rule(const struct liveness_function *function, struct node *node)
{
    const struct liveness_code *code = function->code;
    struct liveness_rule rule;
    if (!code->rule(code->context, node->address, &rule) || !fits(&rule, node->rsp, node->rbp))
        return false;
    for (int i = 0; i < LIVE_REGISTERS; i++) {
        bool in_frame =
            rule.saved[i] < AT_ENTRY && rule.saved[i] >= node->rsp && rule.saved[i] % 8 == 0;
        if (rule.saved[i] != LIVENESS_SAME && !in_frame)
            return false;
        node->saved[i] = (int16_t)rule.saved[i];
    }
    return true;
}

/* Code behind a call that does not return is another block's, or no code at all: call frame
 * information tells. */
static void look_at_call(struct liveness_function *function, uint32_t number,
                         const struct decoded *at)
{
    const struct liveness_code *code = function->code;
    struct node *node = &function->nodes[number];
    uint64_t after = node->address + at->head.length, target, pad;
    struct pointers here = {
        .rsp = node->rsp, .rbp = node->rbp, .others = node->addresses & (uint16_t)~CLOBBERED};
    bool slot;
    node->kind = NODE_CALL;
    node->callee = CALLEE_OTHER;
    if (target_of(node, at, &target, &slot)) {
        node->callee = (uint8_t)code->callee(code->context, target, slot);
        node->target = slot ? 0 : target;
        if (!slot && is_in_same_range(function, node->address, target)) {
            uint64_t start, end;
            if (!code->range(code->context, target, &start, &end) || target != start)
                liveness_fail(function); /* it asks where it is */
        }
    } else {
        look_at_operands(function, node, at, 0, at->head.operand_count_visible);
    }
    bool access = node->callee == CALLEE_ACCESS;
    function->hooks = function->hooks || node->callee == CALLEE_HOOK || access;
    if (node->addresses & CLOBBERED && !access)
        function->escapes = true;
    if (node->callee == CALLEE_TWICE || is_jump_target_marker(function, after) ||
        node->rsp % 8 != 0 || !keep_rule(function, node) ||
        !code->landing(code->context, after, &pad)) {
        liveness_fail(function);
        return;
    }
    if (node->rsp < function->low)
        function->low = node->rsp;
    if (node->callee != CALLEE_NEVER && is_in_same_range(function, node->address, after) &&
        goes_on(function, after, &here)) {
        int32_t next = reach(function, after, &here);
        function->nodes[number].next = next;
    }
    if (pad != 0) {
        if (!goes_on(function, pad, &here))
            liveness_fail(function);
        int32_t reached = reach(function, pad, &here);
        function->nodes[number].pad = reached;
    }
}

/* Notes what an instruction does. Returns whether the next instruction follows it. */
static bool look_at(struct liveness_function *function, uint32_t number, const struct decoded *at,
                    struct pointers *after)
{
    struct node *node = &function->nodes[number];
    switch (at->head.mnemonic) {
    case ZYDIS_MNEMONIC_CALL:
        look_at_call(function, number, at);
        return false;
    case ZYDIS_MNEMONIC_JMP:
        look_at_jump(function, number, at);
        return false;
    case ZYDIS_MNEMONIC_RET:
        if (node->rsp != AT_ENTRY || node->rbp != GENERAL || at->head.operand_count_visible > 0)
            liveness_fail(function);
        function->escapes = function->escapes || node->addresses != 0;
        node->kind = NODE_RETURN;
        function->returns = true;
        return false;
    case ZYDIS_MNEMONIC_UD2:
    case ZYDIS_MNEMONIC_HLT:
    case ZYDIS_MNEMONIC_INT3:
        return false;
    case ZYDIS_MNEMONIC_NOP:
    case ZYDIS_MNEMONIC_ENDBR64:
        return true;
    case ZYDIS_MNEMONIC_PUSH:
        look_at_push(function, node, at, after);
        return true;
    case ZYDIS_MNEMONIC_POP:
        look_at_pop(function, node, at, after);
        return true;
    case ZYDIS_MNEMONIC_LEAVE:
        look_at_leave(function, node, after);
        return true;
    default:
        break;
    }
    if (at->head.meta.category == ZYDIS_CATEGORY_COND_BR) {
        look_at_operands(function, node, at, 1, at->head.operand_count);
        uint64_t target;
        bool slot;
        if (target_of(node, at, &target, &slot) && !slot)
            jump_to(function, number, target);
        else
            liveness_fail(function);
        return true;
    }
    if (at->head.meta.category == ZYDIS_CATEGORY_UNCOND_BR ||
        at->head.meta.category == ZYDIS_CATEGORY_CALL ||
        at->head.meta.category == ZYDIS_CATEGORY_RET ||
        at->head.meta.category == ZYDIS_CATEGORY_INTERRUPT) {
        liveness_fail(function);
        return false;
    }
    if (moves_pointer(node, at, after) || takes_address(function, node, at) ||
        look_at_move(function, node, at))
        return true;
    if (is_zeroing(at)) {
        int number_zeroed = register_number(at->operands[0].reg.value);
        node->writes |= (uint16_t)BIT(number_zeroed);
        if (number_zeroed == RSP)
            liveness_fail(function);
    } else {
        look_at_operands(function, node, at, 0, at->head.operand_count);
    }
    if (writes_rbp(at))
        after->rbp = GENERAL;
    return true;
}

static const ZydisDecoder *decoder(void)
{
    static ZydisDecoder made;
    static bool is_made;
    if (!is_made)
        ZydisDecoderInit(&made, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    is_made = true;
    return &made;
}

/* Which registers hold addresses after the instruction. */
static uint16_t addresses_after(const struct node *node)
{
    uint16_t held = node->addresses & (uint16_t)~node->writes;
    if (node->move == MOVE_FROM_FRAME || node->move == MOVE_REGISTERS)
        held &= (uint16_t)~BIT(node->to);
    if (node->takes_address || (node->move == MOVE_REGISTERS && node->addresses & BIT(node->from)))
        held |= (uint16_t)BIT(node->to);
    return held;
}

static void visit(struct liveness_function *function, uint32_t number)
{
    const struct liveness_code *code = function->code;
    struct node *node = &function->nodes[number];
    struct decoded at;
    size_t count;
    const uint8_t *bytes = code->bytes(code->context, node->address, &count);
    if (bytes == NULL ||
        !ZYAN_SUCCESS(ZydisDecoderDecodeFull(decoder(), bytes, count, &at.head, at.operands))) {
        liveness_fail(function);
        return;
    }
    node->length = at.head.length;
    struct pointers after = {.rsp = node->rsp, .rbp = node->rbp, .others = node->addresses};
    uint64_t address = node->address, next = address + at.head.length;
    if (!look_at(function, number, &at, &after) || function->failed)
        return;
    if (!is_in_same_range(function, address, next)) {
        liveness_fail(function);
        return;
    }
    after.others = addresses_after(&function->nodes[number]);
    int32_t reached = reach(function, next, &after);
    function->nodes[number].next = reached;
}

struct liveness_function *liveness_explore(const struct liveness_code *code, uint64_t start)
{
    struct liveness_function *function = calloc(1, sizeof *function);
    CHECK(function != NULL);
    function->code = code;
    reach(function, start, &(struct pointers){.rsp = AT_ENTRY, .rbp = GENERAL});
    while (function->todo_count > 0 && !function->failed)
        visit(function, function->todo[--function->todo_count]);
    free(function->index);
    free(function->todo);
    function->index = NULL;
    function->todo = NULL;
    if (!function->failed)
        return function;
    liveness_free(function);
    return NULL;
}

void liveness_free(struct liveness_function *function)
{
    if (function == NULL)
        return;
    for (uint32_t i = 0; i < function->block_count; i++)
        free(function->blocks[i].in);
    free(function->blocks);
    free(function->block_of);
    free(function->order);
    free(function->nodes);
    free(function);
}

bool liveness_calls_hook(const struct liveness_function *function)
{
    return function->hooks;
}

bool liveness_returns(const struct liveness_function *function)
{
    return function->returns;
}

bool liveness_is_closed(const struct liveness_function *function)
{
    return !function->above && !function->jumps_away;
}
