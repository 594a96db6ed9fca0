#!/usr/bin/env python3
"""tools/corpus_factor.py: what auto costs beside the best other strategy, on numbers made by hand."""
import pathlib
import sys
import types
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "tools"))
import corpus_factor  # noqa: E402


def program(name):
    return types.SimpleNamespace(name=name)


def row(first, seeds=5, found=5):
    return {"first": first, "seeds": seeds, "seeds_found": found}


class Factors(unittest.TestCase):
    def test_best_other_strategy(self):
        measured = [(program("a"), {"auto": row(6), "pct": row(8), "few": row(3)}),
                    (program("b"), {"auto": row(40), "pct": row(5), "few": row(9)})]
        found = corpus_factor.factors(measured)
        self.assertEqual([(f.program, f.best, f.value) for f in found],
                         [("b", "pct", 8), ("a", "few", 2)])
        self.assertAlmostEqual(corpus_factor.geometric_mean(found), 4)
        self.assertEqual(corpus_factor.sentence(found),
                         "auto against the best other strategy, executions to the first bug, "
                         "2 programs: median 5.0, geometric mean 4.0, worst 8.0 (b: 40, pct 5)")

    def test_what_is_small(self):
        measured = [(program("at_most"), {"auto": row(15), "pct": row(3)}),
                    (program("above"), {"auto": row(15.1), "pct": row(3)}),
                    (program("lucky"), {"auto": row(21), "pct": row(1)}),
                    (program("late"), {"auto": row(23), "pct": row(2.9)})]
        self.assertEqual(corpus_factor.verdict(corpus_factor.factors(measured)),
                         "For 2 of 4 programs it is at most 5, or, where the best needs fewer than 3 executions, "
                         "auto needs at most 20 more; not so: above, late.")
        self.assertEqual(corpus_factor.verdict(corpus_factor.factors(measured[:1])),
                         "For 1 of 1 programs it is at most 5, or, where the best needs fewer than 3 executions, "
                         "auto needs at most 20 more.")

    def test_what_a_seed_missed_is_no_mean(self):
        lucky = {"auto": row(10), "pct": row(1, found=4), "few": row(5)}
        missed = {"auto": row(1, found=4), "few": row(5)}
        alone = {"auto": row(7), "pct": row(None, found=0)}
        found = corpus_factor.factors([(program("lucky"), lucky), (program("missed"), missed),
                                       (program("alone"), alone), (program("others"), {"few": row(1)})])
        self.assertEqual([(f.program, f.value) for f in found], [("lucky", 2)])

    def test_a_systematic_search_has_no_seeds(self):
        found = corpus_factor.factors([(program("a"), {"auto": row(8), "preempt": {"first": 4}})])
        self.assertEqual([(f.best, f.value) for f in found], [("preempt", 2)])


unittest.main()
