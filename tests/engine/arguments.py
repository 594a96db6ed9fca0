#!/usr/bin/env python3
"""Each function of libc that reads or writes through its arguments does so as if the program did: what T1
passes to it races with a plain write of T0, and the race is on that variable. What a function does not come to
is no access."""
import pathlib
import socket
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from engine import bench_run, fail  # noqa: E402

HEAD = """
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>
#include <wchar.h>

static char own[64], *end;
static wchar_t wide[64];
static int number, file;
static FILE *in, *null, *wide_null, *wide_in;
static volatile long kept;

static int list_of_text(const char *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int got = vsscanf(text, format, list);
    va_end(list);
    return got;
}

static int less(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static struct iovec part;
static struct mmsghdr header;

static struct mmsghdr *messages(char *text)
{
    part = (struct iovec){text, 2};
    header = (struct mmsghdr){.msg_hdr = {.msg_iov = &part, .msg_iovlen = 1}};
    return &header;
}

static struct msghdr *message(char *text)
{
    return &messages(text)->msg_hdr;
}

static int list_of_stream(FILE *stream, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int got = vfscanf(stream, format, list);
    va_end(list);
    return got;
}
"""

MAIN = """
int main(void)
{
    pthread_t thread;
    file = open("/tmp", O_TMPFILE | O_RDWR, 0600);
    in = fmemopen("12 34 word\\nline\\nline\\nline\\n567 8\\n", 33, "r");
    null = fopen("/dev/null", "w");
    wide_null = fopen("/dev/null", "w");
    if (file < 0 || in == NULL || null == NULL || wide_null == NULL || write(file, "123456", 6) != 6)
        abort();
    lseek(file, 0, SEEK_SET);
    wide_in = fopen("/etc/passwd", "r");
    pthread_create(&thread, NULL, calls, NULL);
    plain_writes();
    pthread_join(thread, NULL);
    return 0;
}
"""

TEXT, WIDE = 'char {}[16] = "12";', 'wchar_t {}[16] = L"12";'
INT = "int {};"

