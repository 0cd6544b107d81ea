"""What users type first: a hundred everyday sentences for each model, and sensible
answers. They were written before the grammars had such sentences, and `make models`
removes them from the training data.

A row of everyday/NAME.tsv: the sentence, and the answers separated by |. A translation
must be one of them, ignoring capitals, periods and short forms; a reply must contain
one; a label must be one.
"""

import csv
import os
import re
import unittest

from program import ProgramTest, read, run

HERE = os.path.dirname(os.path.abspath(__file__))
LEAST = 85  # sensible answers out of a hundred
SHORT_FORMS = (("let's", "let us"), ("can't", "cannot"), ("won't", "will not"),
               ("n't", " not"), ("'m", " am"), ("'s", " is"), ("'re", " are"),
               ("'ll", " will"))


def rows(name):
    with open(os.path.join(HERE, "everyday", name + ".tsv"), encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file]
    return [(source, answers.split("|")) for source, answers in lines]


def plain(text, spaces):
    """Normalize everything that may be written in several ways."""
    text = text.lower()
    for short, long in SHORT_FORMS:
        text = text.replace(short, long)
    words = re.sub(r"[.,!?]", " ", text).split()
    return " ".join(words) if spaces else "".join(words)


class Everyday(ProgramTest):
    def answers(self, name):
        sentences = "".join(source + "\n" for source, _ in rows(name))
        outcome = run("generate", "--model", name, text=sentences)
        self.assertEqual(outcome.status, 0, outcome.err)
        return outcome.out.rstrip("\n").split("\n")

    def check(self, name, answers, is_sensible):
        wrong = [f"{source} -> {said}" for (source, wanted), said
                 in zip(rows(name), answers, strict=True) if not is_sensible(said, wanted)]
        print(f"{name}: {len(answers) - len(wrong)} of {len(answers)} sensible")
        self.assertEqual(len(answers), 100)
        self.assertGreaterEqual(len(answers) - len(wrong), LEAST, "\n".join(wrong))

    def test_korean_into_english(self):
        self.check("ko-en", self.answers("ko-en"), lambda said, wanted:
                   plain(said, True) in {plain(answer, True) for answer in wanted})

    def test_english_into_korean(self):
        self.check("en-ko", self.answers("en-ko"), lambda said, wanted:
                   plain(said, False) in {plain(answer, False) for answer in wanted})

    def test_actives(self):
        self.check("passive", self.answers("passive"), lambda said, wanted:
                   plain(said, True) in {plain(answer, True) for answer in wanted})

    def test_replies(self):
        self.check("chatbot", self.answers("chatbot"), lambda said, wanted:
                   any(plain(answer, False) in plain(said, False) for answer in wanted))

    def test_labels(self):
        lines = [line for number, (source, _) in enumerate(rows("classifier"))
                 for line in (source, f":show probabilities -o {number}.csv")]
        self.assert_done(run("--model", "classifier", text="\n".join(lines) + "\n",
                             folder=self.folder))
        answers = []
        for number in range(len(rows("classifier"))):
            written = read(self.path(f"{number}.csv")).decode()
            labels, shares = list(csv.reader(written.splitlines()))
            answers.append(max(zip(map(float, shares[1:]), labels[1:]))[1])
        self.check("classifier", answers, lambda said, wanted: said in wanted)


if __name__ == "__main__":
    unittest.main()
