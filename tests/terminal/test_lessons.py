"""The course: every lesson is correct in both languages, which have the same blocks and, with the
same model, the same answers; and every command, stage, preset and option is explained in one of them."""

import os
import pathlib
import re
import unittest

from program import PROGRAM, ProgramTest, command_names, run, sample

ROOT = pathlib.Path(__file__).resolve().parents[2]
LESSONS = ROOT / "lessons"
LANGUAGES = ("en", "ko")
COUNT = 23

# Commands that are for the user, not for lessons, are in the prose.
FENCE = re.compile(r"^```(\w+) ?(.*?)\n(.*?)^```$", re.M | re.S)
SAME = ("number", "token", "cell", "true", "answer")  # keys that are the same in all languages


def names(language):
    return sorted(path.name for path in (LESSONS / language).glob("[0-9]*.md"))


def text_of(language, name):
    return (LESSONS / language / name).read_text()


def blocks(text):
    """(kind, text after the fence, lines that are the same in all languages)."""
    for kind, rest, body in FENCE.findall(text):
        if kind in ("glassbox", "figure"):
            yield kind, rest, [line for line in body.split("\n") if re.match(r">( |$)|:", line)]
        elif kind in ("question", "predict"):
            keys = [line.partition(":") for line in body.split("\n") if not line.startswith(" ")]
            is_number = any(key == "number" for key, _, _ in keys)
            yield kind, rest, [(key, value.strip() if key in SAME
                                else value.partition(" -- ")[0] if key == "wrong" and is_number
                                else "")
                               for key, _, value in keys if key]


def kinds(all_blocks):
    """The blocks without the text that depends on the model."""
    return [(kind, rest, [key for i, (key, _) in enumerate(lines)
                          if key in ("ask", "right", "why", *SAME)
                          and (key, i and lines[i - 1][0]) != ("answer", "answer")]
             if kind in ("question", "predict") else [])
            for kind, rest, lines in all_blocks]


def source(name, pattern):
    return re.findall(pattern, (ROOT / "src" / name).read_text())


class Lessons(ProgramTest):
    def test_both_languages_have_the_same_lessons(self):
        self.assertEqual(names("en"), names("ko"))
        self.assertEqual([int(name[:2]) for name in names("en")], list(range(COUNT)))

    def test_both_languages_have_the_same_blocks_and_answers(self):
        """A lesson may use another model in each language. Then it has other sentences and
        answers, but the same kinds of blocks and of answers; an answer may need more lines."""
        for name in names("en"):
            texts = [text_of(language, name) for language in LANGUAGES]
            model = [re.search(r"^model: (.*)$", text, re.M)[1] for text in texts]
            pick = list if model[0] == model[1] else kinds
            with self.subTest(lesson=name):
                self.assertEqual(*(pick(blocks(text)) for text in texts))

    def test_every_lesson_tells_the_truth(self):
        """In `make test`, one in six of each language."""
        for place, language in enumerate(LANGUAGES):
            files = [str(LESSONS / language / name)
                     for name in sample(names(language), 6, 1 + 2 * place)]
            outcome = run("lesson", "check", *files)
            self.assertEqual(outcome.err, "")
            self.assertIn(f"no problems; files: {len(files)}", outcome.out)

    def test_every_lesson_is_played_to_its_end(self):
        """In `make test`, one in twelve of each language."""
        for place, language in enumerate(LANGUAGES):
            for name in sample(names(language), 12, 4 + 3 * place):
                with self.subTest(lesson=f"{language}/{name}"):
                    outcome = run("lesson", "run", str(LESSONS / language / name))
                    self.assertEqual(outcome.status, 0, outcome.out[-500:] + outcome.err)
                    asked = text_of(language, name).count("```question\n")
                    right = {"en": "Right.", "ko": "맞습니다."}[language]
                    self.assertGreaterEqual(outcome.out.count(right), asked)


class Covered(unittest.TestCase):
    """By name, in a block or as `code` in the prose."""

    def setUp(self):
        texts = [text_of("en", name) for name in names("en")]
        self.words = set()
        for text in texts:
            for code in re.findall(r"`([^`\n]+)`", text):
                self.words |= {code, *re.findall(r"[\w:-]+", code)}
            for _, _, body in FENCE.findall(text):
                self.words |= {word for line in body.split("\n")
                               for word in re.findall(r"[\w:-]+", line)}

    def missing(self, wanted):
        return sorted(name for name in set(wanted) if name not in self.words)

    def test_every_command_is_used(self):
        self.assertEqual(self.missing(":" + name for name in command_names()), [])

    def test_every_stage_is_explained(self):
        kinds = re.findall(r'^    \{"([a-z0-9-]+)", "', (ROOT / "src/walk/stage.c").read_text(), re.M)
        self.assertGreater(len(kinds), 30)
        self.assertEqual(self.missing(kinds), [])

    def test_every_preset_is_explained(self):
        self.assertEqual(self.missing(source("store/presets.c", r'\.name = "([a-z0-9-]+)"')), [])

    def test_every_option_of_a_model_is_explained(self):
        keys = source("store/config.c", r"\n    KEY\((\w+)")
        self.assertGreater(len(keys), 25)
        self.assertEqual(self.missing(keys), [])


if __name__ == "__main__":
    os.chdir(ROOT)
    unittest.main()
