/* Text output without stdio: the text goes into a buffer of the caller, and from there to a
 * descriptor. */
#ifndef BASE_OUT_H
#define BASE_OUT_H

#include <stddef.h>
#include <stdint.h>

struct out {
    char *bytes;
    size_t count, capacity;
    int fd; /* -1: the text stays in the buffer and is cut where the buffer ends */
};

struct out out_to(int fd, char *bytes, size_t capacity);
void out_char(struct out *out, char c);
void out_text(struct out *out, const char *text);
void out_number(struct out *out, uint64_t number);
void out_hex(struct out *out, uint64_t number);
void out_flush(struct out *out);
const char *out_string(struct out *out); /* ends the text with a zero; only for fd -1 */

#endif
