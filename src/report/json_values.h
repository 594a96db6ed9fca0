/* JSON values for what a verdict holds. */
#ifndef REPORT_JSON_VALUES_H
#define REPORT_JSON_VALUES_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* in a text that is not UTF-8, bytes above ASCII become '?' */
json_t *text_or_null(const char *text);
json_t *number(uint64_t value);
json_t *number_or_null(uint64_t value, bool known);
void put(json_t *object, const char *name, json_t *value); /* takes over `value` */
void append(json_t *array, json_t *value);                 /* takes over `value` */

/* The contributions of a portfolio's strategies; null: the strategy is no portfolio. */
struct verdict;
json_t *contributions_json(const struct verdict *verdict);

#endif
