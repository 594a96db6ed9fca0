/* The data of the HTML report, as JSON. Each property of a schedule's steps is an array of its own,
 * so that a trace of many steps stays small and is read fast. */
#include <stdlib.h>
#include <string.h>

#include "core/version.h"
#include "report/html.h"
#include "report/json_values.h"
#include "report/title.h"

struct writer {
    const struct verdict *verdict;
    struct html_sources sources;
    bool used[OP_KINDS]; /* kinds of operation that the page must know */
};

/* The part of an operation in locking: the page draws which thread holds a lock. */
static const char *lock_role(enum op_kind kind)
{
    switch ((enum op_lock_part)op_traits(kind)->lock) {
    case OP_LOCK_TAKE:
        return "take";
    case OP_LOCK_SHARE:
        return "share";
    case OP_LOCK_GIVE:
        return "give";
    case OP_LOCK_SLEEP:
        return "sleep"; /* gives back the mutex, which is the second object */
    case OP_LOCK_WAKE:
        return "wake"; /* takes the mutex again */
    case OP_LOCK_SIGNAL:
        return "signal";
    case OP_LOCK_CREATE:
        return "create";
    case OP_LOCK_JOIN:
        return "join";
    case OP_LOCK_QUEUE:
    case OP_LOCK_NONE:
        return NULL;
    }
    return NULL;
}

static json_t *operations_json(const struct writer *writer)
{
    json_t *object = json_object();
    for (int kind = 0; kind < OP_KINDS; kind++) {
        if (!writer->used[kind])
            continue;
        static const char *const words[] = {[OP_ACCESS_NONE] = "none",
                                            [OP_ACCESS_READ] = "read",
                                            [OP_ACCESS_REWRITE] = "write",
                                            [OP_ACCESS_WRITE] = "write"};
        char name[16];
        json_t *row = json_object();
        put(row, "word", json_string(op_word(kind)));
        put(row, "access", json_string(words[op_access(kind)]));
        put(row, "role", text_or_null(lock_role(kind)));
        snprintf(name, sizeof name, "%d", kind);
        put(object, name, row);
    }
    return object;
}

/* Numbers texts. `texts` has them in the order of their numbers. */
struct names {
    json_t *texts, *numbers;
};

static json_t *name_number(struct names *names, const char *text)
{
    if (text == NULL)
        text = "";
    json_t *known = json_object_get(names->numbers, text);
    if (known != NULL)
        return json_incref(known);
    json_t *new = number(json_array_size(names->texts));
    append(names->texts, text_or_null(text));
    json_object_set(names->numbers, text,
                    /* fails for text that is not UTF-8, which then gets a new number each time */
                    new);
    return new;
}

static json_t *place_json(struct writer *writer, const struct named_site *at)
{
    if (at->file == NULL && at->function == NULL && at->module == NULL)
        return json_null();
    json_t *object = json_object();
    put(object, "file",
        at->file == NULL ? json_null() : number(html_source_number(&writer->sources, at->file)));
    put(object, "line", number(at->line));
    put(object, "function", text_or_null(at->function));
    put(object, "module", text_or_null(at->module));
    return object;
}

static json_t *value_json(uint64_t value, bool known) /* as text: a double has too few digits */
{
    char digits[24];
    snprintf(digits, sizeof digits, "%lu", value);
    return known ? json_string(digits) : json_null();
}

static void append_value(json_t *values, const struct story_step *step)
{
    const struct step_value *value = &step->value;
    if (value->size == 0 || value->size > sizeof(uint64_t) || value->known == 0)
        return;
    json_t *row = json_array();
    append(row, number(step->number));
    append(row, number(value->size));
    append(row, value_json(value->before, value->known & VALUE_BEFORE));
    append(row, value_json(value->after, value->known & VALUE_AFTER));
    append(values, row);
}

static json_t *schedule_json(struct writer *writer, const struct story_step *steps, uint32_t count)
{
    enum { THREAD, KIND, OBJECT, NAME, SECOND, FLAGS, FILE_NUMBER, LINE, FUNCTION, COLUMNS };
    static const char *const titles[COLUMNS] = {"thread", "kind", "object", "name",    "second",
                                                "flags",  "file", "line",   "function"};
    json_t *columns[COLUMNS], *values = json_array(), *choices = json_array();
    struct names names = {.texts = json_array(), .numbers = json_object()};
    for (int i = 0; i < COLUMNS; i++)
        columns[i] = json_array();
    for (uint32_t i = 0; i < count; i++) {
        const struct story_step *step = &steps[i];
        writer->used[step->kind] = true;
        append(columns[THREAD], number(step->thread));
        append(columns[KIND], number(step->kind));
        append(columns[OBJECT], number(step->object_number));
        append(columns[NAME], name_number(&names, step->object));
        append(columns[SECOND], number(step->second_number));
        append(columns[FLAGS], number(step->preempts + 2u * step->failed));
        append(columns[FILE_NUMBER],
               step->at.file == NULL ? json_integer(-1)
                                     : number(html_source_number(&writer->sources, step->at.file)));
        append(columns[LINE], number(step->at.line));
        append(columns[FUNCTION], name_number(&names, step->at.function));
        append_value(values, step);
        if (step->choices > 1) {
            json_t *row = json_array();
            append(row, number(i));
            append(row, number(step->choice));
            append(row, number(step->choices));
            append(choices, row);
        }
    }
    json_t *object = json_object();
    for (int i = 0; i < COLUMNS; i++)
        put(object, titles[i], columns[i]);
    put(object, "values", values);
    put(object, "choices", choices);
    put(object, "names", names.texts);
    json_decref(names.numbers);
    return object;
}

