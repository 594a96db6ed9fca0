/* The opening of a finding: the bug in at most five lines. */
#ifndef REPORT_OPENING_H
#define REPORT_OPENING_H

#include "report/style.h"

/* Writes "finding 1: a deadlock". */
void opening_heading(const struct reported *reported, const struct report_style *style, FILE *file,
                     uint32_t number);
/* Writes the heading, why it is wrong, which order makes it fail, and what was tried. Returns how
 * many of the explanation's lines were written. Lines that do not fit into five lines are left for
 * later. */
uint32_t opening_write(const struct reported *reported, const struct report_style *style,
                       FILE *file, uint32_t number);

/* Whether the heading says no less than this message. */
bool opening_says(const struct reported *reported, const char *message);

#endif
