// A wrong exit status comes with the last lines that the program printed.
// build: gcc -O1
// run: -s dfs
// expect: finding exit
// expect: findings[0].errors == "usage: PROGRAM N\n"
// expect: output the program's output: … 14 bytes before | line 3
// expect: output | line 12 the program's errors: | usage: PROGRAM N
// expect: silence | line 2
// run: -s dfs --full
// expect: finding exit
// expect: output | line 1 | line 2 | line 3
// run: -s dfs --expect-exit 255
// expect: no finding
#include <stdio.h>

int main(void)
{
    for (int i = 1; i <= 12; i++)
        printf("line %d\n", i);
    fputs("usage: PROGRAM N\n", stderr);
    return 255;
}
