/* An interleaving as a table: one column for each thread that took part, time runs down. */
#ifndef REPORT_COLUMNS_H
#define REPORT_COLUMNS_H

#include "report/style.h"

void columns_write(const struct reported *reported, const struct report_style *style, FILE *file);

#endif