static json_t *waits_json(struct writer *writer, const struct reported *reported)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < reported->wait_count; i++) {
        const struct story_wait *wait = &reported->waits[i];
        json_t *object = json_object();
        writer->used[wait->kind] = true;
        put(object, "thread", number(wait->thread));
        put(object, "owner", number_or_null(wait->owner, wait->owner != NO_THREAD));
        put(object, "kind", number(wait->kind));
        put(object, "object", text_or_null(wait->object));
        put(object, "at", place_json(writer, &wait->at));
        put(object, "ever", json_boolean(!finding_is_unended(&reported->finding)));
        append(array, object);
    }
    return array;
}

/* The steps at which the finding showed; a race shows at two steps. */
static json_t *marked_json(const struct reported *reported)
{
    const struct finding *finding = &reported->finding;
    json_t *array = json_array();
    if (finding->kind == FINDING_RACE && finding->places[1].step != 0)
        append(array, number(finding->places[1].step));
    if (finding->kind == FINDING_RACE || finding->kind == FINDING_MISUSE ||
        finding->kind == FINDING_SIGNAL_UNSAFE)
        append(array, number(finding->places[0].step));
    else if (reported->wait_count == 0 && reported->step_count > 0)
        append(array, number(reported->step_count - 1));
    return array;
}

static json_t *stack_json(struct writer *writer, const char *title, const struct named_stack *stack)
{
    json_t *object = json_object(), *frames = json_array();
    put(object, "title", json_string(title));
    for (uint32_t i = 0; i < stack->count; i++)
        append(frames, place_json(writer, &stack->frames[i]));
    put(object, "frames", frames);
    return object;
}

static json_t *stacks_json(struct writer *writer, const struct reported *reported)
{
    json_t *array = json_array();
    char title[32];
    for (uint32_t i = 0; i < FINDING_PLACES_MAX; i++) {
        thread_id thread = reported->finding.places[i].thread;
        if (reported->stacks[i].count == 0)
            continue;
        snprintf(title, sizeof title, "T%u",
                 i == 0 && reported->finding.thread != NO_THREAD ? reported->finding.thread
                                                                 : thread);
        append(array, stack_json(writer, title, &reported->stacks[i]));
    }
    for (uint32_t i = 0; i < reported->wait_count; i++) {
        snprintf(title, sizeof title, "T%u, which waits", reported->waits[i].thread);
        append(array, stack_json(writer, title, &reported->waits[i].stack));
    }
    return array;
}

static json_t *orders_json(const struct explanation *explanation)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < explanation->order_count; i++) {
        json_t *object = json_object();
        put(object, "earlier", number(explanation->orders[i].earlier.number));
        put(object, "later", number(explanation->orders[i].later.number));
        put(object, "later_thread", number(explanation->orders[i].later.thread));
        put(object, "text", text_or_null(explanation->orders[i].text));
        append(array, object);
    }
    return array;
}

static json_t *explanation_json(struct writer *writer, const struct explanation *explanation)
{
    if (!explanation->asked)
        return json_null();
    json_t *object = json_object(), *preemptions = json_array(), *lines = json_array();
    put(object, "orders", orders_json(explanation));
    for (uint32_t i = 0; i < EXPLANATION_LINES_MAX && explanation->lines[i] != NULL; i++)
        append(lines, text_or_null(explanation->lines[i]));
    put(object, "lines", lines);
    put(object, "checked", json_boolean(explanation->checked));
    put(object, "all", json_boolean(explanation->all));
    put(object, "tried", number(explanation->tried));
    put(object, "smallest", json_boolean(explanation->smallest));
    for (uint32_t i = 0; i < explanation->preemption_count; i++)
        append(preemptions, number(explanation->preemptions[i]));
    put(object, "preemptions", preemptions);
    put(object, "leaves", number(explanation->leaves));
    put(object, "passing",
        explanation->passing == NULL
            ? json_null()
            : schedule_json(writer, explanation->passing, explanation->passing_count));
    return object;
}

static json_t *leaks_json(const struct reported *reported)
{
    json_t *array = json_array();
    for (const char **leak = reported->leaks; leak != NULL && *leak != NULL; leak++)
        append(array, text_or_null(*leak));
    return array;
}

