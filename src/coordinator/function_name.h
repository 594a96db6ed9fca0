/* Names of C++ functions, which say more than a sentence can hold. */
#ifndef COORDINATOR_FUNCTION_NAME_H
#define COORDINATOR_FUNCTION_NAME_H

#include <stddef.h>

/* A name of more than `most` characters without what the function takes and returns and, if that is
 * not enough, without template arguments: "main::{lambda(int)#3}::operator()", "vector::at". */
const char *function_name_short(const char *name, size_t most);

#endif
