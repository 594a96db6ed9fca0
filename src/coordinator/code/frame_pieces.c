#include "coordinator/code/frame_pieces.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

const struct live_piece *live_piece_at(struct live_code *code, uint64_t address)
{
    if (code->last != NULL && address - code->last->start < code->last->end - code->last->start)
        return code->last;
    size_t low = 0, high = code->piece_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (code->pieces[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == code->piece_count || code->pieces[low].start > address)
        return NULL;
    return code->last = &code->pieces[low];
}

struct reader {
    const struct live_code *code;
    const uint8_t *at, *end;
    uint64_t address; /* of what `at` points to */
    bool failed;
};

static uint64_t take(struct reader *reader, size_t size)
{
    uint64_t value = 0;
    if (reader->failed || (size_t)(reader->end - reader->at) < size) {
        reader->failed = true;
        return 0;
    }
    memcpy(&value, reader->at, size);
    reader->at += size;
    reader->address += size;
    return value;
}

static uint64_t take_leb(struct reader *reader)
{
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint64_t byte = take(reader, 1);
        if (reader->failed || shift > 63) {
            reader->failed = true;
            return 0;
        }
        value |= (byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return value;
    }
}

/* A pointer as .eh_frame and the tables of exceptions encode it. */
static uint64_t take_encoded(struct reader *reader, uint8_t encoding, bool relative)
{
    uint64_t here = reader->address, value;
    switch (encoding & 0x0f) {
    case DW_EH_PE_absptr:
    case DW_EH_PE_udata8:
    case DW_EH_PE_sdata8:
        value = take(reader, 8);
        break;
    case DW_EH_PE_udata4:
        value = take(reader, 4);
        break;
    case DW_EH_PE_sdata4:
        value = (uint64_t)(int32_t)take(reader, 4);
        break;
    case DW_EH_PE_udata2:
        value = take(reader, 2);
        break;
    case DW_EH_PE_uleb128:
        value = take_leb(reader);
        break;
    default:
        reader->failed = true;
        return 0;
    }
    if (!relative || (encoding & 0xf0) == 0)
        return value;
    if ((encoding & 0xf0) != DW_EH_PE_pcrel) {
        reader->failed = true;
        return 0;
    }
    return value == 0 ? 0 : value + here;
}

struct shape { /* of the frame descriptions that refer to one head */
    uint64_t offset;
    uint8_t pointers, exceptions;
    bool interrupts, known;
};

static struct shape read_shape(const Dwarf_CIE *head, uint64_t offset)
{
    struct shape shape = {.offset = offset, .exceptions = DW_EH_PE_omit, .known = true};
    const uint8_t *at = head->augmentation_data, *end = at + head->augmentation_data_size;
    if (head->augmentation[0] != 'z') {
        shape.known = head->augmentation[0] == 0;
        return shape;
    }
    for (const char *letter = head->augmentation + 1; *letter != 0; letter++) {
        switch (*letter) {
        case 'R':
        case 'L':
            if (at == end)
                return (struct shape){.offset = offset};
            *(*letter == 'R' ? &shape.pointers : &shape.exceptions) = *at++;
            break;
        case 'P':
            if (at == end)
                return (struct shape){.offset = offset};
            switch (*at++ & 0x0f) {
            case DW_EH_PE_absptr:
            case DW_EH_PE_udata8:
            case DW_EH_PE_sdata8:
                at += 8;
                break;
            case DW_EH_PE_udata4:
            case DW_EH_PE_sdata4:
                at += 4;
                break;
            default:
                return (struct shape){.offset = offset};
            }
            if (at > end)
                return (struct shape){.offset = offset};
            break;
        case 'S':
            shape.interrupts = true;
            break;
        default:
            return (struct shape){.offset = offset};
        }
    }
    return shape;
}

static void add_piece(struct live_code *code, const struct shape *shape, const Dwarf_FDE *entry,
                      uint64_t address)
{
    struct reader reader = {
        .code = code, .at = entry->start, .end = entry->end, .address = address};
    uint64_t start = take_encoded(&reader, shape->pointers, true);
    uint64_t size = take_encoded(&reader, shape->pointers, false);
    uint64_t rest = take_leb(&reader), exceptions = 0;
    if (rest > 0 && shape->exceptions != DW_EH_PE_omit)
        exceptions = take_encoded(&reader, shape->exceptions, true);
    if (size == 0)
        return;
    code->pieces = live_room_for_one(code->pieces, code->piece_count, &code->piece_capacity,
                                     sizeof *code->pieces);
    code->pieces[code->piece_count++] = (struct live_piece){.start = start,
                                                            .end = start + size,
                                                            .exceptions = exceptions,
                                                            .known = !reader.failed,
                                                            .interrupts = shape->interrupts};
}

static int compare_pieces(const void *a, const void *b)
{
    const struct live_piece *left = a, *right = b;
    return left->start < right->start ? -1 : left->start > right->start;
}

bool live_pieces_read(struct live_code *code)
{
    size_t names = 0;
    Elf_Data *data = NULL;
    GElf_Shdr header;
    elf_getshdrstrndx(code->elf, &names);
    for (Elf_Scn *at = NULL; data == NULL && (at = elf_nextscn(code->elf, at)) != NULL;) {
        const char *name =
            gelf_getshdr(at, &header) == NULL ? NULL : elf_strptr(code->elf, names, header.sh_name);
        if (name != NULL && strcmp(name, ".eh_frame") == 0 && header.sh_type != SHT_NOBITS)
            data = elf_rawdata(at, NULL);
    }
    size_t size;
    const char *ident = elf_getident(code->elf, &size);
    if (data == NULL || ident == NULL)
        return false;
    struct shape shape = {.offset = UINT64_MAX};
    Dwarf_CFI_Entry entry;
    int result = 0;
    for (Dwarf_Off offset = 0, next;; offset = next) {
        result = dwarf_next_cfi((const unsigned char *)ident, data, true, offset, &next, &entry);
        if (result != 0)
            break;
        if (dwarf_cfi_cie_p(&entry)) {
            shape = read_shape(&entry.cie, offset);
            continue;
        }
        if (shape.offset != entry.fde.CIE_pointer) {
            Dwarf_CFI_Entry head;
            Dwarf_Off unused;
            if (dwarf_next_cfi((const unsigned char *)ident, data, true, entry.fde.CIE_pointer,
                               &unused, &head) != 0 ||
                !dwarf_cfi_cie_p(&head))
                return false;
            shape = read_shape(&head.cie, entry.fde.CIE_pointer);
        }
        if (!shape.known)
            return false;
        add_piece(code, &shape, &entry.fde,
                  header.sh_addr + (uint64_t)(entry.fde.start - (const uint8_t *)data->d_buf));
    }
    if (code->piece_count == 0)
        return false;
    qsort(code->pieces, code->piece_count, sizeof *code->pieces, compare_pieces);
    for (size_t i = 1; i < code->piece_count; i++)
        if (code->pieces[i].start < code->pieces[i - 1].end)
            return false;
    return result == 1;
}

bool live_range(void *context, uint64_t address, uint64_t *start, uint64_t *end)
{
    const struct live_piece *piece = live_piece_at(context, address);
    if (piece == NULL || piece->interrupts)
        return false;
    *start = piece->start;
    *end = piece->end;
    return true;
}

static bool read_row(Dwarf_Frame *frame, struct liveness_rule *out)
{
    static const uint8_t numbers[LIVE_REGISTERS] = {3, 6, 12, 13, 14, 15}; /* as DWARF counts */
    Dwarf_Op *ops;
    size_t count;
    if (dwarf_frame_cfa(frame, &ops, &count) != 0 || count != 1)
        return false;
    Dwarf_Word from = ops->atom == DW_OP_bregx ? ops->number : (Dwarf_Word)ops->atom - DW_OP_breg0;
    Dwarf_Sword offset = (Dwarf_Sword)(ops->atom == DW_OP_bregx ? ops->number2 : ops->number);
    if ((from != 6 && from != 7) || offset < 8 || offset > INT16_MAX)
        return false;
    out->from_rbp = from == 6;
    out->offset = (int32_t)offset;
    for (int i = 0; i < LIVE_REGISTERS; i++) {
        Dwarf_Op room[3];
        out->saved[i] = LIVENESS_UNKNOWN;
        if (dwarf_frame_register(frame, numbers[i], room, &ops, &count) != 0)
            return false;
        if (count == 0) /* nothing is said of it: then a call preserves it */
            out->saved[i] = LIVENESS_SAME;
        bool at_end = count >= 1 && ops[0].atom == DW_OP_call_frame_cfa;
        if (at_end && count == 2 && ops[1].atom == DW_OP_plus_uconst &&
            (Dwarf_Sword)ops[1].number < 0 && (Dwarf_Sword)ops[1].number > INT16_MIN)
            out->saved[i] = (int32_t)(Dwarf_Sword)ops[1].number;
    }
    return true;
}

bool live_rule(void *context, uint64_t address, struct liveness_rule *out)
{
    struct live_code *code = context;
    const struct live_piece *piece = live_piece_at(code, address);
    if (piece == NULL || piece->interrupts)
        return false;
    if (address - code->row.start >= code->row.end - code->row.start) {
        Dwarf_Frame *frame = NULL;
        Dwarf_Addr start, end;
        bool interrupts;
        if (dwarf_cfi_addrframe(code->frames, address, &frame) != 0)
            return false;
        code->row.start = address;
        code->row.end = address + 1;
        if (dwarf_frame_info(frame, &start, &end, &interrupts) >= 0 && start <= address &&
            address < end) {
            code->row.start = start;
            code->row.end = end;
        }
        code->row.known = read_row(frame, &code->row.rule);
        free(frame);
    }
    *out = code->row.rule;
    return code->row.known;
}

/* The table of a piece lists ranges of calls, in order, with the place to go to or 0. */
bool live_landing(void *context, uint64_t address, uint64_t *out)
{
    struct live_code *code = context;
    uint64_t call = address - 1;
    const struct live_piece *piece = live_piece_at(code, call);
    *out = 0;
    if (piece == NULL || !piece->known)
        return false;
    if (piece->exceptions == 0)
        return true;
    size_t count;
    const uint8_t *bytes = live_bytes_at(code, piece->exceptions, &count);
    if (bytes == NULL)
        return false;
    struct reader reader = {
        .code = code, .at = bytes, .end = bytes + count, .address = piece->exceptions};
    uint8_t encoding = (uint8_t)take(&reader, 1);
    uint64_t base =
        encoding == DW_EH_PE_omit ? piece->start : take_encoded(&reader, encoding, true);
    if (take(&reader, 1) != DW_EH_PE_omit)
        take_leb(&reader);
    encoding = (uint8_t)take(&reader, 1);
    uint64_t size = take_leb(&reader);
    if (reader.failed || size > (uint64_t)(reader.end - reader.at))
        return false;
    reader.end = reader.at + size;
    while (reader.at < reader.end) {
        uint64_t start = take_encoded(&reader, encoding, false);
        uint64_t length = take_encoded(&reader, encoding, false);
        uint64_t pad = take_encoded(&reader, encoding, false);
        take_leb(&reader);
        if (reader.failed)
            return false;
        if (call - (piece->start + start) < length)
            *out = pad == 0 ? 0 : base + pad;
    }
    return true;
}
