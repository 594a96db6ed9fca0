/* JSON made of what a verdict holds. */
#ifndef REPORT_JSON_VALUES_H
#define REPORT_JSON_VALUES_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

json_t *text_or_null(const char *text); /* bytes that are no UTF-8 become '?' */
json_t *number(uint64_t value);
json_t *number_or_null(uint64_t value, bool known);
void put(json_t *object, const char *name, json_t *value); /* which it takes over */
void append(json_t *array, json_t *value);                 /* the same */

/* What each strategy of a portfolio has done; null: the strategy is none. */
struct verdict;
json_t *contributions_json(const struct verdict *verdict);

#endif
