/* A folder of schedules (--corpus): those that found something and some that showed new classes.
 * They are tried before a search, and adapted if the program was edited. Afterwards the search adds
 * the schedules of its own findings. */
#ifndef COORDINATOR_MINIMISE_CORPUS_H
#define COORDINATOR_MINIMISE_CORPUS_H

#include "coordinator/minimise/heal.h"
#include "core/verdict.h"

struct corpus {
    const char *folder;
    struct recording found[FINDINGS_MAX]; /* findings that the schedules showed, each once */
    uint32_t found_count;
    struct healed last;  /* facts about the program from the last schedule that was run */
    uint32_t tried;      /* schedules that were tried */
    uint64_t executions; /* executions that all these schedules took */
    uint32_t unusable;   /* files that could not be used */
    const char *why;     /* why the first of the unusable files could not be used */
};

/* Tries all schedules. Stops at the first error, unless the job says to keep going. Makes the
 * folder if there is none. Returns false on an internal error. */
bool corpus_try(struct corpus *corpus, const char *folder, struct worker_pool *pool,
                struct problem *why);
/* Puts the findings on the board, as if the search had found them. Returns true if the search need
 * not run. */
bool corpus_adopt(const struct corpus *corpus, struct board *board);
/* A sentence about the schedules that were tried; NULL: none was. */
const char *corpus_text(const struct corpus *corpus);
/* After the search: adds the schedules of its findings, and of some new classes. */
bool corpus_keep(const struct corpus *corpus, struct worker_pool *pool, const struct board *board,
                 const struct verdict *verdict, struct problem *why);

#endif
