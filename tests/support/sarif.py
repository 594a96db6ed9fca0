"""The part of the schema of SARIF 2.1.0 that Bohr's results use, as we know it (engine/sarif_schema has the official one): for
each object its properties with their types, and those that it must have. Whatever else turns up is wrong."""
import re

TEXT, COUNT, TRUTH, BAG = "text", "count", "truth", "bag"
LEVELS = ("none", "note", "warning", "error")
# object: {property: type}; a list is an array of one type, a tuple a choice of texts, a string in capitals
# one of the above, another string an object of this table. "!" before a name: it is required.
OBJECTS = {
    "sarifLog": {"$schema": TEXT, "!version": ("2.1.0",), "!runs": ["run"]},
    "run": {"!tool": "tool", "invocations": ["invocation"], "results": ["result"], "properties": BAG},
    "tool": {"!driver": "toolComponent"},
    "toolComponent": {"!name": TEXT, "version": TEXT, "rules": ["reportingDescriptor"]},
    "reportingDescriptor": {"!id": TEXT, "shortDescription": "message", "defaultConfiguration": "reportingConfiguration"},
    "reportingConfiguration": {"level": LEVELS},
    "invocation": {"!executionSuccessful": TRUTH, "arguments": [TEXT], "exitCode": COUNT, "toolExecutionNotifications": ["notification"]},
    "notification": {"!message": "message", "level": LEVELS},
    "result": {"!message": "message", "ruleId": TEXT, "ruleIndex": COUNT, "level": LEVELS, "locations": ["location"],
               "relatedLocations": ["location"], "codeFlows": ["codeFlow"], "partialFingerprints": {TEXT: TEXT},
               "occurrenceCount": COUNT, "baselineState": ("new", "unchanged", "updated", "absent"), "properties": BAG},
    "codeFlow": {"!threadFlows": ["threadFlow"], "message": "message"},
    "threadFlow": {"!locations": ["threadFlowLocation"], "id": TEXT},
    "threadFlowLocation": {"location": "location", "executionOrder": COUNT, "state": {TEXT: "message"},
                           "importance": ("important", "essential", "unimportant")},
    "location": {"physicalLocation": "physicalLocation", "logicalLocations": ["logicalLocation"], "message": "message"},
    "logicalLocation": {"fullyQualifiedName": TEXT, "kind": TEXT},
    "physicalLocation": {"!artifactLocation": "artifactLocation", "region": "region"},
    "artifactLocation": {"!uri": TEXT},
    "region": {"!startLine": COUNT},
    "message": {"!text": TEXT},
}
NOT_EMPTY = {("codeFlow", "threadFlows"), ("threadFlow", "locations")}
URI = re.compile(r"(?:[A-Za-z0-9/._~+-]|%[0-9A-F]{2}|^file:)+")


def wrong_value(value, wanted, at):
    """What is wrong with a value, and where; None: nothing."""
    if wanted == TEXT:
        return None if isinstance(value, str) else f"{at} is no text"
    if wanted == COUNT:
        return None if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else f"{at} is no number from 0"
    if wanted == TRUTH:
        return None if isinstance(value, bool) else f"{at} is neither true nor false"
    if wanted == BAG:
        return None if isinstance(value, dict) else f"{at} is no object"
    if isinstance(wanted, tuple):
        return None if value in wanted else f"{at} is {value!r}, not one of {wanted}"
    if isinstance(wanted, list):
        if not isinstance(value, list):
            return f"{at} is no array"
        return first(wrong_value(part, wanted[0], f"{at}[{i}]") for i, part in enumerate(value))
    if isinstance(wanted, dict):
        if not isinstance(value, dict):
            return f"{at} is no object"
        return first(wrong_value(part, wanted[TEXT], f"{at}.{name}") for name, part in value.items())
    return wrong_object(value, wanted, at)


def wrong_object(value, name, at):
    if not isinstance(value, dict):
        return f"{at} is no {name}"
    known = {key.lstrip("!"): wanted for key, wanted in OBJECTS[name].items()}
    for key in OBJECTS[name]:
        if key.startswith("!") and key[1:] not in value:
            return f"{at} has no {key[1:]}"
    for key in value:
        if key not in known:
            return f"{at} has {key}, which is no property of a {name}"
        if (name, key) in NOT_EMPTY and not value[key]:
            return f"{at}.{key} is empty"
    if name == "region" and value["startLine"] < 1:
        return f"{at}.startLine is {value['startLine']}"
    if name == "artifactLocation" and not URI.fullmatch(value["uri"]):
        return f"{at}.uri is no URI: {value['uri']}"
    return first(wrong_value(part, known[key], f"{at}.{key}") for key, part in value.items())


def first(problems):
    return next((problem for problem in problems if problem is not None), None)


def wrong(log):
    """What is wrong with a log; None: nothing."""
    problem = wrong_object(log, "sarifLog", "log")
    if problem is not None:
        return problem
    for run in log["runs"]:
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        if len(set(rules)) != len(rules):
            return "two rules have one id"
        for i, result in enumerate(run["results"]):
            if rules[result["ruleIndex"]] != result["ruleId"]:
                return f"results[{i}]: the rule with its index has another id"
    return None
