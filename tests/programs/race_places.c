// A race names the variable and both places, and does not stop the search; once known, its accesses
// are steps, and the lost update is found.
// build: gcc -O1
// build: clang -O1
// build: plain-tsan -O1
// run: -s preempt
// expect: finding assertion
// expect: finding race
// expect: restarts >= 1
// expect: output balance
// expect: output race_places.c:30
// expect: output race_places.c:38
// run: -s dfs -k --races off --points sync
// expect: no finding
// run: -s dfs -k --races warn --points sync
// expect: exit 0
// expect: findings[0].kind == race
// expect: findings[0].severity == warning
// expect: verdict == clean
// run: -s dfs -k --points sync
// expect: finding race
// expect: first_bug == null
#include <assert.h>
#include <pthread.h>

static int balance = 5;

static void *deposit(void *unused)
{
    balance += 10;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, deposit, NULL);
    balance += 20;
    pthread_join(thread, NULL);
    assert(balance == 35);
    return 0;
}
