/* A finding in plain text, for formats that have a field for it. */
#ifndef REPORT_STORY_TEXT_H
#define REPORT_STORY_TEXT_H

#include "core/verdict.h"

/* Says in a sentence or two what is wrong. The caller frees the text. */
char *story_summary(const struct reported *reported);
/* The summary with the steps and how to run it again. The caller frees the text. */
char *story_whole(const struct reported *reported);
/* Whether the finding makes the result bad: an error that is not in the baseline. */
bool reported_counts(const struct reported *reported);

#endif
