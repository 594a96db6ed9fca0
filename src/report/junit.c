/* The verdict as JUnit's XML, which every CI reads: a test case for the search, and one for each
 * finding. */
#include <stdlib.h>
#include <string.h>

#include "report/story_text.h"
#include "report/style.h"
#include "report/title.h"

enum { NAME_MAX_BYTES = 400 };

/* Escapes a text. XML cannot contain most control characters. */
static void write_xml(FILE *file, const char *text, bool attribute)
{
    for (; *text != 0; text++) {
        unsigned char byte = (unsigned char)*text;
        switch (byte) {
        case '&':
            fputs("&amp;", file);
            break;
        case '<':
            fputs("&lt;", file);
            break;
        case '>':
            fputs("&gt;", file);
            break;
        case '"':
            fputs("&quot;", file);
            break;
        case '\n':
            fputs(attribute ? "&#10;" : "\n", file);
            break;
        default:
            fputc((byte < ' ' && byte != '\t') || byte == 0x7f ? '?' : byte, file);
        }
    }
}

static void write_text(FILE *file, const char *text, bool attribute)
{
    char *valid = strdup(text);
    if (valid == NULL)
        return;
    text_make_valid(valid);
    write_xml(file, valid, attribute);
    free(valid);
}

static void write_attribute(FILE *file, const char *name, const char *value)
{
    fprintf(file, " %s=\"", name);
    write_text(file, value, true);
    fputc('"', file);
}

static void open_case(FILE *file, const struct verdict *verdict, const char *name, double seconds)
{
    fputs("    <testcase", file);
    write_attribute(file, "classname", verdict->program);
    write_attribute(file, "name", name);
    fprintf(file, " time=\"%.3f\"", seconds);
}

static void write_finding(FILE *file, const struct verdict *verdict,
                          const struct reported *reported)
{
    char name[NAME_MAX_BYTES];
    finding_headline(reported, name, sizeof name);
    open_case(file, verdict, name, 0);
    if (reported->at.file != NULL) {
        write_attribute(file, "file", reported->at.file);
        fprintf(file, " line=\"%u\"", reported->at.line);
    }
    fputs(">\n", file);
    char *summary = story_summary(reported), *whole = story_whole(reported);
    if (reported_counts(reported)) {
        fputs("      <failure", file);
        write_attribute(file, "type", finding_word(reported->finding.kind));
        write_attribute(file, "message", summary);
        fputc('>', file);
        write_text(file, whole, false);
        fputs("</failure>\n", file);
    } else {
        if (reported->known)
            fputs("      <skipped message=\"in the baseline\"/>\n", file);
        fputs("      <system-out>", file);
        write_text(file, whole, false);
        fputs("</system-out>\n", file);
    }
    fputs("    </testcase>\n", file);
    free(summary);
    free(whole);
}

static void write_search(FILE *file, const struct verdict *verdict)
{
    open_case(file, verdict, "search", verdict->wall_seconds);
    fputs(">\n", file);
    if (verdict_failure(verdict) != NULL) {
        fprintf(file, "      <error type=\"%s\"",
                verdict->refusal != NULL ? "refused" : "incomplete");
        write_attribute(file, "message", verdict_failure(verdict));
        fputs("/>\n", file);
    }
    fputs("      <system-out>", file);
    write_text(file, verdict->claim.text, false);
    fputs("</system-out>\n    </testcase>\n", file);
}

static void junit_write(const struct verdict *verdict, const struct report_style *style, FILE *file)
{
    uint32_t failures = 0, known = 0;
    for (uint32_t i = 0; i < verdict->finding_count; i++) {
        failures += reported_counts(&verdict->findings[i]);
        known += verdict->findings[i].known;
    }
    char counts[200];
    snprintf(counts, sizeof counts,
             " tests=\"%u\" failures=\"%u\" errors=\"%d\" skipped=\"%u\" time=\"%.3f\"",
             verdict->finding_count + 1, failures, verdict_failure(verdict) != NULL, known,
             verdict->wall_seconds);
    fprintf(file, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites%s>\n  <testsuite",
            counts);
    write_attribute(file, "name", verdict->program);
    fprintf(file, "%s>\n", counts);
    write_search(file, verdict);
    for (uint32_t i = 0; i < verdict->finding_count; i++)
        write_finding(file, verdict, &verdict->findings[i]);
    fputs("  </testsuite>\n</testsuites>\n", file);
}

const struct report report_junit = {
    .name = "junit",
    .summary = "a test case for each finding, as JUnit XML",
    .write = junit_write,
};
