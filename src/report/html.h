/* The parts of the HTML report: its data, and the files of html/, which the build embeds. */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include <jansson.h>

#include "core/verdict.h"

/* All data that the page shows. */
json_t *html_data(const struct verdict *verdict);

/* Source files that steps name, each once. The page shows them beside the steps. */
struct html_sources {
    const char **paths;
    uint32_t count;
};
uint32_t html_source_number(struct html_sources *sources,
                            const char *path); /* adds a path that is new */
/* with the text of each file that can be read */
json_t *html_sources_json(const struct html_sources *sources);
void html_sources_drop(struct html_sources *sources);

struct html_part { /* a file of html/ */
    const char *start, *end;
};
extern const struct html_part html_page, html_style, html_script;

#endif