# name: how the variable is declared, what T1 does with it, what T0 does
READS = {
    "of_sscanf": (TEXT, 'sscanf({}, "%d", &number)'),
    "of_vsscanf": (TEXT, 'list_of_text({}, "%d", &number)'),
    "of_strtod": (TEXT, "(long)strtod({}, &end)"),
    "of_strtof": (TEXT, "(long)strtof({}, NULL)"),
    "of_strtold": (TEXT, "(long)strtold({}, &end)"),
    "of_atof": (TEXT, "(long)atof({})"),
    "of_strtol": (TEXT, "strtol({}, &end, 10)"),
    "of_atoi": (TEXT, "atoi({})"),
    "of_strstr": (TEXT, 'strstr({}, "2") != NULL'),
    "of_snprintf": (TEXT, 'snprintf(own, sizeof own, "%s", {})'),
    "of_wide_snprintf": (WIDE, 'snprintf(own, sizeof own, "%ls", {})'),
    "of_fprintf": (TEXT, 'fprintf(null, "%s", {})'),
    "of_fputs": (TEXT, "fputs({}, null)"),
    "of_fputws": (WIDE, "fputws({}, wide_null)"),
    "of_fwrite": (TEXT, "(long)fwrite({}, 1, 2, null)"),
    "of_write": (TEXT, "write(file, {}, 2)"),
    "of_pwrite": (TEXT, "pwrite(file, {}, 2, 8)"),
    "of_writev": (TEXT, "writev(file, (struct iovec[]){{{{{}, 2}}}}, 1)"),
    "of_wcslen": (WIDE, "(long)wcslen({})"),
    "of_wcsnlen": (WIDE, "(long)wcsnlen({}, 2)"),
    "of_wcscmp": (WIDE, 'wcscmp(L"12", {})'),
    "of_wcsncmp": (WIDE, 'wcsncmp({}, L"12", 2)'),
    "of_wcschr": (WIDE, "wcschr({}, L'2') != NULL"),
    "of_wcsrchr": (WIDE, "wcsrchr({}, L'1') != NULL"),
    "of_wcsstr": (WIDE, 'wcsstr({}, L"2") != NULL'),
    "of_wcscpy": (WIDE, "wcscpy(wide, {}) != NULL"),
    "of_wcsncpy": (WIDE, "wcsncpy(wide, {}, 4) != NULL"),
    "of_wcscat": (WIDE, "(wide[0] = 0, wcscat(wide, {}) != NULL)"),
    "of_wmemcpy": (WIDE, "wmemcpy(wide, {}, 2) != NULL"),
    "of_wmemmove": (WIDE, "wmemmove(wide, {}, 2) != NULL"),
    "of_wmemcmp": (WIDE, 'wmemcmp({}, L"12", 2)'),
    "of_wmemchr": (WIDE, "wmemchr({}, L'2', 2) != NULL"),
    "of_strtok": (TEXT, 'strtok({}, ",") != NULL'),
    "of_strtok_r": (TEXT, 'strtok_r({}, ",", &end) != NULL'),
    "of_mbstowcs": (TEXT, "(long)mbstowcs(wide, {}, 16)"),
    "of_wcstombs": (WIDE, "(long)wcstombs(own, {}, 16)"),
    "of_pwritev": (TEXT, "pwritev(file, (struct iovec[]){{{{{}, 2}}}}, 1, 8)"),
    "of_bsearch": ("int {}[2];", "bsearch(&number, {}, 2, sizeof(int), less) != NULL", "{}[1] = 0"),
}
WRITES = {
    "to_sscanf": (INT, 'sscanf("1 2", "%d", &{})'),
    "to_second": (INT, 'sscanf("1 2", "%*d%d", &{})'),
    "to_byte": ("signed char {};", 'sscanf("1", "%hhd", &{})'),
    "to_long": ("long {};", 'sscanf("1", "%ld", &{})'),
    "to_float": ("float {};", 'sscanf("1.5", "%f", &{})'),
    "to_double": ("double {};", 'sscanf("1.5", "%lf", &{})'),
    "to_word": (TEXT, 'sscanf("one two", "%*s %15s", {})'),
    "to_set": (TEXT, 'sscanf("abc]d", "%15[]a-c]", {})'),
    "to_character": (TEXT, 'sscanf("ab", "%2c", {})'),
    "to_wide_word": (WIDE, 'sscanf("one", "%15ls", {})'),
    "to_allocated": ("char *{};", 'sscanf("one", "%ms", &{})'),
    "to_count": (INT, 'sscanf("1 2", "%*d%n%d", &{}, &number)'),
    "to_last_count": (INT, 'sscanf("1 2", "%d %n", &number, &{})'),
    "to_vsscanf": (INT, 'list_of_text("7", "%d", &{})'),
    "to_fscanf": (INT, 'fscanf(in, "%d", &{})'),
    "to_vfscanf": (INT, 'list_of_stream(in, "%d", &{})'),
    "to_scanf": (INT, 'scanf("%d", &{})'),
    "to_end": ("char *{};", '(long)strtod("1", &{})'),
    "to_snprintf": (TEXT, 'snprintf({}, 16, "%d", 12)'),
    "to_sprintf": (TEXT, 'sprintf({}, "%d", 12)'),
    "to_fgets": (TEXT, "fgets({}, 16, in) != NULL"),
    "to_getline": ("char *{};", "getline(&{}, &(size_t){{0}}, in)"),
    "to_getdelim": ("char *{};", "getdelim(&{}, &(size_t){{0}}, 'e', in)"),
    "to_fread": (TEXT, "(long)fread({}, 1, 2, in)"),
    "to_read": (TEXT, "read(file, {}, 2)"),
    "to_pread": (TEXT, "pread(file, {}, 2, 0)"),
    "to_readv": (TEXT, "readv(file, (struct iovec[]){{{{{}, 2}}}}, 1)"),
    "to_wcscpy": (WIDE, 'wcscpy({}, L"12") != NULL'),
    "to_wcsncpy": (WIDE, 'wcsncpy({}, L"12", 4) != NULL'),
    "to_wcscat": (WIDE, 'wcscat({} + 8, L"12") != NULL', "{}[8] = 0"),
    "to_wmemcpy": (WIDE, 'wmemcpy({}, L"12", 2) != NULL'),
    "to_wmemmove": (WIDE, 'wmemmove({}, L"12", 2) != NULL'),
    "to_wmemset": (WIDE, "wmemset({}, L'2', 2) != NULL"),
    "to_strtok": ('char {}[16] = "1,2";', 'strtok({}, ",") != NULL', "{}[1] = ','"),
    "to_strtok_r": ('char {}[16] = "1,2";', 'strtok_r({}, ",", &end) != NULL', "{}[1] = ','"),
    "to_next": ("char *{};", 'strtok_r(own, ",", &{}) != NULL'),
    "to_mbstowcs": (WIDE, '(long)mbstowcs({}, "12", 16)'),
    "to_wcstombs": (TEXT, '(long)wcstombs({}, L"12", 16)'),
    "to_fgetws": (WIDE, "fgetws({}, 16, wide_in) != NULL"),
    "to_preadv": (TEXT, "preadv(file, (struct iovec[]){{{{{}, 2}}}}, 1, 0)"),
    "to_qsort": ("int {}[2];", "(qsort({}, 2, sizeof(int), (int (*)(const void *, const void *))strcmp), 1)"),
}
# What they do not come to.
NONE = {
    "no_number": (INT, 'sscanf("x", "%d", &{})'),
    "not_the_second": (INT, 'sscanf("1 x", "%d %d", &number, &{})'),
    "behind_mismatch": (INT, 'sscanf("1 x", "%d %d %n", &number, &number, &{})'),
    "behind_number": (TEXT, '(long)strtod({}, &end)', "{}[3] = '4'"),
    "behind_width": (TEXT, '(memset(own, 0, 4), snprintf(own, 4, "%.2s", {}))', "{}[2] = '4'"),
    "behind_wide": (WIDE, "(long)wcsnlen({}, 1)", "{}[1] = L'4'"),
    "at_the_end_of_file": (INT, 'fscanf(stdin, "%*d%d", &{})'),
    "behind_token": ('char {}[16] = "1,2";', 'strtok({}, ",") != NULL', "{}[2] = '4'"),
    "last_token": (TEXT, 'strtok_r({}, ",", &end) != NULL', "kept += {}[2]"),
    "behind_converted": (TEXT, "(long)mbstowcs(wide, {}, 1)", "{}[1] = '4'"),
}
# On a socket of the kernel's, which the program was given.
SENDS = {
    "of_send": (TEXT, "send(GIVEN, {}, 2, 0)"),
    "of_sendto": (TEXT, "sendto(GIVEN, {}, 2, 0, NULL, 0)"),
    "of_sendmsg": (TEXT, "sendmsg(GIVEN, message({}), 0)"),
    "of_sendmmsg": (TEXT, "sendmmsg(GIVEN, messages({}), 1, 0)"),
    "of_write_to_socket": (TEXT, "write(GIVEN, {}, 2)"),
    "to_recv": (TEXT, "recv(GIVEN, {}, 2, MSG_PEEK)"),
    "to_recvfrom": (TEXT, "recvfrom(GIVEN, {}, 2, MSG_PEEK, NULL, NULL)"),
    "to_recvmsg": (TEXT, "recvmsg(GIVEN, message({}), MSG_PEEK)"),
    "to_recvmmsg": (TEXT, "recvmmsg(GIVEN, messages({}), 1, MSG_PEEK, NULL)"),
}


