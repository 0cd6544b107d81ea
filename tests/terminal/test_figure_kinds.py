"""Kinds of figures as users request them: they show the numbers of the run."""

import html
import itertools
import os
import re
import shlex
import unittest

import numpy

from program import SENTENCE, ProgramTest, read, run, write

WEIGHTS = "encoder.0.self_attention.weights"


class Kinds(ProgramTest):
    def draw(self, *words, ending="txt"):
        path = self.path("a." + ending)
        self.assert_done(run("draw", *words, "--source", SENTENCE, "-o", path, "--force"))
        return read(path)

    def text(self, *words):
        return self.draw(*words).decode()

    def trace(self):
        path = self.path("run.npz")
        self.assert_done(run("trace", "--source", SENTENCE, "-o", path, "--force"))
        return numpy.load(path)

    def assert_draws_again(self, *words):
        """The command stored in a figure makes the same bytes."""
        before = self.draw(*words, ending="svg")
        found = re.search(r'<fact name="command">(.*?)</fact>', before.decode()).group(1)
        command = shlex.split(html.unescape(found))
        os.remove(self.path("a.svg"))
        self.assert_done(run(*command[1:], "--force"))
        self.assertEqual(before, read(self.path("a.svg")))


class Lines(Kinds):
    def test_the_strongest_of_each_word(self):
        weights = self.trace()[WEIGHTS][0, 1]
        text = self.text(WEIGHTS + "[head=1]", "--as", "lines")
        rows = [line.split("→")[1] for line in text.split("\n") if " → " in line][1:]
        self.assertEqual(len(rows), len(weights))
        for row, weight in zip(rows, weights, strict=True):
            said = [float(x) for x in re.findall(r" (\d\.\d\d)(?:,|$)", row)]
            for number, expected in zip(said, sorted(weight, reverse=True)[:3], strict=True):
                self.assertAlmostEqual(number, expected, delta=0.0051)

    def test_who_asks_and_who_is_asked(self):
        for address, sides in ((WEIGHTS, "query (source) → key (source)"),
                               ("decoder.0.self_attention.weights",
                                "query (target) → key (target)"),
                               ("decoder.0.cross_attention.weights",
                                "query (target) → key (source)")):
            self.assertIn(sides, self.text(address, "--as", "lines"))

    def test_the_command_draws_it_again(self):
        self.assert_draws_again(WEIGHTS, "--as", "lines")

    def test_what_has_no_lines(self):
        for words, part in (((WEIGHTS.replace("weights", "scores"),), "draw it as a heatmap"),
                            (("schedule",), "--as curves"), (("map",), "are not numbers")):
            self.assert_says(run("draw", *words, "--source", "a", "--as", "lines", "-o",
                                 self.path("b.png")), part)


class Flow(Kinds):
    def test_it_is_the_rollout_of_the_trace(self):
        trace = self.trace()
        layers = [trace[f"encoder.{n}.self_attention.weights"][0].mean(0) for n in (0, 1)]
        above, below = ((a + numpy.eye(len(a))) / 2 for a in reversed(layers))
        for chosen in (0, 3):
            text = self.text(f"encoder.*.self_attention.weights[query={chosen}]", "--as", "flow")
            for name, row in (("encoder.0", above[chosen]), ("words", above[chosen] @ below)):
                line = re.search(f"^{name} +(.*)$", text, re.M).group(1)
                said = [float(x) for x in re.findall(r" (\d\.\d\d)(?:,|$)", line)]
                self.assertEqual(len(said), 5, line)
                for number, expected in zip(said, sorted(row, reverse=True)[:5], strict=True):
                    self.assertAlmostEqual(number, expected, delta=0.0051)

    def test_the_command_draws_it_again(self):
        self.assert_draws_again("encoder.*.self_attention.weights[query=2]", "--as", "flow")

    def test_cross_attention_does_not_flow(self):
        self.assert_says(run("draw", "decoder.*.cross_attention.weights", "--source", "a",
                             "--as", "flow", "-o", self.path("b.png")), "to the same tokens")


class Histogram(Kinds):
    def test_the_counts_are_those_of_the_trace(self):
        numbers = self.trace()["encoder.0.norm_1"].ravel()
        text = self.text("encoder.0.norm_1", "--as", "histogram")
        counts = [int(x) for x in re.findall(r"│[█▏]* (\d+)$", text, re.M)]
        expected, _ = numpy.histogram(numbers.astype(float), bins=len(counts))
        self.assertEqual(counts, list(expected))
        self.assertIn(f"{len(numbers)} numbers, mean {numbers.astype(float).mean():.4g}", text)

    def test_the_mask_is_counted_apart(self):
        address = "decoder.0.self_attention.masked"
        _, heads, tokens, _ = self.trace()[address].shape
        self.assertIn(f"not counted: {heads * tokens * (tokens - 1) // 2} masked",
                      self.text(address, "--as", "histogram").replace("\n", " "))

    def test_the_command_draws_it_again(self):
        self.assert_draws_again("encoder.*.norm_2", "--as", "histogram")


class Spoken(Kinds):
    """The description of a figure for screen readers."""

    def said(self, *words):
        text = self.draw(*words, ending="svg").decode()
        return html.unescape(re.search("<desc>(.*?)</desc>", text, re.S).group(1))

    def test_each_kind_is_described(self):
        lines = self.said(WEIGHTS, "--as", "lines")
        self.assertIn("from query (source) on the left to key (source) on the right", lines)
        self.assertIn("head 0: 나는 → <end> 0.28; ", lines)
        self.assertIn("A histogram of encoder.0.norm_1. 1056 numbers",
                      self.said("encoder.0.norm_1", "--as", "histogram"))
        self.assertRegex(self.said("steps"), r"step 0: I 0\.\d{3} ◀, step 1: ·m 0\.\d{3} ◀")
        self.assertRegex(self.said("encoder.*.self_attention.weights", "--as", "flow"),
                         r"<end> 0\.\d\d, ")

    def test_a_worksheet_gives_nothing_away(self):
        self.assertIn("largest", self.said(WEIGHTS + "[head=0]"))
        self.assertNotIn("largest", self.said(WEIGHTS + "[head=0]", "--blank", "0.5"))


