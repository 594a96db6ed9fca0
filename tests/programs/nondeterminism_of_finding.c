// A finding that does not come out the same when it is run again proves that the schedule is not all that
// decides: nothing is claimed.
// replay: no (by its nature it may not come out the same)
// run: -s dfs -k
// expect: finding assertion
// expect: finding nondeterminism
// expect: claim.kind == nothing
// expect: complete == false
// expect: output did not come out the same
#include <assert.h>
#include <stdio.h>
#include <sys/stat.h>

int main(int argc, char **argv)
{
    char name[4096];
    snprintf(name, sizeof name, "%s.seen", argv[0]);
    assert(mkdir(name, 0700) != 0); /* it fails only once */
    return 0;
}
