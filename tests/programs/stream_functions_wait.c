// Every function of stdio that takes the lock of its stream waits while another thread holds it:
// none has come back when the holder lets go. Each is called in a thread of its own, one after the
// other, so there is nothing to choose.
// input: 1 2 3 4 5 6 7 8 9\nline\nline\n
// modes: all
// run: -s dfs
// expect: no finding
// expect: executions 1
// run: -s dfs -- wide
// expect: no finding
// expect: executions 1
// run: -s random -n 3
// expect: no finding
// run: -s random -n 3 -- wide
// expect: no finding
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

extern int _IO_getc(FILE *stream), _IO_putc(int letter, FILE *stream);
extern ssize_t __getdelim(char **line, size_t *size, int end, FILE *stream);

/* The names of C90; the header gives those of C99. */
extern int old_scanf(const char *format, ...) __asm__("scanf");
extern int old_fscanf(FILE *stream, const char *format, ...) __asm__("fscanf");
extern int old_vscanf(const char *format, va_list list) __asm__("vscanf");
extern int old_vfscanf(FILE *stream, const char *format, va_list list) __asm__("vfscanf");

static FILE *file;
static char buffer[BUFSIZ], text[64], *line;
static wchar_t wide_text[64];
static size_t line_size;
static fpos_t position;
static fpos64_t position64;
static int number;
static atomic_int done;

static void with_list(int (*call)(const char *, va_list), const char *format, ...)
{
    va_list list;
    va_start(list, format);
    call(format, list);
    va_end(list);
}

static void with_file_and_list(int (*call)(FILE *, const char *, va_list), const char *format, ...)
{
    va_list list;
    va_start(list, format);
    call(file, format, list);
    va_end(list);
}

static void with_wide_list(int (*call)(const wchar_t *, va_list), const wchar_t *format, ...)
{
    va_list list;
    va_start(list, format);
    call(format, list);
    va_end(list);
}

static void wide_with_file(int (*call)(FILE *, const wchar_t *, va_list),
                           const wchar_t *format, ...)
{
    va_list list;
    va_start(list, format);
    call(file, format, list);
    va_end(list);
}

struct call {
    FILE **stream;
    void (*run)(void);
};

#define ROW(stream, name, ...)   \
    static void run_##name(void) \
    {                            \
        __VA_ARGS__;             \
    }
