/* The verdict as JSON, for programs. Fields may be added, never renamed. */
#include <stdlib.h>

#include "base/assert.h"
#include "core/control.h"
#include "core/version.h"
#include "report/fingerprint.h"
#include "report/json_values.h"
#include "report/remaining.h"
#include "report/report.h"
#include "report/style.h"

static json_t *unreduced_json(uint32_t unreduced)
{
    json_t *array = json_array();
    for (enum unreduced i = 0; i < UNREDUCED_CAUSES; i++)
        if (unreduced >> i & 1)
            append(array, json_string(unreduced_word(i)));
    return array;
}

static json_t *shared_json(const struct shared_memory *shared)
{
    if (shared->process == 0)
        return json_null();
    json_t *object = json_object();
    put(object, "process", number(shared->process));
    put(object, "address", number(shared->address));
    return object;
}

static json_t *names_json(const char *const *names, uint32_t count)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < count; i++)
        append(array, text_or_null(names[i]));
    return array;
}

static json_t *claim_json(const struct verdict *verdict)
{
    const struct claim *claim = &verdict->claim;
    json_t *object = json_object();
    bool bounded = claim->kind == CLAIM_WITHIN_BOUND;
    put(object, "kind", json_string(claim_word(claim->kind)));
    put(object, "bound", text_or_null(claim->bound));
    put(object, "value", bounded ? json_integer(claim->value) : json_null());
    put(object, "text", text_or_null(claim->text));
    put(object, "unreduced", unreduced_json(claim->unreduced));
    put(object, "uninstrumented", names_json(verdict->unseen, verdict->unseen_count));
    put(object, "unknown_functions",
        names_json(verdict->unknown_functions, verdict->unknown_function_count));
    put(object, "shared_with", shared_json(&claim->shared));
    return object;
}

static json_t *per_bound_json(const struct tally *tally)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < tally->bounds; i++) {
        const struct bound_row *row = &tally->per_bound[i];
        json_t *object = json_object();
        put(object, "bound", json_integer(row->bound));
        put(object, "executions", number(row->executions));
        put(object, "classes", number_or_null(row->classes, tally->classes != CLASSES_UNKNOWN));
        append(array, object);
    }
    return array;
}

/* The remaining work within the bound being searched; null if there is none, or it is unknown. */
static json_t *estimate_json(const struct verdict *verdict)
{
    const struct tally *tally = verdict->tally;
    struct remaining remaining;
    if (verdict->complete || !remaining_executions(&remaining, tally))
        return json_null();
    double rate = verdict->wall_seconds > 0 ? (double)tally->executions / verdict->wall_seconds : 0;
    json_t *object = json_object();
    put(object, "executions", json_real(remaining.left));
    put(object, "low", json_real(remaining.low));
    put(object, "high", json_real(remaining.high));
    put(object, "seconds", rate > 0 ? json_real(remaining.left / rate) : json_null());
    return object;
}

static json_t *new_class_json(const struct tally *tally)
{
    double probability;
    bool known = tally->claim == CLAIM_SAMPLED && new_class_probability(&probability, tally);
    return known ? json_real(probability) : json_null();
}

static json_t *found_json(const struct reported *reported)
{
    if (reported->fewest == FEWEST_NOT_ASKED)
        return json_null();
    json_t *object = json_object();
    put(object, "preemptions", number(reported->found.preemptions));
    put(object, "delays", number(reported->found.delays));
    put(object, "switches", number(reported->found.switches));
    put(object, "steps", number(reported->found_steps));
    return object;
}

static json_t *leaks_json(const struct reported *reported)
{
    json_t *array = json_array();
    for (const char **leak = reported->leaks; leak != NULL && *leak != NULL; leak++)
        append(array, text_or_null(*leak));
    return array;
}

/* The last lines that a program with a wrong exit status printed; null for other findings. */
static json_t *last_lines_json(const struct reported *reported, const char *text)
{
    bool known = reported->finding.kind == FINDING_EXIT && text != NULL;
    return text_or_null(known ? text_last_lines(text) : NULL);
}

static json_t *diverged_json(const struct reported *reported)
{
    if (reported->diverged.expected == NULL)
        return json_null();
    json_t *object = json_object();
    put(object, "step", number(reported->diverged.step));
    put(object, "expected", json_string(reported->diverged.expected));
    put(object, "got", json_string(reported->diverged.got));
    return object;
}

static json_t *step_json(const struct story_step *step)
{
    json_t *object = json_object();
    put(object, "step", number(step->number));
    put(object, "thread", number_or_null(step->thread, step->thread != NO_THREAD));
    put(object, "operation", json_string(op_word(step->kind)));
    put(object, "object", text_or_null(step->object));
    put(object, "file", text_or_null(step->at.file));
    put(object, "line", number_or_null(step->at.line, step->at.line != 0));
    put(object, "function", text_or_null(step->at.function));
    return object;
}

