/* The assembler step of `bohr cc`: notes where inline assembler accesses memory, then runs the
 * machine's assembler. Compilers find it as `as` in the folder that -B names.
 *
 * Instrumentation does not see into inline assembler. This step puts a label before each of its
 * instructions that accesses memory, and the label's address into a section of its own
 * (coordinator/code/code_scan.h). The code itself stays as it is. An assembler file that no
 * compiler wrote counts as a whole. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/asm_scan.h"
#include "cli/command.h"
#include "coordinator/code/code_scan.h"
#include "coordinator/text.h"

/* A label of digits may be defined many times. This number is used by nobody else. */
#define MARK                                                                                       \
    "7205791: .pushsection " ASSEMBLER_SECTION ",\"\",@progbits; .quad 7205791b; .popsection; "

static const char *real_assembler(void)
{
    struct stat self, other;
    bool known = stat("/proc/self/exe", &self) == 0;
    const char *path = getenv("PATH");
    for (const char *at = path == NULL ? "/usr/bin:/bin" : path; *at != 0;) {
        size_t length = strcspn(at, ":");
        const char *full = text_print("%.*s/as", (int)length, at);
        if (access(full, X_OK) == 0 && stat(full, &other) == 0 &&
            !(known && self.st_ino == other.st_ino && self.st_dev == other.st_dev))
            return full;
        at += length + (at[length] == ':');
    }
    return "/usr/bin/as";
}

/* Index of the argument that names the source; 0: the source is standard input; below 0: there are
 * several. */
static int find_source(int argc, char **argv)
{
    static const char *const with_value[] = {
        "-o", "-I", "--MD", "--defsym", "-march", "-mtune", "--debug-prefix-map", NULL};
    int found = 0;
    for (int i = 1; i < argc; i++) {
        bool value = false;
        for (const char *const *at = with_value; *at != NULL; at++)
            value = value || strcmp(argv[i], *at) == 0;
        if (value)
            i++;
        else if (argv[i][0] != '-')
            found = found == 0 ? i : -1;
    }
    return found;
}

static char *read_all(int fd)
{
    size_t size = 0, room = 1 << 16;
    char *text = malloc(room);
    for (ssize_t count; text != NULL; size += (size_t)count) {
        count = read(fd, text + size, room - size - 1);
        if (count <= 0) {
            text[size] = 0;
            return count < 0 || strlen(text) != size ? NULL : text;
        }
        if (room - size - (size_t)count < 2)
            text = realloc(text, room *= 2);
    }
    return NULL;
}

/* Writes marks into the lines themselves, so that line numbers stay. */
static bool write_marked(FILE *out, const char *source, const char *text)
{
    struct asm_scan scan = {.whole = !asm_is_compiled(text)};
    bool any = false;
    fprintf(out, "# 1 \"%s\"\n", source);
    while (*text != 0) {
        size_t length = strcspn(text, "\n");
        bool touches = asm_scan_line(&scan, text, length);
        if (touches)
            fputs(MARK, out);
        fwrite(text, 1, length, out);
        fputc('\n', out);
        text += length + (text[length] == '\n');
        any = any || touches;
    }
    return any;
}

static int run(char **words)
{
    struct problem why;
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        execv(words[0], words);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) {
        problem_is(&why, "cannot start the assembler", words[0], errno);
        return complain(&why);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_WRONG;
}

/* Runs the assembler on the marked source, or on the original if no line is marked. */
static int assemble_marked(int argc, char **argv, int source, const char *text)
{
    struct problem why;
    const char *folder = getenv("TMPDIR");
    char *path = text_print("%s/bohr-as-XXXXXX", folder == NULL ? "/tmp" : folder);
    int fd = mkstemp(path);
    FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
    if (out == NULL) {
        problem_is(&why, "cannot write a temporary file", path, errno);
        return complain(&why);
    }
    bool marked = write_marked(out, source > 0 ? argv[source] : "{standard input}", text);
    if (fclose(out) != 0) {
        problem_is(&why, "cannot write a temporary file", path, errno);
        unlink(path);
        return complain(&why);
    }
    char **words = text_room((size_t)(argc + 2) * sizeof *words);
    int count = 0;
    for (int i = 0; i < argc; i++)
        if (source > 0 || strcmp(argv[i], "-") != 0)
            words[count++] = argv[i];
    if (source > 0 && marked)
        words[source] = path;
    else if (source == 0)
        words[count++] = path;
    int status = run(words);
    unlink(path);
    return status;
}

int command_as(int argc, char **argv)
{
    struct problem why;
    argv[0] = (char *)real_assembler();
    int source = find_source(argc, argv);
    bool asks = argc == 2 && argv[1][0] == '-' && argv[1][1] == '-'; /* --version */
    int fd = source > 0 ? open(argv[source], O_RDONLY | O_CLOEXEC) : 0;
    if (source >= 0 && fd >= 0 && !asks) {
        const char *text = read_all(fd);
        if (text != NULL)
            return assemble_marked(argc, argv, source, text);
        if (source == 0) {
            problem_is(&why, "cannot read the assembly", "standard input", errno);
            return complain(&why);
        }
    }
    execv(argv[0], argv);
    problem_is(&why, "cannot start the assembler", argv[0], errno);
    return complain(&why);
}
