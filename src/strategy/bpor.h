/* The rules without which bpor would lose classes: a test leaves out each of them and sees it. */
#ifndef STRATEGY_BPOR_H
#define STRATEGY_BPOR_H

enum bpor_rule {
    BPOR_EVERY_RULE,
    BPOR_STEP,    /* what depends on a step is tried before it, */
    BPOR_BEGIN,   /* … and where the thread of that step began to run */
    BPOR_WAITED,  /* what may have waited: before all that it did not know of */
    BPOR_JOIN,    /* a join: before the last step of the thread that it waits for */
    BPOR_PENDING, /* what was pending in the end counts */
    BPOR_LEADING, /* who cannot run yet: another one that leads to it */
    BPOR_RUN,     /* who begins to run sleeps for all that it does until it stops */
    BPOR_STOP,   /* who sleeps wakes when another stops for something that it would make possible */
    BPOR_ANYONE, /* if all that lead somewhere sleep, anyone may have woken them */
    BPOR_LED,    /* what woke somebody who could have timed out */
    BPOR_RULES
};

#endif
