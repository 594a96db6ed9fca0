/* Switching between stacks: what a called function must preserve, and the TLS base. */
    .text

    .macro leave_stack /* and keep where it is in (%rdi) */
    pushq %rbp
    .cfi_adjust_cfa_offset 8
    pushq %rbx
    .cfi_adjust_cfa_offset 8
    pushq %r12
    .cfi_adjust_cfa_offset 8
    pushq %r13
    .cfi_adjust_cfa_offset 8
    pushq %r14
    .cfi_adjust_cfa_offset 8
    pushq %r15
    .cfi_adjust_cfa_offset 8
    subq $8, %rsp
    .cfi_adjust_cfa_offset 8
    stmxcsr (%rsp)
    fnstcw 4(%rsp)
    movq %rsp, (%rdi)
    .endm

    .macro enter_stack
    ldmxcsr (%rsp)
    fldcw 4(%rsp)
    addq $8, %rsp
    .cfi_adjust_cfa_offset -8
    popq %r15
    .cfi_adjust_cfa_offset -8
    popq %r14
    .cfi_adjust_cfa_offset -8
    popq %r13
    .cfi_adjust_cfa_offset -8
    popq %r12
    .cfi_adjust_cfa_offset -8
    popq %rbx
    .cfi_adjust_cfa_offset -8
    popq %rbp
    .cfi_adjust_cfa_offset -8
    .endm

/* void fiber_switch(void **save_sp, void *sp, uintptr_t fs): 0: the TLS stays the same, since
 * to set it takes longest */
    .globl fiber_switch
    .hidden fiber_switch
    .type fiber_switch, @function
fiber_switch:
    .cfi_startproc
    leave_stack
    movq %rsi, %rsp
    testq %rdx, %rdx
    jz 1f
    wrfsbase %rdx
1:  enter_stack
    ret
    .cfi_endproc
    .size fiber_switch, . - fiber_switch

/* void fiber_enter(void **save_sp, void *sp, uintptr_t fs): the same, to a place that is usually another one: to
 * return there would be guessed wrong */
    .globl fiber_enter
    .hidden fiber_enter
    .type fiber_enter, @function
fiber_enter:
    .cfi_startproc
    leave_stack
    movq %rsi, %rsp
    movq %rdx, %rsi
enter:
    testq %rsi, %rsi
    jz 1f
    wrfsbase %rsi
1:  enter_stack
    popq %rcx
    .cfi_adjust_cfa_offset -8
    jmp *%rcx
    .cfi_endproc
    .size fiber_enter, . - fiber_enter

/* _Noreturn void fiber_go(void *sp, uintptr_t fs): the same, and nobody comes back */
    .globl fiber_go
    .hidden fiber_go
    .type fiber_go, @function
fiber_go:
    .cfi_startproc
    .cfi_undefined rip
    movq %rdi, %rsp
    jmp enter
    .cfi_endproc
    .size fiber_go, . - fiber_go

/* The first frame of every fiber: r12 holds the function to call. Unwinding ends here: the return
 * address is undefined. */
    .globl fiber_begin
    .hidden fiber_begin
    .type fiber_begin, @function
fiber_begin:
    .cfi_startproc
    .cfi_undefined rip
    xorl %ebp, %ebp
    call *%r12
    ud2
    .cfi_endproc
    .size fiber_begin, . - fiber_begin

/* _Noreturn void fiber_leave(uint32_t *left): the kernel thread that runs this ends, but libc is not
 * told: its TLS, TCB and pthread_t stay valid for a fiber. The kernel sets *left to 0 and wakes the thread
 * that waits there. 218 is set_tid_address, 273 set_robust_list, 60 exit. */
    .globl fiber_leave
    .hidden fiber_leave
    .type fiber_leave, @function
fiber_leave:
    .cfi_startproc
    movl $218, %eax
    syscall
    movl $273, %eax
    xorl %edi, %edi
    movl $24, %esi
    syscall
    movl $60, %eax
    xorl %edi, %edi
    syscall
    ud2
    .cfi_endproc
    .size fiber_leave, . - fiber_leave

/* long fiber_clone(unsigned long flags, void *stack, void (*function)(void)): a bare kernel thread
 * without libc; the function must not return. 56 is clone. */
    .globl fiber_clone
    .hidden fiber_clone
    .type fiber_clone, @function
fiber_clone:
    .cfi_startproc
    movq %rdx, %r9
    xorl %edx, %edx
    xorl %r10d, %r10d
    xorl %r8d, %r8d
    movl $56, %eax
    syscall
    testq %rax, %rax
    jz 1f
    ret
1:  xorl %ebp, %ebp
    call *%r9
    ud2
    .cfi_endproc
    .size fiber_clone, . - fiber_clone

/* void stack_wipe(void): the 640 bytes below. Choosing and recording a step takes up to some 600 of them. */
    .globl stack_wipe
    .hidden stack_wipe
    .type stack_wipe, @function
stack_wipe:
    .cfi_startproc
    pxor %xmm0, %xmm0
    .set at, -640
    .rept 40
    movups %xmm0, at(%rsp)
    .set at, at + 16
    .endr
    ret
    .cfi_endproc
    .size stack_wipe, . - stack_wipe

/* How functions return that a thread may come back to from a switch (RETURNS_BY_JUMP): the processor keeps the
 * return addresses of the last calls of all threads, and would guess wrong at each `ret` up to the program's code.
 * Where a jump goes it guesses by what was done before, and so only the first one is wrong. */
    .globl __x86_return_thunk
    .hidden __x86_return_thunk
    .type __x86_return_thunk, @function
__x86_return_thunk:
    .cfi_startproc
    addq $8, %rsp
    .cfi_adjust_cfa_offset -8
    jmp *-8(%rsp)
    .cfi_endproc
    .size __x86_return_thunk, . - __x86_return_thunk

    .section .note.GNU-stack, "", @progbits
