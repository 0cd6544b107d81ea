"""The figures that README and :help figures show how to draw: each line draws what it
says, and the command that a figure carries draws the same bytes."""

import glob
import html
import os
import re
import shlex
import unittest
import zlib

from program import ProgramTest, read, run, sample

HERE = os.path.dirname(os.path.abspath(__file__))
SENTENCE = "나는 어제 부산에서 친구를 만났다."
ALONE = ("map", "position", "schedule")


def of_readme():
    """The commands of README that write a figure or a page, as words."""
    with open(os.path.join(HERE, "../../README.md"), encoding="utf-8") as file:
        lines = re.findall(r"^    (glassbox (?:draw|page) .*)$", file.read(), re.M)
    return [[word.replace("$S", SENTENCE) for word in shlex.split(line)[1:]] for line in lines]


def of_help():
    lines = re.findall(r"^ *:(draw .*)$", run("help", "figures").out, re.M)
    found = []
    for line in lines:
        words = shlex.split(line.replace("[", "'[").replace("]", "]'"))
        alone = words[1] in ALONE
        found.append(words if alone else [*words, "--source", SENTENCE])
    return found


def command_of(path):
    """The command that a figure carries."""
    held = read(path)
    if path.endswith(("png", "apng")):
        text = re.search(rb"iTXtcommand\0\0\0\0\0(.*?)(?=.{8}(?:tEXt|iTXt|acTL|IDAT))", held,
                         re.S).group(1)
        return text.decode(errors="replace")
    if path.endswith("svg"):
        return html.unescape(re.search('<fact name="command">(.*?)</fact>', held.decode()).group(1))
    return None


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
        self.check(of_readme(), 13)

    def test_those_of_help(self):
        self.check(of_help(), 17)


if __name__ == "__main__":
    unittest.main()
