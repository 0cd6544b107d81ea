"""What shipped models say of their own doubt, over all held-out sentences and over foreign ones."""

import json
import os
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "terminal"))

from program import prompt

MODELS = pathlib.Path(__file__).resolve().parents[2] / "assets/models"
FOREIGN = pathlib.Path(__file__).parent / "foreign"
TELLER = "stories"  # which has no pairs, only texts
WARNINGS = ("is a guess", "may be left out", "did not come to an end")


def answers(model, sentences):
    """Of each sentence the answer, and what is said of it."""
    said = prompt(":language en", f":model {model}", *sentences, COLUMNS="400").out
    parts = said.split("Enter shows how")[:-1]
    assert len(parts) == len(sentences), (model, len(parts), len(sentences))
    halves = [part.rpartition("sure: ")[::2] for part in parts]
    # An answer of several lines is a paragraph.
    return [(" ".join(before.rstrip().rpartition("\n\n")[2].split()), after)
            for before, after in halves]


def share(said, words=WARNINGS):
    return sum(any(word in text for word in words) for _, text in said) / len(said)


class Doubt(unittest.TestCase):
    def test_few_held_out_sentences_carry_a_warning(self):
        for folder in sorted(set(MODELS.iterdir()) - {MODELS / TELLER}):
            pairs = [line.split("\t")[:2] for line in
                     (folder / "held-out.tsv").read_text().splitlines()]
            said = answers(folder.name, [source for source, _ in pairs])
            about = json.loads((folder / "about.json").read_text())
            with self.subTest(model=folder.name):
                self.assertLessEqual(share(said), 0.03)
                shown = {label: names["en"] for label, names in about.get("labels", {}).items()}
                doubted = [answer == shown.get(wanted, wanted) for (answer, text), (_, wanted) in zip(said, pairs)
                           if "is a guess" in text]
                self.assertEqual((about.get("doubtful", 0), about.get("doubtful_right", 0)),
                                 (len(doubted), sum(doubted)))

    def test_few_beginnings_of_stories_carry_a_warning(self):
        stories = (MODELS / TELLER / "held-out.tsv").read_text().splitlines()
        said = answers(TELLER, [" ".join(story.split()[:len(story.split()) // 2])
                                for story in stories])
        self.assertLessEqual(share(said), 0.03)

    def test_most_foreign_sentences_carry_one(self):
        """Sentences of this project about things that no grammar has."""
        for path in sorted(FOREIGN.glob("*.txt")):
            sentences = path.read_text().splitlines()
            self.assertGreaterEqual(len(sentences), 40)
            models = ["en-ko", "passive", TELLER] if path.stem == "en" else ["ko-en", "seq2seq-ko-en", "chatbot",
                                                          "classifier"]
            for model in models:
                with self.subTest(model=model, file=path.name):
                    self.assertGreaterEqual(share(answers(model, sentences)), 0.85)


if __name__ == "__main__":
    unittest.main()