static json_t *orders_json(const struct explanation *explanation)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < explanation->order_count; i++) {
        const struct ordering *order = &explanation->orders[i];
        json_t *object = json_object();
        put(object, "earlier", step_json(&order->earlier));
        put(object, "later", step_json(&order->later));
        put(object, "object", text_or_null(order->object));
        put(object, "text", text_or_null(order->text));
        append(array, object);
    }
    return array;
}

static json_t *passing_json(const struct explanation *explanation)
{
    if (explanation->passing == NULL)
        return json_null();
    json_t *object = json_object(), *steps = json_array();
    put(object, "leaves", number(explanation->leaves));
    put(object, "reversed", number(explanation->reversed));
    for (uint32_t i = 0; i < explanation->passing_count; i++)
        append(steps, step_json(&explanation->passing[i]));
    put(object, "steps", steps);
    return object;
}

static json_t *explanation_json(const struct reported *reported)
{
    const struct explanation *explanation = &reported->explanation;
    if (!explanation->asked)
        return json_null();
    json_t *object = json_object(), *preemptions = json_array();
    put(object, "orders", orders_json(explanation));
    put(object, "checked", json_boolean(explanation->checked));
    put(object, "tried", number(explanation->tried));
    put(object, "all", json_boolean(explanation->all));
    put(object, "coarse", json_boolean(explanation->coarse));
    put(object, "smallest", json_boolean(explanation->smallest));
    for (uint32_t i = 0; i < explanation->preemption_count; i++)
        append(preemptions, number(explanation->preemptions[i]));
    put(object, "preemptions", preemptions);
    put(object, "passing", passing_json(explanation));
    return object;
}

static json_t *pairs_json(const struct reported *reported)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < reported->pair_count; i++) {
        json_t *pair = json_array();
        for (int k = 0; k < FINDING_PLACES_MAX; k++) {
            const struct named_site *at = &reported->pairs[i].site[k];
            json_t *object = json_object();
            put(object, "file", text_or_null(at->file));
            put(object, "line", number_or_null(at->line, at->line != 0));
            put(object, "function", text_or_null(at->function));
            append(pair, object);
        }
        append(array, pair);
    }
    return array;
}

static json_t *finding_json(const struct reported *reported)
{
    const struct finding *finding = &reported->finding;
    const struct named_site *at = &reported->at;
    json_t *object = json_object();
    put(object, "kind", json_string(finding_word(finding->kind)));
    put(object, "severity", json_string(finding->severity == SEVERITY_ERROR ? "error" : "warning"));
    put(object, "message", text_or_null(finding->message));
    put(object, "cause", text_or_null(reported->cause));
    put(object, "thread", number_or_null(finding->thread, finding->thread != NO_THREAD));
    put(object, "file", text_or_null(at->file));
    put(object, "line", number_or_null(at->line, at->line != 0));
    put(object, "function", text_or_null(at->function));
    put(object, "execution", number_or_null(finding->execution, finding->execution != 0));
    put(object, "count", number(finding->count));
    put(object, "always", json_boolean(finding->always));
    put(object, "preemptions", number(finding->preemptions));
    put(object, "delays", number(finding->delays));
    put(object, "switches", number(finding->switches));
    put(object, "spurious", number(reported_spurious(reported)));
    put(object, "steps", number(finding->steps));
    put(object, "fewest_preemptions",
        reported->fewest == FEWEST_NOT_ASKED ? json_null()
                                             : json_boolean(reported->fewest == FEWEST_PROVED));
    put(object, "adjacent",
        finding->kind == FINDING_RACE ? json_boolean(finding->adjacent) : json_null());
    put(object, "pairs", finding->kind == FINDING_RACE ? pairs_json(reported) : json_null());
    put(object, "pair_count", number_or_null(finding->pair_count, finding->kind == FINDING_RACE));
    put(object, "found", found_json(reported));
    put(object, "cycle", number_or_null(finding->cycle, finding->cycle != 0));
    put(object, "diverged", diverged_json(reported));
    put(object, "replay", text_or_null(reported->replay));
    put(object, "object", text_or_null(reported->object));
    put(object, "confirmed", json_boolean(reported->confirmed));
    put(object, "why", text_or_null(reported->why));
    put(object, "explanation", explanation_json(reported));
    put(object, "known", json_boolean(reported->known));
    put(object, "fingerprint", json_string(fingerprint_of(reported).text));
    put(object, "leaks", leaks_json(reported));
    put(object, "leak_count", number(reported->leak_count));
    put(object, "output", last_lines_json(reported, reported->output));
    put(object, "errors", last_lines_json(reported, reported->errors));
    return object;
}

