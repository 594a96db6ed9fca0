#define _GNU_SOURCE
#include "coordinator/worker/program.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mix.h"
#include "coordinator/symbols/elf_symbols.h"
#include "coordinator/text.h"

static const char *path_search(const char *name)
{
    const char *path = getenv("PATH");
    while (path != NULL && *path != 0) {
        size_t length = strcspn(path, ":");
        const char *full = text_print("%.*s/%s", (int)length, path, name);
        if (access(full, X_OK) == 0)
            return full;
        path += length + (path[length] == ':');
    }
    return NULL;
}

const char *program_find(const char *name, struct problem *why)
{
    const char *found = name;
    if (*name == 0) {
        problem_is(why, "the name of the program is empty", NULL, 0);
        return NULL;
    }
    if (access(name, F_OK) != 0 && strchr(name, '/') == NULL)
        found = path_search(name);
    char *full = found == NULL ? NULL : realpath(found, NULL);
    if (full == NULL) {
        problem_is(why, "cannot find the program", name, found == NULL ? ENOENT : errno);
        return NULL;
    }
    const char *kept = text_copy(full, strlen(full));
    free(full);
    return kept;
}

static bool name_ends(const char *name, const char *ending)
{
    size_t length = strlen(name), count = strlen(ending);
    return length > count && strcmp(name + length - count, ending) == 0;
}

bool program_is_cplusplus(const char *name)
{
    return name_ends(name, ".cc") || name_ends(name, ".cpp") || name_ends(name, ".cxx");
}

bool program_is_source(const char *name)
{
    return name_ends(name, ".c") || program_is_cplusplus(name);
}

static const char *machine_name(unsigned machine)
{
    switch (machine) {
    case EM_386:
        return "32-bit x86";
    case EM_AARCH64:
        return "64-bit ARM";
    case EM_ARM:
        return "32-bit ARM";
    case EM_RISCV:
        return "RISC-V";
    case EM_PPC64:
        return "64-bit PowerPC";
    case EM_S390:
        return "S/390";
    case EM_MIPS:
        return "MIPS";
    default:
        return text_print("machine %u", machine);
    }
}

static bool header_check(Elf *elf, const char *path, const char *start, struct problem *why)
{
    GElf_Ehdr header;
    if (elf_kind(elf) != ELF_K_ELF || gelf_getehdr(elf, &header) == NULL)
        return problem_is(
            why,
            memcmp(start, "#!", 2) == 0
                ? "it is a script, not an ELF program: name the program it starts"
                : "it is not an ELF program: build one with bohr cc, or name a source file",
            path, 0);
    if (header.e_machine != EM_X86_64 || gelf_getclass(elf) != ELFCLASS64)
        return problem_is(why,
                          text_print("it is built for %s, and bohr runs x86-64 programs only",
                                     header.e_machine == EM_X86_64
                                         ? "x86-64 with 32-bit pointers"
                                         : machine_name(header.e_machine)),
                          path, 0);
    if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
        return problem_is(why, "it is an ELF file, but not a program: link it first", path, 0);
    return true;
}

static bool segments_check(Elf *elf, const char *path, struct problem *why)
{
    size_t count = 0;
    GElf_Ehdr elf_header;
    if (elf_getphdrnum(elf, &count) != 0 || gelf_getehdr(elf, &elf_header) == NULL ||
        count < elf_header.e_phnum)
        return problem_is(why, "the ELF program is damaged: link it again", path, 0);
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr header;
        if (gelf_getphdr(elf, (int)i, &header) == NULL)
            return problem_is(why, "the ELF program is damaged: link it again", path, 0);
        if (header.p_type == PT_INTERP)
            return true;
    }
    return problem_is(why,
                      "it is statically linked (or a library), so bohr cannot get between it "
                      "and its threads: link it without -static",
                      path, 0);
}

static bool defines(Elf *elf, const char *name)
{
    struct elf_symbols symbols = {0};
    while (elf_symbols_next(&symbols, elf))
        if (strcmp(symbols.name, name) == 0)
            return true;
    return false;
}

static bool elf_check(Elf *elf, const char *path, const char *start, struct problem *why)
{
    if (!header_check(elf, path, start, why) || !segments_check(elf, path, why))
        return false;
    if (defines(elf, "__tsan_init"))
        return problem_is(why, "libtsan is linked into it statically: rebuild with bohr cc", path,
                          0);
    return true;
}

bool program_check(const char *path, struct problem *why)
{
    struct stat about;
    if (stat(path, &about) != 0)
        return problem_is(why, "cannot find the program", path, errno);
    if (S_ISDIR(about.st_mode))
        return problem_is(why, "cannot run the program", path, EISDIR);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return problem_is(why, "cannot read the program", path, errno);
    char start[2] = {0};
    if (pread(fd, start, sizeof start, 0) < 0) {
        close(fd);
        return problem_is(why, "cannot read the program", path, errno);
    }
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    bool fits = elf_check(elf, path, start, why);
    elf_end(elf);
    close(fd);
    if (fits && access(path, X_OK) != 0)
        return problem_is(why, "it is not executable: chmod +x", path, 0);
    return fits;
}

static const char *note_build_id(Elf *elf)
{
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == NULL || header.sh_type != SHT_NOTE)
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        GElf_Nhdr note;
        size_t name, description, at = 0;
        while (data != NULL && (at = gelf_getnote(data, at, &note, &name, &description)) > 0) {
            if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 ||
                memcmp((char *)data->d_buf + name, "GNU", 4) != 0)
                continue;
            char *text = text_room(note.n_descsz * 2 + 1);
            for (size_t i = 0; i < note.n_descsz; i++) {
                uint8_t byte = ((uint8_t *)data->d_buf)[description + i];
                text[2 * i] = "0123456789abcdef"[byte >> 4];
                text[2 * i + 1] = "0123456789abcdef"[byte & 15];
            }
            return text;
        }
    }
    return NULL;
}

static const char *content_id(int fd)
{
    size_t count = 0;
    const char *bytes = text_of_file(fd, &count);
    if (bytes == NULL)
        return NULL;
    uint64_t sum = count;
    for (size_t i = 0; i < count; i++)
        sum = mix(sum, (uint8_t)bytes[i]);
    return text_print("content-%016lx", sum);
}

const char *program_build_id(const char *path, struct problem *why)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        problem_is(why, "cannot read the program", path, errno);
        return NULL;
    }
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    const char *id = elf == NULL ? NULL : note_build_id(elf);
    elf_end(elf);
    if (id == NULL)
        id = content_id(fd);
    if (id == NULL)
        problem_is(why, "cannot read the program", path, errno);
    close(fd);
    return id;
}
