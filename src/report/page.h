/* What the files of the terminal report share: where it goes, and lines that are made of parts. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "report/style.h"

struct page {
    const struct verdict *verdict;
    const struct report_style *style;
    FILE *file;
};

/* Lines that are put together from parts, in memory, before they are wrapped. */
struct draft {
    struct page page; /* its file is the draft */
    char *text;
    size_t size;
};

void draft_open(struct draft *draft, const struct page *page);
/* The first line goes where `at` columns are written, 0: it begins one; all others are indented. */
void draft_close(struct draft *draft, const struct page *page, int at, int indent);

/* With a blank before it, if anything is known. */
void write_site(const struct page *page, const struct named_site *at);
void write_amount(FILE *file, uint64_t count, const char *one, const char *many);

/* The plain lines of a finding: what is wrong, where, and at what cost (facts.c). */
void write_facts(const struct page *page, const struct reported *reported);

#endif
