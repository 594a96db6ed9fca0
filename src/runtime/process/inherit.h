/* Pipes that a child inherits, in the order in which it is done. */
#ifndef RUNTIME_PROCESS_INHERIT_H
#define RUNTIME_PROCESS_INHERIT_H

#include <stdbool.h>
#include <stdint.h>

bool inherit_cannot(void); /* files other than ends of pipes are open */
bool inherit_cannot_over_exec(
    void); /* some cannot pass to a program over exec, which leaves them open */
void inherit_open(const char *call, uintptr_t site);
void inherit_in_child(void);
void inherit_lend(void); /* where libc makes the child: its descriptors, for that moment */
void inherit_take_back(void);
void inherit_in_parent(void);
bool inherit_bridges(void); /* the child may write to the program */
bool inherit_drain(void);   /* takes what the child has written; true: it writes no more */
void inherit_close(void);

#endif
