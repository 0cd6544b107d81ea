"""What the walk reports after "Here:" agrees with the trace, and a wrong report would be found."""

import copy
import functools
import os
import re
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True  # leave no __pycache__ in the source folder
REFERENCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "reference")
sys.path.insert(0, REFERENCE)

import stories
from program import CHECKS_ALL, PROGRAM, sample
from story_run import Walked, walk

SENTENCE = "나는 어제 부산에서 친구를 만났다."


class Stories(unittest.TestCase):
    def test_each_claim_of_300_sentences_agrees_with_the_trace_in_both_languages(self):
        """All shipped models and presets read tests/reference/sentences.tsv; in `make test`, one
        in 40 of the sentences."""
        every = 1 if CHECKS_ALL else 40
        finished = subprocess.run(
            ["/usr/bin/python3", os.path.join(REFERENCE, "stories.py"), PROGRAM, "--own",
             "--every", str(every)],
            capture_output=True, text=True)
        self.assertEqual((finished.returncode, finished.stderr), (0, ""), finished.stdout)
        sentences = sum(map(int, re.findall(r": (\d+) sentences, ", finished.stdout)))
        self.assertGreaterEqual(sentences, 300 // every)


class Mistakes(unittest.TestCase):
    """A number that is changed by the smallest visible amount is found to be wrong."""

    @staticmethod
    @functools.cache
    def walk(model):
        """The reports about the sentence, and the data to recompute them: once per model."""
        place = tempfile.TemporaryDirectory()
        unittest.addModuleCleanup(place.cleanup)
        walked = Walked(SENTENCE, 0, "numbers", place.name, 0)
        walk(PROGRAM, model, [walked])
        given = stories.Given(walked, stories.Weights(PROGRAM, model, place.name))
        return [stage for stage in walked.stages if stage.text], given

    def problems(self, stage, text, given):
        wrong = copy.copy(stage)
        wrong.text = text
        story = stories.told(wrong, given)
        return ["no form"] if story is None else story.problems

    def check_numbers(self, model):
        stages, given = self.walk(model)
        self.assertTrue(stages)
        for stage in stages:
            self.assertEqual(self.problems(stage, stage.text, given), [])
            numbers = re.finditer(r"\d+(\.\d+)?(?= |[.,;:)]|$)", stage.text)
            for number in sample(numbers, 3):
                with self.subTest(stage=stage.name, number=number.group()):
                    self.check_number(stage, number, given)

    def check_number(self, stage, number, given):
        digits = len(number.group(1) or ".") - 1
        changed = f"{float(number.group()) + 2 * 10 ** -digits:.{digits}f}"
        text = stage.text[:number.start()] + changed + stage.text[number.end():]
        self.assertTrue(self.problems(stage, text, given), text)

    def test_a_wrong_number_of_a_transformer_is_found(self):
        self.check_numbers("ko-en")

    def test_a_wrong_number_of_a_classifier_is_found(self):
        self.check_numbers("classifier")

    def test_a_wrong_number_of_two_lstms_is_found(self):
        self.check_numbers("seq2seq-ko-en")

    def test_another_token_is_found(self):
        stages, given = self.walk("ko-en")
        words = ["나는", "어제", "부산", "친구", "만", "났"]
        changed = 0
        for stage in stages:
            for word in words:
                if f'"{word}"' not in stage.text or stage.kind == "input":
                    continue
                other = words[words.index(word) - 1]
                with self.subTest(stage=stage.name, word=word):
                    text = stage.text.replace(f'"{word}"', f'"{other}"')
                    self.assertTrue(self.problems(stage, text, given), text)
                changed += 1
        self.assertGreater(changed, 10)

    def test_a_sentence_without_a_form_is_found(self):
        stages, given = self.walk("ko-en")
        for stage in stages:
            self.assertTrue(self.problems(stage, stage.text + " And so on.", given))


if __name__ == "__main__":
    unittest.main()
