"""Files of lines: `:read FILE`, and standard input that is not a terminal."""

import os
import unittest

from program import SENTENCE, ProgramTest, prompt, run, write
from terminal import TerminalTest

LESSON = """---
title: Two
language: en
minutes: 1
needs: none
model: ko-en
---
# Two

```question
ask: What is 1 + 1?
number: 2
hint: Count.
why: So it is.
```
"""


class Lines(ProgramTest):
    def test_the_help_says_what_may_be_overwritten(self):
        self.assertIn("one that ends with --force overwrites any file",
                      " ".join(run("help", "read").out.split()))

    def script(self, text, name="lines.txt"):
        with open(self.path(name), "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        return self.path(name)

    def test_each_line_is_shown_before_it_runs(self):
        path = self.script(f"# a note\n  # another\n{SENTENCE}\n:options digits=4\n")
        outcome = run("read", path)
        self.assert_done(outcome)
        lines = outcome.out.split("\n")
        self.assertEqual(lines[:3], ["# a note", "  # another", "> " + SENTENCE])
        self.assertIn("  I met a friend in Busan yesterday.", outcome.out)
        self.assertRegex(outcome.out, r"\n> :options digits=4\n *digits +4")

    def test_what_it_prints_is_what_the_prompt_prints(self):
        lines = [":version", ":define softmax", ":help read"]
        outcome = run("read", self.script("\n".join(lines)))
        kept = [line for line in outcome.out.split("\n")
                if not line.startswith("> ")]
        self.assertTrue(run(text="\n".join(lines)).out.endswith("\n".join(kept)))

    def test_a_line_that_fails_ends_the_reading(self):
        path = self.script(f"{SENTENCE}\n\n:xyzzy\n:tokens\n")
        outcome = run("read", path)
        self.assert_says(outcome, f"{path}:3: there is no command 'xyzzy'")
        self.assertNotIn(":tokens", outcome.out)

    def test_the_prompt_continues_after_it(self):
        path = self.script(":xyzzy\n")
        outcome = prompt(f":read {path}", ":version")
        self.assertEqual(outcome.status, 1)
        self.assertIn(f"{path}:1: ", outcome.err)
        self.assertIn("GPL-3.0-or-later", outcome.out)

    def test_reading_within_reading_is_refused(self):
        path = self.script(f":read {self.path('other.txt')}\n")
        self.script(":version\n", "other.txt")
        self.assert_says(run("read", path), f"{path}:1: a file is being read")
        outcome = prompt(f":read {path}", f":read {self.path('other.txt')}")
        self.assertIn("GPL-3.0-or-later", outcome.out)

    def test_quit_ends_the_session(self):
        path = self.script(":quit\n:version\n")
        outcome = prompt(f":read {path}", ":version")
        self.assert_done(outcome)
        self.assertNotIn("GPL", outcome.out)

    def test_an_invalid_file_of_lines_gets_one_sentence(self):
        os.mkfifo(self.path("pipe"))
        for path, parts in (
                (self.script(":version\na\0b\n", "nul"), ("nul:2:", "NUL")),
                (self.script("a" * (1 << 20) + "\n", "large"), ("1048577 bytes",)),
                (self.folder, ("it is a folder",)),
                (self.path("pipe"), ("a pipe or a device",)),
                ("/dev/zero", ("a pipe or a device",)),
                (self.path("none"), ("none", "No such file"))):
            outcome = run("read", path)
            self.assert_says(outcome, *parts)
            self.assertEqual(outcome.out, "")

    def test_a_line_that_is_too_long_is_named(self):
        self.assert_says(run("read", self.script("# a\n" + "b" * 900000)), "lines.txt:2: ")

    def test_ends_of_other_systems(self):
        path = self.script(b"\xef\xbb\xbf:version\r\n# a\r\n")
        outcome = run("read", path)
        self.assert_done(outcome)
        self.assertTrue(outcome.out.startswith("> :version\nglassbox"), outcome.out)

    def test_what_a_terminal_obeys_is_shown_escaped(self):
        path = self.script(b"# \x1b[31m \xe2\x80\xae\n:\x1b[2J\n")
        outcome = run("read", path)
        self.assertIn("# <1B>[31m <U+202E>", outcome.out)
        self.assertNotIn("\x1b", outcome.out + outcome.err)

    def test_standard_input_takes_comments_and_echoes_nothing(self):
        outcome = run(text="# a\n \t# b\n:version\n")
        self.assert_done(outcome)
        self.assertNotIn("#", outcome.out)
        self.assertNotIn("> :version", outcome.out)
        self.assertNotIn("confidence:", outcome.out)

    def test_a_byte_order_mark_changes_nothing(self):
        mark = b"\xef\xbb\xbf"
        text = b"The dog bit me.\n"
        plain = run("generate", "--model", "passive", text=text + text)
        self.assert_done(plain)
        marked = run("generate", "--model", "passive", text=mark + text + mark + text)
        self.assertEqual(marked.out, plain.out)
        self.assertEqual(run(text=mark + b":version\n").out, run(text=":version\n").out)
        self.assertEqual(run("generate", text=mark).out, "")
        recipe = self.script(mark + b"{}", "r.json")
        self.assertNotIn("JSON", run("train", recipe).err)
        found = []
        for head in (b"", mark):
            lesson = self.script(head + LESSON.encode(), "01-two.md")
            self.assert_done(run("lesson", "check", lesson))
            answers = self.script(head + b"2\n", "answers")
            found.append(run("lesson", "run", lesson, "--answers", answers).out)
        self.assertEqual(*found)

    def test_generate_reads_lines_as_the_prompt_does(self):
        texts = (b"The dog bit me.\0 And the cat\n", b"The dog bit me.\n",
                 "The dog bit me.\ufffd And the cat\n".encode())
        with_nul, first, replaced = (run("generate", "--model", "passive", text=text).out
                                for text in texts)
        self.assertEqual(with_nul, replaced)
        self.assertNotEqual(with_nul, first)
        for long in (b"a\0" + b"b" * 70000, b"a" * (1 << 20) + b"b" * 70000):
            outcome = run("generate", text=b"one\n" + long + b"\n")
            self.assert_says(outcome, "line 2 has more than 65536 bytes")
            self.assertEqual(outcome.out.count("\n"), 1)

    def test_a_lesson_may_be_played_from_a_file(self):
        lesson = self.script(LESSON, "01-two.md")
        path = self.script(f":lesson {lesson}\n\n# a comment is no answer\n3\n2\n")
        outcome = run("read", path, XDG_STATE_HOME=self.folder)
        self.assert_done(outcome)
        self.assertIn("Not quite.", outcome.out)
        self.assertIn("Right.", outcome.out)
        self.assertIn("1 of 1 questions right", outcome.out)

    def test_a_person_may_read_within_a_lesson(self):
        lesson = self.script(LESSON, "01-two.md")
        outcome = prompt(f":lesson {lesson}", "", f":read {self.script(':version')}",
                         "2", XDG_STATE_HOME=self.folder)
        self.assert_done(outcome)
        self.assertIn("GPL-3.0-or-later", outcome.out)
        self.assertIn("Right.", outcome.out)


class Stopped(TerminalTest):
    def test_control_c_ends_it(self):
        path = self.path("lines.txt")
        write(path, f"{SENTENCE}\n" * 5000 + ":version\n")
        child = self.start()
        child.send(f":read {path}\r")
        child.expect("I met a friend")
        child.send("\x03")
        child.expect("stopped")
        child.send(":options digits=5\r")
        child.expect("digits +5")
        child.send(":quit\r")
        self.end(child)


if __name__ == "__main__":
    unittest.main()
