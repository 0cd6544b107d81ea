"""Settings that stay: `:options --save`, and files that are wrong."""

import json
import os
import unittest

from program import run
from terminal import TerminalTest

# A file, and what is reported about it.
WRONG = [
    ('{"digits": 12}', '"digits" is 12; expected a whole number from 0 to 9'),
    ('{"digits": "4"}', '"digits" is "4"; expected a whole number from 0 to 9'),
    ('{"pager": 1}', '"pager" is 1; expected true or false'),
    ('{"depth": "deep"}', '"depth" is "deep"; expected one of '),
    ('{"digits": 4, "paletes": "grey"}', 'unknown key "paletes"; did you mean palette?'),
    ('{"digits": 4, "digits": 5}', "digits"),
    ('{"digits": 4', "config.json:1: this is not valid JSON"),
    ("[4]", "config.json has a list; expected an object with keys"),
    ("", "this is not valid JSON"),
    ("\0", "this is not valid JSON"),
    ('{"digits": 4}' + " " * 70000, "config.json has 70013 bytes; the limit here is 65536"),
    ("[" * 1000, "config.json:1"),
]
CONSEQUENCE = "(until it is corrected, all options have their defaults)"


class Settings(TerminalTest):
    def setUp(self):
        super().setUp()
        self.config = os.path.join(self.folder, "glassbox/config.json")

    def begin(self):
        return self.start(XDG_CONFIG_HOME=self.folder, columns=200, rows=60)

    def write(self, text):
        os.makedirs(os.path.dirname(self.config), exist_ok=True)
        with open(self.config, "w", encoding="utf-8") as file:
            file.write(text)

    def text(self):
        with open(self.config, encoding="utf-8") as file:
            return file.read()

    def options(self, child):
        """The options of a program that runs, by name."""
        lines = self.ask(child, ":options").splitlines()[1:]
        return dict(line.split()[:2] for line in lines if len(line.split()) > 2)

    def test_they_stay_only_if_saved(self):
        child = self.begin()
        self.ask(child, ":options digits=7")
        self.assertFalse(os.path.exists(self.config))
        before = self.options(child)
        self.assertIn(self.config, self.ask(child, ":options palette=grey --save"))
        child = self.begin()
        after = self.options(child)
        self.assertEqual(after, dict(before, palette="grey"))
        self.assertEqual(after["digits"], "7")
        self.assertEqual(list(json.loads(self.text())), list(after))
        # The program replaces what it wrote.
        self.ask(child, ":options digits=2 --save")
        self.assertEqual(self.options(self.begin())["digits"], "2")

    def test_some_of_them_are_enough(self):
        self.write('{"language": "ko"}\n')
        child = self.begin()
        self.assertIn("소수점", self.ask(child, ":options"))
        self.assertEqual(self.options(child)["digits"], "3")

    def test_a_flag_comes_before_them(self):
        self.write('{"language": "ko"}\n')
        outcome = run("version", "--language", "en", XDG_CONFIG_HOME=self.folder)
        self.assertIn("no warranty", outcome.out)
        outcome = run("version", XDG_CONFIG_HOME=self.folder)
        self.assertNotIn("no warranty", outcome.out)

    def test_a_wrong_file_is_reported_and_kept(self):
        for text, report in WRONG:
            with self.subTest(text[:40]):
                self.write(text)
                child = self.spawn(XDG_CONFIG_HOME=self.folder, columns=200, rows=60)
                child.expect_exact("> ")
                first = child.before.split("glassbox 0")[0]
                joined = " ".join(first.split())
                self.assertIn(report, joined)
                self.assertEqual(joined.count(CONSEQUENCE), 1)
                self.assertEqual(self.options(child)["digits"], "3")
                kept = " ".join(self.ask(child, ":options --save").split())
                self.assertIn("it is not overwritten without --force", kept)
                self.assertEqual(self.text(), text)
                self.ask(child, ":options --save --force")
                self.assertEqual(json.loads(self.text())["digits"], 3)

    def test_no_file_to_read(self):
        os.makedirs(self.config)
        outcome = run("version", XDG_CONFIG_HOME=self.folder)
        self.assertIn("it is a folder, not a file " + CONSEQUENCE, outcome.err)
        self.assertEqual(outcome.status, 0)

    def test_a_link_is_followed(self):
        target = os.path.join(self.folder, "elsewhere.json")
        with open(target, "w", encoding="utf-8") as file:
            file.write('{"digits": 4}\n')
        os.makedirs(os.path.dirname(self.config))
        os.symlink(target, self.config)
        self.ask(self.begin(), ":options --save")
        self.assertTrue(os.path.islink(self.config))
        self.assertEqual(json.loads(self.text())["digits"], 4)

    def test_no_home(self):
        child = self.start(HOME="/nonexistent", XDG_CONFIG_HOME=None)
        answer = " ".join(self.ask(child, ":options --save").split())
        self.assertIn("set HOME or XDG_CONFIG_HOME", answer)


if __name__ == "__main__":
    unittest.main()
