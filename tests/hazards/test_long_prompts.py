"""A prompt that nearly fills a decoder-only model, fills it, is one token too long, or
ten times too long: every command shows a walk, or one sentence with both numbers."""

import functools
import itertools
import json
import os
import pathlib
import re
import tempfile
import unittest

from program import ProgramTest, command_names, prompt, run, sample, write
from screen import Tmux

ROOT = pathlib.Path(__file__).resolve().parents[2]
FAMILIES = ("gpt2", "gpt-neo", "llama", "qwen2")
MAX_LENGTH = 8
SMALL = ("--d-model", "8", "--attention-heads", "2", "--d-ff", "8", "--decoder-layers", "1",
         "--source-vocabulary", "20", "--target-vocabulary", "20",
         "--max-length", str(MAX_LENGTH))


def presets():
    """Return the shipped models that have no encoder."""
    listed = run("models", "--width", "200").out.split("Presets", 1)[1].split("\n\n")[0]
    names = re.findall(r"^  (\S+)", listed, re.M)
    lines = [line for name in names for line in (":model ko-en", f":preset {name}", ":map", ":version")]
    maps = prompt(*lines, folder="/").out.split("GPL-3")[:-1]
    return [name for name, shown in zip(names, maps, strict=True) if "decoder-only" in shown]


@functools.cache
def models():
    """Make folders of all presets and families, with the longest prompt of each."""
    made = []
    place = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(place.cleanup)
    for name in presets():
        folder = os.path.join(place.name, name)
        heads = ("--key-value-heads", "0") if name != "llama" else ("--key-value-heads", "1")
        new = run("new", "--preset", name, *SMALL, *heads, "-o", folder)
        assert new.status == 0, new.err
        made.append((folder, MAX_LENGTH))
    for name in FAMILIES:
        folder = ROOT / "tests/reference/families" / name
        config = json.loads((folder / "config.json").read_text())
        made.append((str(folder), config.get("n_positions") or config["max_position_embeddings"]))
    return made


@functools.cache
def commands():
    """Return the example of each command, from :help."""
    names = command_names()
    asked = prompt(*[line for name in names for line in (f":help {name}", ":version")]).out
    examples = re.findall(r"^Example\n  (:.+)$", asked, re.M)
    assert len(examples) == len(names), (len(examples), len(names))
    return dict(zip(names, examples))


def ids(count):
    return ",".join(str(5 + i % 7) for i in range(count))


def unfold(text):
    """Replace line ends by spaces."""
    return " ".join(text.split())


def for_decoder(line):
    """Examples mention an encoder and a source."""
    return line.replace("encoder.", "decoder.").replace("source=", "target=")


class LongPrompts(ProgramTest):
    def lengths(self, most):
        return most - 1, most, most + 1, 10 * most

    def refused(self, most, length):
        return f"the prompt has {length} tokens, but this model reads at most {most} (max_length)"

    def check(self, outcome, most, length, **what):
        with self.subTest(length=length, **what):
            self.assertIn(outcome.status, (0, 1), outcome.err[-2000:])
            self.assertEqual(self.refused(most, length) in outcome.err, length > most,
                             outcome.err[-2000:])

    def test_every_command_at_the_prompt(self):
        everyone = list(commands().items())
        for m, (folder, most) in enumerate(models()):
            for n, length in enumerate(self.lengths(most)):
                lines = []
                for name, example in sample(everyone, 14, (4 * m + n) % 14):
                    if name in ("quit", "train"):
                        continue
                    lines += [f':model "{folder}"', ids(length), f":{name}", for_decoder(example),
                              ":stop"]
                self.check(prompt(*lines, folder=self.folder), most, length, model=folder)

    def test_a_full_model_shows_the_walk_and_says_that_nothing_can_follow(self):
        for folder, most in models():
            found = prompt(f':model "{folder}"', ids(most), ":goto logits", ":pick 0 5")
            with self.subTest(model=folder):
                answer, walk = unfold(found.out).split("so nothing can follow it.")
                self.assertIn(f"The prompt has {most} tokens, the most that this model takes",
                              answer)
                self.assertIn("Logits", walk)
                self.assert_says(found, f"{most} tokens", "nothing can follow")

    def test_commands_in_a_shell(self):
        tried = 0
        cases = list(itertools.product(models()[::3], (0, 1)))
        for c, (name, example) in enumerate(commands().items()):
            words = for_decoder(example).split()
            for (folder, most), more in sample(cases, len(cases), c % len(cases)):
                outcome = run(name, *words[1:], "--model", folder, "--source-ids",
                              ids(most + more), folder=self.folder)
                # A command that reads no sentence says so.
                if outcome.status == 2:
                    break
                tried += 1
                with self.subTest(command=name, length=most + more, model=folder):
                    self.assertIn(outcome.status, (0, 1), outcome.err)
                    if more:
                        self.assert_says(outcome, self.refused(most, most + more))
        self.assertGreater(tried, 30)

    def test_an_option_can_make_a_model_too_short_for_its_sentence(self):
        found = prompt(":model stories", "Once upon a time", ":option max_length 1", ":decode")
        self.assertIn("the prompt has 5 tokens, but this model reads at most 1", found.err)

    def test_lessons(self):
        """A lesson opens shipped models and presets: an option makes them short."""
        for model, text in (("stories", "Once upon a time"), ("microgpt", "anna")):
            tokens = int(re.search(r"(\d+) tokens", unfold(prompt(
                f":model {model}", text, ":option max_length 1").err))[1])
            for most in (tokens + 1, tokens, tokens - 1):
                lesson = self.path("lesson.md")
                body = "\n".join(f"> {line}\n..." for line in (
                    text, f":option max_length {most}", text, ":decode", ":beam", ":learn"))
                write(lesson, "---\ntitle: Long\nlanguage: en\nminutes: 5\nneeds: none\n"
                      f"model: {model}\n---\n# Long\n\n```glassbox\n{body}\n```\n")
                self.check(run("lesson", "run", lesson, folder=self.folder), most, tokens,
                           model=model)

    def test_the_full_screen(self):
        folder, most = models()[0]
        for length in (most, most + 1):
            screen = Tmux(f"long-{length}", (120, 40), self.folder,
                          f"--model {folder} --screen")
            self.addCleanup(screen.close)
            screen.wait(lambda seen: "q" in seen.splitlines()[-1])
            screen.type("i", ids(length), "Enter")
            self.assertIn(f"{length} tokens", screen.wait(
                lambda seen, tokens=f"{length} tokens": tokens in seen))


if __name__ == "__main__":
    os.chdir(ROOT)
    unittest.main()
