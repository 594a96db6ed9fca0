/* The answer: what reports print. Findings with names and source lines, the counts, the claim.
 * Everything is borrowed from whoever made it; NULL and 0 mean unknown. */
#ifndef CORE_VERDICT_H
#define CORE_VERDICT_H

#include "core/claim.h"
#include "core/contribution.h"
#include "core/wire.h"

enum answer {
    ANSWER_CLEAN,
    ANSWER_BUG,
    ANSWER_REFUSED,
    ANSWER_INCOMPLETE, /* no execution was completed, or a finding was lost */
};

struct named_site {
    const char *file, *function, *module;
    uint32_t line;
};

enum { EXPLANATION_LINES_MAX = 4 };

struct named_stack {
    struct named_site *frames; /* innermost first */
    uint32_t count;
};

struct story_step {
    uint32_t number;
    thread_id thread;
    uint8_t kind;  /* enum op_kind */
    bool preempts; /* the thread before was still enabled */
    bool failed;   /* a try-lock or compare-exchange that changed nothing */
    uint16_t choice, choices;
    const char *object;     /* empty: none */
    uint32_t object_number; /* names may be the same; NO_OBJECT: none */
    uint32_t second_number; /* of a wait: its condition variable or mutex; else NO_OBJECT */
    struct step_value value;
    uint64_t site;
    struct named_site at;
};

/* A wait on a condition variable that returns without a signal. */
static inline bool story_step_wakes_spuriously(const struct story_step *step)
{
    return step->kind == OP_COND_WAIT && step->choice != 0;
}

struct story_wait { /* a thread that was alive at the end and could not go on */
    thread_id thread;
    thread_id owner;    /* who holds what it waits for; NO_THREAD */
    thread_set readers; /* … to read */
    uint8_t kind;
    uint64_t site;
    const char *object;
    struct named_site at;
    struct named_stack stack;
};

/* Whether it is proved that no schedule with fewer preemptions shows a finding, with the scheduling
 * points that are known. */
enum fewest { FEWEST_NOT_ASKED, FEWEST_UNKNOWN, FEWEST_PROVED };

/* One order that makes an execution fail: a step of one thread before a step of another. */
struct ordering {
    struct story_step earlier,
        later;          /* the later may never have come: its number is step_count then */
    const char *object; /* what both use; empty: nothing with a name */
    const char *text;   /* "T2 read head at line 40 before T1 wrote it at line 22" */
};

/* What is known of why a finding shows: computed by executions, never guessed. NULL, 0: unknown. */
struct explanation {
    bool asked;          /* else nothing of what follows is known */
    double hang_seconds; /* of a hang: executions in which nothing moved for so long counted as
                            failing */
    bool checked;        /* every execution tried that keeps these orders fails, too; … */
    bool all;            /* … there are no others; … */
    uint64_t tried;      /* … there were so many */
    bool coarse;         /* … with accesses that race among them and are no scheduling points */
    bool smallest; /* for every smaller set of such orders an execution is known that keeps it and
                      passes */
    bool choices;  /* outcomes of data choices were kept as they are */
    struct ordering *orders; /* none, and checked: it shows whatever the order */
    uint32_t order_count;
    uint32_t *preemptions; /* the steps that come in by a preemption that matters */
    uint32_t preemption_count;
    struct story_step *passing; /* the nearest execution known that passes; NULL: none is known */
    uint32_t passing_count;
    const char *output; /* what that one writes, where output is what fails; else NULL */
    uint32_t leaves;    /* the first step in which the two differ */
    uint32_t reversed;  /* orders of steps that use the same, and are the other way round there */
    const char *lines[EXPLANATION_LINES_MAX]; /* the same in words; the rest NULL */
};

