#include "report/page.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

void draft_open(struct draft *draft, const struct page *page)
{
    *draft = (struct draft){.page = *page};
    draft->page.file = open_memstream(&draft->text, &draft->size);
    CHECK(draft->page.file != NULL);
}

void draft_close(struct draft *draft, const struct page *page, int at, int indent)
{
    CHECK(fclose(draft->page.file) == 0);
    for (char *line = draft->text, *next = line; *line != 0; line = next) {
        next += strcspn(line, "\n");
        if (*next != 0)
            *next++ = 0;
        line += strspn(line, " ");
        if (at > 0)
            text_wrap(page->file, page->style, line, at, indent);
        else
            text_line(page->file, page->style, line, indent);
        at = 0;
    }
    free(draft->text);
}

void write_site(const struct page *page, const struct named_site *at)
{
    if (at->file != NULL)
        fprintf(page->file, " at %s:%u", at->file, at->line);
    else if (at->module != NULL)
        fprintf(page->file, " in %s", at->module);
    if (at->function != NULL)
        fprintf(page->file, " (%s)", at->function);
}

void write_amount(FILE *file, uint64_t count, const char *one, const char *many)
{
    fprintf(file, "%lu %s", count, count == 1 ? one : many);
}
