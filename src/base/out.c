#include "base/out.h"

#include "base/os.h"

struct out out_to(int fd, char *bytes, size_t capacity)
{
    return (struct out){.bytes = bytes, .count = 0, .capacity = capacity, .fd = fd};
}

void out_flush(struct out *out)
{
    if (out->fd < 0)
        return;
    os_write(out->fd, out->bytes, out->count);
    out->count = 0;
}

void out_char(struct out *out, char c)
{
    if (out->count + 1 >= out->capacity) {
        if (out->fd < 0)
            return;
        out_flush(out);
    }
    out->bytes[out->count++] = c;
}

void out_text(struct out *out, const char *text)
{
    while (*text != 0)
        out_char(out, *text++);
}

static void out_digits(struct out *out, uint64_t number, unsigned base)
{
    char digits[24];
    int count = 0;
    do
        digits[count++] = "0123456789abcdef"[number % base];
    while ((number /= base) != 0);
    while (count > 0)
        out_char(out, digits[--count]);
}

void out_number(struct out *out, uint64_t number)
{
    out_digits(out, number, 10);
}

void out_hex(struct out *out, uint64_t number)
{
    out_text(out, "0x");
    out_digits(out, number, 16);
}

const char *out_string(struct out *out)
{
    out->bytes[out->count] = 0;
    return out->bytes;
}