struct reported {
    struct finding finding;   /* its costs are those of the schedule that is reported … */
    struct trace_costs found; /* … and these those of the execution that was found; of … */
    uint32_t found_steps;     /* … so many steps */
    enum fewest fewest;
    uint32_t apart; /* of a race whose accesses are not adjacent here: preemptions with which they
                       can be, if that is known; else 0 */
    const char *object;                    /* what it is about, in full */
    const char *holds[FINDING_PLACES_MAX]; /* locks that each side of a race has; empty: none */
    const char *why;                       /* one sentence, with names */
    struct explanation explanation;
    const char *cause;
    struct {
        uint32_t signal, wait;
    } lost;               /* … the steps that it speaks of */
    struct named_site at; /* where it showed */
    struct named_site places[FINDING_PLACES_MAX];
    struct named_stack stacks[FINDING_PLACES_MAX];
    struct named_pair {
        struct named_site site[FINDING_PLACES_MAX];
    } * pairs; /* of a race: places that race on the object, those above first */
    uint32_t pair_count;
    struct story_step *steps;
    uint32_t step_count;
    struct story_wait *waits;
    uint32_t wait_count;
    struct diverged { /* of a nondeterminism; expected NULL: not known */
        uint32_t step;
        const char *expected, *got;
    } diverged;
    const char *output, *errors; /* what the program wrote in this execution */
    const char **leaks; /* blocks that nothing pointed to at its end, ended by NULL; or NULL, … */
    uint32_t leak_count; /* … the first of so many */
    bool known;          /* it is in the baseline: it does not count */
    const char *replay;  /* the file that runs it again */
    bool confirmed;      /* it was run again and came out the same */
};

enum { NOTES_MAX = 16 };

struct verdict {
    enum answer answer;
    const char *program;
    char **arguments; /* without the program itself, ended by NULL */
    const struct options *options;
    const struct tally *tally;
    const struct control *control;
    struct claim claim;
    bool complete;
    double wall_seconds, cpu_seconds;
    uint64_t peak_bytes;
    struct reported *findings; /* errors first */
    uint32_t finding_count;
    struct contribution contributions[CONTRIBUTIONS_MAX]; /* of a portfolio's strategies */
    uint32_t contribution_count;
    const struct coverage *coverage; /* how the classes grew; NULL: nobody looked */
    double started;                  /* … since then, by CLOCK_MONOTONIC */
    bool compared;                   /* with a baseline */
    const char *const *unseen;       /* code that was not instrumented, by name */
    uint32_t unseen_count;
    const char *const *unknown_functions; /* of libc, that the program uses unseen */
    uint32_t unknown_function_count;
    const char *shortfall; /* why the search cannot answer; NULL: it can */
    bool interrupted;      /* by the user */
    const char *refusal;
    struct named_site refusal_at;
    const char *state; /* the file from which the search can go on; NULL: none was written */
    const char *notes[NOTES_MAX];
    uint32_t note_count;
};

const char *answer_word(enum answer answer);
/* Why there is no answer, in one sentence: the refusal or the shortfall; NULL: there is one. */
const char *verdict_failure(const struct verdict *verdict);
/* Findings of severity error that the baseline does not know; the refusal; the shortfall. */
enum answer verdict_answer(const struct verdict *verdict);
/* As documented for `bohr run`; 130 for an interrupted search, whatever it has found. */
int verdict_exit_status(const struct verdict *verdict);
/* Errors before warnings, real failures before races, then in the order they were found. */
bool finding_comes_before(const struct finding *a, const struct finding *b);
/* What a thread does to memory at a place of a finding. */
enum verb {
    VERB_READS,
    VERB_WRITES,
    VERB_FREES,
    VERB_USES, /* by an operation of a lock or the like, or by a call on a descriptor */
    VERB_CLOSES
};
uint32_t reported_spurious(const struct reported *reported); /* wake-ups of the execution shown */
enum verb reported_verb(const struct reported *reported, uint32_t place);
const char *verb_word(enum verb verb);
const char *points_word(enum points points);
const char *isolate_word(enum isolate isolate);
const char *carrier_word(enum carrier carrier);
const char *tracking_word(enum tracking tracking);

#endif
