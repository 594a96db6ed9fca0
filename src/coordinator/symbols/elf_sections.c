#include "coordinator/symbols/elf_sections.h"

#include <string.h>

static bool begins(const char *name, const char *with)
{
    return name != NULL && strncmp(name, with, strlen(with)) == 0;
}

void elf_sections_read(struct elf_sections *out, Elf *elf)
{
    size_t names = 0;
    out->count = 0;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return;
    for (Elf_Scn *at = NULL;
         (at = elf_nextscn(elf, at)) != NULL && out->count < ELF_SECTIONS_MAX;) {
        GElf_Shdr header;
        if (gelf_getshdr(at, &header) == NULL || !(header.sh_flags & SHF_ALLOC))
            continue;
        const char *name = elf_strptr(elf, names, header.sh_name);
        Elf_Data *data = header.sh_type == SHT_NOBITS ? NULL : elf_rawdata(at, NULL);
        bool whole = data != NULL && data->d_size >= header.sh_size;
        out->all[out->count++] = (struct elf_section){
            .start = header.sh_addr,
            .end = header.sh_addr + header.sh_size,
            .bytes = whole ? data->d_buf : NULL,
            .writable = header.sh_flags & SHF_WRITE,
            .executable = header.sh_flags & SHF_EXECINSTR,
            .stubs = begins(name, ".plt"),
            .addresses = begins(name, ".got"),
        };
    }
}

const struct elf_section *elf_section_at(const struct elf_sections *sections, uint64_t address)
{
    for (size_t i = 0; i < sections->count; i++)
        if (address - sections->all[i].start < sections->all[i].end - sections->all[i].start)
            return &sections->all[i];
    return NULL;
}

static bool next_table(struct elf_relocations *relocations, Elf *elf)
{
    while ((relocations->section = elf_nextscn(elf, relocations->section)) != NULL) {
        const GElf_Shdr *header = gelf_getshdr(relocations->section, &relocations->header);
        if (header == NULL || header->sh_type != SHT_RELA || !(header->sh_flags & SHF_ALLOC))
            continue;
        Elf_Scn *symbols = elf_getscn(elf, header->sh_link);
        relocations->data = elf_getdata(relocations->section, NULL);
        relocations->symbols = symbols == NULL ? NULL : elf_getdata(symbols, NULL);
        relocations->next = 0;
        if (relocations->data != NULL && relocations->symbols != NULL &&
            gelf_getshdr(symbols, &relocations->symbols_header) != NULL)
            return true;
        relocations->data = NULL;
    }
    return false;
}

bool elf_relocations_next(struct elf_relocations *relocations, Elf *elf)
{
    while (relocations->data != NULL || next_table(relocations, elf)) {
        while (relocations->next < (int)(relocations->header.sh_size / sizeof(Elf64_Rela))) {
            GElf_Rela entry;
            GElf_Sym symbol;
            if (gelf_getrela(relocations->data, relocations->next++, &entry) == NULL ||
                GELF_R_SYM(entry.r_info) == 0 ||
                gelf_getsym(relocations->symbols, (int)GELF_R_SYM(entry.r_info), &symbol) == NULL)
                continue;
            relocations->address = entry.r_offset;
            relocations->name =
                elf_strptr(elf, relocations->symbols_header.sh_link, symbol.st_name);
            if (relocations->name != NULL)
                return true;
        }
        relocations->data = NULL;
    }
    return false;
}
