"""How much worse `auto` is than whichever single strategy is best for a program."""
import math
import statistics


SMALL = 5  # times as many are few, …
LUCKY, MORE = 3, 20  # … and where the best needs fewer than three, up to twenty more


class Factor:
    """Executions to the first bug of `auto`, divided by those of the best other strategy."""

    def __init__(self, program, best, theirs, ours):
        self.program, self.best, self.theirs, self.ours = program, best, theirs, ours
        self.value = ours / theirs

    def is_small(self):
        if self.theirs < LUCKY:
            return self.ours - self.theirs <= MORE
        return self.value <= SMALL


def first_always(row):
    """None: some seed did not find it, so that there is no mean."""
    return row["first"] if row.get("seeds_found", 1) == row.get("seeds", 1) else None


def factors(measured):
    """Largest first; only programs that `auto` and another strategy find with every seed."""
    result = []
    for program, found in measured:
        firsts = {name: first_always(row) for name, row in found.items()}
        ours = firsts.pop("auto", None)
        others = {name: first for name, first in firsts.items() if first is not None}
        if ours is not None and others:
            best = min(others, key=others.get)
            result.append(Factor(program.name, best, others[best], ours))
    return sorted(result, key=lambda factor: -factor.value)


def geometric_mean(found):
    return math.exp(statistics.fmean(math.log(factor.value) for factor in found))


def verdict(found):
    """How many cost little more than the best, and which do not."""
    large = [factor.program for factor in found if not factor.is_small()]
    text = (f"For {len(found) - len(large)} of {len(found)} programs it is at most {SMALL}, or, where the best "
            f"needs fewer than {LUCKY} executions, auto needs at most {MORE} more")
    return text + (f"; not so: {', '.join(sorted(large))}." if large else ".")


def sentence(found):
    """For below the table."""
    worst = found[0]
    return (f"auto against the best other strategy, executions to the first bug, {len(found)} "
            f"programs: median {statistics.median(factor.value for factor in found):.1f}, "
            f"geometric mean {geometric_mean(found):.1f}, worst {worst.value:.1f} "
            f"({worst.program}: {worst.ours:g}, {worst.best} {worst.theirs:g})")
