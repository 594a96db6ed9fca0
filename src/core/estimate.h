/* The work that remains in a search, as far as it is known, in whole numbers: the tested process
 * uses no floating point. Reports turn it into an estimate (report/remaining.c). */
#ifndef CORE_ESTIMATE_H
#define CORE_ESTIMATE_H

#include <stdint.h>

enum { SHARES = 4 };

struct estimate {
    /* GROWING: as SHARES, but some branches of the tree are not yet known when the search passes
     * them. CROWN: as GROWING, with several workers, so that even fewer branches are known. */
    enum { ESTIMATE_NONE, ESTIMATE_SHARES, ESTIMATE_PARTS, ESTIMATE_GROWING, ESTIMATE_CROWN } kind;
    union {
        struct { /* the weighted backtrack estimator (Kilby, Slaney, Thiébaux and Walsh 2006) */
            uint64_t executions;
            uint64_t share; /* share of the tree that `executions` covered, in units of 2^-64 */
            /* [0] now; [1], [2] … when half, a quarter … as many executions had been run */
        } shares[SHARES];
        /* Cluster sampling: the work was divided into parts, some of which are done. */
        struct parts {
            uint32_t left;  /* parts not begun */
            uint32_t begun; /* parts begun and not done: one, or one of each worker */
            uint32_t done;
            uint32_t reserved;
            uint64_t current;      /* executions so far of the parts that are begun */
            uint64_t sum, squares; /* over the sizes of the parts that are done */
        } parts;
    };
};

#endif
