"""What shipped models report about their doubt, for all held-out sentences and for
sentences outside their domain."""

import json
import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "terminal"))

from program import prompt

MODELS = pathlib.Path(__file__).resolve().parents[2] / "assets/models"
FOREIGN = pathlib.Path(__file__).parent / "foreign"
TELLER = "stories"  # it has only texts, no pairs
WARNINGS = ("is a guess", "may be missing", "may leave that part out", "may be wrong", "looks like", "did not end before the limit")


def answers(model, sentences):
    """Return the answer to each sentence, and the remarks about it."""
    said = prompt(":language en", f":model {model}", *sentences, COLUMNS="400").out
    parts = said.split("Enter shows how")[:-1]
    assert len(parts) == len(sentences), (model, len(parts), len(sentences))
    halves = [part.rpartition("confidence: ")[::2] for part in parts]
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
        """Sentences about topics that are in no grammar, and sentences with known words
        in combinations that no grammar makes: other clauses, other roles."""
        for language in ("en", "ko"):
            paths = [FOREIGN / f"{kind}{language}.txt" for kind in ("", "known.")]
            lines = [path.read_text().splitlines() for path in paths]
            sentences = lines[0] + lines[1]
            self.assertGreaterEqual(len(sentences), 80)
            models = ["en-ko", "passive", TELLER] if language == "en" else ["ko-en", "seq2seq-ko-en", "chatbot",
                                                         "classifier"]
            for model in models:
                with self.subTest(model=model, language=language):
                    # Passives exist of other clauses, too: that grammar has them.
                    said = answers(model, lines[0] if model == "passive" else sentences)
                    print(f"{model}: {100 * share(said):.1f} % carry a warning, of known words "
                          f"{100 * share(said[-len(lines[1]):]):.1f} %")
                    self.assertGreaterEqual(share(said), 0.85)


if __name__ == "__main__":
    unittest.main()
