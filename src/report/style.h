/* Colours of the terminal report, and text cut to columns. */
#ifndef REPORT_STYLE_H
#define REPORT_STYLE_H

#include "report/report.h"

enum ink { INK_PLAIN, INK_BOLD, INK_FAINT, INK_RED, INK_GREEN, INK_YELLOW, INK_BLUE };

void ink_set(FILE *file, const struct report_style *style, enum ink ink);
void ink_text(FILE *file, const struct report_style *style, enum ink ink, const char *text);

enum { REPORT_WIDTH = 100, REPORT_WIDTH_LEAST = 20 };

int report_width(const struct report_style *style); /* in columns */

int text_width(const char *text); /* in columns, for UTF-8 */
/* Writes exactly `width` columns: fills up with blanks, or cuts with an ellipsis. */
void text_fit(FILE *file, const char *text, int width);
/* Writes a text in lines of at most report_width() columns, the following ones indented. The first
 * line already has `at` columns. Returns the number of lines. */
uint32_t text_wrap(FILE *file, const struct report_style *style, const char *text, int at,
                   int indent);
/* As text_wrap, but beginning on a line of its own. */
uint32_t text_line(FILE *file, const struct report_style *style, const char *text, int indent);
/* The number of lines that text_wrap would write. */
uint32_t text_lines(const struct report_style *style, const char *text, int at, int indent);
/* If the text is not UTF-8, every byte above ASCII becomes '?'. */
void text_make_valid(char *text);
/* Where the last ten lines of a text begin, or its last 2000 bytes if that is less. */
const char *text_last_lines(const char *text);
const char *base_name(const char *path);

#endif
