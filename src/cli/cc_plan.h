/* The parts of a compiler's command line that matter to `bohr cc`. */
#ifndef CLI_CC_PLAN_H
#define CLI_CC_PLAN_H

#include <stdbool.h>

struct cc_plan {
    bool has_input; /* false: the compiler is only asked something */
    bool links;
    const char *refused; /* an option that cannot work with the runtime; NULL: none */
};

struct cc_plan cc_plan(int argc, char **argv); /* arguments without the compiler itself */

#endif