#define ROWS                                                               \
    ROW(stdout, printf, printf("%d\n", 1))                                 \
    ROW(stdout, vprintf, with_list(vprintf, "%d\n", 1))                    \
    ROW(stdout, puts, puts("text"))                                        \
    ROW(stdout, putchar, putchar('c'))                                     \
    ROW(stdin, scanf, (void)!scanf("%d", &number))                         \
    ROW(stdin, vscanf, with_list(vscanf, "%d", &number))                   \
    ROW(stdin, old_scanf, old_scanf("%d", &number))                \
    ROW(stdin, old_vscanf, with_list(old_vscanf, "%d", &number))   \
    ROW(stdin, getchar, getchar())                                         \
    ROW(stderr, perror, perror("text"))                                    \
    ROW(file, setvbuf, setvbuf(file, buffer, _IOFBF, sizeof buffer))       \
    ROW(file, setbuf, setbuf(file, buffer))                                \
    ROW(file, setbuffer, setbuffer(file, buffer, sizeof buffer))           \
    ROW(file, setlinebuf, setlinebuf(file))                                \
    ROW(file, fprintf, fprintf(file, "%d\n", 1))                           \
    ROW(file, vfprintf, with_file_and_list(vfprintf, "%d\n", 1))           \
    ROW(file, fputs, fputs("text", file))                                  \
    ROW(file, fputc, fputc('c', file))                                     \
    ROW(file, putc, putc('c', file))                                       \
    ROW(file, IO_putc, _IO_putc('c', file))                                \
    ROW(file, putw, putw(1, file))                                         \
    ROW(file, fwrite, (void)!fwrite("text", 1, 4, file))                   \
    ROW(file, fflush, fflush(file))                                        \
    ROW(file, rewind, rewind(file))                                        \
    ROW(file, fscanf, (void)!fscanf(file, "%d", &number))                  \
    ROW(file, vfscanf, with_file_and_list(vfscanf, "%d", &number))         \
    ROW(file, old_fscanf, old_fscanf(file, "%d", &number))         \
    ROW(file, old_vfscanf, with_file_and_list(old_vfscanf, "%d", &number)) \
    ROW(file, fgetc, fgetc(file))                                          \
    ROW(file, getc, getc(file))                                            \
    ROW(file, IO_getc, _IO_getc(file))                                     \
    ROW(file, getw, getw(file))                                            \
    ROW(file, ungetc, ungetc('c', file))                                   \
    ROW(file, fgets, (void)!fgets(text, sizeof text, file))                \
    ROW(file, fread, (void)!fread(text, 1, sizeof text, file))             \
    ROW(file, getline, (void)!getline(&line, &line_size, file))            \
    ROW(file, getdelim, (void)!getdelim(&line, &line_size, 'e', file))     \
    ROW(file, gnu_getdelim, (void)!__getdelim(&line, &line_size, 'e', file)) \
    ROW(file, fseek, fseek(file, 0, SEEK_SET))                             \
    ROW(file, fseeko, fseeko(file, 0, SEEK_SET))                           \
    ROW(file, fseeko64, fseeko64(file, 0, SEEK_SET))                       \
    ROW(file, ftell, ftell(file))                                          \
    ROW(file, ftello, ftello(file))                                        \
    ROW(file, ftello64, ftello64(file))                                    \
    ROW(file, fgetpos, fgetpos(file, &position))                           \
    ROW(file, fgetpos64, fgetpos64(file, &position64))                     \
    ROW(file, fsetpos, fsetpos(file, &position))                           \
    ROW(file, fsetpos64, fsetpos64(file, &position64))                     \
    ROW(file, clearerr, clearerr(file))                                    \
    ROW(file, feof, number = feof(file))                                   \
    ROW(file, ferror, number = ferror(file))
#define WIDE_ROWS                                                          \
    ROW(stdout, wprintf, wprintf(L"%d\n", 1))                              \
    ROW(stdout, vwprintf, with_wide_list(vwprintf, L"%d\n", 1))            \
    ROW(stdout, putwchar, putwchar(L'c'))                                  \
    ROW(stdin, getwchar, getwchar())                                       \
    ROW(file, fwprintf, fwprintf(file, L"%d\n", 1))                        \
    ROW(file, vfwprintf, wide_with_file(vfwprintf, L"%d\n", 1))            \
    ROW(file, fputwc, fputwc(L'c', file))                                  \
    ROW(file, putwc, putwc(L'c', file))                                    \
    ROW(file, fputws, fputws(L"text", file))                               \
    ROW(file, rewind_wide, rewind(file))                                   \
    ROW(file, fgetwc, fgetwc(file))                                        \
    ROW(file, getwc, getwc(file))                                          \
    ROW(file, ungetwc, ungetwc(L'c', file))                                \
    ROW(file, fgetws, fgetws(wide_text, 64, file))

ROWS
WIDE_ROWS
#undef ROW
#define ROW(stream, name, ...) {&stream, run_##name},
static const struct call narrow[] = {ROWS{NULL, NULL}}, wide[] = {WIDE_ROWS{NULL, NULL}};

static void *work(void *call)
{
    ((const struct call *)call)->run();
    done = 1;
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    file = tmpfile();
    assert(file != NULL);
    for (const struct call *call = argc > 1 ? wide : narrow; call->run != NULL; call++) {
        flockfile(*call->stream);
        done = 0;
        assert(pthread_create(&thread, NULL, work, (void *)call) == 0);
        assert(done == 0);
        funlockfile(*call->stream);
        assert(pthread_join(thread, NULL) == 0);
        assert(done == 1);
    }
    free(line);
    return 0;
}
