#include "report/fingerprint.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static void add_byte(uint64_t *sum, unsigned char byte) /* FNV-1a */
{
    *sum = (*sum ^ byte) * 0x100000001b3;
}

static void add_text(uint64_t *sum, const char *text)
{
    for (; text != NULL && *text != 0; text++)
        add_byte(sum, (unsigned char)*text);
    add_byte(sum, 0);
}

/* Adds a name without numbers behind these characters. Such numbers change when a line or a field
 * is added, or a block is allocated before: "queue.c:40", "list+16", "block #3", "(24 bytes". */
static void add_name(uint64_t *sum, const char *name)
{
    for (const char *at = name; at != NULL && *at != 0; at++) {
        add_byte(sum, (unsigned char)*at);
        if (strchr(":+-#(", *at) != NULL)
            while (isdigit((unsigned char)at[1]))
                at++;
    }
    add_byte(sum, 0);
}

static void add_function(uint64_t *sum, const struct named_site *at)
{
    add_text(sum, at->function != NULL ? at->function : at->module);
}

struct fingerprint fingerprint_of(const struct reported *reported)
{
    const struct finding *finding = &reported->finding;
    uint64_t sum = 0xcbf29ce484222325;
    add_text(&sum, finding_word(finding->kind));
    add_function(&sum, &reported->at);
    for (uint32_t i = 0; i < FINDING_PLACES_MAX; i++) {
        add_function(&sum, &reported->places[i]);
        add_text(&sum, verb_word(reported_verb(reported, i)));
    }
    add_name(&sum, reported->object);
    if (finding->kind != FINDING_NONDETERMINISM) /* the text of a nondeterminism names steps */
        add_name(&sum, finding->message);
    for (uint32_t i = 0; i < reported->wait_count; i++) {
        add_text(&sum, op_word(reported->waits[i].kind));
        add_name(&sum, reported->waits[i].object);
        add_function(&sum, &reported->waits[i].at);
    }
    struct fingerprint out;
    snprintf(out.text, sizeof out.text, "%016lx", sum);
    return out;
}
