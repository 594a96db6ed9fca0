#include "cli/option_lists.h"

#include <string.h>

#include "cli/option_values.h"
#include "coordinator/symbols/near.h"
#include "coordinator/text.h"
#include "strategy/guided/priority.h"

bool parse_fault(struct settings *out, const char *value, const char *name, struct problem *why)
{
    static const char *const parts[] = {
        "",
#define STATE_PART(name, word) "state-" word,
#include "core/state_parts.def"
#undef STATE_PART
    };
    for (size_t part = 1; part < sizeof parts / sizeof *parts; part++)
        if (strcmp(value, parts[part]) == 0) {
            out->options.state_fault = (uint8_t)part;
            return true;
        }
    const char *word = value;
    for (int fault = 0; fault < OP_FAULTS; fault++) {
        size_t length = strlen(op_fault_words[fault]);
        if (strncmp(value, op_fault_words[fault], length) == 0 && value[length] == ':') {
            out->options.fault_column = (uint8_t)fault;
            word = value + length + 1;
        }
    }
    for (int kind = 1; kind < OP_KINDS; kind++)
        if (strcmp(word, op_word(kind)) == 0) {
            out->options.fault = (uint8_t)kind;
            return true;
        }
    return problem_is(
        why,
        text_print("%s takes a kind of operation such as lock or sync:lock, not '%s'", name, value),
        NULL, 0);
}

static bool is_priority(const char *word, size_t length)
{
    for (int i = 0; i < PRIORITY_KINDS; i++) {
        const char *name = priority_name((enum priority_kind)i);
        if (strlen(name) == length && memcmp(name, word, length) == 0)
            return true;
    }
    return false;
}

static const char *near_priorities(const char *word, size_t length)
{
    struct near near = {0};
    for (int i = 0; i < PRIORITY_KINDS; i++) {
        const char *name = priority_name((enum priority_kind)i);
        near_add(&near, name, strlen(name), word, length);
    }
    return near_text(&near);
}

bool parse_priority(struct settings *out, const char *value, const char *name, struct problem *why)
{
    size_t length;
    const char *wrong = hierarchy_parse(&out->options.hierarchy, value, &length);
    out->priority_given = true;
    if (wrong == NULL)
        return true;
    size_t plain = strcspn(wrong, ",:");
    const char *text =
        is_priority(wrong, plain)
            ? text_print("--priority takes each priority at most once, method and var with names "
                         "(method:push,pop), the others without; not '%.*s'",
                         (int)length, wrong)
            : text_print(
                  "--priority: there is no priority '%.*s' (bohr list priorities names all)%s",
                  (int)plain, wrong, near_priorities(wrong, plain));
    return problem_is(why, text, NULL, 0);
}
