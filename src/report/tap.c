/* The verdict in the Test Anything Protocol, version 14: a line for the search, one for each
 * finding. */
#include <stdlib.h>
#include <string.h>

#include "report/story_text.h"
#include "report/style.h"
#include "report/title.h"

enum { NAME_MAX_BYTES = 400 };

/* Escapes a description, in which '#' would begin a directive. */
static void write_description(FILE *file, const char *text)
{
    for (; *text != 0; text++) {
        if (*text == '#' || *text == '\\')
            fputc('\\', file);
        fputc((unsigned char)*text < ' ' ? ' ' : *text, file);
    }
}

/* Writes a literal text into a YAML block. */
static void write_block(FILE *file, const char *name, const char *text)
{
    fprintf(file, "  %s: |\n    ", name);
    for (; *text != 0; text++) {
        unsigned char byte = (unsigned char)*text;
        fputc(byte < ' ' && byte != '\n' ? '?' : byte, file);
        if (byte == '\n' && text[1] != 0)
            fputs("    ", file);
    }
    if (text[-1] != '\n')
        fputc('\n', file);
}

static void write_finding(FILE *file, const struct reported *reported, uint32_t number)
{
    char name[NAME_MAX_BYTES];
    finding_headline(reported, name, sizeof name);
    fprintf(file, "%s %u - ", reported_counts(reported) ? "not ok" : "ok", number);
    write_description(file, name);
    fputs(reported->known ? " # SKIP in the baseline\n" : "\n", file);
    char *whole = story_whole(reported);
    text_make_valid(whole);
    fputs("  ---\n", file);
    fprintf(file, "  kind: %s\n  severity: %s\n", finding_word(reported->finding.kind),
            reported->finding.severity == SEVERITY_ERROR ? "fail" : "comment");
    write_block(file, "message", whole);
    fputs("  ...\n", file);
    free(whole);
}

static void tap_write(const struct verdict *verdict, const struct report_style *style, FILE *file)
{
    fprintf(file, "TAP version 14\n1..%u\n", verdict->finding_count + 1);
    fprintf(file, "%s 1 - search: ", verdict_failure(verdict) != NULL ? "not ok" : "ok");
    write_description(file, verdict_failure(verdict) != NULL ? verdict_failure(verdict)
                                                             : verdict->claim.text);
    fputc('\n', file);
    for (uint32_t i = 0; i < verdict->finding_count; i++)
        write_finding(file, &verdict->findings[i], i + 2);
}

const struct report report_tap = {
    .name = "tap",
    .summary = "a line for each finding, in the Test Anything Protocol",
    .write = tap_write,
};
