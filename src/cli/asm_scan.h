/* Finds the lines of a compiler's assembly that are inline assembler which accesses memory. */
#ifndef CLI_ASM_SCAN_H
#define CLI_ASM_SCAN_H

#include <stdbool.h>
#include <stddef.h>

/* Whether one line, without its end, accesses memory. Accesses relative to the stack pointer or the
 * frame pointer do not count: such memory is the thread's own. A system call counts: its accesses
 * are not seen. */
bool asm_line_touches(const char *line, size_t length);

struct asm_scan { /* state of a scan; all zero: before the first line */
    bool inside;  /* between the compiler's marks of inline assembler */
    bool whole;   /* no compiler wrote the file: every line counts */
};

bool asm_is_compiled(const char *text); /* whether a compiler wrote the text */
/* Scans the next line. Returns whether it is inline assembler that accesses memory. */
bool asm_scan_line(struct asm_scan *scan, const char *line, size_t length);

#endif
