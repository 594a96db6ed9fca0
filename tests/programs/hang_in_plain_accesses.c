// An endless loop that does nothing but read and write memory is named by its own line, and comes out again.
// build: gcc -O0
// run: -s dfs --hang 500ms
// expect: finding hang
// expect: output does not come to its next operation (add_up, hang_in_plain_accesses.c:15)
// expect: silence it did not come out the same
// expect: silence could not be run again
// run: -s dfs --hang 500ms --isolate exec --points sync
// expect: finding hang
// expect: output does not come to its next operation (add_up, hang_in_plain_accesses.c:15)
// expect: silence could not be run again
static void add_up(unsigned *numbers)
{
    for (;;)
        numbers[0] += numbers[1] + 1;
}

int main(void)
{
    static unsigned numbers[2];
    add_up(numbers);
    return 0;
}
