// More races than the table of findings once had room for come before the assertion that fails: nothing is lost.
// build: gcc -O0
// expect: finding assertion
// expect: findings[0].kind == assertion
// run: -s preempt --no-shrink --races warn
// expect: findings[1].severity == warning
// expect: finding race
// expect: findings[71].kind == race
// run: -s preempt --no-shrink --races warn -j 2
// expect: finding race
// expect: findings[71].kind == race
// run: -s preempt --no-shrink --races off
// expect: findings[0].count == 1
// run: -s dpor --no-shrink
// expect: finding race
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define TEN(DO, n)                                                                                 \
    DO(n##0) DO(n##1) DO(n##2) DO(n##3) DO(n##4) DO(n##5) DO(n##6) DO(n##7) DO(n##8) DO(n##9)
#define ALL(DO) TEN(DO, 1) TEN(DO, 2) TEN(DO, 3) TEN(DO, 4) TEN(DO, 5) TEN(DO, 6) TEN(DO, 7)
#define VALUE(n) static int value##n;
#define WRITE(n) value##n = 1;
#define READ(n)  sum += value##n;

ALL(VALUE)
static int done;

static void *work(void *unused)
{
    ALL(WRITE)
    done++;
    return unused;
}

int main(void)
{
    pthread_t thread;
    int sum = 0;
    pthread_create(&thread, NULL, work, NULL);
    ALL(READ)
    done++;
    pthread_join(thread, NULL);
    assert(done == 2);
    return sum > 1000;
}
