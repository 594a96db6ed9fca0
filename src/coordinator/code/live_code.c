#include "coordinator/code/live_code.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>
#include <Zydis/Zydis.h>

#include "base/assert.h"
#include "coordinator/code/frame_pieces.h"
#include "coordinator/symbols/elf_symbols.h"

enum { UNREADABLE = 0xff };

const uint8_t *live_bytes_at(const struct live_code *code, uint64_t address, size_t *count)
{
    const struct elf_section *section = elf_section_at(&code->sections, address);
    if (section == NULL || section->bytes == NULL)
        return NULL;
    *count = section->end - address;
    return section->bytes + (address - section->start);
}

void *live_room_for_one(void *all, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return all;
    *capacity = *capacity == 0 ? 64 : 2 * *capacity;
    all = reallocarray(all, *capacity, size);
    CHECK(all != NULL);
    return all;
}

static const uint8_t *code_bytes(void *context, uint64_t address, size_t *count)
{
    const struct live_code *code = context;
    const struct elf_section *section = elf_section_at(&code->sections, address);
    return section == NULL || !section->executable || section->stubs
               ? NULL
               : live_bytes_at(code, address, count);
}

static enum liveness_callee kind_of(const char *name)
{
    static const char *const twice[] = {"setjmp", "sigsetjmp", "savectx", "vfork", "getcontext"};
    static const char *const no_values[] = {"sched_yield", "pthread_yield", "thrd_yield"};
    static const char *const never[] = {
        "abort",       "exit",          "_exit",         "quick_exit",       "_Unwind_Resume",
        "__cxa_throw", "__cxa_rethrow", "__assert_fail", "__stack_chk_fail", "_ZSt9terminatev"};
    if (strncmp(name, "__tsan_", 7) == 0)
        return strstr(name, "128") != NULL           ? CALLEE_OTHER
               : strncmp(name + 7, "atomic", 6) == 0 ? CALLEE_HOOK
                                                     : CALLEE_ACCESS;
    const char *plain = name + strspn(name, "_");
    for (size_t i = 0; i < sizeof twice / sizeof *twice; i++)
        if (strcmp(plain, twice[i]) == 0)
            return CALLEE_TWICE;
    for (size_t i = 0; i < sizeof no_values / sizeof *no_values; i++)
        if (strcmp(name, no_values[i]) == 0)
            return CALLEE_NO_VALUES;
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        if (strcmp(name, never[i]) == 0)
            return CALLEE_NEVER;
    return CALLEE_OTHER;
}

static int compare_slots(const void *a, const void *b)
{
    const struct live_slot *left = a, *right = b;
    return left->address < right->address ? -1 : left->address > right->address;
}

static void keep(struct live_slot **slots, size_t *count, size_t *capacity, uint64_t address,
                 const char *name)
{
    *slots = live_room_for_one(*slots, *count, capacity, sizeof **slots);
    (*slots)[(*count)++] = (struct live_slot){.address = address, .name = name};
}

static void read_names(struct live_code *code)
{
    struct elf_relocations slots = {0};
    struct elf_symbols symbols = {0};
    while (elf_relocations_next(&slots, code->elf))
        if (kind_of(slots.name) != CALLEE_OTHER)
            keep(&code->slots, &code->slot_count, &code->slot_capacity, slots.address, slots.name);
    while (elf_symbols_next(&symbols, code->elf))
        if (kind_of(symbols.name) == CALLEE_TWICE)
            keep(&code->twice, &code->twice_count, &code->twice_capacity, symbols.symbol.st_value,
                 symbols.name);
    if (code->slot_count > 0)
        qsort(code->slots, code->slot_count, sizeof *code->slots, compare_slots);
    if (code->twice_count > 0)
        qsort(code->twice, code->twice_count, sizeof *code->twice, compare_slots);
}

static const char *name_at(const struct live_slot *slots, size_t count, uint64_t address)
{
    struct live_slot key = {.address = address};
    const struct live_slot *found =
        count == 0 ? NULL : bsearch(&key, slots, count, sizeof key, compare_slots);
    return found == NULL ? NULL : found->name;
}

/* A jump through a slot of the loader, at the address or behind one marker of jump targets. */
static enum liveness_callee stub_leads_to(const struct live_code *code, uint64_t address)
{
    ZydisDecoder decoder;
    ZydisDecodedInstruction at;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    for (int i = 0; i < 2; i++) {
        size_t count;
        const uint8_t *bytes = live_bytes_at(code, address, &count);
        uint64_t slot;
        if (bytes == NULL ||
            !ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes, count, &at, operands)))
            return CALLEE_OTHER;
        if (at.mnemonic == ZYDIS_MNEMONIC_JMP && operands[0].type == ZYDIS_OPERAND_TYPE_MEMORY &&
            operands[0].mem.base == ZYDIS_REGISTER_RIP &&
            ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(&at, &operands[0], address, &slot))) {
            const char *name = name_at(code->slots, code->slot_count, slot);
            return name == NULL ? CALLEE_OTHER : kind_of(name);
        }
        address += at.length;
    }
    return CALLEE_OTHER;
}

static enum liveness_callee code_callee(void *context, uint64_t address, bool slot)
{
    struct live_code *code = context;
    if (slot) {
        const char *name = name_at(code->slots, code->slot_count, address);
        return name == NULL ? CALLEE_OTHER : kind_of(name);
    }
    const struct elf_section *section = elf_section_at(&code->sections, address);
    if (section == NULL)
        return CALLEE_OTHER;
    if (section->stubs)
        return stub_leads_to(code, address);
    if (name_at(code->twice, code->twice_count, address) != NULL)
        return CALLEE_TWICE;
    const struct live_piece *piece = live_piece_at(code, address);
    if (piece == NULL || piece->start != address || piece->function == NULL)
        return CALLEE_OTHER;
    if (!liveness_is_closed(piece->function))
        return CALLEE_OTHER;
    return liveness_returns(piece->function) ? CALLEE_LOCAL : CALLEE_NEVER;
}

bool live_code_open(struct live_code *out, Elf *elf)
{
    *out = (struct live_code){.elf = elf};
    out->code = (struct liveness_code){.context = out,
                                       .bytes = code_bytes,
                                       .range = live_range,
                                       .rule = live_rule,
                                       .landing = live_landing,
                                       .callee = code_callee};
    GElf_Ehdr header;
    if (gelf_getehdr(elf, &header) == NULL || header.e_machine != EM_X86_64)
        return false;
    elf_sections_read(&out->sections, out->elf);
    read_names(out);
    out->frames = dwarf_getcfi_elf(elf);
    return out->frames != NULL && live_pieces_read(out);
}

void live_code_close(struct live_code *code)
{
    for (size_t i = 0; i < code->piece_count; i++)
        liveness_free(code->pieces[i].function);
    if (code->frames != NULL)
        dwarf_cfi_end(code->frames);
    free(code->pieces);
    free(code->slots);
    free(code->twice);
}
