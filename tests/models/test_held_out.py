"""The shipped models reach their goals on sentences that none of them was trained on,
and their cards contain the measured values."""

import json
import os
import re
import unittest

from program import CHECKS_ALL, ProgramTest, in_test_all, run, sample, write

MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../assets/models")
# The smallest accepted fraction of exact answers, of correct labels, or of tokens of a
# text that can continue in many ways; and of words whose strongest cross-attention is
# to a word that they translate.
LEAST = {"ko-en": (0.97, 0.9), "en-ko": (0.95, 0.9), "passive": (0.97, 0.9), "chatbot": (0.9, None),
         "classifier": (0.95, None), "seq2seq-ko-en": (0.9, None), "stories": (0.85, None)}


# Tolerance of a card: other processors add in a different order.
NEAR = {"loss": 0.0003, "perplexity": 0.0003}


def figure_of(row, figures):
    """Return the value and tolerance of a row of a card; None if it is for another
    model."""
    alignment = figures.get("alignment", {})
    shares = {"token accuracy": figures.get("token_accuracy"),
              "accuracy": figures.get("accuracy"), "exact match": figures.get("exact_match"),
              "strongest cross-attention at the right word": alignment.get("best_share"),
              "the same, mean of the heads": alignment.get("mean_share")}
    for name, share in shares.items():
        if share is not None and row.startswith(name):
            return 100 * share
    return figures.get({"BLEU": "bleu"}.get(row, row))


class HeldOut(ProgramTest):
    def check_figures(self, name, *of):
        outcome = run("evaluate", name, *of, "--json")
        self.assertEqual(outcome.status, 0, outcome.err)
        figures = json.loads(outcome.out)
        exact, aligned = LEAST[name]
        shares = [figures[key] for key in ("exact_match", "accuracy", "token_accuracy")
                  if key in figures]
        self.assertGreaterEqual(shares[0], exact)
        if aligned:
            self.assertGreaterEqual(figures["alignment"]["best_share"], aligned)
        return figures

    def check(self, name):
        figures = self.check_figures(name)
        with open(os.path.join(MODELS, name, "README.md"), encoding="utf-8") as file:
            card = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", file.read(), re.M)
        checked = 0
        for row, value in card:
            figure = figure_of(row, figures)
            if figure is not None:
                self.assertAlmostEqual(float(value.split()[0]), figure,
                                       delta=NEAR.get(row, 0.11), msg=f"{name}: {row}")
                checked += 1
        self.assertGreaterEqual(checked, 3)

    def test_ko_en(self):
        """Its card covers all pairs, of which `make test` reads one in five."""
        if CHECKS_ALL:
            self.check("ko-en")
            return
        with open(os.path.join(MODELS, "ko-en/held-out.tsv"), encoding="utf-8") as file:
            write(self.path("some.tsv"), "".join(sample(file, 5)))
        self.check_figures("ko-en", self.path("some.tsv"))

    @in_test_all
    def test_en_ko(self):
        self.check("en-ko")

    @in_test_all
    def test_passive(self):
        self.check("passive")

    def test_chatbot(self):
        self.check("chatbot")

    def test_classifier(self):
        self.check("classifier")

    @in_test_all  # also evaluated by test_continuations.py
    def test_stories(self):
        self.check("stories")

    @in_test_all
    def test_seq2seq(self):
        self.check("seq2seq-ko-en")


if __name__ == "__main__":
    unittest.main()
