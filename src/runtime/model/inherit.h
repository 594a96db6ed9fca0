/* Pipes that a child of fork inherits, in the order in which it is done. */
#ifndef RUNTIME_MODEL_INHERIT_H
#define RUNTIME_MODEL_INHERIT_H

#include "runtime/model/file.h"

bool inherit_cannot(void);       /* files other than ends of pipes are open */
void inherit_open(uintptr_t site);
void inherit_in_child(void);
void inherit_in_parent(void);
bool inherit_drain(void);        /* takes what the child has written; true: it writes no more */
void inherit_close(void);

#endif
