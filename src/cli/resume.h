/* A search that was left goes on (--resume), and where one is kept that is left now: the file of
 * --state, that of --resume, or, if the user interrupts it, search.state beside the replay files.
 */
#ifndef CLI_RESUME_H
#define CLI_RESUME_H

#include "cli/options.h"
#include "coordinator/state.h"

#define CANNOT_KEEP "cannot keep the state of the search"

struct resumption {
    struct state state;           /* to go on from, if settings->resume */
    struct state_command command; /* what the search was begun with */
    const struct settings *settings;
    struct worker_pool *pool;
    struct budget *budget;
    const char *written; /* the state of this search; NULL: none was */
    bool failed;         /* … since it cannot be: */
    struct problem why;
};

/* The options are those with which the search was begun, and of the new ones those that may change.
 * Leaves the program and its arguments, ended by NULL. */
bool resume_parse(struct resumption *out, struct settings *settings, int argc, char **argv,
                  char ***program, struct problem *why);
/* Notes what a search is begun with that may be left. */
void resume_begin(struct resumption *out, char **options, uint32_t count, char **program);
/* For explore: keeps the search. */
struct leaving resume_leaving(struct resumption *resumption, struct worker_pool *pool,
                              const struct settings *settings, struct budget *budget);
/* After the boards were filled: time counts on, but for its limit. */
void resume_time(const struct resumption *resumption, struct worker_pool *pool,
                 struct budget *budget);

#endif
