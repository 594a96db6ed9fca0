/* Text that lives as long as the tool's process: made once, never freed. */
#ifndef COORDINATOR_TEXT_H
#define COORDINATOR_TEXT_H

#include <stddef.h>

char *text_print(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *text_copy(const char *bytes, size_t count); /* adds a zero behind the bytes */
void *text_room(size_t size);                     /* zeroed, aligned memory that is never freed */
/* The content of a regular file, from its beginning; NULL and errno: it cannot be read. */
char *text_of_file(int fd, size_t *count);

#endif
