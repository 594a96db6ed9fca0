#define _GNU_SOURCE
#include "cli/resume.h"

#include <stdlib.h>
#include <string.h>

#include "cli/replace.h"
#include "coordinator/record/result_folder.h"
#include "coordinator/text.h"

static uint32_t count_of(const char **words)
{
    uint32_t count = 0;
    while (words[count] != NULL)
        count++;
    return count;
}

static bool are_same(const char **words, char **others)
{
    uint32_t i = 0;
    for (; words[i] != NULL && others[i] != NULL; i++)
        if (strcmp(words[i], others[i]) != 0)
            return false;
    return words[i] == NULL && others[i] == NULL;
}

/* Joins two lists, without a "--" at the end of the second. */
static const char **joined(const char **words, uint32_t count, char **more, uint32_t more_count)
{
    const char **list = text_room((count + more_count + 1ul) * sizeof *list);
    for (uint32_t i = 0; i < count; i++)
        list[i] = words[i];
    if (more_count > 0 && strcmp(more[more_count - 1], "--") == 0)
        more_count--;
    for (uint32_t i = 0; i < more_count; i++)
        list[count + i] = more[i];
    return list;
}

void resume_begin(struct resumption *out, char **options, uint32_t count, char **program)
{
    *out = (struct resumption){.command.environment = getenv("BOHR_OPTIONS"),
                               .command.options = joined(NULL, 0, options, count),
                               .command.program = (const char **)program};
}

bool resume_parse(struct resumption *out, struct settings *settings, int argc, char **argv,
                  char ***program, struct problem *why)
{
    int first, unused;
    if (!state_open(&out->state, settings->resume, why))
        return false;
    struct state_command *command = &out->state.command;
    uint32_t count = count_of(command->options);
    *settings = settings_default();
    if (!options_parse_text(settings, COMMAND_RUN, command->environment, why) ||
        !options_parse(settings, COMMAND_RUN, (int)count, (char **)command->options, &unused,
                       why) ||
        !options_parse(settings, COMMAND_RESUME, argc, argv, &first, why))
        return false;
    if (argv[first] != NULL && !are_same(command->program, argv + first))
        return problem_is(why, "this state belongs to another program or to other arguments",
                          command->program[0], 0);
    *program = (char **)command->program;
    out->command = *command;
    out->command.options = joined(command->options, count, argv, (uint32_t)first);
    return true;
}

static bool write_state(struct resumption *resumption, const char *path, const struct crew *crew,
                        const struct exploration *so_far)
{
    struct replacement to;
    struct problem *why = &resumption->why;
    if (!replacement_open(&to, path, CANNOT_KEEP, why))
        return false;
    if (!state_write(to.file, &resumption->command, resumption->pool, crew, so_far,
                     resumption->budget->started)) {
        replacement_drop(&to);
        return problem_is(why, "interrupted again, so the state of the search is not kept", path,
                          0);
    }
    return replacement_close(&to, why);
}

static void leave(void *context, const struct crew *crew, const struct exploration *so_far)
{
    struct resumption *resumption = context;
    const struct settings *settings = resumption->settings;
    const char *path = settings->state != NULL ? settings->state : settings->resume;
    if (path == NULL && so_far->stopped != STOP_INTERRUPT)
        return;
    resumption->failed = true;
    if (path == NULL) {
        path = text_print("%s/search.state", settings->output);
        if (!folder_make(settings->output, CANNOT_KEEP, &resumption->why))
            return;
    }
    if (!write_state(resumption, path, crew, so_far))
        return;
    resumption->failed = false;
    resumption->written = path;
}

struct leaving resume_leaving(struct resumption *resumption, struct worker_pool *pool,
                              const struct settings *settings, struct budget *budget)
{
    bool resumes = settings->resume != NULL;
    resumption->pool = pool;
    resumption->settings = settings;
    resumption->budget = budget;
    return (struct leaving){.left = resumes ? &resumption->state.left : NULL,
                            .fallback = resumes ? resumption->state.fallback : NULL,
                            .leave = leave,
                            .context = resumption};
}

void resume_time(const struct resumption *resumption, struct worker_pool *pool,
                 struct budget *budget)
{
    const struct state *state = &resumption->state;
    budget->started = state->started;
    if (budget->time_limit > 0)
        budget->time_limit += state->seconds;
    pool->cpu_seconds += state->cpu_seconds;
    if (pool->peak_bytes < state->peak_bytes)
        pool->peak_bytes = state->peak_bytes;
}
