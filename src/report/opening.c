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
    return repeats(finding_title(reported->finding.kind), message) || reported->why == NULL ||
           strstr(reported->why, message) != NULL;
}

static uint32_t heading_write(const struct reported *reported, const struct report_style *style,
                              FILE *file, uint32_t number, const char *text)
{
    const struct finding *finding = &reported->finding;
    bool error = finding->severity == SEVERITY_ERROR;
    if (repeats(finding_title(finding->kind), text))
        text = "";
    ink_set(file, style, error ? INK_RED : INK_YELLOW);
    int at = fprintf(file, "%s %u: %s%s", error ? "finding" : "warning", number,
                     finding_title(finding->kind), *text != 0 ? ": " : "");
    ink_set(file, style, INK_PLAIN);
    return text_wrap(file, style, text, at, INDENT);
}

void opening_heading(const struct reported *reported, const struct report_style *style, FILE *file,
                     uint32_t number)
{
    heading_write(reported, style, file, number, reported->finding.message);
}

uint32_t opening_write(const struct reported *reported, const struct report_style *style, FILE *file,
                       uint32_t number)
{
    const struct explanation *explanation = &reported->explanation;
    uint32_t used = heading_write(reported, style, file, number,
                                  reported->why != NULL ? reported->why : reported->finding.message);
    if (reported->cause != NULL) {
        int at = fprintf(file, "%*scause: ", INDENT, "");
        used += text_wrap(file, style, reported->cause, at, INDENT);
    }
    uint32_t written = 0;
    while (written < EXPLANATION_LINES_MAX && explanation->lines[written] != NULL) {
        const char *line = explanation->lines[written];
        used += text_lines(style, line, INDENT, INDENT);
        if (used > OPENING_LINES && style->width == 0)
            break;
        text_line(file, style, line, INDENT);
        written++;
    }
    return written;
}
