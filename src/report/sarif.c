/* The verdict as SARIF 2.1.0: a rule for each kind of finding, a result for each finding. A result
 * has a flow for each thread, with the steps of that thread; executionOrder merges the flows. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "core/version.h"
#include "report/fingerprint.h"
#include "report/json_values.h"
#include "report/story_text.h"
#include "report/style.h"
#include "report/title.h"

/* Steps per result: GitHub shows no more. Of a longer story these are the end, and the steps before
 * that matter. */
enum { STEPS_SHOWN = 1000 };

static json_t *message(const char *text)
{
    json_t *object = json_object();
    put(object, "text", text_or_null(text));
    return object;
}

/* A path as a URI. A relative path is relative to the folder in which the search was run. */
static json_t *uri(const char *path)
{
    size_t room = 3 * strlen(path) + 16, at = 0;
    char *text = malloc(room);
    CHECK(text != NULL);
    if (*path == '/')
        at = (size_t)snprintf(text, room, "file://");
    for (; *path != 0; path++) {
        unsigned char byte = (unsigned char)*path;
        bool plain = isalnum(byte) || strchr("/-_.~+", byte) != NULL;
        at += (size_t)snprintf(text + at, room - at, plain ? "%c" : "%%%02X", byte);
    }
    json_t *json = json_string(text);
    free(text);
    return json;
}

static json_t *location(const struct named_site *at, const char *text)
{
    json_t *object = json_object();
    if (at->file != NULL) {
        json_t *physical = json_object(), *artifact = json_object(), *region = json_object();
        put(artifact, "uri", uri(at->file));
        put(physical, "artifactLocation", artifact);
        put(region, "startLine", number(at->line > 0 ? at->line : 1));
        put(physical, "region", region);
        put(object, "physicalLocation", physical);
    }
    if (at->function != NULL) {
        json_t *logical = json_array(), *function = json_object();
        put(function, "fullyQualifiedName", text_or_null(at->function));
        put(function, "kind", json_string("function"));
        append(logical, function);
        put(object, "logicalLocations", logical);
    }
    if (text != NULL)
        put(object, "message", message(text));
    return object;
}

/* The value of the variable after the step. */
static json_t *state_json(const struct story_step *step)
{
    json_t *object = json_object();
    char digits[24];
    snprintf(digits, sizeof digits, "%lu", step->value.after);
    put(object, step->object, message(digits));
    return object;
}

static bool is_marked(const struct reported *reported, uint32_t number)
{
    const struct finding *finding = &reported->finding;
    if (finding->kind == FINDING_RACE)
        return number == finding->places[0].step ||
               (number == finding->places[1].step && number != 0);
    return number + 1 == reported->step_count;
}

/* Whether the step is part of one of the orders that make the execution fail. */
static bool is_ordered(const struct reported *reported, uint32_t number)
{
    const struct explanation *explanation = &reported->explanation;
    for (uint32_t i = 0; i < explanation->order_count; i++)
        if (explanation->orders[i].earlier.number == number ||
            explanation->orders[i].later.number == number)
            return true;
    return false;
}

static bool matters(const struct reported *reported, const struct story_step *step)
{
    return step->preempts || is_marked(reported, step->number) ||
           is_ordered(reported, step->number);
}

struct shown { /* shown are the steps that matter from one step on, and all from a later one on */
    uint32_t matter_from, all_from;
};

static struct shown steps_shown(const struct reported *reported)
{
    uint32_t count = reported->step_count, left = STEPS_SHOWN;
    struct shown shown = {count, count};
    for (; shown.matter_from > 0 && left > 0; shown.matter_from--)
        left -= matters(reported, &reported->steps[shown.matter_from - 1]);
    while (shown.all_from > 0) {
        bool more = !matters(reported, &reported->steps[shown.all_from - 1]);
        if (more && left == 0)
            break;
        left -= more;
        shown.all_from--;
    }
    if (shown.all_from < shown.matter_from)
        shown.all_from = shown.matter_from;
    return shown;
}

static json_t *step_json(const struct reported *reported, const struct story_step *step)
{
    char text[512];
    snprintf(text, sizeof text, "%s%s%s%s%s", step->preempts ? "(preempts) " : "",
             op_word(step->kind), *step->object != 0 ? " " : "", step->object,
             step->failed ? " (fails)" : "");
    text_make_valid(text);
    bool marked = is_marked(reported, step->number) || is_ordered(reported, step->number);
    json_t *object = json_object();
    put(object, "location", location(&step->at, text));
    put(object, "executionOrder", number(step->number));
    put(object, "importance",
        json_string(marked           ? "essential"
                    : step->preempts ? "important"
                                     : "unimportant"));
    if (step->value.size > 0 && (step->value.known & VALUE_AFTER) && *step->object != 0)
        put(object, "state", state_json(step));
    return object;
}

static json_t *wait_json(const struct reported *reported, const struct story_wait *wait)
{
    char text[512];
    snprintf(text, sizeof text, "%s: %s %s",
             finding_is_unended(&reported->finding) ? "still waits" : "waits forever",
             op_word(wait->kind), wait->object);
    text_make_valid(text);
    json_t *object = json_object();
    put(object, "location", location(&wait->at, text));
    put(object, "executionOrder", number(reported->step_count));
    put(object, "importance", json_string("essential"));
    return object;
}

