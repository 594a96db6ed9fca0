/* Findings as workflow commands that GitHub shows beside the source lines of a change. */
#include <stdlib.h>
#include <string.h>

#include "report/story_text.h"
#include "report/style.h"
#include "report/title.h"

enum { NAME_MAX_BYTES = 400 };

/* Escapes a text. In a property ':' and ',' are special, too. */
static void write_escaped(FILE *file, const char *text, bool property)
{
    for (; *text != 0; text++) {
        bool special = *text == '%' || *text == '\n' || *text == '\r' ||
                       (property && (*text == ':' || *text == ','));
        if (special)
            fprintf(file, "%%%02X", (unsigned char)*text);
        else
            fputc(*text, file);
    }
}

static void write_finding(FILE *file, const struct reported *reported)
{
    char name[NAME_MAX_BYTES];
    bool error = reported->finding.severity == SEVERITY_ERROR;
    finding_headline(reported, name, sizeof name);
    fprintf(file, "::%s ", reported->known ? "notice" : error ? "error" : "warning");
    if (reported->at.file != NULL) {
        fputs("file=", file);
        write_escaped(file, reported->at.file, true);
        fprintf(file, ",line=%u,", reported->at.line);
    }
    fputs("title=", file);
    write_escaped(file, name, true);
    fputs("::", file);
    char *summary = story_summary(reported);
    text_make_valid(summary);
    write_escaped(file, summary, false);
    if (reported->replay != NULL) {
        fputs("%0Arun it again: bohr replay ", file);
        write_escaped(file, reported->replay, false);
    }
    fputc('\n', file);
    free(summary);
}

static void annotations_write(const struct verdict *verdict, const struct report_style *style,
                              FILE *file)
{
    for (uint32_t i = 0; i < verdict->finding_count; i++)
        write_finding(file, &verdict->findings[i]);
    if (verdict_failure(verdict) != NULL) {
        fprintf(file, "::error title=%s::", verdict->refusal != NULL ? "refused" : "no answer");
        write_escaped(file, verdict_failure(verdict), false);
        fputc('\n', file);
    }
}

const struct report report_annotations = {
    .name = "annotations",
    .summary = "findings beside source lines, for GitHub's workflows",
    .write = annotations_write,
};
