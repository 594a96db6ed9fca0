// Every outcome of a data choice is tried, whatever the bound: 3 outcomes of the first, and after
// outcome 1 two more of the second: 2 + 2 executions. bohr_choose(1) is a step without a decision.
// modes: all preload
// build: gcc -O1
// build: clang -O2
// run: -s dfs
// expect: no finding
// expect: executions 4
// expect: classes 4
// expect: max_steps 4
// expect: claim.kind == all
// run: -s preempt -b 0
// expect: executions 4
// run: -s dfs -k -- 1 1
// expect: finding assertion
// expect: executions 4
// expect: buggy 1
// run: -s dfs -- none
// expect: finding misuse
// expect: output bohr_choose(0)
// run: -s dfs -- many
// expect: exit 3
// expect: output bohr_choose: more than 32767 outcomes
#include <bohr.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc == 2)
        return (int)bohr_choose(strcmp(argv[1], "none") == 0 ? 0 : 40000);
    unsigned first = bohr_choose(3);
    bohr_assert(first < 3);
    bohr_assert(bohr_choose(1) == 0);
    unsigned second = first == 1 ? bohr_choose(2) : 0;
    if (argc == 3)
        bohr_assert(!(first == (unsigned)atoi(argv[1]) && second == (unsigned)atoi(argv[2])));
    return 0;
}
