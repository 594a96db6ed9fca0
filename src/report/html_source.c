/* Source text for the HTML report. For a file that cannot be read the page shows no source. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "report/html.h"
#include "report/json_values.h"

enum { SOURCE_MAX = 1 << 20 }; /* bytes; more than people write into one file */

uint32_t html_source_number(struct html_sources *sources, const char *path)
{
    for (uint32_t i = sources->count; i-- > 0;)
        if (strcmp(sources->paths[i], path) == 0)
            return i;
    sources->paths = reallocarray(sources->paths, sources->count + 1, sizeof *sources->paths);
    CHECK(sources->paths != NULL);
    sources->paths[sources->count] = path;
    return sources->count++;
}

static json_t *text_of(const char *path)
{
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return json_null();
    char *text = malloc(SOURCE_MAX + 1);
    CHECK(text != NULL);
    size_t count = fread(text, 1, SOURCE_MAX, file);
    bool whole = count < SOURCE_MAX && !ferror(file) && memchr(text, 0, count) == NULL;
    text[count] = 0;
    json_t *json = whole ? text_or_null(text) : json_null();
    free(text);
    fclose(file);
    return json;
}

json_t *html_sources_json(const struct html_sources *sources)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < sources->count; i++) {
        json_t *object = json_object();
        put(object, "path", text_or_null(sources->paths[i]));
        put(object, "text", text_of(sources->paths[i]));
        append(array, object);
    }
    return array;
}

void html_sources_drop(struct html_sources *sources)
{
    free(sources->paths);
    *sources = (struct html_sources){0};
}
