#include "coordinator/code/liveness_operands.h"

int register_number(ZydisRegister name)
{
    if (name == ZYDIS_REGISTER_NONE)
        return -1;
    ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, name);
    if (whole < ZYDIS_REGISTER_RAX || whole > ZYDIS_REGISTER_R15)
        return -1;
    return (int)(whole - ZYDIS_REGISTER_RAX);
}

/* Whether the register points into the frame at a known place. */
static bool is_frame_pointer(const struct node *node, int number)
{
    return number == RSP || (number == RBP && node->rbp != GENERAL);
}

static int32_t pointer_of(const struct node *node, int number)
{
    return number == RSP ? node->rsp : node->rbp;
}

/* The register is used for more than to hand on what it holds. */
static void note_use(struct liveness_function *function, struct node *node, int number)
{
    if (node->addresses & BIT(number) || is_frame_pointer(node, number))
        function->escapes = true;
    if (number != RSP)
        node->reads |= (uint16_t)BIT(number);
}

/* An access to the frame; the return address is not part of it, nor are the caller's. */
static void add_access(struct liveness_function *function, struct node *node, int64_t low,
                       uint32_t size, bool reads, bool writes)
{
    if (low >= 0) {
        function->above = true;
        return;
    }
    bool return_address = low + size > AT_ENTRY;
    if (size == 0 || low < -FRAME_MAX || (return_address && (low < AT_ENTRY || writes))) {
        liveness_fail(function);
        return;
    }
    if (return_address)
        return;
    if (node->count == MEMORY_MAX) {
        liveness_fail(function);
        return;
    }
    if (low < function->low)
        function->low = (int32_t)low;
    node->memory[node->count++] =
        (struct access){.low = (int32_t)low, .size = size, .reads = reads, .writes = writes};
}

static void look_at_memory(struct liveness_function *function, struct node *node,
                           const ZydisDecodedOperand *operand)
{
    int base = register_number(operand->mem.base), other = register_number(operand->mem.index);
    bool frame = is_frame_pointer(node, base);
    if ((other >= 0 && is_frame_pointer(node, other)) ||
        (frame && operand->mem.index != ZYDIS_REGISTER_NONE))
        function->escapes = function->above = true; /* any place of the frame */
    if (base >= 0 && !frame)
        note_use(function, node, base);
    if (other >= 0)
        note_use(function, node, other);
    if (!frame || operand->mem.index != ZYDIS_REGISTER_NONE)
        return;
    int64_t low = pointer_of(node, base) + operand->mem.disp.value;
    if (operand->mem.type != ZYDIS_MEMOP_TYPE_MEM) {
        function->escapes = true;
        function->above = function->above || low >= AT_ENTRY;
        return;
    }
    bool reads = operand->actions & ZYDIS_OPERAND_ACTION_MASK_READ;
    bool writes = operand->actions & ZYDIS_OPERAND_ACTION_WRITE;
    if (operand->size % 8 != 0)
        liveness_fail(function);
    add_access(function, node, low, operand->size / 8, reads, writes);
}

static void look_at_register(struct liveness_function *function, struct node *node,
                             const ZydisDecodedOperand *operand)
{
    int number = register_number(operand->reg.value);
    if (number < 0)
        return;
    bool reads = operand->actions & ZYDIS_OPERAND_ACTION_MASK_READ;
    bool writes = operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
    if (reads)
        note_use(function, node, number);
    if (number == RSP && writes)
        liveness_fail(function);
    if (operand->actions & ZYDIS_OPERAND_ACTION_WRITE && operand->size >= 32)
        node->writes |= (uint16_t)BIT(number);
}

