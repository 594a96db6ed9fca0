/* The handler of a timer's signal prints how far main is, and main prints as well. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile sig_atomic_t lines;

static void on_alarm(int number)
{
    (void)number;
#ifdef FIXED
    static const char text[] = "still running\n";
    write(STDOUT_FILENO, text, sizeof text - 1);
#else
    printf("%d lines so far\n", (int)lines);
#endif
}

int main(void)
{
    signal(SIGALRM, on_alarm);
    alarm(1);
    for (int i = 0; i < 3; i++) {
        printf("line %d\n", i);
        lines++;
    }
    return 0;
}