static json_t *findings_json(const struct verdict *verdict)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < verdict->finding_count; i++)
        append(array, finding_json(&verdict->findings[i]));
    return array;
}

static json_t *arguments_json(char **arguments)
{
    json_t *array = json_array();
    for (; *arguments != NULL; arguments++)
        append(array, text_or_null(*arguments));
    return array;
}

static json_t *notes_json(const struct verdict *verdict)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < verdict->note_count; i++)
        append(array, text_or_null(verdict->notes[i]));
    return array;
}

static json_t *tracking_json(const struct control *control)
{
    bool known = control->tracking == TRACKING_USERFAULT || control->tracking == TRACKING_PROTECT;
    return known ? json_string(tracking_word(control->tracking)) : json_null();
}

static void put_counts(json_t *object, const struct tally *tally)
{
    put(object, "executions", number(tally->executions));
    put(object, "restarts", number(tally->restarts));
    put(object, "steps", number(tally->steps));
    put(object, "classes", number_or_null(tally->classes, tally->classes != CLASSES_UNKNOWN));
    put(object, "first_bug", number_or_null(tally->first_bug, tally->first_bug != 0));
    put(object, "buggy", number(tally->buggy));
    put(object, "cut", number(tally->cut));
    put(object, "per_bound", per_bound_json(tally));
    put(object, "threads", number(tally->threads));
    put(object, "max_enabled", number(tally->max_enabled));
    put(object, "max_points", number(tally->max_points));
    put(object, "max_steps", number(tally->max_steps));
}

static void json_write(const struct verdict *verdict, const struct report_style *style, FILE *file)
{
    const struct tally *tally = verdict->tally;
    const struct options *options = verdict->options;
    double seconds = verdict->wall_seconds;
    char fingerprint[32], class_set[32];
    snprintf(fingerprint, sizeof fingerprint, "%016lx", tally->fingerprint_sum);
    snprintf(class_set, sizeof class_set, "%016lx", tally->class_sum);
    json_t *root = json_object();
    put(root, "bohr", json_string(BOHR_VERSION));
    put(root, "program", text_or_null(verdict->program));
    put(root, "arguments", arguments_json(verdict->arguments));
    put(root, "strategy", json_string(options->strategy));
    put(root, "cache", json_boolean(options->cache));
    put(root, "symmetry", json_boolean(options->symmetry));
    put(root, "spurious", number(options->spurious));
    if (options->plain_loops) {
        put(root, "states", number(tally->states.known));
        put(root, "states_not_compared", number(tally->states.unknown));
        put(root, "state_bytes", number(tally->states.bytes));
    }
    if (tally->tree_bytes > 0)
        put(root, "tree_bytes", number(tally->tree_bytes));
    put(root, "points", json_string(points_word(options->points)));
    put(root, "verdict", json_string(answer_word(verdict->answer)));
    put(root, "claim", claim_json(verdict));
    put(root, "complete", json_boolean(verdict->complete));
    put_counts(root, tally);
    put(root, "strategies", contributions_json(verdict));
    put(root, "remaining", estimate_json(verdict));
    put(root, "new_class_probability", new_class_json(tally));
    put(root, "wall_seconds", json_real(seconds));
    put(root, "cpu_seconds", json_real(verdict->cpu_seconds));
    put(root, "executions_per_second",
        json_integer(seconds > 0 ? (json_int_t)((double)tally->executions / seconds) : 0));
    put(root, "peak_bytes", number(verdict->peak_bytes));
    put(root, "waiting", number(tally->pending));
    put(root, "waiting_bytes", number(tally->kept_bytes));
    put(root, "spilled_bytes", number(tally->spilled));
    put(root, "lost", number(tally->lost));
    put(root, "findings", findings_json(verdict));
    put(root, "fingerprint", json_string(fingerprint));
    put(root, "class_set",
        tally->classes == CLASSES_UNKNOWN ? json_null() : json_string(class_set));
    put(root, "isolate", json_string(isolate_word(options->isolate)));
    put(root, "carrier", json_string(carrier_word(options->carrier)));
    put(root, "tracking", tracking_json(verdict->control));
    put(root, "checkpoints", number(verdict->control->checkpoints));
    put(root, "verified", number(verdict->control->verified));
    put(root, "refusal", text_or_null(verdict->refusal));
    put(root, "shortfall", text_or_null(verdict->shortfall));
    put(root, "state", text_or_null(verdict->state));
    put(root, "notes", notes_json(verdict));
    char *text = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    CHECK(text != NULL);
    fprintf(file, "%s\n", text);
    free(text);
    json_decref(root);
}

const struct report report_json = {
    .name = "json",
    .summary = "all results, for programs",
    .write = json_write,
};
