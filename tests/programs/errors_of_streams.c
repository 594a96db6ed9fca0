// Functions on streams fail as libc's do: one that is only read or only written, a device that is full, a pipe that has
// no offset, characters that cannot be.
// build: gcc -O1 -fno-builtin
// build: clang -O1 -fno-builtin
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <locale.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#pragma GCC diagnostic ignored "-Wformat-nonliteral"

int _IO_getc(FILE *stream);
int _IO_putc(int byte, FILE *stream);
static char bytes[64];
static wchar_t wide[64];
static FILE *in, *out, *full;

#define FAILS(call, result, error)                                              \
    do {                                                                        \
        errno = 0;                                                              \
        long got_ = (long)(call);                                               \
        int why_ = errno;                                                       \
        if (got_ != (long)(result) || why_ != (error))                          \
            fprintf(stderr, "%s: %ld, errno %d, not %s\n", #call, got_, why_, #error); \
        assert(got_ == (long)(result) && why_ == (error));                      \
    } while (0)

static int print_list(FILE *stream, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int result = vfprintf(stream, format, list);
    va_end(list);
    return result;
}

static int scan_list(FILE *stream, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int result = vfscanf(stream, format, list);
    va_end(list);
    return result;
}

static int print_wide_list(FILE *stream, const wchar_t *format, ...)
{
    va_list list;
    va_start(list, format);
    int result = vfwprintf(stream, format, list);
    va_end(list);
    return result;
}

static void only_written(void)
{
    char *line = NULL;
    size_t size = 0;
    FAILS(fgetc(out), EOF, EBADF);
    FAILS(getc(out), EOF, EBADF);
    FAILS(_IO_getc(out), EOF, EBADF);
    FAILS(fgets(bytes, 9, out), 0, EBADF);
    FAILS(fread(bytes, 1, 1, out), 0, EBADF);
    FAILS(getw(out), EOF, EBADF);
    clearerr(out);
    FAILS(getline(&line, &size, out), -1, EBADF);
    clearerr(out);
    FAILS(getdelim(&line, &size, ',', out), -1, EBADF);
    FAILS(getdelim(NULL, &size, ',', in), -1, EINVAL);
    FAILS(getline(NULL, &size, in), -1, EINVAL);
    FAILS(fscanf(out, "%d", (int *)bytes), EOF, EBADF);
    FAILS(scan_list(out, "%d", bytes) /* vfscanf */, EOF, EBADF);
    free(line);
}

static void only_read(void)
{
    FAILS(fputc('x', in), EOF, EBADF);
    FAILS(putc('x', in), EOF, EBADF);
    FAILS(_IO_putc('x', in), EOF, EBADF);
    FAILS(fputs("x", in), EOF, EBADF);
    FAILS(fwrite("x", 1, 1, in), 0, EBADF);
    FAILS(putw(1, in), EOF, EBADF);
    FAILS(fprintf(in, "%d", 1), -1, EBADF);
    FAILS(print_list(in, "%d", 1) /* vfprintf */, -1, EBADF);
}

/* A write that does not fit on the device fails when it is written out. */
static void device_is_full(void)
{
    setvbuf(full, NULL, _IONBF, 0);
    FAILS(fputc('x', full), EOF, ENOSPC);
    FAILS(putc('x', full), EOF, ENOSPC);
    FAILS(fputs("x", full), EOF, ENOSPC);
    FAILS(fwrite("x", 1, 1, full), 0, ENOSPC);
    FAILS(fprintf(full, "%d", 1), -1, ENOSPC);
    FILE *other = fopen("/dev/full", "w");
    assert(fputs("x", other) >= 0);
    FAILS(fflush(other), EOF, ENOSPC);
    assert(fputs("x", other) >= 0);
    FAILS(fclose(other), EOF, ENOSPC);
}

static void standard_streams(void)
{
    int kept[2] = {dup(0), dup(1)};
    fflush(stdout);
    close(0);
    close(1);
    setvbuf(stdout, NULL, _IONBF, 0);
    setvbuf(stdin, NULL, _IONBF, 0);
    FAILS(getchar(), EOF, EBADF);
    FAILS(scanf("%d", (int *)bytes), EOF, EBADF);
    FAILS(putchar('x'), EOF, EBADF);
    FAILS(puts("x"), EOF, EBADF);
    FAILS(printf("%d", 1), -1, EBADF);
    dup2(kept[0], 0);
    dup2(kept[1], 1);
    close(kept[0]);
    close(kept[1]);
    clearerr(stdin);
    clearerr(stdout);
}

static void offsets(void)
{
    FILE *pipe_stream = popen("true", "r");
    fpos_t place;
    fpos64_t place64;
    FAILS(fseek(out, 0, 99), -1, EINVAL);
    FAILS(fseek(out, -1, SEEK_SET), -1, EINVAL);
    FAILS(fseeko(out, -1, SEEK_SET), -1, EINVAL);
    FAILS(fseeko64(out, -1, SEEK_SET), -1, EINVAL);
    FAILS(fseek(pipe_stream, 0, SEEK_SET), -1, ESPIPE);
    FAILS(fseeko(pipe_stream, 0, SEEK_SET), -1, ESPIPE);
    FAILS(fseeko64(pipe_stream, 0, SEEK_SET), -1, ESPIPE);
    FAILS(ftell(pipe_stream), -1, ESPIPE);
    FAILS(ftello(pipe_stream), -1, ESPIPE);
    FAILS(ftello64(pipe_stream), -1, ESPIPE);
    FAILS(fgetpos(pipe_stream, &place), -1, ESPIPE);
    FAILS(fgetpos64(pipe_stream, &place64), -1, ESPIPE);
    assert(fgetpos(out, &place) == 0 && fgetpos64(out, &place64) == 0);
    FAILS(fsetpos(pipe_stream, &place), -1, ESPIPE);
    FAILS(fsetpos64(pipe_stream, &place64), -1, ESPIPE);
    pclose(pipe_stream);
}

static void wide_ones(void)
{
    FILE *reads = fopen("none-wide", "w+"), *writes = fopen("none-wide", "w");
    FILE *only_in = fopen("none-wide", "r");
    assert(setlocale(LC_ALL, "C.UTF-8") != NULL);
    FAILS(fgetwc(writes), WEOF, EBADF);
    FAILS(getwc(writes), WEOF, EBADF);
    FAILS(fgetws(wide, 9, writes), 0, EBADF);
    FAILS(fputwc(L'x', only_in), WEOF, EBADF);
    FAILS(putwc(L'x', only_in), WEOF, EBADF);
    FAILS(fputws(L"x", only_in), -1, EBADF);
    FAILS(fwprintf(only_in, L"%d", 1), -1, EBADF);
    FAILS(print_wide_list(only_in, L"%d", 1) /* vfwprintf */, -1, EBADF);
    FILE *raw = fopen("none-wide", "w");
    assert(fputs("\xff\xff\xff", raw) >= 0 && fclose(raw) == 0);
    FAILS(fgetwc(reads), WEOF, EILSEQ);
    FAILS(getwc(reads), WEOF, EILSEQ);
    FAILS(fgetws(wide, 9, reads), 0, EILSEQ);
    fclose(reads);
    fclose(writes);
    fclose(only_in);
    unlink("none-wide");
}

static void others(void)
{
    FAILS(fopen64("none/none", "r"), 0, ENOENT);
    FAILS(fopen64("/", "w"), 0, EISDIR);
    FAILS(fopen64("here", "q"), 0, EINVAL);
    FILE *gone = fopen("/dev/null", "r");
    FAILS(freopen("none/none", "r", gone), 0, ENOENT);
    FAILS(remove("none"), -1, ENOENT);
}

int main(void)
{
    char folder[] = "/tmp/bohr-streams-XXXXXX";
    assert(mkdtemp(folder) != NULL && chdir(folder) == 0);
    in = fopen("/dev/null", "r");
    out = fopen("written", "w");
    full = fopen("/dev/full", "w");
    assert(in != NULL && out != NULL && full != NULL);
    only_written();
    only_read();
    device_is_full();
    standard_streams();
    offsets();
    wide_ones();
    others();
    fclose(in);
    fclose(out);
    fclose(full);
    assert(unlink("written") == 0 && chdir("/") == 0 && rmdir(folder) == 0);
    return 0;
}
