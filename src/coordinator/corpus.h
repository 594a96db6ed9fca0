/* A folder of schedules (--corpus): those that found something and some that showed new classes.
 * They are tried before a search, mended if the program was edited, and what the search finds is
 * added. */
#ifndef COORDINATOR_CORPUS_H
#define COORDINATOR_CORPUS_H

#include "coordinator/heal.h"
#include "core/verdict.h"

struct corpus {
    const char *folder;
    struct recording found[FINDINGS_MAX]; /* what showed, each once */
    uint32_t found_count;
    struct healed last;  /* what there is to know of the program, if anything was run */
    uint32_t tried;      /* schedules */
    uint64_t executions; /* that they took */
    uint32_t unusable;   /* files that could not be read, … */
    const char *why;     /* … the first of them why */
};

/* Stops at the first error, unless the job says to keep going. The folder is made if there is none.
 * false: the machine failed us. */
bool corpus_try(struct corpus *corpus, const char *folder, struct worker_pool *pool,
                struct problem *why);
/* Puts what showed on the board, as if the search had found it. true: that is a reason to stop. */
bool corpus_adopt(const struct corpus *corpus, struct board *board);
/* What was tried, in a sentence; NULL: nothing. */
const char *corpus_text(const struct corpus *corpus);
/* After the search: adds the schedules of its findings, and of some new classes. */
bool corpus_keep(const struct corpus *corpus, struct worker_pool *pool, const struct board *board,
                 const struct verdict *verdict, struct problem *why);

#endif