def plain_write(name, row):
    if len(row) > 2:
        return row[2].format(name)
    kind = row[0]
    return f"{name}[0] = '1'" if "[" in kind else f"{name} = 0"


def program(rows):
    declared = "\n".join("static " + row[0].format(name) for name, row in rows.items())
    calls = "\n".join(f"    kept += {row[1].format(name)};" for name, row in rows.items())
    writes = "\n".join(f"    {plain_write(name, row)};" for name, row in rows.items())
    return (f"{HEAD}\n{declared}\n\nstatic void *calls(void *unused)\n{{\n{calls}\n    return unused;\n}}\n\n"
            f"static void plain_writes(void)\n{{\n{writes}\n}}\n{MAIN}")


def raced(result):
    return {finding["object"].split()[0].split("[")[0].split("+")[0] for finding in result["findings"]
            if finding["kind"] == "race"}


def check_rows(bench, name, rows, wanted, flags=(), **settings):
    binary = bench.build(name, program(rows), ["-fno-builtin", "-w", *flags])
    with open(bench.write("input", "7 x\n"), encoding="utf-8") as given:
        result = bench.explore(["-s", "preempt", "-b", "0", "--keep-going", "--detect", "none,race",
                                "--no-shrink"], binary, stdin=given, **settings)
    got = raced(result) - {"own", "wide", "number", "end", "kept"}
    if got != wanted:
        fail(f"races of what libc is given ({name})", missing=sorted(wanted - got),
             invented=sorted(got - wanted))


def check_socket(bench):
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.send(b"12345678")
        check_rows(bench, "sends", SENDS, set(SENDS), [f"-DGIVEN={ours.fileno()}"],
                   pass_fds=(ours.fileno(),))


def check(bench):
    check_rows(bench, "reads", READS, set(READS))
    check_rows(bench, "writes", WRITES, set(WRITES))
    check_rows(bench, "nothing", NONE, set())
    check_socket(bench)
    print(f"ok   {len(READS)} reads, {len(WRITES)} writes, {len(SENDS)} on a socket and "
          f"{len(NONE)} that are none")


if __name__ == "__main__":
    bench_run(check)
