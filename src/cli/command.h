/* The commands of the tool: arguments in, exit status out. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "base/problem.h"

enum { EXIT_CLEAN = 0, EXIT_FOUND = 1, EXIT_WRONG = 2, EXIT_REFUSED = 3 };

/* argv[0] is the command's own name. */
#define COMMAND(function, name, usage, summary) int command_##function(int argc, char **argv);
#include "cli/commands.def"
#undef COMMAND
int command_as(int argc, char **argv);  /* the assembler step of cc: lib/bohr/as */
int command_gdb(int argc, char **argv); /* bohr-gdb: replay --gdb, with the arguments of gdb */

/* prints the problem on standard error; returns EXIT_WRONG */
int complain(const struct problem *why);

#endif
