/* The rules without which bpor would lose classes. A property test leaves out each of them and must
 * notice. */
#ifndef STRATEGY_BPOR_H
#define STRATEGY_BPOR_H

enum bpor_rule {
    BPOR_EVERY_RULE,
    BPOR_STEP,  /* A step that depends on an earlier one is tried before that one. */
    BPOR_BEGIN, /* The later step is also tried where the thread of the earlier one began to run. */
    /* An operation that may have been blocked is tried before all steps that need not happen before
     * it. */
    BPOR_WAITED,
    BPOR_JOIN,    /* A join is tried before the last step of the thread that it waits for. */
    BPOR_PENDING, /* Operations pending at the end count. */
    BPOR_LEADING, /* Where the thread is disabled, another one that leads to it is run. */
    BPOR_RUN, /* A thread that begins to run there sleeps for all that it does until it stops. */
    /* A sleeping thread wakes when another stops for something that it would make possible. */
    BPOR_STOP,
    BPOR_ANYONE, /* If all threads that lead to the event sleep, any thread may have woken them. */
    BPOR_LED,    /* A step counts that woke a thread which could have timed out. */
    BPOR_RULES
};

#endif
