/* What a compiler's command line is about to do, as far as it matters to us. */
#ifndef CLI_CC_PLAN_H
#define CLI_CC_PLAN_H

#include <stdbool.h>

struct cc_plan {
    bool has_input; /* without, the compiler is only asked something */
    bool links;
    const char *refused; /* an option that cannot work with our runtime; NULL: none */
};

struct cc_plan cc_plan(int argc, char **argv); /* arguments without the compiler itself */

#endif
