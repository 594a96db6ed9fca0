#define _GNU_SOURCE
#include "cli/prepare.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/input.h"
#include "cli/runtime_library.h"
#include "coordinator/symbols/named.h"
#include "coordinator/symbols/trust.h"
#include "coordinator/worker/program.h"

bool prepare(struct job *job, struct built *built, struct problem *why)
{
    if (program_is_source(job->name)) {
        if (!build_source(built, job->name, why))
            return false;
        job->source = job->name;
    }
    job->program = program_find(built->program != NULL ? built->program : job->name, why);
    if (job->program == NULL || !program_check(job->program, why))
        return false;
    if (!named_find(&job->options.hierarchy, job->program, why) ||
        !trust_find(&job->options.trust, job->program, why))
        return false;
    job->build_id = program_build_id(job->program, why);
    job->library = library_folder(why);
    if (job->build_id == NULL || job->library == NULL)
        return false;
    struct input input;
    if (!input_read(&input, why))
        return false;
    job->input = input.fd;
    job->options.has_input = !input.empty;
    return true;
}

/* Builds a program again that was built from a source file, in the same folder. */
static bool rebuild(const struct recording *recording, struct built *built, struct problem *why)
{
    char *here = getcwd(NULL, 0);
    if (here == NULL || chdir(recording->directory) != 0) {
        free(here);
        return problem_is(why, "cannot go to the folder of the recorded search",
                          recording->directory, errno);
    }
    bool good = build_source(built, recording->source, why);
    if (chdir(here) != 0)
        good = problem_is(why, "cannot go back to the folder", here, errno);
    free(here);
    return good;
}

bool prepare_replay(struct job *job, const struct recording *recording, struct built *built,
                    struct problem *why)
{
    if (recording->source != NULL && !rebuild(recording, built, why))
        return false;
    job->program = built->program != NULL ? built->program : recording->program;
    if (!program_check(job->program, why))
        return false;
    job->build_id = program_build_id(job->program, why);
    if (job->build_id == NULL)
        return false;
    if (!trust_find(&job->options.trust, job->program, why))
        return false;
    job->library = library_folder(why);
    struct input input;
    if (job->library == NULL ||
        !input_of_bytes(&input, recording->input, recording->input_size, why))
        return false;
    job->input = input.fd;
    job->options.has_input = !input.empty;
    return true;
}
