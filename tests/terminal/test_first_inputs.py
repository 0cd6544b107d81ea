"""What people type first gets a walk, a warning and a walk, or a model that can read it.
first_inputs.en.txt and first_inputs.ko.txt have a hundred lines each: the expected result, a tab,
and the input."""

import os
import re
import unittest

from program import sample
from terminal import RUNNING, TerminalTest

FOLDER = os.path.dirname(os.path.abspath(__file__))
ANSWER = {"en": "Enter shows how, in", "ko": "Enter를 누르면 "}
WARNING = {"en": r"This is a guess:|This looks like \d+ sentences|may leave that part out|may be wrong",
           "ko": r"모델이 짐작한 답입니다|문장이 \d+개인 것|빠졌을 수|틀렸을 수"}
SWITCH = {"en": r"This model reads \w+\. :model (\S+) reads \w+; Enter opens it\.",
          "ko": r"이 모델은 \w+를 읽습니다\. :model ([a-z-]+)[은는] \w+를 읽습니다\. "
                r"Enter를 누르면 엽니다\."}


def inputs(language):
    with open(os.path.join(FOLDER, f"first_inputs.{language}.txt"), encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file]


class FirstInputs(TerminalTest):
    def type_first(self, language, typed):
        """The result of an input, and the result of Enter after it."""
        child = self.start(names_model=False, LANGUAGE=language, rows=200, columns=1000)
        said = " ".join(self.ask(child, typed).partition(RUNNING)[2].split())
        offer = re.search(SWITCH[language], said)
        if offer:
            return f"switch {offer[1]}", self.ask(child, "")
        if not re.search(re.escape(ANSWER[language]) + r" ?\d+", said):
            return "say" if said.strip() else "nothing", ""
        return "warn" if re.search(WARNING[language], said) else "walk", ""

    def check(self, language):
        cases = inputs(language)
        self.assertEqual(len({typed for _, typed in cases}), 100)
        for expected, typed in sample(cases, 8, 3):
            with self.subTest(typed=typed[:60]):
                found, entered = self.type_first(language, typed)
                self.assertEqual(found, expected)
                if found.startswith("switch"):
                    self.assertIn(typed, entered)
                    self.assertIn(ANSWER[language], entered)

    def test_english(self):
        self.check("en")

    def test_korean(self):
        self.check("ko")


if __name__ == "__main__":
    unittest.main()
