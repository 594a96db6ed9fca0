#include "report/style.h"

#include <string.h>

static const char *const codes[] = {
    [INK_PLAIN] = "0",  [INK_BOLD] = "1",    [INK_FAINT] = "2", [INK_RED] = "1;31",
    [INK_GREEN] = "32", [INK_YELLOW] = "33", [INK_BLUE] = "34",
};

void ink_set(FILE *file, const struct report_style *style, enum ink ink)
{
    if (style->color)
        fprintf(file, "\033[%sm", codes[ink]);
}

void ink_text(FILE *file, const struct report_style *style, enum ink ink, const char *text)
{
    ink_set(file, style, ink);
    fputs(text, file);
    ink_set(file, style, INK_PLAIN);
}

static bool starts_character(char c)
{
    return (c & 0xc0) != 0x80;
}

int text_width(const char *text)
{
    int width = 0;
    for (; *text != 0; text++)
        width += starts_character(*text);
    return width;
}

void text_fit(FILE *file, const char *text, int width)
{
    int have = text_width(text);
    if (have <= width) {
        fprintf(file, "%s%*s", text, width - have, "");
        return;
    }
    for (int at = 0; *text != 0; text++) {
        if (starts_character(*text) && at++ == width - 1)
            break;
        fputc(*text, file);
    }
    fputs("…", file);
}

int report_width(const struct report_style *style)
{
    if (style->width == 0)
        return REPORT_WIDTH;
    return style->width < REPORT_WIDTH_LEAST ? REPORT_WIDTH_LEAST : style->width;
}

/* Wraps a text. If `file` is NULL, only counts its lines. */
static uint32_t wrap(FILE *file, const struct report_style *style, const char *text, int at,
                     int indent)
{
    uint32_t lines = 1;
    for (bool first = true; *text != 0; first = false) {
        size_t length = strcspn(text, " ");
        int width = 0;
        for (size_t i = 0; i < length; i++)
            width += starts_character(text[i]);
        bool breaks = !first && at + 1 + width > report_width(style);
        if (breaks && file != NULL)
            fprintf(file, "\n%*s", indent, "");
        else if (!first && file != NULL)
            fputc(' ', file);
        at = breaks ? indent : at + !first;
        lines += breaks;
        if (file != NULL)
            fprintf(file, "%.*s", (int)length, text);
        at += width;
        text += length;
        text += strspn(text, " ");
    }
    if (file != NULL)
        fputc('\n', file);
    return lines;
}

uint32_t text_wrap(FILE *file, const struct report_style *style, const char *text, int at,
                   int indent)
{
    return wrap(file, style, text, at, indent);
}

uint32_t text_line(FILE *file, const struct report_style *style, const char *text, int indent)
{
    fprintf(file, "%*s", indent, "");
    return wrap(file, style, text, indent, indent);
}

uint32_t text_lines(const struct report_style *style, const char *text, int at, int indent)
{
    return wrap(NULL, style, text, at, indent);
}

/* Number of bytes that follow this one in its UTF-8 character; -1: no character begins with it. */
static int following(unsigned char first)
{
    return first < 0x80                    ? 0
           : first >= 0xc2 && first < 0xe0 ? 1
           : first >= 0xe0 && first < 0xf0 ? 2
           : first >= 0xf0 && first < 0xf5 ? 3
                                           : -1;
}

static bool is_valid(const unsigned char *text)
{
    while (*text != 0) {
        int left = following(*text);
        /* overlong forms, surrogates, and characters beyond Unicode */
        bool wrong = (text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] > 0x9f) ||
                     (text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] > 0x8f);
        if (left < 0 || wrong)
            return false;
        for (text++; left > 0; left--, text++)
            if ((*text & 0xc0) != 0x80)
                return false;
    }
    return true;
}

void text_make_valid(char *text)
{
    if (is_valid((const unsigned char *)text))
        return;
    for (; *text != 0; text++)
        if (*text & 0x80)
            *text = '?';
}

const char *text_last_lines(const char *text)
{
    enum { LINES = 10, BYTES = 2000 };
    size_t length = strlen(text), at = length;
    uint32_t lines = 0;
    while (at > 0 && length - at < BYTES) {
        bool ends = text[at - 1] == '\n' && at < length;
        if (ends && ++lines == LINES)
            break;
        at--;
    }
    while (at > 0 && at < length && !starts_character(text[at]))
        at++;
    return text + at;
}

const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}
