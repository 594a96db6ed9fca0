// GCC's OpenMP makes its threads wait where nobody can see it: that is said at once, not after a hang. One thread alone
// is as good as none.
// build: gcc -O1 -fopenmp
// run: -- 2
// expect: exit 3
// expect: verdict == refused
// expect: output OMP_NUM_THREADS=1
// run: -- 1
// expect: no finding
#include <stdlib.h>

int main(int argc, char **argv)
{
    int threads = argc > 1 ? atoi(argv[1]) : 2, sum = 0;
#pragma omp parallel for num_threads(threads) reduction(+ : sum)
    for (int i = 0; i < 10; i++)
        sum += i;
    return sum != 45;
}
