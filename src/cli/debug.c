/* Hands the board and a description of the steps to gdb, through descriptors. The rest is in
 * src/gdb/commands.py. */
#define _GNU_SOURCE
#include "cli/debug.h"

#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/assert.h"
#include "cli/command.h"
#include "cli/settings.h"
#include "coordinator/text.h"

enum { INPUT_BELOW = 4, PLAN_BELOW = 5, CANNOT_START = 127 };

static void put(json_t *object, const char *name, json_t *value)
{
    CHECK(json_object_set_new(object, name, value) == 0);
}

static json_t *text_or_null(const char *text)
{
    json_t *value = text == NULL ? NULL : json_string(text);
    return value != NULL ? value : json_null(); /* the text is not UTF-8 */
}

static json_t *step_json(const struct story_step *step)
{
    json_t *object = json_object();
    put(object, "thread", json_integer(step->thread));
    put(object, "operation", json_string(op_word(step->kind)));
    put(object, "object", text_or_null(step->object));
    put(object, "preempts", json_boolean(step->preempts));
    put(object, "function", text_or_null(step->at.function));
    put(object, "file", text_or_null(step->at.file));
    put(object, "line", json_integer(step->at.line));
    return object;
}

/* The preemptions that matter; if none is known, all. */
static json_t *preemptions_json(const struct reported *told)
{
    json_t *array = json_array();
    const struct explanation *known = &told->explanation;
    for (uint32_t i = 0; i < known->preemption_count; i++)
        CHECK(json_array_append_new(array, json_integer(known->preemptions[i])) == 0);
    for (uint32_t i = 0; known->preemption_count == 0 && i < told->step_count; i++)
        if (told->steps[i].preempts)
            CHECK(json_array_append_new(array, json_integer(i)) == 0);
    return array;
}

/* The step to stop at if no thread is preempted: the last one, where it goes wrong. */
static uint32_t last_step(const struct reported *told)
{
    return told->step_count == 0 ? 0 : told->step_count - 1;
}

static json_t *why_json(const struct reported *told)
{
    json_t *array = json_array();
    const char *lines[] = {told->why, told->cause};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (lines[i] != NULL)
            CHECK(json_array_append_new(array, text_or_null(lines[i])) == 0);
    for (uint32_t i = 0; i < told->explanation.order_count; i++)
        CHECK(json_array_append_new(array, text_or_null(told->explanation.orders[i].text)) == 0);
    return array;
}

static json_t *environment_json(const struct job *job)
{
    json_t *object = json_object();
    for (char **variable = worker_environment(job); *variable != NULL; variable++) {
        const char *equals = strchr(*variable, '=');
        CHECK(equals != NULL);
        put(object, text_copy(*variable, (size_t)(equals - *variable)), text_or_null(equals + 1));
    }
    return object;
}

/* Whether a person uses gdb. A front end drives gdb through its machine interface. */
static bool is_for_people(char **arguments)
{
    for (; *arguments != NULL; arguments++)
        if (strncmp(*arguments, "--interpreter", 13) == 0 || strncmp(*arguments, "-i=", 3) == 0 ||
            strncmp(*arguments, "-interpreter", 12) == 0)
            return false;
    return true;
}

static char *plan_text(const struct job *job, const struct reported *told, uint32_t threads,
                       bool for_people)
{
    json_t *plan = json_object(), *steps = json_array(), *preemptions = preemptions_json(told);
    for (uint32_t i = 0; i < told->step_count; i++)
        CHECK(json_array_append_new(steps, step_json(&told->steps[i])) == 0);
    const char *word = finding_word(told->finding.kind), *message = told->finding.message;
    put(plan, "finding", text_or_null(*message == 0 ? word : text_print("%s: %s", word, message)));
    put(plan, "why", why_json(told));
    put(plan, "steps", steps);
    put(plan, "threads", json_integer(threads));
    put(plan, "first",
        json_array_size(preemptions) > 0 ? json_incref(json_array_get(preemptions, 0))
                                         : json_integer(last_step(told)));
    put(plan, "preemptions", preemptions);
    put(plan, "environment", environment_json(job));
    put(plan, "input",
        json_string(text_print("/proc/self/fd/%d", worker_board_descriptor() - INPUT_BELOW)));
    put(plan, "console", json_boolean(for_people));
    char *text = json_dumps(plan, 0);
    CHECK(text != NULL);
    json_decref(plan);
    return text;
}