static json_t *thread_json(const struct reported *reported, struct shown shown, thread_id thread)
{
    char name[16];
    snprintf(name, sizeof name, "T%u", thread);
    json_t *object = json_object(), *locations = json_array();
    for (uint32_t i = shown.matter_from; i < reported->step_count; i++) {
        const struct story_step *step = &reported->steps[i];
        if (step->thread == thread && (i >= shown.all_from || matters(reported, step)))
            append(locations, step_json(reported, step));
    }
    for (uint32_t i = 0; i < reported->wait_count; i++)
        if (reported->waits[i].thread == thread)
            append(locations, wait_json(reported, &reported->waits[i]));
    put(object, "id", json_string(name));
    put(object, "locations", locations);
    return object;
}

static json_t *flows_json(const struct reported *reported)
{
    json_t *flows = json_array(), *flow = json_object(), *threads = json_array();
    struct shown shown = steps_shown(reported);
    for (thread_id thread = 0; thread < THREADS_MAX; thread++) {
        json_t *object = thread_json(reported, shown, thread);
        if (json_array_size(json_object_get(object, "locations")) > 0)
            append(threads, object);
        else
            json_decref(object);
    }
    if (json_array_size(threads) == 0) {
        json_decref(threads);
        json_decref(flow);
        return flows;
    }
    if (shown.all_from > 0)
        put(flow, "message", message("the end of the schedule, and what matters before"));
    put(flow, "threadFlows", threads);
    append(flows, flow);
    return flows;
}

static json_t *fingerprints_json(const struct reported *reported)
{
    json_t *object = json_object();
    put(object, FINGERPRINT_NAME, json_string(fingerprint_of(reported).text));
    return object;
}

static json_t *properties_json(const struct reported *reported)
{
    json_t *object = json_object();
    put(object, "preemptions", number(reported->finding.preemptions));
    put(object, "confirmed", json_boolean(reported->confirmed));
    if (reported->replay != NULL)
        put(object, "replay", text_or_null(reported->replay));
    return object;
}

static json_t *result_json(const struct reported *reported, bool compared)
{
    const struct finding *finding = &reported->finding;
    json_t *object = json_object(), *locations = json_array(), *related = json_array();
    char *summary = story_summary(reported);
    put(object, "ruleId", json_string(finding_word(finding->kind)));
    put(object, "ruleIndex", number(finding->kind));
    put(object, "level", json_string(finding->severity == SEVERITY_ERROR ? "error" : "warning"));
    put(object, "message", message(summary));
    free(summary);
    if (reported->at.file != NULL || reported->at.function != NULL)
        append(locations, location(&reported->at, NULL));
    put(object, "locations", locations);
    if (reported->places[1].file != NULL)
        append(related, location(&reported->places[1], "the other place"));
    put(object, "relatedLocations", related);
    put(object, "codeFlows", flows_json(reported));
    put(object, "partialFingerprints", fingerprints_json(reported));
    put(object, "occurrenceCount", number(finding->count > 0 ? finding->count : 1));
    if (compared)
        put(object, "baselineState", json_string(reported->known ? "unchanged" : "new"));
    put(object, "properties", properties_json(reported));
    return object;
}

static json_t *rules_json(void)
{
    json_t *array = json_array();
    for (int kind = 0; kind < FINDING_KINDS; kind++) {
        json_t *rule = json_object(), *configuration = json_object();
        put(rule, "id", json_string(finding_word(kind)));
        put(rule, "shortDescription", message(finding_title(kind)));
        put(configuration, "level",
            json_string(finding_severity(kind) == SEVERITY_ERROR ? "error" : "warning"));
        put(rule, "defaultConfiguration", configuration);
        append(array, rule);
    }
    return array;
}

static json_t *tool_json(void)
{
    json_t *tool = json_object(), *driver = json_object();
    put(driver, "name", json_string("Bohr"));
    put(driver, "version", json_string(BOHR_VERSION));
    put(driver, "rules", rules_json());
    put(tool, "driver", driver);
    return tool;
}

static json_t *invocations_json(const struct verdict *verdict)
{
    json_t *array = json_array(), *object = json_object(), *arguments = json_array(),
           *notifications = json_array();
    const char *why = verdict_failure(verdict);
    append(arguments, text_or_null(verdict->program));
    for (char **argument = verdict->arguments; *argument != NULL; argument++)
        append(arguments, text_or_null(*argument));
    put(object, "arguments", arguments);
    put(object, "executionSuccessful", json_boolean(why == NULL));
    put(object, "exitCode", json_integer(verdict_exit_status(verdict)));
    if (why != NULL) {
        json_t *notification = json_object();
        put(notification, "level", json_string("error"));
        put(notification, "message", message(why));
        append(notifications, notification);
    }
    put(object, "toolExecutionNotifications", notifications);
    append(array, object);
    return array;
}

static void sarif_write(const struct verdict *verdict, const struct report_style *style, FILE *file)
{
    json_t *root = json_object(), *runs = json_array(), *run = json_object(),
           *results = json_array(), *properties = json_object();
    for (uint32_t i = 0; i < verdict->finding_count; i++)
        append(results, result_json(&verdict->findings[i], verdict->compared));
    put(properties, "claim", text_or_null(verdict->claim.text));
    put(run, "tool", tool_json());
    put(run, "invocations", invocations_json(verdict));
    put(run, "results", results);
    put(run, "properties", properties);
    append(runs, run);
    put(root, "$schema",
        json_string("https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
                    "sarif-schema-2.1.0.json"));
    put(root, "version", json_string("2.1.0"));
    put(root, "runs", runs);
    char *text = json_dumps(root, JSON_INDENT(2));
    CHECK(text != NULL);
    fprintf(file, "%s\n", text);
    free(text);
    json_decref(root);
}

const struct report report_sarif = {
    .name = "sarif",
    .summary = "findings with the steps of each thread, as SARIF 2.1.0",
    .write = sarif_write,
};
