#include "cli/asm_scan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static bool touches(const char *line)
{
    return asm_line_touches(line, strlen(line));
}

static void accesses_are_recognised(void **state)
{
    static const char *const lines[] = {
        "\tmovq (%rdi), %rax",
        "\tmovq %rax, 8(%rdi,%rcx,4)",
        "\tmovl n(%rip), %eax",
        "\tmovl %eax, counter",
        "\txchgl %eax, (%rcx)",
        "\tlock; incl (%rdi)",
        "\tlock incl counter(%rip)",
        "1:\tlock cmpxchgq %rdx, (%rdi)",
        "\tmov eax, [rdi]",
        "\tmov DWORD PTR [rdi+4], 1",
        "\trep movsb",
        "\trep; stosq",
        "\tsyscall",
        "\tint $0x80",
        "\tpause; movl (%rdi), %eax",
        "\tmovl %fs:(%rax), %edx",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (!touches(lines[i]))
            fail_msg("not recognised: %s", lines[i]);
}

static void other_lines_are_not(void **state)
{
    static const char *const lines[] = {
        "",
        "\tpause",
        "\tmfence",
        "\tnop",
        "\tnopw 0(%rax,%rax,1)",
        "\tcpuid",
        "\trdtsc",
        "\tmovq %rax, %rbx",
        "\tmovl $1, %eax",
        "\tmov eax, 1",
        "\tleaq 8(%rdi), %rax",
        "\tstmxcsr -12(%rbp)",
        "\tlock; addl $0, 0(%rsp)",
        "\tjmp 1b",
        "\tcall helper",
        "\tprefetcht0 (%rdi)",
        "\t.symver f, f@@V1",
        "\t.quad counter",
        "# movl (%rdi), %eax",
        "\tnop # movl (%rdi), %eax",
        "label:",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (touches(lines[i]))
            fail_msg("taken for an access: %s", lines[i]);
}

static void only_inline_assembler_of_a_compiler_counts(void **state)
{
    struct asm_scan scan = {0};
    static const char line[] = "\tmovl (%rdi), %eax";
    assert_false(asm_scan_line(&scan, line, strlen(line)));
    assert_false(asm_scan_line(&scan, "#APP", 4));
    assert_true(asm_scan_line(&scan, line, strlen(line)));
    assert_false(asm_scan_line(&scan, "#NO_APP", 7));
    assert_false(asm_scan_line(&scan, line, strlen(line)));
    scan.whole = true;
    assert_true(asm_scan_line(&scan, line, strlen(line)));
    assert_true(asm_is_compiled("\tcall\t__tsan_init\n"));
    assert_true(asm_is_compiled("\t.ident\t\"GCC\"\n"));
    assert_false(asm_is_compiled("add:\n\tret\n"));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(accesses_are_recognised),
        cmocka_unit_test(other_lines_are_not),
        cmocka_unit_test(only_inline_assembler_of_a_compiler_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
