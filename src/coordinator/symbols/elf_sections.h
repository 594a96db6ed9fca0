/* Sections of an ELF file that the loader maps, and where it puts addresses of symbols. */
#ifndef COORDINATOR_SYMBOLS_ELF_SECTIONS_H
#define COORDINATOR_SYMBOLS_ELF_SECTIONS_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>

enum { ELF_SECTIONS_MAX = 256 };

struct elf_sections {
    size_t count;
    struct elf_section {
        uint64_t start, end;
        const uint8_t *bytes; /* NULL: zeros */
        bool writable, executable;
        bool stubs;     /* the section holds stubs that jump to functions of other files (.plt) */
        bool addresses; /* the section holds addresses that the loader fills in (.got) */
    } all[ELF_SECTIONS_MAX];
};

void elf_sections_read(struct elf_sections *out, Elf *elf);
/* NULL: no section covers the address. */
const struct elf_section *elf_section_at(const struct elf_sections *sections, uint64_t address);

struct elf_relocations { /* an iterator; all zero: before the first relocation */
    Elf_Scn *section;
    GElf_Shdr header, symbols_header;
    Elf_Data *data, *symbols;
    int next;
    uint64_t address; /* where the loader puts the address of a symbol */
    const char *name; /* name of that symbol */
};

/* Moves to the next relocation that names a symbol. Returns false if there is none. */
bool elf_relocations_next(struct elf_relocations *relocations, Elf *elf);

#endif
