"""The models that come with the program are as good as they should be on the sentences
that none of them was trained on, and their cards say what is measured."""

import json
import os
import re
import unittest

from program import ProgramTest, in_test_all, run

MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../assets/models")
# The least share of exact answers, of right labels, or of tokens of a text that can go on
# in many ways; and of words whose strongest
# cross-attention is at a word that they translate.
LEAST = {"ko-en": (0.97, 0.9), "en-ko": (0.95, 0.9), "passive": (0.94, 0.9), "chatbot": (0.9, None),
         "classifier": (0.95, None), "seq2seq-ko-en": (0.9, None), "stories": (0.85, None)}


# How far a card may be off: other processors add in another order.
NEAR = {"loss": 0.0003, "perplexity": 0.0003}


def figure_of(row, figures):
    """What a row of a card tells, and how near it must be; None where it is another's."""
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
    def check(self, name):
        outcome = run("evaluate", name, "--json")
        self.assertEqual(outcome.status, 0, outcome.err)
        figures = json.loads(outcome.out)
        exact, aligned = LEAST[name]
        shares = [figures[key] for key in ("exact_match", "accuracy", "token_accuracy")
                  if key in figures]
        self.assertGreaterEqual(shares[0], exact)
        if aligned:
            self.assertGreaterEqual(figures["alignment"]["best_share"], aligned)
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
        self.check("ko-en")

    @in_test_all
    def test_en_ko(self):
        self.check("en-ko")

    def test_passive(self):
        self.check("passive")

    def test_chatbot(self):
        self.check("chatbot")

    def test_classifier(self):
        self.check("classifier")

    @in_test_all  # test_continuations.py evaluates it, too
    def test_stories(self):
        self.check("stories")

    @in_test_all
    def test_seq2seq(self):
        self.check("seq2seq-ko-en")


if __name__ == "__main__":
    unittest.main()
