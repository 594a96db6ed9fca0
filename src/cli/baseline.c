#include "cli/baseline.h"

#include <errno.h>
#include <jansson.h>
#include <string.h>
#include <unistd.h>

#include "coordinator/text.h"
#include "report/fingerprint.h"
#include "report/story_text.h"

static bool is_none(const char *path, struct problem *why)
{
    return problem_is(why, "this is not what bohr run --json or --sarif writes", path, 0);
}

static bool add(struct baseline *out, const json_t *fingerprint)
{
    const char *text = json_string_value(fingerprint);
    if (text == NULL)
        return false;
    out->fingerprints[out->count++] = text_copy(text, strlen(text));
    return true;
}

static bool add_all(struct baseline *out, const json_t *findings, bool sarif)
{
    size_t i;
    json_t *finding;
    if (!json_is_array(findings))
        return false;
    const char **room = text_room((out->count + json_array_size(findings) + 1) * sizeof *room);
    if (out->count > 0)
        memcpy(room, out->fingerprints, out->count * sizeof *room);
    out->fingerprints = room;
    json_array_foreach(findings, i, finding)
    {
        const json_t *holder = sarif ? json_object_get(finding, "partialFingerprints") : finding;
        if (!add(out, json_object_get(holder, sarif ? FINGERPRINT_NAME : "fingerprint")))
            return false;
    }
    return true;
}

bool baseline_read(struct baseline *out, const char *path, struct problem *why)
{
    *out = (struct baseline){.path = path};
    if (access(path, R_OK) != 0)
        return problem_is(why, "cannot read the baseline", path, errno);
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error), *run;
    if (root == NULL)
        return is_none(path, why);
    const json_t *runs = json_object_get(root, "runs"),
                 *findings = json_object_get(root, "findings");
    bool good = runs != NULL ? json_is_array(runs) : add_all(out, findings, false);
    size_t i;
    json_array_foreach(runs, i, run) good =
        good && add_all(out, json_object_get(run, "results"), true);
    json_decref(root);
    return good || is_none(path, why);
}

static bool has(const struct baseline *baseline, const char *fingerprint)
{
    for (uint32_t i = 0; i < baseline->count; i++)
        if (strcmp(baseline->fingerprints[i], fingerprint) == 0)
            return true;
    return false;
}

void baseline_apply(const struct baseline *baseline, struct verdict *verdict)
{
    uint32_t known = 0;
    if (baseline->path == NULL)
        return;
    verdict->compared = true;
    for (uint32_t i = 0; i < verdict->finding_count; i++) {
        struct reported *reported = &verdict->findings[i];
        reported->known = has(baseline, fingerprint_of(reported).text);
        known += reported->known;
    }
    verdict->answer = verdict_answer(verdict);
    if (known > 0 && verdict->note_count < NOTES_MAX)
        verdict->notes[verdict->note_count++] =
            text_print("%u of the findings %s in the baseline and %s not count: %s", known,
                       known == 1 ? "is" : "are", known == 1 ? "does" : "do", baseline->path);
}
