"""C files of many small programs, from lists of statements."""
import rows

ASSERTED = "assert(PLAIN(data) == 1);"


class Program:
    """Threads as lists of statements, each on a line of its own; what main does before them; the rows that take part."""

    def __init__(self, title, threads, setup=(), names=(), main=()):
        self.title, self.threads, self.setup = title, threads, list(dict.fromkeys(setup))
        self.names, self.main = set(names), list(main)

    def text(self, number):
        lines = [f"/* {number}: {self.title} */"]
        for index, statements in enumerate(self.threads):
            lines += [f"static void *program{number}_thread{index}(void *unused)", "{", "    long r = 1;"]
            lines += ["    {" + statement + "}" for statement in statements]
            lines += ["    return (void *)r;", "}"]
        count = len(self.threads)
        lines += [f"static void program{number}(void)", "{", f"    pthread_t t[{count}];", f"    void *got[{count}];", "    unsigned r = 0;"]
        lines += ["    {" + statement + "}" for statement in self.setup]
        for index in range(count):
            lines += [f"    pthread_create(&t[{index}], NULL, program{number}_thread{index}, NULL);"]
        lines += ["    {" + statement + "}" for statement in self.main]
        for index in range(count):
            lines += [f"    pthread_join(t[{index}], &got[{index}]);", f"    r = r * 5 + (unsigned)(long)got[{index}];"]
        lines += ["    outcome(r * 3 + (unsigned)(PLAIN(v[0]) + PLAIN(v[1]) * 5 + (int)x[0] * 7 + (int)x[1]) * 11);", "}"]
        return "\n".join(lines)


def file_of(programs):
    """The text of a file that has all of them; the first argument says which one runs."""
    body = "\n\n".join(program.text(number) for number, program in enumerate(programs))
    table = ", ".join(f"program{number}" for number in range(len(programs)))
    main = f"""
static void (*const programs[])(void) = {{{table}}};
int main(int count, char **arguments)
{{
    for (int i = 0; i < 2; i++) {{
        pthread_spin_init(&s[i], 0);
        pthread_barrier_init(&b[i], NULL, 2);
        sem_init(&q[i], 0, 0);
    }}
    programs[atoi(arguments[1])]();
    return 0;
}}
"""
    return rows.HEAD + body + main


def with_object(snippet, index):
    return tuple(part.replace("{i}", str(index)) for part in snippet)


def pair(name_a, a, name_b, b, variant):
    """`T1: data = 1; A` beside `T2: B; look at data`, or a variant of that."""
    (setup_a, code_a), (setup_b, code_b) = with_object(a, 0), with_object(b, 0)
    look = "GOT(PLAIN(data));"
    first, second = ["PLAIN(data) = 1;", code_a], [code_b, look]
    if variant == "assert":
        second = [code_b, ASSERTED]
    elif variant == "swapped":
        first, second = [code_a, "PLAIN(data) = 1;"], [look, code_b]
    elif variant == "loop":
        first, second = ["for (int n = 0; n < 2; n++) {" + code_a + "}"], [code_b]
    elif variant == "locked":
        first = ["PLAIN(data) = 1;", "pthread_mutex_lock(&guard);", code_a, "pthread_mutex_unlock(&guard);"]
        second = ["pthread_mutex_lock(&guard);", code_b, "pthread_mutex_unlock(&guard);", look]
    return Program(f"{name_a} beside {name_b}, {variant}", [first, second], [s for s in (setup_a, setup_b) if s], [name_a, name_b])


VARIANTS = ["plain", "assert", "swapped", "loop", "locked"]
