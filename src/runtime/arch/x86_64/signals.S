/* Returning from signals, and reading memory that may not be there. */
    .text

    .set RT_SIGRETURN, 15

    .balign 16
    nop /* an unwinder looks for the function of the byte before: here is none */
    .globl signal_return
    .hidden signal_return
    .type signal_return, @function
signal_return:
    movq $RT_SIGRETURN, %rax /* unwinders know these bytes */
    syscall
    .size signal_return, . - signal_return

/* _Noreturn void signal_leave(void *frame) */
    .globl signal_leave
    .hidden signal_leave
    .type signal_leave, @function
signal_leave:
    movq %rdi, %rsp
    movl $RT_SIGRETURN, %eax
    syscall
    .size signal_leave, . - signal_leave

/* bool memory_probe(const void *at): false where its first instruction fails. */
    .globl memory_probe, memory_probe_fails
    .hidden memory_probe, memory_probe_fails
    .type memory_probe, @function
memory_probe:
    movb (%rdi), %al
    movl $1, %eax
    ret
memory_probe_fails:
    xorl %eax, %eax
    ret
    .size memory_probe, . - memory_probe

    .section .note.GNU-stack, "", @progbits
