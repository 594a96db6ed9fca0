// bohr_assert is there with NDEBUG too.
// build: gcc -O1 -DNDEBUG
// build: none -O1 -DNDEBUG
// run: -s dfs
// expect: finding assertion
// expect: findings[0].message == "1 + 1 == 3"
// expect: findings[0].line 12
#include <bohr.h>

int main(void)
{
    bohr_assert(1 + 1 == 3);
    return 0;
}
