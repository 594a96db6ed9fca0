"""How much of its work a test does: the one place that says so.

`make check`, `make test` and `make test-all` set BOHR_TIER to `check`, `test` (also the default) or `all`. In `all` a test
does all of its work. In the others it takes a sample, which is a fixed function of a name, so that a result repeats: other
names give other samples, and together the tests take every product (tests/unit/tier_test.py). C programs read the same
variable (tests/support/story.c). BOHR_PART=K/N makes long forms that would take hours do the K-th of N parts of their work."""
import os
import sys
import zlib

TIERS = ("check", "test", "all")
TIER = os.environ.pop("BOHR_TIER", "test")  # what a test starts does not see these
PART = os.environ.pop("BOHR_PART", "0/1")
if TIER not in TIERS:
    sys.exit(f"BOHR_TIER={TIER}: it is one of {', '.join(TIERS)}")
ALL = TIER == "all"


def by_tier(check, test, everything):
    """The one of three values that is meant for this tier."""
    return {"check": check, "test": test, "all": everything}[TIER]


def sample(name, things, count=1):
    """COUNT of THINGS, in their order: of n things, number h + i * n / COUNT for i below COUNT, h being a hash of NAME.

    In `all`, and where there are no more of them, they are all taken."""
    things = list(things)
    if ALL or count >= len(things):
        return things
    first = zlib.crc32(name.encode())
    taken = {(first + i * len(things) // count) % len(things) for i in range(count)}
    return [thing for number, thing in enumerate(things) if number in taken]


def paired(name, ways, things):
    """Pairs of a way and a thing: every thing once, the ways in turns; in `all` every thing in every way."""
    everything = [(way, thing) for way in range(len(ways)) for thing in range(len(things))]
    if not ALL:
        first = zlib.crc32(name.encode())
        everything = sorted({((first + i) % len(ways), i) for i in range(len(things))})
    return [(ways[way], things[thing]) for way, thing in everything]


def wanted_part():
    """K and N of BOHR_PART=K/N; without it one part is everything."""
    number, parts = map(int, PART.split("/"))
    return number % parts, parts


def part(things):
    """In `all` every N-th of THINGS, from number K on."""
    number, parts = wanted_part()
    return list(things)[number::parts] if ALL else list(things)


def portion(numbers):
    """In `all` the K-th of N portions of a range, numbers next to each other."""
    number, parts = wanted_part()
    if not ALL:
        return numbers
    return numbers[number * len(numbers) // parts:(number + 1) * len(numbers) // parts]
