/* How a generated program says in which of its final states it is: each has a failed assertion of its own, so that the
 * set of reached states is the set of findings. State 0 ends well. */
void __assert_fail(const char *condition, const char *file, unsigned line, const char *function)
    __attribute__((noreturn));

#define STATE(number)                                                    \
    case number:                                                         \
        __assert_fail("state " #number, "outcome", 1000 + number, "outcome");

void outcome(unsigned state)
{
    switch (state % 32) {
        STATE(1) STATE(2) STATE(3) STATE(4) STATE(5) STATE(6) STATE(7) STATE(8) STATE(9) STATE(10) STATE(11)
        STATE(12) STATE(13) STATE(14) STATE(15) STATE(16) STATE(17) STATE(18) STATE(19) STATE(20) STATE(21)
        STATE(22) STATE(23) STATE(24) STATE(25) STATE(26) STATE(27) STATE(28) STATE(29) STATE(30) STATE(31)
    default:
        break;
    }
}
