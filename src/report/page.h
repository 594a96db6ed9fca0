/* Helpers that the files of the terminal report share: the page, and lines that are made of
 * parts. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "report/style.h"

struct page {
    const struct verdict *verdict;
    const struct report_style *style;
    FILE *file;
};

/* Text that is put together from parts, in memory, before it is wrapped. */
struct draft {
    struct page page; /* its file is the draft */
    char *text;
    size_t size;
};

void draft_open(struct draft *draft, const struct page *page);
/* Writes the draft. The first line continues a line in which `at` columns are written, or begins
 * one if `at` is 0. All others are indented. */
void draft_close(struct draft *draft, const struct page *page, int at, int indent);

/* Writes a blank and the site, if anything about it is known. */
void write_site(const struct page *page, const struct named_site *at);
void write_amount(FILE *file, uint64_t count, const char *one, const char *many);

/* Writes the plain lines of a finding: what is wrong, where, and at what cost (facts.c). */
void write_facts(const struct page *page, const struct reported *reported);

#endif
