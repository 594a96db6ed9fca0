/* The user's request: a program, its arguments and input, and how to search. */
#ifndef COORDINATOR_WORKER_JOB_H
#define COORDINATOR_WORKER_JOB_H

#include "core/glance.h"

struct job {
    const char *name;    /* the program as the user wrote it */
    const char *program; /* absolute path of the program */
    /* source file that the program was built from, as written; NULL: the user gave a built
     * program */
    const char *source;
    const char *build_id;
    char **arguments; /* argv, with the name, ended by NULL */
    struct options options;
    const char *library; /* folder of the runtime library */
    const char *output;  /* --output */
    uint32_t workers;    /* workers that share the search */
    bool shrink;         /* report schedules that are simpler than those found */
    bool explain;        /* find out which orders of steps make an execution fail */
    double time_limit;   /* seconds; 0: none */
    double hang_seconds;
    const char **fresh_paths; /* --fresh, as written, ended by NULL; or NULL */
    int fresh; /* descriptor of the image of files to put back; used if options.fresh_size > 0 */
    int input; /* descriptor of the program's standard input: a seekable file */
    void (*tick)(void *context, const struct glance *now,
                 double seconds); /* called a few times a second; or NULL */
    void *context;
};

#endif
