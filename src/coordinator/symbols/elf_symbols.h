/* Iterates over the symbols that an ELF file defines. */
#ifndef COORDINATOR_SYMBOLS_ELF_SYMBOLS_H
#define COORDINATOR_SYMBOLS_ELF_SYMBOLS_H

#include <gelf.h>
#include <stdbool.h>

struct elf_symbols { /* an iterator; all zero: before the first symbol */
    Elf_Scn *section;
    GElf_Shdr header;
    Elf_Data *data;
    int next;
    GElf_Sym symbol;  /* the current symbol */
    const char *name; /* name of the current symbol */
};

/* Moves to the next symbol. Returns false if there is none. */
bool elf_symbols_next(struct elf_symbols *symbols, Elf *elf);

#endif
