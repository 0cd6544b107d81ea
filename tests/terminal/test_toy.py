"""Attention over typed numbers: the printed results are those of a calculation on paper."""

import math
import random
import re
import unittest

from program import SENTENCE, ProgramTest, prompt, read, run

TOY = "query=1,0,1 keys=1,0,0|0,1,1 values=1,2|3,4"


def spell(rows):
    return "|".join(",".join(f"{x:g}" for x in row) for row in rows)


def product(x, w):
    return [[sum(a * b for a, b in zip(row, column)) for column in zip(*w)] for row in x]


def attention(queries, keys, values):
    weights = []
    for query in queries:
        scaled = [sum(a * b for a, b in zip(query, key)) / math.sqrt(len(query))
                  for key in keys]
        total = sum(map(math.exp, scaled))
        weights.append([math.exp(x) / total for x in scaled])
    return weights, product(weights, values)


class Toy(ProgramTest):
    def numbers(self, address, toy):
        """A tensor of the toy, from a shell."""
        path = self.path("toy.csv")
        self.assert_done(run("show", address, "--toy", toy, "-o", path, "--force"))
        lines = read(path).decode().split("\r\n")[1:-1]
        return [[float(x) for x in line.split(",")[1:]] for line in lines]

    def assert_close(self, rows, expected):
        self.assertEqual([len(row) for row in rows], [len(row) for row in expected])
        for row, wanted in zip(rows, expected):
            for a, b in zip(row, wanted):
                self.assertAlmostEqual(a, b, delta=1e-5 * max(1, abs(b)))

    def test_the_numbers_are_those_of_the_formula(self):
        chance = random.Random(5)
        for queries, keys, width, values in ((1, 1, 1, 1), (1, 2, 3, 2), (3, 5, 2, 4)):
            q, k, v = ([[chance.randint(-9, 9) / 4 for _ in range(columns)]
                        for _ in range(rows)]
                       for rows, columns in ((queries, width), (keys, width), (keys, values)))
            toy = f"query={spell(q)} keys={spell(k)} values={spell(v)}"
            weights, context = attention(q, k, v)
            self.assert_close(self.numbers("weights", toy), weights)
            self.assert_close(self.numbers("context", toy), context)

    def test_of_tokens_and_matrices(self):
        x, w_q, w_k, w_v = ([[1, 0, 2], [0, 1, -1]], [[1, 2], [3, 4], [5, 6]],
                            [[1, 0], [0, 1], [1, 1]], [[5], [6], [7]])
        toy = f"tokens={spell(x)} W_Q={spell(w_q)} W_K={spell(w_k)} W_V={spell(w_v)}"
        weights, context = attention(product(x, w_q), product(x, w_k), product(x, w_v))
        self.assert_close(self.numbers("weights", toy), weights)
        self.assert_close(self.numbers("context", toy), context)
        page = run("toy", *toy.split())
        self.assert_done(page)
        self.assertIn("1 × 1 + 0 × 3 + 2 × 5 = 11", page.out)

    def test_every_sum_that_is_printed_is_right(self):
        page = run("toy", "query=2,-1|0.5,3", "keys=1,0|4,1|-2,2", "values=1,2|3,4|5,6")
        self.assert_done(page)
        sums = re.findall(r"((?:\S+ × \S+ \+ )*\S+ × \S+) +(-?[\d.]+)", page.out)
        self.assertEqual(len(sums), 2 * 3 + 2 * 2, page.out)
        for text, total in sums:
            expected = sum(math.prod(map(float, term.split(" × ")))
                           for term in text.split(" + "))
            self.assertAlmostEqual(float(total), expected, delta=0.002)
        self.assertEqual(len(re.findall(r"^query \d: \(", page.out, re.M)), 2)

    def test_its_numbers_can_be_asked_about(self):
        outcome = prompt(":toy " + TOY, ":why weights[query=0, key=1]", ":why 1", ":heat weights",
                         ":show context")
        self.assert_done(outcome)
        self.assertIn("scaled[query=0, key=0] = 0.57735", outcome.out)
        self.assertIn("context [query 1, d_v 2]", outcome.out)

    def test_a_sentence_does_not_take_it_away(self):
        outcome = prompt(":toy " + TOY, SENTENCE, ":why weights[query=0, key=1]",
                         ":why encoder.0.self_attention.weights[head=0, query=0, key=0]")
        self.assert_done(outcome)

    def test_a_toy_that_fails_leaves_the_one_before(self):
        outcome = prompt(":toy " + TOY, ":toy query=1 keys=2,3 values=4",
                         ":why context[query=0, d_v=0]")
        self.assertIn("context[query=0, d_v=0] = 2", outcome.out)
        self.assertIn("they must be equal", outcome.err)

    def test_a_figure_of_it_says_how_to_draw_it_again(self):
        self.assert_done(prompt(":toy " + TOY, ":draw weights -o t.txt", folder=self.folder))
        text = " ".join(read(self.path("t.txt")).decode().split())
        self.assertIn(f"glassbox draw weights --toy '{TOY}' --output t.txt", text)
        self.assertNotIn("model:", text)
        self.assert_done(run("draw", "weights", "--toy", TOY, "-o", self.path("u.txt")))

    def test_what_is_wrong_is_said(self):
        for toy, part in (("query=1", "keys= is missing"),
                          ("query=1 keys=1 values=1|2", "1 keys and 2 values"),
                          ("query=1,2 keys=1 values=1", "as many"),
                          ("query=1|1,2 keys=1 values=1", "row 1 has 2 numbers"),
                          ("query=x keys=1 values=1", "'x' is not a number"),
                          ("query=1; keys=1 values=1", "';' stands behind"),
                          ("query=1e9 keys=1 values=1", "up to a million"),
                          ("query=nan keys=1 values=1", "no number"),
                          ("query=1 query=2 keys=1 values=1", "twice"),
                          ("query=1 keys=1 values=1 W_Q=1", "W_Q= is not valid"),
                          ("tokens=1,2 W_Q=1 W_K=1|1 W_V=1|1", "W_Q 1 rows"),
                          ("sentence=1", "'sentence=1' is not valid"),
                          ("query=" + ",".join("1" * 17), "at most 16"),
                          ("query=" + "|".join("1" * 17), "at most 16")):
            self.assert_says(run("toy", *toy.split()), part)
        self.assert_says(prompt(":why weights[query=0, key=0]"), "no sentence to run")


if __name__ == "__main__":
    unittest.main()
