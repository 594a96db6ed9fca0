/* Shortens names of C++ functions, which can be longer than a sentence. */
#ifndef COORDINATOR_SYMBOLS_FUNCTION_NAME_H
#define COORDINATOR_SYMBOLS_FUNCTION_NAME_H

#include <stddef.h>

/* A name of more than `most` characters without return type and parameters and, if that is not
 * enough, without template arguments: "main::{lambda(int)#3}::operator()", "vector::at". */
const char *function_name_short(const char *name, size_t most);

#endif
