/* Continues a search that was left (--resume), and keeps one that is left now. It is kept in the
 * file of --state, in that of --resume, or, if the user interrupts the search, in search.state
 * beside the replay files. */
#ifndef CLI_RESUME_H
#define CLI_RESUME_H

#include "cli/settings.h"
#include "coordinator/search/saved_search.h"

#define CANNOT_KEEP "cannot keep the state of the search"

struct resumption {
    struct state state;           /* the search to continue, if settings->resume is set */
    struct state_command command; /* the command that began the search */
    const struct settings *settings;
    struct worker_pool *pool;
    struct budget *budget;
    const char *written; /* file with the state of this search; NULL: none was written */
    bool failed;         /* the state should have been written and could not be; `why` says why */
    struct problem why;
};

/* Takes the options with which the search was begun, and those of the new options that may change.
 * Stores the program and its arguments, ended by NULL, in *program. */
bool resume_parse(struct resumption *out, struct settings *settings, int argc, char **argv,
                  char ***program, struct problem *why);
/* Notes the command that begins a search, which may be left later. */
void resume_begin(struct resumption *out, char **options, uint32_t count, char **program);
/* For explore(): keeps the search if it is left. */
struct leaving resume_leaving(struct resumption *resumption, struct worker_pool *pool,
                              const struct settings *settings, struct budget *budget);
/* To be called after the boards were filled. Time counts on from the earlier parts; the time limit
 * is for this part alone. */
void resume_time(const struct resumption *resumption, struct worker_pool *pool,
                 struct budget *budget);

#endif
