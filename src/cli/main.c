/* bohr: a systematic concurrency tester for C and C++. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/settings.h"
#include "coordinator/symbols/near.h"
#include "coordinator/text.h"
#include "core/version.h"

static const struct {
    const char *name, *usage, *summary;
    int (*call)(int argc, char **argv);
} commands[] = {
#define COMMAND(function, name, usage, summary) {name, usage, summary, command_##function},
#include "cli/commands.def"
#undef COMMAND
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

int complain(const struct problem *why)
{
    fflush(stdout);
    fprintf(stderr, "bohr: %s\n", why->text);
    return EXIT_WRONG;
}

static void help_with_commands(FILE *file)
{
    fprintf(file,
            "bohr " BOHR_VERSION ": runs a multithreaded program under every interleaving\n\n");
    for (int i = 0; i < COMMANDS; i++)
        fprintf(file, "  bohr %s %s\n        %s\n", commands[i].name, commands[i].usage,
                commands[i].summary);
}

static int help(FILE *file)
{
    help_with_commands(file);
    fprintf(file, "\noptions of run:\n");
    options_help(file, COMMAND_RUN);
    fprintf(file, "\noptions of replay:\n");
    options_help(file, COMMAND_REPLAY);
    fprintf(file, "\nOptions also come from BOHR_OPTIONS. Exit status: 0 nothing wrong found in at "
                  "least one complete\nexecution, 1 something found, 2 usage or system error or "
                  "no complete execution,\n3 the program did something that is not modelled, "
                  "130 interrupted.\n");
    return EXIT_CLEAN;
}

static int no_such_command(const char *word)
{
    struct problem why;
    struct near near = {0};
    if (word[0] == '-' || access(word, X_OK) == 0) {
        problem_is(
            &why,
            text_print("a command comes first, such as run or replay (try bohr help): bohr run %s",
                       word),
            NULL, 0);
        return complain(&why);
    }
    for (int i = 0; i < COMMANDS; i++)
        near_add(&near, commands[i].name, strlen(commands[i].name), word, strlen(word));
    problem_is(&why, text_print("there is no such command (try bohr help)%s", near_text(&near)),
               word, 0);
    return complain(&why);
}

/* bohr help COMMAND: the command's own --help, or its line of the table for commands without
 * one. */
static int help_with(const char *topic)
{
    static const char *const explain_themselves[] = {"run", "replay", "explain", "plot"};
    for (int i = 0; i < COMMANDS; i++) {
        if (strcmp(topic, commands[i].name) != 0)
            continue;
        for (size_t k = 0; k < sizeof explain_themselves / sizeof *explain_themselves; k++)
            if (strcmp(topic, explain_themselves[k]) == 0)
                return commands[i].call(2, (char *[]){(char *)topic, "--help", NULL});
        printf("bohr %s %s\n\n  %s\n", commands[i].name, commands[i].usage, commands[i].summary);
        return EXIT_CLEAN;
    }
    return no_such_command(topic);
}

/* Opens closed descriptors below 3, which a file of bohr's would get otherwise. */
static void open_standard_descriptors(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            if (open("/dev/null", O_RDWR) != fd)
                _exit(EXIT_WRONG);
}

int main(int argc, char **argv)
{
    open_standard_descriptors();
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    const char *self = slash != NULL ? slash + 1 : argc > 0 ? argv[0] : "bohr";
    if (strcmp(self, "bohr-cc") == 0)
        return command_cc(argc, argv);
    if (strcmp(self, "bohr-c++") == 0)
        return command_cxx(argc, argv);
    if (strcmp(self, "as") == 0)
        return command_as(argc, argv);
    if (strcmp(self, "bohr-gdb") == 0)
        return command_gdb(argc, argv);
    if (argc < 2) {
        help_with_commands(stderr);
        fprintf(stderr, "\nA first try: bohr run PROGRAM.c. All options: bohr help.\n");
        return EXIT_WRONG;
    }
    const char *word = argv[1];
    if (strcmp(word, "--version") == 0 || strcmp(word, "version") == 0) {
        puts("bohr " BOHR_VERSION);
        return EXIT_CLEAN;
    }
    if (strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return argc > 2 ? help_with(argv[2]) : help(stdout);
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(word, commands[i].name) == 0)
            return commands[i].call(argc - 1, argv + 1);
    return no_such_command(word);
}
