"""The examples of README in both languages and the figures of :help figures work as described;
the command stored in a figure draws the same bytes."""

import glob
import html
import os
import re
import shlex
import unittest
import zlib

from program import SENTENCE, ProgramTest, command_names, prompt, read, run, sample, write

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
READMES = {"README.md": "passive", ".github/README.ko.md": "ko-en"}  # and what the prompt opens
ALONE = ("map", "position", "schedule")


def text_of(readme):
    return read(os.path.join(ROOT, readme)).decode()


def typed(readme):
    """The typed lines of each prompt block, without remarks."""
    blocks = re.findall(r"(?:^    > .*\n)+", text_of(readme), re.M)
    return [[re.split(r" {2,}", line[6:])[0].strip() for line in block.splitlines()]
            for block in blocks]


def shell(readme):
    """The shell commands of the program, as words, without remarks."""
    said = text_of(readme)
    sentence = re.search(r'^    S="(.*)"$', said, re.M).group(1)
    lines = re.findall(r"^    (?:.*\| )?glassbox (.*)$", said, re.M)
    return [[word.replace("$S", sentence) for word in shlex.split(re.split(r" {2,}", line)[0])]
            for line in lines]


def of_readme(readme):
    """The commands that write a figure or a page."""
    return [words for words in shell(readme) if words[0] in ("draw", "page")]


def of_help():
    lines = re.findall(r"^ *:(draw .*)$", run("help", "figures").out, re.M)
    found = []
    for line in lines:
        words = shlex.split(line.replace("[", "'[").replace("]", "]'"))
        alone = words[1] in ALONE
        found.append(words if alone else [*words, "--source", SENTENCE])
    return found


def command_of(path):
    """The command stored in a figure."""
    held = read(path)
    if path.endswith(("png", "apng")):
        text = re.search(rb"iTXtcommand\0\0\0\0\0(.*?)(?=.{8}(?:tEXt|iTXt|acTL|IDAT))", held,
                         re.S).group(1)
        return text.decode(errors="replace")
    if path.endswith("svg"):
        return html.unescape(re.search('<fact name="command">(.*?)</fact>', held.decode()).group(1))
    return None


class Lines(ProgramTest):
    def test_what_is_typed_at_the_prompt_runs(self):
        for readme, model in READMES.items():
            walk, *others = typed(readme)
            self.assertIn(len(walk), range(10, 13), readme)
            for lines in (walk, *others):
                # A hint needs a question, and none has been asked yet.
                known = [line for line in lines if line != ":hint"]
                found = run("--model", model, text="".join(line + "\n" for line in known),
                            folder=self.folder, XDG_STATE_HOME=self.folder,
                            XDG_DATA_HOME=self.folder)
                self.assertEqual(found.status, 0, f"{readme} {known}: {found.err}")

    def test_every_command_that_is_named_exists(self):
        for readme in READMES:
            said = text_of(readme)
            named = re.findall(r"(?<![\w`])`?:([a-z][a-z-]+)", said)
            named += [words[0] for words in shell(readme) if words[0][0] != "-"]
            named += re.findall(r"`glassbox ([a-z][a-z-]+)", said)
            self.assertGreater(len(named), 12, readme)
            self.assertEqual(set(named) - set(command_names()), set(), readme)

    def test_its_files_are_there(self):
        for readme in READMES:
            folder = os.path.dirname(os.path.join(ROOT, readme))
            links = re.findall(r"\]\(([^)#]+)\)", text_of(readme))
            self.assertGreater(len(links), 5, readme)
            self.assertEqual([link for link in links
                              if not os.path.exists(os.path.join(folder, link))], [], readme)

    def test_it_is_short(self):
        self.assertLess(len(text_of("README.md").split()), 1500)

    def test_what_is_typed_in_a_shell_runs(self):
        write(self.path("pairs.tsv"), "good morning\t좋은 아침\n")
        for readme in READMES:
            others = [words for words in shell(readme) if words[0] in ("why", "trace", "generate")]
            self.assertGreaterEqual(len(others), 3)
            for words in others:
                self.assert_done(run(*words, "--limit", "3", text="a\n", folder=self.folder))
            for file in glob.glob(self.path("run.*")):
                os.remove(file)


class Plates(ProgramTest):
    def draw(self, words):
        outcome = run(*words, folder=self.folder)
        self.assertEqual(outcome.status, 0, f"{words}: {outcome.err}")
        pattern = words[words.index("-o") + 1]
        made = glob.glob(self.path(pattern))
        self.assertTrue(made, f"{words} wrote nothing called {pattern}")
        return made

    def check(self, commands, least):
        self.assertGreaterEqual(len(commands), least)
        carried = [(command_of(path), path) for words in commands for path in self.draw(words)]
        carried = [(command, path) for command, path in carried if command]
        self.assertGreaterEqual(len(carried), least - 5)
        for command, path in sample(carried, 3):
            before = read(path)
            outcome = run(*shlex.split(command)[1:], "--force", folder=self.folder)
            self.assertEqual(outcome.status, 0, f"{command}: {outcome.err}")
            self.assertEqual(zlib.crc32(read(path)), zlib.crc32(before), command)

    def test_those_of_readme(self):
        for readme, least in zip(READMES, (7, 4)):
            self.folder = self.path(os.path.basename(readme))
            os.mkdir(self.folder)
            self.check(of_readme(readme), least)

    def test_those_of_help(self):
        self.check(of_help(), 17)


if __name__ == "__main__":
    unittest.main()