bool writes_rbp(const struct decoded *at)
{
    for (int i = 0; i < at->head.operand_count; i++)
        if (at->operands[i].type == ZYDIS_OPERAND_TYPE_REGISTER &&
            register_number(at->operands[i].reg.value) == RBP &&
            at->operands[i].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
            return true;
    return false;
}

void look_at_operands(struct liveness_function *function, struct node *node,
                      const struct decoded *at, int from, int to)
{
    for (int i = from; i < to; i++) {
        if (at->operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY)
            look_at_memory(function, node, &at->operands[i]);
        else if (at->operands[i].type == ZYDIS_OPERAND_TYPE_REGISTER)
            look_at_register(function, node, &at->operands[i]);
        else if (at->operands[i].type == ZYDIS_OPERAND_TYPE_POINTER)
            liveness_fail(function);
    }
}

static bool is_register(const ZydisDecodedOperand *operand, int number)
{
    return operand->type == ZYDIS_OPERAND_TYPE_REGISTER && operand->size == 64 &&
           register_number(operand->reg.value) == number;
}

static bool is_general(const struct node *node, const ZydisDecodedOperand *operand)
{
    int number =
        operand->type == ZYDIS_OPERAND_TYPE_REGISTER ? register_number(operand->reg.value) : -1;
    return number >= 0 && !is_frame_pointer(node, number);
}

bool look_at_move(struct liveness_function *function, struct node *node, const struct decoded *at)
{
    const ZydisDecodedOperand *to = &at->operands[0], *from = &at->operands[1];
    bool widens = at->head.mnemonic == ZYDIS_MNEMONIC_MOVZX ||
                  at->head.mnemonic == ZYDIS_MNEMONIC_MOVSX ||
                  at->head.mnemonic == ZYDIS_MNEMONIC_MOVSXD;
    if (at->head.mnemonic != ZYDIS_MNEMONIC_MOV && !widens)
        return false;
    if (to->type == ZYDIS_OPERAND_TYPE_REGISTER && to->size < 32)
        return false;
    if (to->type == ZYDIS_OPERAND_TYPE_REGISTER &&
        is_frame_pointer(node, register_number(to->reg.value)))
        return false;
    if (is_general(node, to) && is_general(node, from)) {
        node->move = MOVE_REGISTERS;
        node->to = (uint8_t)register_number(to->reg.value);
        node->from = (uint8_t)register_number(from->reg.value);
        if (node->addresses & BIT(node->from) && (to->size < 64 || widens))
            function->escapes = true;
        return true;
    }
    bool stores = to->type == ZYDIS_OPERAND_TYPE_MEMORY && is_general(node, from);
    bool loads = is_general(node, to) && from->type == ZYDIS_OPERAND_TYPE_MEMORY;
    const ZydisDecodedOperand *memory = stores ? to : from;
    if ((!stores && !loads) || memory->mem.index != ZYDIS_REGISTER_NONE ||
        memory->mem.segment == ZYDIS_REGISTER_FS || memory->mem.segment == ZYDIS_REGISTER_GS ||
        !is_frame_pointer(node, register_number(memory->mem.base)))
        return false;
    uint32_t before = node->count;
    if (stores && node->addresses & BIT(register_number(from->reg.value)))
        function->escapes = true;
    look_at_memory(function, node, memory);
    if (node->count != before + 1) { /* above the frame, or its return address */
        uint16_t bit = (uint16_t)BIT(register_number((stores ? from : to)->reg.value));
        *(stores ? &node->reads : &node->writes) |= bit;
        return true;
    }
    node->move = stores ? MOVE_TO_FRAME : MOVE_FROM_FRAME;
    *(stores ? &node->from : &node->to) = (uint8_t)register_number((stores ? from : to)->reg.value);
    return true;
}

bool is_zeroing(const struct decoded *at)
{
    const ZydisDecodedOperand *operands = at->operands;
    return (at->head.mnemonic == ZYDIS_MNEMONIC_XOR || at->head.mnemonic == ZYDIS_MNEMONIC_SUB) &&
           operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
           operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
           operands[0].reg.value == operands[1].reg.value && operands[0].size >= 32;
}

void look_at_push(struct liveness_function *function, struct node *node, const struct decoded *at,
                  struct pointers *after)
{
    const ZydisDecodedOperand *operand = &at->operands[0];
    if (at->head.operand_width != 64) {
        liveness_fail(function);
        return;
    }
    after->rsp = node->rsp - 8;
    if (is_general(node, operand)) {
        add_access(function, node, after->rsp, 8, false, true);
        node->move = MOVE_TO_FRAME;
        node->from = (uint8_t)register_number(operand->reg.value);
        if (node->addresses & BIT(node->from))
            function->escapes = true;
        return;
    }
    look_at_operands(function, node, at, 0, 1);
    add_access(function, node, after->rsp, 8, false, true);
}

void look_at_pop(struct liveness_function *function, struct node *node, const struct decoded *at,
                 struct pointers *after)
{
    const ZydisDecodedOperand *operand = &at->operands[0];
    int number =
        operand->type == ZYDIS_OPERAND_TYPE_REGISTER ? register_number(operand->reg.value) : -1;
    if (number < 0 || number == RSP || at->head.operand_width != 64 || node->rsp >= AT_ENTRY) {
        liveness_fail(function);
        return;
    }
    after->rsp = node->rsp + 8;
    if (number == RBP)
        after->rbp = GENERAL;
    add_access(function, node, node->rsp, 8, true, false);
    node->move = MOVE_FROM_FRAME;
    node->to = (uint8_t)number;
}

void look_at_leave(struct liveness_function *function, struct node *node, struct pointers *after)
{
    if (node->rbp == GENERAL || node->rbp >= AT_ENTRY) {
        liveness_fail(function);
        return;
    }
    after->rsp = node->rbp + 8;
    after->rbp = GENERAL;
    add_access(function, node, node->rbp, 8, true, false);
    node->move = MOVE_FROM_FRAME;
    node->to = RBP;
}

bool moves_pointer(struct node *node, const struct decoded *at, struct pointers *after)
{
    const ZydisDecodedOperand *to = &at->operands[0], *from = &at->operands[1];
    int target = is_register(to, RSP) ? RSP : is_register(to, RBP) ? RBP : -1;
    if (target < 0)
        return false;
    int64_t place;
    if (at->head.mnemonic == ZYDIS_MNEMONIC_MOV && from->type == ZYDIS_OPERAND_TYPE_REGISTER &&
        from->size == 64 && is_frame_pointer(node, register_number(from->reg.value)))
        place = pointer_of(node, register_number(from->reg.value));
    else if (at->head.mnemonic == ZYDIS_MNEMONIC_LEA && from->mem.index == ZYDIS_REGISTER_NONE &&
             to->size == 64 && is_frame_pointer(node, register_number(from->mem.base)))
        place = pointer_of(node, register_number(from->mem.base)) + from->mem.disp.value;
    else if ((at->head.mnemonic == ZYDIS_MNEMONIC_SUB || at->head.mnemonic == ZYDIS_MNEMONIC_ADD) &&
             is_frame_pointer(node, target) && from->type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
        place = pointer_of(node, target) +
                (at->head.mnemonic == ZYDIS_MNEMONIC_SUB ? -from->imm.value.s : from->imm.value.s);
    else
        return false;
    if (place < -FRAME_MAX || place > AT_ENTRY)
        return false;
    *(target == RSP ? &after->rsp : &after->rbp) = (int32_t)place;
    if (target == RBP)
        node->writes |= (uint16_t)BIT(RBP);
    return true;
}

bool takes_address(struct liveness_function *function, struct node *node, const struct decoded *at)
{
    const ZydisDecodedOperand *to = &at->operands[0], *from = &at->operands[1];
    if ((at->head.mnemonic != ZYDIS_MNEMONIC_LEA && at->head.mnemonic != ZYDIS_MNEMONIC_MOV) ||
        !is_general(node, to) || to->size != 64)
        return false;
    int64_t place;
    if (from->type == ZYDIS_OPERAND_TYPE_REGISTER && at->head.mnemonic == ZYDIS_MNEMONIC_MOV &&
        from->size == 64 && is_frame_pointer(node, register_number(from->reg.value)))
        place = pointer_of(node, register_number(from->reg.value));
    else if (at->head.mnemonic == ZYDIS_MNEMONIC_LEA && from->mem.index == ZYDIS_REGISTER_NONE &&
             is_frame_pointer(node, register_number(from->mem.base)))
        place = pointer_of(node, register_number(from->mem.base)) + from->mem.disp.value;
    else
        return false;
    function->above = function->above || place >= AT_ENTRY;
    node->takes_address = true;
    node->to = (uint8_t)register_number(to->reg.value);
    node->writes |= (uint16_t)BIT(node->to);
    return true;
}
