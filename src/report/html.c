/* The verdict as a page for a browser: one file that needs no network. The page is made of the
 * files in html/, with the data as JSON inside. */
#include "report/html.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "report/report.h"

/* Writes JSON into a script element, where text that looks like a tag would end the element. JSON
 * has '<' only in strings. */
static void write_data(const struct verdict *verdict, FILE *file)
{
    json_t *data = html_data(verdict);
    char *text = json_dumps(data, JSON_COMPACT | JSON_REAL_PRECISION(9));
    CHECK(text != NULL);
    for (const char *at = text; *at != 0;) {
        size_t plain = strcspn(at, "<");
        fwrite(at, 1, plain, file);
        at += plain;
        if (*at == '<') {
            fputs("\\u003c", file);
            at++;
        }
    }
    free(text);
    json_decref(data);
}

static void write_part(const struct html_part *part, FILE *file)
{
    fwrite(part->start, 1, (size_t)(part->end - part->start), file);
}

/* Writes the page up to a mark. Returns where the page continues. */
static const char *write_up_to(const char *from, const char *mark, FILE *file)
{
    const char *at = memmem(from, (size_t)(html_page.end - from), mark, strlen(mark));
    CHECK(at != NULL);
    fwrite(from, 1, (size_t)(at - from), file);
    return at + strlen(mark);
}

static void html_write(const struct verdict *verdict, const struct report_style *style, FILE *file)
{
    const char *at = write_up_to(html_page.start, "/*STYLE*/", file);
    write_part(&html_style, file);
    at = write_up_to(at, "/*DATA*/", file);
    write_data(verdict, file);
    at = write_up_to(at, "/*SCRIPT*/", file);
    write_part(&html_script, file);
    fwrite(at, 1, (size_t)(html_page.end - at), file);
}

const struct report report_html = {
    .name = "html",
    .summary = "each finding step by step, for a browser",
    .write = html_write,
};
