/* What a search knows about how much it has still to run, as whole numbers: no floating point
 * inside the tested process. Reports make an estimate of it. */
#ifndef CORE_ESTIMATE_H
#define CORE_ESTIMATE_H

#include <stdint.h>

enum { SHARES = 4 };

struct estimate {
    /* GROWING: the same as SHARES, of a tree of which not all branches are known when they are
     * passed. CROWN: of such a tree when several search it: even fewer are known. */
    enum { ESTIMATE_NONE, ESTIMATE_SHARES, ESTIMATE_PARTS, ESTIMATE_GROWING, ESTIMATE_CROWN } kind;
    union {
        struct { /* the weighted backtrack estimator (Kilby, Slaney, Thiébaux and Walsh 2006) */
            uint64_t executions;
            uint64_t share; /* of the tree that they took, in units of 2^-64 */
        } shares[SHARES];   /* now, and when half, a quarter … as many had been run */
        /* Cluster sampling: the work was divided into parts, some of which are done. */
        struct parts {
            uint32_t left;  /* not begun */
            uint32_t begun; /* and not done: one, or one of each worker */
            uint32_t done;
            uint32_t reserved;
            uint64_t current;      /* executions of those begun */
            uint64_t sum, squares; /* of the sizes of those that are done */
        } parts;
    };
};

#endif