static int file_of_text(const char *text)
{
    int fd = memfd_create("bohr-plan", MFD_CLOEXEC);
    size_t left = strlen(text);
    for (ssize_t written; fd >= 0 && left > 0; left -= (size_t)written, text += written)
        if ((written = write(fd, text, left)) < 0)
            return -1;
    return fd;
}

static void pass(int from, int number)
{
    if (dup2(from, number) < 0)
        _exit(CANNOT_START);
}

static _Noreturn void become_gdb(const struct job *job, int board, int live, int plan,
                                 char **command)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    personality(ADDR_NO_RANDOMIZE); /* the program that gdb starts inherits it */
    int top = worker_board_descriptor();
    pass(board, top);
    pass(job->input, top - INPUT_BELOW);
    pass(plan, top - PLAN_BELOW);
    if (live >= 0)
        pass(live, top - LIVE_BELOW);
    if (job->options.fresh_size > 0)
        pass(job->fresh, top - FRESH_BELOW);
    putenv(text_print("BOHR_GDB_PLAN=/proc/self/fd/%d", top - PLAN_BELOW));
    execvp(command[0], command);
    _exit(CANNOT_START);
}

static const char *gdb_name(void)
{
    const char *named = getenv("BOHR_GDB");
    return named != NULL && *named != 0 ? named : "gdb";
}

static char **command_of(const struct job *job, char **arguments, bool for_people)
{
    uint32_t count = 0, at = 0;
    while (arguments[count] != NULL)
        count++;
    for (char **argument = job->arguments; *argument != NULL; argument++)
        count++;
    char **command = text_room((count + 16) * sizeof *command);
    command[at++] = text_print("%s", gdb_name());
    command[at++] = text_print("-q");
    command[at++] = text_print("-x");
    command[at++] = text_print("%s/bohr-gdb.py", job->library);
    if (for_people) {
        command[at++] = text_print("-ex");
        command[at++] = text_print("run");
    }
    while (*arguments != NULL)
        command[at++] = *arguments++;
    command[at++] = text_print("--args");
    command[at++] = text_print("%s", job->program);
    for (char **argument = job->arguments + 1; *argument != NULL; argument++)
        command[at++] = *argument;
    return command;
}

int debug(const struct job *job, const struct recording *recording, const struct reported *told,
          uint32_t threads, char **arguments)
{
    struct board_handle board;
    struct problem why;
    int status = 0;
    bool for_people = is_for_people(arguments);
    if (!confirm_board(&board, recording, CARRIER_KERNEL, true, &why))
        return complain(&why);
    int live;
    if (!live_for(job, board.board, &live, &why)) {
        board_drop(&board);
        return complain(&why);
    }
    char *text = plan_text(job, told, threads, for_people);
    int plan = file_of_text(text);
    char **command = command_of(job, arguments, for_people);
    free(text);
    pid_t pid = plan < 0 ? -1 : fork();
    if (pid == 0)
        become_gdb(job, board.fd, live, plan, command);
    if (pid > 0)
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            continue;
    board_drop(&board);
    close(plan);
    if (pid < 0) {
        problem_is(&why, "cannot start the debugger", command[0], errno);
        return complain(&why);
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) != CANNOT_START)
        return WEXITSTATUS(status);
    problem_is(&why, "cannot start the debugger: install gdb, or name it in BOHR_GDB", command[0],
               0);
    return complain(&why);
}

/* Front ends ask for the version before they start gdb: gdb itself answers. */
static int gdb_version(char **argv)
{
    struct problem why;
    const char *gdb = gdb_name();
    argv[0] = text_copy(gdb, strlen(gdb));
    execvp(gdb, argv);
    problem_is(&why, "cannot start the debugger: install gdb, or name it in BOHR_GDB", gdb, 0);
    return complain(&why);
}

int command_gdb(int argc, char **argv)
{
    char **words = text_room(((size_t)argc + 8) * sizeof *words), *file = NULL;
    int count = 3;
    words[0] = argv[0];
    words[1] = text_print("--gdb");
    words[3] = text_print("--");
    for (int i = 1; i < argc; i++) {
        size_t length = strlen(argv[i]);
        if (file == NULL && length > 5 && strcmp(argv[i] + length - 5, ".bohr") == 0)
            file = argv[i];
        else
            words[++count] = argv[i];
    }
    struct problem why;
    if (file == NULL && argc == 2 && strcmp(argv[1], "--version") == 0)
        return gdb_version(argv);
    if (file == NULL) {
        problem_is(&why, "which replay file? bohr-gdb [ARGUMENTS OF GDB] FILE.bohr", NULL, 0);
        return complain(&why);
    }
    words[2] = file;
    return command_replay(count + 1, words);
}
