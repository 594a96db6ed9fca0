/* A finding in plain text, for formats that have a field for it. */
#ifndef REPORT_STORY_TEXT_H
#define REPORT_STORY_TEXT_H

#include "core/verdict.h"

/* What is wrong, in a sentence or two. To be freed. */
char *story_summary(const struct reported *reported);
/* … with its steps and how to run it again. */
char *story_whole(const struct reported *reported);
/* Whether it makes the result bad: an error that is not in the baseline. */
bool reported_counts(const struct reported *reported);

#endif
