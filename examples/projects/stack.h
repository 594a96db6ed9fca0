#ifndef STACK_H
#define STACK_H

#include <pthread.h>

enum { STACK_MAX = 4 };

struct stack {
    pthread_mutex_t lock;
    int count;
    int numbers[STACK_MAX];
};

static inline void stack_open(struct stack *stack)
{
    pthread_mutex_init(&stack->lock, NULL);
    stack->count = 0;
}

static inline void stack_close(struct stack *stack)
{
    pthread_mutex_destroy(&stack->lock);
}

static inline int stack_push(struct stack *stack, int number) /* 0: it is full */
{
    pthread_mutex_lock(&stack->lock);
    int fits = stack->count < STACK_MAX;
    if (fits)
        stack->numbers[stack->count++] = number;
    pthread_mutex_unlock(&stack->lock);
    return fits;
}

static inline int stack_pop(struct stack *stack) /* -1: it is empty */
{
    pthread_mutex_lock(&stack->lock);
    int empty = stack->count == 0;
    pthread_mutex_unlock(&stack->lock);
    if (empty)
        return -1;
    pthread_mutex_lock(&stack->lock); /* somebody else may have been here since */
    int number = stack->numbers[--stack->count];
    pthread_mutex_unlock(&stack->lock);
    return number;
}

static inline int stack_count(struct stack *stack)
{
    pthread_mutex_lock(&stack->lock);
    int count = stack->count;
    pthread_mutex_unlock(&stack->lock);
    return count;
}

#endif
