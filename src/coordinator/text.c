#include "coordinator/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/os.h"

#define ROOM_BYTES (1ul << 32)
#define FILE_MAX   (1l << 30)

static struct arena process_arena;

void *text_room(size_t size)
{
    if (process_arena.bytes == NULL) {
        process_arena.bytes = os_map(0, ROOM_BYTES);
        CHECK(process_arena.bytes != NULL);
        process_arena.capacity = ROOM_BYTES;
    }
    return arena_take(&process_arena, size);
}

char *text_print(const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int count = vsnprintf(NULL, 0, format, arguments);
    CHECK(count >= 0);
    char *text = text_room((size_t)count + 1);
    vsnprintf(text, (size_t)count + 1, format, again);
    va_end(again);
    va_end(arguments);
    return text;
}

char *text_copy(const char *bytes, size_t count)
{
    char *text = text_room(count + 1);
    memcpy(text, bytes, count);
    return text;
}

char *text_of_file(int fd, size_t *count)
{
    struct stat about;
    if (fstat(fd, &about) != 0)
        return NULL;
    off_t size = about.st_size;
    if (!S_ISREG(about.st_mode) || size > FILE_MAX) {
        errno = S_ISDIR(about.st_mode) ? EISDIR : EFBIG;
        return NULL;
    }
    char *text = text_room((size_t)size + 1);
    *count = 0;
    while (*count < (size_t)size) {
        ssize_t got = pread(fd, text + *count, (size_t)size - *count, (off_t)*count);
        if (got < 0)
            return NULL;
        if (got == 0)
            break;
        *count += (size_t)got;
    }
    return text;
}
