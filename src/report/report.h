/* Formats of a verdict: one file each, listed in reports.def. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdio.h>

#include "core/verdict.h"

struct report_style {
    bool color;
    bool whole;   /* every step of every finding, nothing folded */
    bool quiet;   /* one line for each finding, no summary */
    bool verbose; /* also counts that few people need */
    int width;    /* columns of the terminal; 0: no terminal, the usual width */
};

struct report {
    const char *name;
    const char *summary;
    void (*write)(const struct verdict *verdict, const struct report_style *style, FILE *file);
};

enum report_number {
#define REPORT(name)        REPORT_##name,
#define TO_FILE(name, help) REPORT_##name,
#include "report/reports.def"
#undef REPORT
#undef TO_FILE
    REPORTS
};

/* In the order of reports.def; the last entry is NULL. */
extern const struct report *const reports[];
const struct report *report_find(const char *name); /* NULL: unknown */

#endif
