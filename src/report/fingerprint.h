/* Identifies a finding by a number that survives edits of the program. It is made of kind,
 * functions, objects and text, and contains no line, size, offset or number of an allocation. */
#ifndef REPORT_FINGERPRINT_H
#define REPORT_FINGERPRINT_H

#include "core/verdict.h"

#define FINGERPRINT_NAME "bohr/v1" /* the name in SARIF */

struct fingerprint {
    char text[17];
};

struct fingerprint fingerprint_of(const struct reported *reported);

#endif