static json_t *finding_json(struct writer *writer, const struct reported *reported)
{
    const struct finding *finding = &reported->finding;
    json_t *object = json_object();
    put(object, "title", json_string(reported_title(reported)));
    put(object, "kind", json_string(finding_word(finding->kind)));
    put(object, "error", json_boolean(finding->severity == SEVERITY_ERROR));
    put(object, "message", text_or_null(finding->message));
    put(object, "why", text_or_null(reported->why));
    put(object, "cause", text_or_null(reported->cause));
    put(object, "object", text_or_null(reported->object));
    put(object, "at", place_json(writer, &reported->at));
    put(object, "thread", number_or_null(finding->thread, finding->thread != NO_THREAD));
    put(object, "execution", number(finding->execution));
    put(object, "count", number(finding->count));
    put(object, "always", json_boolean(finding->always));
    put(object, "preemptions", number(finding->preemptions));
    put(object, "fewest", json_boolean(reported->fewest == FEWEST_PROVED));
    put(object, "confirmed", json_boolean(reported->confirmed));
    put(object, "replay", text_or_null(reported->replay));
    put(object, "cycle", number(finding->cycle));
    put(object, "output", text_or_null(reported->output));
    put(object, "errors", text_or_null(reported->errors));
    put(object, "leaks", leaks_json(reported));
    put(object, "leak_count", number(reported->leak_count));
    put(object, "marked", marked_json(reported));
    put(object, "stacks", stacks_json(writer, reported));
    put(object, "failing", schedule_json(writer, reported->steps, reported->step_count));
    put(object, "waits", waits_json(writer, reported));
    put(object, "explanation", explanation_json(writer, &reported->explanation));
    return object;
}

static json_t *per_bound_json(const struct tally *tally)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < tally->bounds; i++) {
        const struct bound_row *row = &tally->per_bound[i];
        json_t *cells = json_array();
        append(cells, json_integer(row->bound));
        append(cells, number(row->executions));
        append(cells, number_or_null(row->classes, tally->classes != CLASSES_UNKNOWN));
        append(array, cells);
    }
    return array;
}

static void append_point(json_t *array, uint64_t executions, uint64_t classes, double seconds)
{
    json_t *row = json_array();
    append(row, number(executions));
    append(row, number(classes));
    append(row, json_real(seconds > 0 ? seconds : 0));
    append(array, row);
}

/* Rows of executions, classes and seconds, for the last search. */
static json_t *coverage_json(const struct verdict *verdict)
{
    const struct coverage *coverage = verdict->coverage;
    const struct tally *tally = verdict->tally;
    json_t *array = json_array();
    uint64_t last = 0;
    for (uint32_t i = 0; coverage != NULL && i < coverage->count; i++) {
        const struct coverage_point *point = &coverage->points[i];
        last = point->executions;
        append_point(array, last, point->classes,
                     (double)(int64_t)point->nanoseconds / 1e9 - verdict->started);
    }
    if (coverage != NULL && tally->classes != CLASSES_UNKNOWN && tally->classified > last)
        append_point(array, tally->classified, tally->classes, verdict->wall_seconds);
    return array;
}

static json_t *search_json(const struct verdict *verdict)
{
    const struct tally *tally = verdict->tally;
    json_t *object = json_object();
    put(object, "strategy", json_string(verdict->options->strategy));
    put(object, "executions", number(tally->executions));
    put(object, "classes", number_or_null(tally->classes, tally->classes != CLASSES_UNKNOWN));
    put(object, "restarts", number(tally->restarts));
    put(object, "buggy", number(tally->buggy));
    put(object, "cut", number(tally->cut));
    put(object, "threads", number(tally->threads));
    put(object, "max_steps", number(tally->max_steps));
    put(object, "seconds", json_real(verdict->wall_seconds));
    put(object, "per_bound", per_bound_json(tally));
    put(object, "strategies", contributions_json(verdict));
    put(object, "coverage", coverage_json(verdict));
    return object;
}

json_t *html_data(const struct verdict *verdict)
{
    struct writer writer = {.verdict = verdict};
    json_t *root = json_object(), *findings = json_array(), *notes = json_array(),
           *arguments = json_array();
    for (uint32_t i = 0; i < verdict->finding_count; i++)
        append(findings, finding_json(&writer, &verdict->findings[i]));
    for (uint32_t i = 0; i < verdict->note_count; i++)
        append(notes, text_or_null(verdict->notes[i]));
    for (char **argument = verdict->arguments; *argument != NULL; argument++)
        append(arguments, text_or_null(*argument));
    put(root, "bohr", json_string(BOHR_VERSION));
    put(root, "program", text_or_null(verdict->program));
    put(root, "arguments", arguments);
    put(root, "verdict", json_string(answer_word(verdict->answer)));
    put(root, "refusal", text_or_null(verdict->refusal));
    put(root, "shortfall", text_or_null(verdict->shortfall));
    put(root, "refusal_at", place_json(&writer, &verdict->refusal_at));
    put(root, "claim", text_or_null(verdict->claim.text));
    put(root, "notes", notes);
    put(root, "search", search_json(verdict));
    put(root, "findings", findings);
    put(root, "operations", operations_json(&writer));
    put(root, "sources", html_sources_json(&writer.sources));
    html_sources_drop(&writer.sources);
    return root;
}
