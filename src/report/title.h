/* The common name of a kind of finding, with its article. */
#ifndef REPORT_TITLE_H
#define REPORT_TITLE_H

#include <stddef.h>

#include "core/verdict.h"

const char *finding_title(enum finding_kind kind);
/* the title, or that it is perhaps a livelock */
const char *reported_title(const struct reported *reported);
/* Writes one line: the title, with the message if that says more; of a race, with its object. */
void finding_headline(const struct reported *reported, char *out, size_t size);

#endif
