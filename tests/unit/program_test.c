#include "coordinator/worker/program.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/bohr-test-XXXXXX", path[64];

static int open_folder(void **state)
{
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(path, sizeof path, "%s/program", folder);
    return 0;
}

static int close_folder(void **state)
{
    unlink(path);
    return rmdir(folder);
}

static void write_program(const void *bytes, size_t count, int mode)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, (mode_t)mode), 0);
}

static void expect_problem(const char *what)
{
    struct problem why = {""};
    char expected[512];
    assert_false(program_check(path, &why));
    snprintf(expected, sizeof expected, "%s: %s", what, path);
    assert_string_equal(why.text, expected);
}

struct small { /* an ELF file of two headers */
    Elf64_Ehdr header;
    Elf64_Phdr segment;
};

static struct small small_program(void)
{
    struct small small = {
        .header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
                               EV_CURRENT},
                   .e_type = ET_DYN,
                   .e_machine = EM_X86_64,
                   .e_version = EV_CURRENT,
                   .e_phoff = sizeof(Elf64_Ehdr),
                   .e_ehsize = sizeof(Elf64_Ehdr),
                   .e_phentsize = sizeof(Elf64_Phdr),
                   .e_phnum = 1},
        .segment = {.p_type = PT_INTERP},
    };
    return small;
}

static void a_dynamic_program_is_right(void **state)
{
    struct problem why = {""};
    struct small small = small_program();
    write_program(&small, sizeof small, 0755);
    assert_true(program_check(path, &why));
    const char *id = program_build_id(path, &why);
    assert_non_null(id);
    assert_memory_equal(id, "content-", 8);
    small.header.e_entry = 1;
    write_program(&small, sizeof small, 0755);
    assert_string_not_equal(program_build_id(path, &why), id);
}

static void what_cannot_be_run_is_one_sentence(void **state)
{
    struct problem why;
    unlink(path);
    assert_false(program_check(path, &why));
    assert_non_null(strstr(why.text, "there is no such file"));
    assert_null(program_find(path, &why));
    assert_non_null(strstr(why.text, "cannot find the program"));
    assert_false(program_check(folder, &why));
    assert_non_null(strstr(why.text, "it is a folder"));
    struct small small = small_program();
    write_program(&small, sizeof small, 0644);
    expect_problem("it is not executable: chmod +x");
    write_program("", 0, 0755);
    expect_problem("it is not an ELF program: build one with bohr cc, or name a source file");
    write_program("hello", 5, 0755);
    expect_problem("it is not an ELF program: build one with bohr cc, or name a source file");
    write_program("#!/bin/sh\n", 10, 0755);
    expect_problem("it is a script, not an ELF program: name the program it starts");
}

static void other_machines_are_named(void **state)
{
    struct small small = small_program();
    small.header.e_machine = EM_AARCH64;
    write_program(&small, sizeof small, 0755);
    expect_problem("it is built for 64-bit ARM, and bohr runs x86-64 programs only");
    small.header.e_machine = EM_RISCV;
    write_program(&small, sizeof small, 0755);
    expect_problem("it is built for RISC-V, and bohr runs x86-64 programs only");
}

static void objects_and_static_programs_are_refused(void **state)
{
    struct small small = small_program();
    small.header.e_type = ET_REL;
    write_program(&small, sizeof small, 0755);
    expect_problem("it is an ELF file, but not a program: link it first");
    small = small_program();
    small.segment.p_type = PT_LOAD;
    write_program(&small, sizeof small, 0755);
    expect_problem("it is statically linked (or a library), so bohr cannot get between it and its "
                   "threads: link it without -static");
    small = small_program();
    write_program(&small, sizeof small.header, 0755);
    expect_problem("the ELF program is damaged: link it again");
}

static void a_libtsan_inside_is_refused(void **state)
{
    struct {
        struct small small;
        char names[16];
        Elf64_Sym symbols[2];
        Elf64_Shdr sections[3];
    } program = {.small = small_program(), .names = "\0__tsan_init"};
    program.symbols[1] = (Elf64_Sym){.st_name = 1, .st_shndx = 1};
    program.sections[1] =
        (Elf64_Shdr){.sh_type = SHT_STRTAB,
                     .sh_size = sizeof program.names,
                     .sh_offset = (size_t)((char *)program.names - (char *)&program)};
    program.sections[2] =
        (Elf64_Shdr){.sh_type = SHT_SYMTAB,
                     .sh_size = sizeof program.symbols,
                     .sh_link = 1,
                     .sh_entsize = sizeof(Elf64_Sym),
                     .sh_offset = (size_t)((char *)program.symbols - (char *)&program)};
    program.small.header.e_shoff = (size_t)((char *)program.sections - (char *)&program);
    program.small.header.e_shentsize = sizeof(Elf64_Shdr);
    program.small.header.e_shnum = 3;
    program.small.header.e_shstrndx = 1;
    write_program(&program, sizeof program, 0755);
    expect_problem("libtsan is linked into it statically: rebuild with bohr cc");
    struct problem why;
    program.symbols[1].st_shndx = SHN_UNDEF; /* only called: that is how it should be */
    write_program(&program, sizeof program, 0755);
    assert_true(program_check(path, &why));
}

static void sources_are_known_by_name(void **state)
{
    assert_true(program_is_source("a.c") && program_is_source("b/a.cc"));
    assert_true(program_is_source("a.cpp") && program_is_source("a.cxx"));
    assert_true(program_is_cplusplus("a.cc"));
    assert_false(program_is_cplusplus("a.c"));
    assert_false(program_is_source("a.out"));
    assert_false(program_is_source(".c"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dynamic_program_is_right),
        cmocka_unit_test(what_cannot_be_run_is_one_sentence),
        cmocka_unit_test(other_machines_are_named),
        cmocka_unit_test(objects_and_static_programs_are_refused),
        cmocka_unit_test(a_libtsan_inside_is_refused),
        cmocka_unit_test(sources_are_known_by_name),
    };
    return cmocka_run_group_tests(tests, open_folder, close_folder);
}
