/* What people call a kind of finding, with its article. */
#ifndef REPORT_TITLE_H
#define REPORT_TITLE_H

#include <stddef.h>

#include "core/verdict.h"

const char *finding_title(enum finding_kind kind);
const char *reported_title(const struct reported *reported); /* the same, or that it may be one */
/* The title, with the message if that says more; of a race, with what it is on. In one line. */
void finding_headline(const struct reported *reported, char *out, size_t size);

#endif