class Steps(Kinds):
    def shares(self, *words):
        """The numbers of the bars for each step."""
        lines = self.text("steps", *words).split("\n")
        steps = {}
        for i, line in enumerate(lines):
            heads = [(int(m.group(1)), m.start()) for m in re.finditer(r"step (\d+)", line)]
            for n, (step, start) in enumerate(heads):
                end = heads[n + 1][1] - heads[0][1] if n + 1 < len(heads) else None
                rows = itertools.takewhile(str.strip, lines[i + 1:])
                steps[step] = [re.search(r"(<?\d\.\d+.*)", row[start:end]).group(1).strip()
                               for row in rows if row[start:end].strip()]
        return steps

    def test_the_shares_are_the_probabilities_of_the_run(self):
        probabilities = self.trace()["probabilities"][0]
        steps = self.shares()
        self.assertEqual(sorted(steps), list(range(len(probabilities))))
        for step, row in enumerate(probabilities):
            best = sorted(row, reverse=True)[:5]
            expected = [*best, 1 - sum(best)]
            self.assertTrue(steps[step][0].endswith("◀"))
            for said, number in zip(steps[step], expected, strict=True):
                if said.startswith("<0.001"):
                    self.assertLess(number, 0.0006)
                else:
                    self.assertAlmostEqual(float(said.split()[0]), number, delta=0.00051)

    def test_what_was_picked_is_marked(self):
        self.assertRegex(self.shares("--picks", "0=4")[0][-2], "◀ rank [1-9]")

    def test_how_many(self):
        self.assertEqual(len(self.shares("--best", "2")[0]), 3)
        for value in ("0", "1001", "x"):
            self.assert_says(run("draw", "steps", "--source", "a", "--best", value),
                             "--best", status=2)
        self.assert_says(run("draw", "steps", "--source", "a", "--target", "b", "-o",
                             self.path("b.png")), "the target was given")

    def test_the_command_draws_it_again(self):
        self.assert_draws_again("steps", "--best", "3")


class Worksheet(Kinds):
    def sheets(self, *words):
        path = self.path("sheet.txt")
        outcome = run("draw", *words, "--source", SENTENCE, "-o", path, "--force")
        self.assert_done(outcome)
        self.assertIn("sheet-key.txt", outcome.out)
        return read(path).decode(), read(self.path("sheet-key.txt")).decode()

    def test_the_key_has_what_the_sheet_lacks(self):
        sheet, key = self.sheets(WEIGHTS + "[head=0]", "--blank", "0.3")
        self.assertIn("fill in the empty cells; each row sums to 1", sheet)
        empty, filled = sheet.count(" ____"), key.count("*")
        self.assertEqual(empty, round(0.3 * 11 * 11))
        self.assertEqual(filled, empty)
        _, plain = self.sheets(WEIGHTS + "[head=0]", "--blank", "1")
        rows = re.compile(r"^ *\S+ +\*?\d\.\d\d.*$", re.M)
        self.assertEqual([re.findall(r"\d\.\d\d", row) for row in rows.findall(key)],
                         [re.findall(r"\d\.\d\d", row) for row in rows.findall(plain)])

    def test_a_seed_chooses_which(self):
        words = (WEIGHTS + "[head=0]", "--blank", "0.2")
        body = [text.split("command:")[0] for text, _ in
                (self.sheets(*words), self.sheets(*words, "--seed", "1"),
                 self.sheets(*words, "--seed", "2"))]
        self.assertEqual(body[0], body[1])
        self.assertNotEqual(body[0], body[2])

    def test_nothing_is_written_where_one_exists(self):
        write(self.path("a-key.png"), "mine")
        words = ("draw", WEIGHTS, "--source", "a", "--blank", "0.5", "-o", self.path("a.png"))
        self.assert_says(run(*words), "a-key.png already exists")
        self.assertFalse(os.path.exists(self.path("a.png")))
        self.assertEqual(read(self.path("a-key.png")), b"mine")
        self.assert_done(run(*words, "--force"))
        self.assertTrue(read(self.path("a-key.png")).startswith(b"\x89PNG"))

    def test_the_command_draws_both_again(self):
        words = (WEIGHTS, "--blank", "0.4", "--seed", "7")
        self.assert_draws_again(*words)
        key = read(self.path("a-key.svg"))
        self.draw(*words, ending="svg")
        self.assertEqual(key, read(self.path("a-key.svg")))

    def test_what_has_no_worksheet(self):
        for value in ("0", "1.5", "-1", "x", "nan"):
            self.assert_says(run("draw", WEIGHTS, "--source", "a", "--blank", value),
                             "--blank", status=2)
        self.assert_says(run("draw", WEIGHTS, "--source", "a", "--seed", "3"), "also give --blank",
                         status=2)
        for words in ((WEIGHTS, "--as", "lines"), ("map",), ("schedule",)):
            self.assert_says(run("draw", *words, "--source", "a", "--blank", "0.5", "-o",
                                 self.path("b.png")), "cells of a heatmap")
        outcome = run("draw", WEIGHTS, "--source", "a", "--blank", "0.5", "-o", self.path("b-*.png"))
        self.assert_says(outcome, "--blank makes one worksheet; give -o a name without *")
        self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    unittest.main()
