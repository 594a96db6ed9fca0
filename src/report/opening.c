#include "report/opening.h"

#include <string.h>

#include "report/title.h"

enum { OPENING_LINES = 5, INDENT = 4 };

/* Whether a message says no more than the title does. */
static bool repeats(const char *heading, const char *message)
{
    size_t whole = strlen(heading), count = strlen(message);
    if (count > whole)
        return false;
    for (size_t i = 0; i < count; i++) {
        char c = heading[whole - count + i];
        if ((c == '-' ? ' ' : c) != message[i])
            return false;
    }
    return true;
}

bool opening_says(const struct reported *reported, const char *message)
{
    return repeats(reported_title(reported), message) || reported->why == NULL ||
           strstr(reported->why, message) != NULL;
}

static uint32_t heading_write(const struct reported *reported, const struct report_style *style,
                              FILE *file, uint32_t number, const char *text)
{
    const struct finding *finding = &reported->finding;
    bool error = finding->severity == SEVERITY_ERROR;
    if (repeats(reported_title(reported), text))
        text = "";
    ink_set(file, style, error ? INK_RED : INK_YELLOW);
    int at = fprintf(file, "%s %u: %s%s", error ? "finding" : "warning", number,
                     reported_title(reported), *text != 0 ? ": " : "");
    ink_set(file, style, INK_PLAIN);
    return text_wrap(file, style, text, at, INDENT);
}

void opening_heading(const struct reported *reported, const struct report_style *style, FILE *file,
                     uint32_t number)
{
    heading_write(reported, style, file, number, reported->finding.message);
}

enum { LINES_MAX = 2 * 6 }; /* most lines that a finding with many orders names */

/* Adds a line, if it is in the file of the finding: lines of other files would mislead without a
 * name. */
static uint32_t add_line(uint32_t *lines, uint32_t count, const struct named_site *at,
                         const char *file)
{
    uint32_t place = 0;
    while (place < count && lines[place] < at->line)
        place++;
    if (at->file == NULL || file == NULL || strcmp(at->file, file) != 0 || count == LINES_MAX ||
        (place < count && lines[place] == at->line))
        return count;
    memmove(lines + place + 1, lines + place, (count - place) * sizeof *lines);
    lines[place] = at->line;
    return count + 1;
}

/* A short text in place of orders that do not fit: the lines to look at. */
static void orders_in_short(const struct reported *reported, char *out, size_t size)
{
    const struct explanation *explanation = &reported->explanation;
    uint32_t lines[LINES_MAX], count = 0;
    for (uint32_t i = 0; i < explanation->order_count; i++) {
        count = add_line(lines, count, &explanation->orders[i].earlier.at, reported->at.file);
        count = add_line(lines, count, &explanation->orders[i].later.at, reported->at.file);
    }
    size_t used = (size_t)snprintf(out, size, "%u orders of steps, below, make it fail%s",
                                   explanation->order_count, count > 0 ? ": at" : "");
    for (uint32_t i = 0; i < count && used < size; i++)
        used +=
            (size_t)snprintf(out + used, size - used, "%s line %u", i == 0 ? "" : ",", lines[i]);
}

uint32_t opening_write(const struct reported *reported, const struct report_style *style,
                       FILE *file, uint32_t number)
{
    const struct explanation *explanation = &reported->explanation;
    uint32_t used =
        heading_write(reported, style, file, number,
                      reported->why != NULL ? reported->why : reported->finding.message);
    if (reported->cause != NULL) {
        int at = fprintf(file, "%*scause: ", INDENT, "");
        used += text_wrap(file, style, reported->cause, at, INDENT);
    }
    uint32_t written = 0;
    while (written < EXPLANATION_LINES_MAX && explanation->lines[written] != NULL) {
        const char *line = explanation->lines[written];
        used += text_lines(style, line, INDENT, INDENT);
        if (used > OPENING_LINES && style->width == 0) {
            char brief[256];
            orders_in_short(reported, brief, sizeof brief);
            used -= text_lines(style, line, INDENT, INDENT);
            if (written == 0 && explanation->order_count > 1 &&
                used + text_lines(style, brief, INDENT, INDENT) <= OPENING_LINES)
                text_line(file, style, brief, INDENT);
            break;
        }
        text_line(file, style, line, INDENT);
        written++;
    }
    return written;
}
