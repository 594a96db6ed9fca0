/* The parts of a text are printed by two threads, each as soon as it comes to it. */
#include <pthread.h>
#include <stdio.h>

static void *print(void *text)
{
    puts(text);
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, print, "chapter 1");
#ifdef FIXED
    pthread_join(first, NULL);
#endif
    pthread_create(&second, NULL, print, "chapter 2");
#ifndef FIXED
    pthread_join(first, NULL);
#endif
    pthread_join(second, NULL);
    return 0;
}
