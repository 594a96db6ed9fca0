/* The machine code of one ELF file as the liveness analysis asks for it: bytes, call frame
 * information and landing pads from .eh_frame, and what calls lead to. */
#ifndef COORDINATOR_CODE_LIVE_CODE_H
#define COORDINATOR_CODE_LIVE_CODE_H

#include <elfutils/libdw.h>
#include <gelf.h>

#include "coordinator/code/liveness.h"
#include "coordinator/symbols/elf_sections.h"

struct live_piece { /* code with one frame description */
    uint64_t start, end;
    uint64_t exceptions;                /* its table of call sites; 0: none */
    bool known;                         /* that table can be read */
    bool interrupts;                    /* a signal handler returns there */
    struct liveness_function *function; /* that begins here, if it was explored */
};

struct live_slot { /* where the loader puts an address */
    uint64_t address;
    const char *name;
};

struct live_code {
    Elf *elf;
    Dwarf_CFI *frames;
    struct elf_sections sections;
    struct live_piece *pieces;
    size_t piece_count, piece_capacity;
    struct live_slot *slots;
    size_t slot_count, slot_capacity;
    struct live_slot *twice; /* functions of the file that may return twice */
    size_t twice_count, twice_capacity;
    const struct live_piece *last; /* looked up */
    struct {                       /* the last rule */
        uint64_t start, end;
        bool known;
        struct liveness_rule rule;
    } row;
    struct liveness_code code; /* for the analysis */
};

bool live_code_open(struct live_code *out, Elf *elf); /* false: nothing can be said about it */
void live_code_close(struct live_code *code);

#endif
