/* The tests of all these projects: two threads, then a question. */
#ifndef CASES_H
#define CASES_H

#include <stddef.h>

#include "stack.h"

static struct stack stack;

static void *push_one(void *unused)
{
    stack_push(&stack, 1);
    return unused;
}

static void *pop_one(void *unused)
{
    stack_pop(&stack);
    return unused;
}

static void two(void *(*work)(void *))
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}

static inline int count_at_last(void)
{
    int count = stack_count(&stack);
    stack_close(&stack);
    return count;
}

static inline int count_after_pushes(void)
{
    stack_open(&stack);
    two(push_one);
    return count_at_last();
}

static inline int count_after_pops(void)
{
    stack_open(&stack);
    stack_push(&stack, 7);
    two(pop_one);
    return count_at_last();
}

#endif
