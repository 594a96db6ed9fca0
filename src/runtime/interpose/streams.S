/* The exported functions of streams.def: each lets stream_pass decide when it may go on and jumps
 * to libc's function of the same name, all argument registers as they were. */
    .text

    .set number, 0
    .macro stream name
    .globl \name
    .type \name, @function
    .balign 16
\name:
    .cfi_startproc
    endbr64
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
    movl $number, %r11d
    call stream_entry
    leave
    .cfi_def_cfa %rsp, 8
    jmp *%r11
    .cfi_endproc
    .size \name, . - \name
    .set number, number + 1
    .endm

/* In: r11 the row of the table, our frame of \name. Out: r11 where libc's function is. */
    .type stream_entry, @function
    .balign 16
stream_entry:
    .cfi_startproc
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
    subq $192, %rsp
    movq %rdi, (%rsp)
    movq %rsi, 8(%rsp)
    movq %rdx, 16(%rsp)
    movq %rcx, 24(%rsp)
    movq %r8, 32(%rsp)
    movq %r9, 40(%rsp)
    movq %rax, 48(%rsp)
    movups %xmm0, 64(%rsp)
    movups %xmm1, 80(%rsp)
    movups %xmm2, 96(%rsp)
    movups %xmm3, 112(%rsp)
    movups %xmm4, 128(%rsp)
    movups %xmm5, 144(%rsp)
    movups %xmm6, 160(%rsp)
    movups %xmm7, 176(%rsp)
    movl %r11d, %edi
    movq %rsp, %rsi
    movq (%rbp), %rcx
    movq 8(%rcx), %rdx
    addq $16, %rcx
    call stream_pass
    movq %rax, %r11
    movq (%rsp), %rdi
    movq 8(%rsp), %rsi
    movq 16(%rsp), %rdx
    movq 24(%rsp), %rcx
    movq 32(%rsp), %r8
    movq 40(%rsp), %r9
    movq 48(%rsp), %rax
    movups 64(%rsp), %xmm0
    movups 80(%rsp), %xmm1
    movups 96(%rsp), %xmm2
    movups 112(%rsp), %xmm3
    movups 128(%rsp), %xmm4
    movups 144(%rsp), %xmm5
    movups 160(%rsp), %xmm6
    movups 176(%rsp), %xmm7
/* Values in vector registers are left over from us, and would be in frames of libc's: a state that is
 * watched for must not depend on it. */
    .set slot, 64
    .rept 16
    movq $0, slot(%rsp)
    .set slot, slot + 8
    .endr
    leave
    .cfi_def_cfa %rsp, 8
    ret
    .cfi_endproc
    .size stream_entry, . - stream_entry

#define STREAM(name, where, reads) stream name
#include "streams.def"

    .section .note.GNU-stack, "", @progbits
