#include "coordinator/minimise/suppress.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "coordinator/minimise/confirm.h"
#include "coordinator/text.h"

enum rule_kind {
    RULE_RACE,
    RULE_RACE_TOP, /* matches only the places of the two accesses */
    RULE_DEADLOCK,
    RULE_MUTEX,
    RULE_THREAD,
    RULE_SIGNAL,
    RULE_LIBRARY, /* any finding whose innermost frame is in this module */
    RULE_FINDING, /* any finding of one kind */
};

struct suppression {
    enum rule_kind kind;
    enum finding_kind finding;
    const char *pattern;
};

static const struct {
    const char *word;
    enum rule_kind kind;
} words[] = {
    {"race", RULE_RACE},
    {"race_top", RULE_RACE_TOP},
    {"deadlock", RULE_DEADLOCK},
    {"mutex", RULE_MUTEX},
    {"thread", RULE_THREAD},
    {"signal", RULE_SIGNAL},
    {"called_from_lib", RULE_LIBRARY},
};

static bool is_word(const char *text, size_t count, const char *word)
{
    return strlen(word) == count && strncmp(text, word, count) == 0;
}

static bool read_type(struct suppression *out, const char *text, size_t count)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (is_word(text, count, words[i].word)) {
            out->kind = words[i].kind;
            return true;
        }
    for (int kind = 0; kind < FINDING_KINDS; kind++)
        if (is_word(text, count, finding_word((enum finding_kind)kind))) {
            out->kind = RULE_FINDING;
            out->finding = (enum finding_kind)kind;
            return true;
        }
    return false;
}

static bool misread(const char *path, uint32_t number, const char *line, size_t length,
                    struct problem *why)
{
    const char *allowed = "";
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        allowed = text_print("%s%s:", i == 0 ? "" : text_print("%s ", allowed), words[i].word);
    return problem_is(
        why,
        text_print("line %u of the suppressions is not understood: '%.*s'; allowed are "
                   "TYPE:PATTERN with the types %s or a kind of finding such as "
                   "leak:, and comments (#)",
                   number, (int)(length < 60 ? length : 60), line, allowed),
        path, 0);
}

bool suppressions_parse(struct suppressions *out, const char *text, const char *path,
                        struct problem *why)
{
    size_t lines = 1;
    for (const char *at = text; *at != 0; at++)
        lines += *at == '\n';
    out->rules = text_room(lines * sizeof *out->rules);
    out->count = 0;
    uint32_t number = 0;
    for (const char *line = text, *next; *line != 0; line = next) {
        size_t length = strcspn(line, "\n");
        next = line + length + (line[length] == '\n');
        number++;
        while (length > 0 && strchr(" \t\r", line[length - 1]) != NULL)
            length--;
        while (length > 0 && strchr(" \t", *line) != NULL) {
            line++;
            length--;
        }
        if (length == 0 || *line == '#')
            continue;
        struct suppression *rule = &out->rules[out->count];
        const char *colon = memchr(line, ':', length);
        if (colon == NULL || colon + 1 == line + length ||
            !read_type(rule, line, (size_t)(colon - line)))
            return misread(path, number, line, length, why);
        rule->pattern = text_copy(colon + 1, length - (size_t)(colon + 1 - line));
        out->count++;
    }
    return true;
}

bool suppressions_read(struct suppressions *out, const char *path, struct problem *why)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return problem_is(why, "cannot open the suppressions", path, errno);
    size_t count = 0;
    errno = 0;
    const char *text = text_of_file(fd, &count);
    int error = errno;
    close(fd);
    if (text == NULL)
        return problem_is(why, "cannot read the suppressions", path, error);
    if (strlen(text) != count)
        return problem_is(why, "the suppressions are no text", path, 0);
    return suppressions_parse(out, text, path, why);
}

