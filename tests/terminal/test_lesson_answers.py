"""Answers that a careful student types in our own lessons, and the replies. More ways to type an
answer: tests/units/judge_rows.txt."""

import re
import tempfile
import unittest

from program import ProgramTest, run

KEYS = r"(:hint   :answer   :skip|Enter continues \(\d+ of \d+\))"


class Answers(ProgramTest):
    def setUp(self):
        super().setUp()
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)

    def pages(self, *lines):
        """The output up to each list of keys."""
        outcome = run(text="".join(line + "\n" for line in lines),
                      XDG_STATE_HOME=tempfile.mkdtemp(dir=self.place.name),
                      XDG_DATA_HOME=self.place.name)
        said = outcome.out + outcome.err
        return [" ".join(page.split()) for page in re.split(KEYS, said)]

    def question(self, lesson, words):
        """The lines that lead to the question with these words in one of our lessons, one per
        page. If no question waits, :skip does nothing."""
        lines = [f":lesson {lesson}"]
        pages = self.pages(*lines, *[":skip", ""] * 18)
        for i in range(0, len(pages) - 1, 2):
            if words in pages[i]:
                return lines
            if pages[i + 2] != pages[i]:  # not asked again
                lines.append(":skip" if ":skip" in pages[i + 1] else "")
        raise AssertionError(words)

    def judged(self, lines, typed):
        return " ".join(self.pages(*lines, typed)[2 * len(lines):])

    def test_a_token_is_named_by_index_piece_or_word(self):
        lines = self.question(0, "which token does the decoder attend to most")
        for typed in ("1", "second", "cat"):
            self.assertIn("Right.", self.judged(lines, typed))
        said = self.judged(lines, "2")
        self.assertIn('Not quite. Token 2, counted from 0, is "·ch".', said)
        self.assertIn("Answer with a token of the sentence", self.judged(lines, "library"))
        lines = self.question(7, "Which token of the source tells the two apart?")
        self.assertIn("He ·has ·never", self.judged(lines, "umbrella"))
        said = self.judged([*lines, "has"], "never")
        self.assertIn("this question is answered; Enter continues", said)

    def test_an_ordinal_counts_heads_from_one(self):
        lines = self.question(5, "Which head has number 50")
        for typed in ("헤드 2", "세 번째 헤드"):
            self.assertIn("Right.", self.judged(lines, typed))
        self.assertIn("that is number 1.", self.judged(lines, "두 번째 헤드"))

    def test_an_answer_is_not_a_sentence(self):
        lines = self.question(6, "Turn the mask off")
        for typed in ("causal", "causal false"):
            self.assertIn(f'"{typed}" was not run', self.judged(lines, typed))
        self.assertIn("confidence:", self.judged(lines, "나는 갔다."))

    def test_a_number_cut_short_wants_another_digit(self):
        lines = self.question(8, "What is the standard deviation of this row?")
        *_, first, _, second, _, _ = self.pages(*lines, "0.4", "0.405")
        self.assertIn("Give one more digit.", first)
        self.assertNotIn("Right.", first)
        self.assertIn("Right.", second)

    def test_who_picked_a_token_is_told_the_way_back(self):
        lines = self.question(12, "the lunch is hers")
        lines += [":pick 0 Her",
                  ":patch encoder.output[source=·her] from They finished her lunch."]
        self.assertIn("Type :branches 0", self.judged(lines[:-1], lines[-1]))
        self.assertIn("Right.", self.judged(lines, ":branches 0"))


if __name__ == "__main__":
    unittest.main()
