/* Colours of the terminal report, and text cut to columns. */
#ifndef REPORT_STYLE_H
#define REPORT_STYLE_H

#include "report/report.h"

enum ink { INK_PLAIN, INK_BOLD, INK_FAINT, INK_RED, INK_GREEN, INK_YELLOW, INK_BLUE };

void ink_set(FILE *file, const struct report_style *style, enum ink ink);
void ink_text(FILE *file, const struct report_style *style, enum ink ink, const char *text);

enum { REPORT_WIDTH = 100 };

int text_width(const char *text); /* in columns, for UTF-8 */
/* Exactly `width` columns: filled up with blanks, or cut with an ellipsis. */
void text_fit(FILE *file, const char *text, int width);
/* Lines of at most REPORT_WIDTH columns, the following ones indented. */
void text_wrap(FILE *file, const char *text, int at, int indent);
const char *base_name(const char *path);

#endif