static bool matches_from(const char *pattern, size_t count, const char *text)
{
    if (count == 0)
        return true;
    if (*pattern == '$' && count == 1)
        return *text == 0;
    if (*pattern != '*')
        return *text == *pattern && matches_from(pattern + 1, count - 1, text + 1);
    for (;; text++) {
        if (matches_from(pattern + 1, count - 1, text))
            return true;
        if (*text == 0)
            return false;
    }
}

bool suppression_pattern_matches(const char *pattern, const char *text)
{
    size_t count = strlen(pattern);
    if (text == NULL || count == 0)
        return false;
    if (*pattern == '^')
        return matches_from(pattern + 1, count - 1, text);
    for (;; text++) {
        if (matches_from(pattern, count, text))
            return true;
        if (*text == 0)
            return false;
    }
}

static bool site_matches(const char *pattern, const struct named_site *at)
{
    return suppression_pattern_matches(pattern, at->function) ||
           suppression_pattern_matches(pattern, at->file) ||
           suppression_pattern_matches(pattern, at->module);
}

static bool stack_matches(const char *pattern, const struct named_stack *stack)
{
    for (uint32_t i = 0; i < stack->count; i++)
        if (site_matches(pattern, &stack->frames[i]))
            return true;
    return false;
}

static bool any_frame_matches(const char *pattern, const struct reported *reported)
{
    for (int i = 0; i < FINDING_PLACES_MAX; i++)
        if (site_matches(pattern, &reported->places[i]) ||
            stack_matches(pattern, &reported->stacks[i]))
            return true;
    for (uint32_t i = 0; i < reported->wait_count; i++)
        if (site_matches(pattern, &reported->waits[i].at) ||
            stack_matches(pattern, &reported->waits[i].stack))
            return true;
    return site_matches(pattern, &reported->at);
}

static bool rule_matches(const struct suppression *rule, const struct reported *reported)
{
    enum finding_kind kind = reported->finding.kind;
    const char *pattern = rule->pattern;
    switch (rule->kind) {
    case RULE_RACE:
        return kind == FINDING_RACE && (any_frame_matches(pattern, reported) ||
                                        suppression_pattern_matches(pattern, reported->object));
    case RULE_RACE_TOP:
        return kind == FINDING_RACE && (site_matches(pattern, &reported->places[0]) ||
                                        site_matches(pattern, &reported->places[1]));
    case RULE_DEADLOCK:
        return (kind == FINDING_DEADLOCK || kind == FINDING_LOCK_ORDER) &&
               any_frame_matches(pattern, reported);
    case RULE_MUTEX:
    case RULE_THREAD:
        return kind == FINDING_MISUSE && any_frame_matches(pattern, reported);
    case RULE_SIGNAL:
        return kind == FINDING_SIGNAL_UNSAFE && any_frame_matches(pattern, reported);
    case RULE_LIBRARY:
        return suppression_pattern_matches(pattern, reported->places[0].module) ||
               (reported->stacks[0].count > 0 &&
                suppression_pattern_matches(pattern, reported->stacks[0].frames[0].module));
    case RULE_FINDING:
        return kind == rule->finding && any_frame_matches(pattern, reported);
    }
    return false;
}

bool suppressions_match(const struct suppressions *suppressions, const struct reported *reported)
{
    for (uint32_t i = 0; i < suppressions->count; i++)
        if (rule_matches(&suppressions->rules[i], reported))
            return true;
    return false;
}

int suppressions_apply(const struct suppressions *suppressions, struct worker_pool *pool,
                       const struct board *board, struct options *options)
{
    int added = 0;
    for (uint32_t i = 0; suppressions->count > 0 && i < board->tally.finding_count; i++) {
        struct recording recording = recording_of(pool->job, board, i);
        struct confirmed confirmed;
        struct reported reported;
        confirm(pool, &recording, board->options.carrier, &reported, &confirmed);
        if (!suppressions_match(suppressions, &reported))
            continue;
        if (options->suppressed_count == SUPPRESSED_MAX)
            return -1;
        options->suppressed[options->suppressed_count++] = recording.finding.key;
        added++;
    }
    return added;
}
