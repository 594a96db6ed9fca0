/* Which lines of a compiler's assembly are inline assembler that accesses memory. */
#ifndef CLI_ASM_SCAN_H
#define CLI_ASM_SCAN_H

#include <stdbool.h>
#include <stddef.h>

/* One line, without its end. Accesses relative to the stack pointer or the frame pointer do not
 * count: such memory is the thread's own. A system call counts: nobody sees it. */
bool asm_line_touches(const char *line, size_t length);

struct asm_scan { /* where a scan is; zeros: before the first line */
    bool inside;  /* between the compiler's marks of inline assembler */
    bool whole;   /* no compiler wrote the file: every line counts */
};

bool asm_is_compiled(const char *text); /* a compiler wrote it */
/* The next line: whether it is inline assembler that accesses memory. */
bool asm_scan_line(struct asm_scan *scan, const char *line, size_t length);

#endif
