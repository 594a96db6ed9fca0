#include "report/json_values.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "core/verdict.h"
#include "report/style.h"

json_t *text_or_null(const char *text)
{
    if (text == NULL)
        return json_null();
    json_t *string = json_string(text);
    if (string != NULL)
        return string;
    char *plain = strdup(text); /* the text is not UTF-8, and JSON holds nothing else */
    CHECK(plain != NULL);
    text_make_valid(plain);
    string = json_string(plain);
    free(plain);
    return string;
}

json_t *number(uint64_t value)
{
    return json_integer((json_int_t)value);
}

json_t *number_or_null(uint64_t value, bool known)
{
    return known ? number(value) : json_null();
}

void put(json_t *object, const char *name, json_t *value)
{
    CHECK(json_object_set_new(object, name, value) == 0);
}

void append(json_t *array, json_t *value)
{
    CHECK(json_array_append_new(array, value) == 0);
}

json_t *contributions_json(const struct verdict *verdict)
{
    if (verdict->contribution_count == 0)
        return json_null();
    json_t *array = json_array();
    for (uint32_t i = 0; i < verdict->contribution_count; i++) {
        const struct contribution *row = &verdict->contributions[i];
        json_t *object = json_object();
        put(object, "strategy", json_string(row->strategy));
        put(object, "executions", number(row->executions));
        put(object, "classes", number(row->classes));
        put(object, "failed", number(row->failed));
        append(array, object);
    }
    return array;
}
