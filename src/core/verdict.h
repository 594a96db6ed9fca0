/* The verdict: what reports print. It holds the findings with names and source lines, the counts
 * and the claim. All pointers are borrowed. NULL and 0 mean unknown. */
#ifndef CORE_VERDICT_H
#define CORE_VERDICT_H

#include "core/claim.h"
#include "core/contribution.h"
#include "core/coverage.h"
#include "core/finding.h"
#include "core/naming.h"
#include "core/tally.h"
#include "core/trace.h"

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
    bool preempts; /* the step switches away from a thread that was still enabled */
    bool failed;   /* a try-lock or compare-exchange that changed nothing */
    uint16_t choice, choices;
    const char *object;     /* empty: none */
    uint32_t object_number; /* tells objects with equal names apart; NO_OBJECT: none */
    uint32_t second_number; /* of a wait: its condition variable or mutex; else NO_OBJECT */
    struct step_value value;
    uint64_t site;
    struct named_site at;
};

/* True for a wait on a condition variable that returns without a signal. */
static inline bool story_step_wakes_spuriously(const struct story_step *step)
{
    return step->kind == OP_COND_WAIT && step->choice != 0;
}

struct story_wait { /* a thread that was alive and disabled at the end */
    thread_id thread;
    thread_id owner;    /* holder of what the thread waits for; NO_THREAD: none */
    thread_set readers; /* threads that hold it for reading */
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
        later;          /* this step may never have come: its number is step_count then */
    const char *object; /* what both steps use; empty: nothing with a name */
    const char *text;   /* "T2 read head at line 40 before T1 wrote it at line 22" */
};

/* Why a finding shows, as far as executions have shown it. Nothing here is guessed. NULL and 0 mean
 * unknown. */
struct explanation {
    bool asked; /* an explanation was searched for; else the other fields are unknown */
    /* of a hang: an execution counted as failing if it did not move for so many seconds */
    double hang_seconds;
    bool checked;   /* every execution tried that keeps these orders fails, too */
    bool all;       /* all executions that keep these orders were tried */
    uint64_t tried; /* executions tried */
    bool coarse;    /* some accesses of those executions race and are no scheduling points */
    /* for each smaller set of these orders an execution is known that keeps it and passes */
    bool smallest;
    bool choices;            /* outcomes of data choices were kept as they are */
    struct ordering *orders; /* none, and `checked`: the finding shows in every order */
    uint32_t order_count;
    uint32_t *preemptions; /* the steps at which a preemption matters */
    uint32_t preemption_count;
    /* the most similar execution known that passes; NULL: none is known */
    struct story_step *passing;
    uint32_t passing_count;
    /* what the passing execution writes, if the finding is about output; else NULL */
    const char *output;
    uint32_t leaves;   /* the first step in which the failing and the passing execution differ */
    uint32_t reversed; /* pairs of dependent steps in the opposite order in the passing execution */
    const char *lines[EXPLANATION_LINES_MAX]; /* the explanation in words; unused lines are NULL */
};

struct reported {
    struct finding finding;   /* its costs are those of the schedule that is reported */
    struct trace_costs found; /* costs of the execution in which the search found it */
    uint32_t found_steps;     /* steps of the execution in which the search found it */
    enum fewest fewest;
    /* of a race whose accesses are not adjacent in the steps shown: preemptions with which they can
     * be; 0: unknown */
    uint32_t apart;
    const char *object;                    /* what the finding is about, in full */
    const char *holds[FINDING_PLACES_MAX]; /* locks held on each side of a race; empty: none */
    const char *why;                       /* one sentence, with names */
    struct explanation explanation;
    const char *cause;
    struct {
        uint32_t signal, wait;
    } lost;               /* of a lost wake-up: numbers of the steps that `cause` speaks of */
    struct named_site at; /* where the finding showed */
    struct named_site places[FINDING_PLACES_MAX];
    struct named_stack stacks[FINDING_PLACES_MAX];
    struct named_pair {
        struct named_site site[FINDING_PLACES_MAX];
    } * pairs; /* of a race: pairs of places on the object, the pair in `places` first */
    uint32_t pair_count;
    struct story_step *steps;
    uint32_t step_count;
    struct story_wait *waits;
    uint32_t wait_count;
    struct diverged { /* of a nondeterminism; expected NULL: unknown */
        uint32_t step;
        const char *expected, *got;
    } diverged;
    const char *output, *errors; /* what the program wrote in this execution */
    const char **leaks;          /* the first leaked blocks, ended by NULL; or NULL */
    uint32_t leak_count;         /* blocks that nothing pointed to at the end of the execution */
    bool known;                  /* the baseline contains the finding: it does not count */
    const char *replay;          /* the replay file */
    bool confirmed;              /* the schedule was run again and showed the finding again */
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
    struct contribution contributions[CONTRIBUTIONS_MAX]; /* by a portfolio's strategies */
    uint32_t contribution_count;
    const struct coverage *coverage; /* growth of the classes; NULL: not recorded */
    double started;                  /* start of the search by CLOCK_MONOTONIC, for `coverage` */
    bool compared;                   /* a baseline was given */
    const char *const *unseen;       /* names of code that was not instrumented */
    uint32_t unseen_count;
    /* names of libc's functions that the program uses and the runtime does not see */
    const char *const *unknown_functions;
    uint32_t unknown_function_count;
    const char *shortfall; /* why the search cannot answer; NULL: it can */
    bool interrupted;      /* the user interrupted the search */
    const char *refusal;
    struct named_site refusal_at;
    const char *state; /* file from which the search can go on; NULL: none was written */
    const char *notes[NOTES_MAX];
    uint32_t note_count;
};

const char *answer_word(enum answer answer);
/* Why there is no answer, in one sentence: the refusal or the shortfall. NULL: there is an
 * answer. */
const char *verdict_failure(const struct verdict *verdict);
/* ANSWER_BUG for a finding of severity error that the baseline does not contain; else the refusal;
 * else the shortfall. */
enum answer verdict_answer(const struct verdict *verdict);
/* The exit status documented for `bohr run`. An interrupted search gives 130, whatever it has
 * found. */
int verdict_exit_status(const struct verdict *verdict);
/* Order of findings: errors before warnings, what is left behind at the end last, races after other
 * findings, then as they were found. */
bool finding_comes_before(const struct finding *a, const struct finding *b);
/* The verb for what a thread does to memory at a place of a finding. */
enum verb {
    VERB_READS,
    VERB_WRITES,
    VERB_FREES,
    VERB_USES, /* by an operation on a lock or the like, or by a call on a descriptor */
    VERB_CLOSES
};
/* spurious wake-ups of the execution shown */
uint32_t reported_spurious(const struct reported *reported);
enum verb reported_verb(const struct reported *reported, uint32_t place);
const char *verb_word(enum verb verb);
const char *points_word(enum points points);
const char *isolate_word(enum isolate isolate);
const char *carrier_word(enum carrier carrier);
const char *tracking_word(enum tracking tracking);

#endif
