"""kill -9 at every system call of a lesson that saves its progress: the next time it
continues from the last saved step, or starts again, and nothing is rejected or lost.
And kill -9 at any moment of two windows in one lesson, which save answers, lines and
files."""

import json
import os
import random
import signal
import tempfile
import threading
import time
import unittest

import pexpect

from faults import can_fail, fault_environment
from lesson_text import LESSON
from program import CHECKS_ALL, ProgramTest, lesson_key, read, run, sample, write
from terminal import READY, TerminalTest

CALLS = ("open", "write", "fsync", "close", "rename", "mkdir")
QUESTION = """---
title: Two windows
language: en
minutes: 1
needs: none
model: ko-en
files: recipe.json
---

# Two windows

```question
ask: How many are there?
number: 0.5
hint: Half of one.
why: So it is.
```
"""
LINES = (":lesson lesson.md", "", "yes", "", "", "5", ":hint", "4", "")
KILLED = -9
READY_TO_ANSWER = READY.replace("> ", "? ")


@unittest.skipUnless(can_fail("disk"), "make test builds what kills")
class LessonKill(ProgramTest):
    def setUp(self):
        super().setUp()
        write(self.path("lesson.md"), LESSON)
        self.counter = self.path("count")

    def play(self, state, *lines, **fault):
        return run("--model", "ko-en", text="".join(line + "\n" for line in lines),
                   folder=self.folder, XDG_STATE_HOME=state,
                   XDG_DATA_HOME=self.path("data"), **fault)

    def calls(self, call):
        """Return how many calls of this kind there are."""
        state = tempfile.mkdtemp(dir=self.folder)
        self.play(state, *LINES, **fault_environment(self.counter, call=call))
        return int.from_bytes(read(self.counter), "little")

    def answers_kept(self, state):
        path = os.path.join(state, "glassbox/lessons",
                            lesson_key(self.path("lesson.md")) + ".en.json")
        return json.loads(read(path))["answers"] if os.path.exists(path) else []

    def test_nothing_kept_is_lost(self):
        kills = 0
        for place, call in enumerate(CALLS):
            every = 4 if call == "open" else 1
            for at in sample(range(1, self.calls(call) + 1, every), 12, place):
                state = tempfile.mkdtemp(dir=self.folder)
                outcome = self.play(state, *LINES, **fault_environment(
                    self.counter, call=call, at=at, error=None))
                with self.subTest(call=call, at=at):
                    self.assertEqual(outcome.status, KILLED)
                    answers = self.answers_kept(state)
                    again = self.play(state, ":lesson lesson.md")
                    self.assertNotIn(".refused", again.out + again.err)
                    self.assertEqual(again.status, 0)
                    if answers:
                        self.assertEqual(self.answers_kept(state), answers)
                    kills += 1
        self.assertGreater(kills, 30 if CHECKS_ALL else len(CALLS))


class Window(threading.Thread):
    """The program in a terminal, at the question: it gets one wrong answer after the
    other until it is killed."""

    def __init__(self, child, first):
        super().__init__()
        self.child, self.first, self.kept = child, first, 0

    def run(self):
        try:
            self.child.sendline(":lesson en/two.md")
            self.child.expect_exact(READY_TO_ANSWER)
            while True:
                self.child.sendline(str(self.first + self.kept))
                self.child.expect_exact("Not quite.")
                self.child.expect_exact(READY_TO_ANSWER)
                self.kept += 1
        except (pexpect.EOF, OSError):
            pass


class TwoWindows(TerminalTest):
    rounds = 15 if CHECKS_ALL else 3

    def setUp(self):
        super().setUp()
        for name in ("en", "files"):
            os.mkdir(self.path(name))
        write(self.path("en/two.md"), QUESTION)
        write(self.path("files/recipe.json"), "brought\n")
        key = lesson_key(self.path("en/two.md"))
        self.progress = self.path(f".local/state/glassbox/lessons/{key}.en.json")
        self.output = self.path(f".local/share/glassbox/lessons/{key}")
        self.answers, self.edits, self.tries = [], [], 0

    def spawn_window(self):
        child = self.spawn(XDG_DATA_HOME=None)
        child.expect_exact(READY)
        return child

    def kill(self, dice, number):
        """Kill both, each at a different moment; everything they had acknowledged was
        saved."""
        recipe = os.path.join(self.output, "recipe.json")
        # The edit is still there if they were killed before they used it.
        if not os.path.exists(recipe) or read(recipe) == b"brought\n":
            self.edits.append(f"edit {number}\n")
            write(recipe, self.edits[-1])
        children = [self.spawn_window(), self.spawn_window()]
        windows = [Window(child, (2 * number + place) * 1000 + 1000)
                   for place, child in enumerate(children)]
        for window in windows:
            window.start()
        for child in dice.sample(children, 2):
            time.sleep(dice.uniform(0, 0.2))
            self.assertTrue(child.isalive())
            child.kill(signal.SIGKILL)
        for window in windows:
            window.join()
            window.child.close(force=True)
        return windows

    def check(self, windows):
        lines = [int(line) for line in self.history() if line.isdigit()]
        new = [line for line in lines if line >= windows[0].first]
        before = lines[:len(lines) - len(new)]
        self.assertEqual(before + new, lines)
        self.assertEqual(before, self.answers[len(self.answers) - len(before):])
        self.assertTrue(len(before) == len(self.answers) or len(self.history()) == 1000)
        self.answers += new
        kept = 0
        for window in windows:
            own = [line for line in lines if window.first <= line < window.first + 1000]
            self.assertEqual(own, list(range(window.first, window.first + len(own))))
            self.assertIn(len(own) - window.kept, (0, 1))
            kept += window.kept
        answer, = json.loads(read(self.progress))["answers"]
        self.assertIn(answer["tries"] - self.tries - kept, (0, 1, 2))
        self.tries = answer["tries"]
        self.assertFalse(os.path.exists(self.progress + ".refused"))
        # The last edit may be unsaved.
        found = [read(os.path.join(self.output, name)).decode()
                 for name in os.listdir(self.output)
                 if name.startswith("recipe.json") and ".saving-" not in name]
        self.assertEqual(sorted(text for text in found if text.startswith("edit")),
                         sorted(self.edits))
        self.assertTrue(all(text in ("brought\n", *self.edits) for text in found), found)
        return kept

    def half_files(self):
        return [name for place, _, names in os.walk(self.path(".local")) for name in names
                if ".saving-" in name]

    def test_only_unsaved_work_is_lost(self):
        dice = random.Random(1)
        child = self.spawn_window()
        child.sendline(":lesson en/two.md")
        child.expect_exact(READY_TO_ANSWER)
        child.sendline(":quit")
        self.end(child)
        kept = 0
        for number in range(self.rounds):
            kept += self.check(self.kill(dice, number))
        self.assertGreater(kept, self.rounds)
        self.assertGreater(len(self.edits), 1)
        if self.rounds > 15:
            print(f"{2 * self.rounds} kills of two windows, {kept} answers and lines kept, "
                  f"{len(self.half_files())} half-written files")


if __name__ == "__main__":
    unittest.main()
