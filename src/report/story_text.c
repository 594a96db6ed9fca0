#define _GNU_SOURCE
#include "report/story_text.h"

#include <stdio.h>

#include "base/assert.h"
#include "report/columns.h"

static void write_summary(const struct reported *reported, FILE *file)
{
    fputs(reported->why != NULL ? reported->why : finding_word(reported->finding.kind), file);
    if (reported->cause != NULL)
        fprintf(file, "; %s", reported->cause);
    for (uint32_t i = 0; i < reported->explanation.order_count; i++)
        fprintf(file, "%s%s", i == 0 ? "; it shows because " : ", and ",
                reported->explanation.orders[i].text);
}

char *story_summary(const struct reported *reported)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    CHECK(file != NULL);
    write_summary(reported, file);
    CHECK(fclose(file) == 0);
    return text;
}

char *story_whole(const struct reported *reported)
{
    char *text = NULL;
    size_t size;
    struct report_style plain = {.color = false};
    FILE *file = open_memstream(&text, &size);
    CHECK(file != NULL);
    write_summary(reported, file);
    fputs("\n\n", file);
    columns_write(reported, &plain, file);
    if (reported->replay != NULL)
        fprintf(file, "\nrun it again: bohr replay %s\n", reported->replay);
    CHECK(fclose(file) == 0);
    return text;
}

bool reported_counts(const struct reported *reported)
{
    return reported->finding.severity == SEVERITY_ERROR && !reported->known;
}
