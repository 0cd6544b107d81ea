"""kill -9 at every call to the kernel of a lesson that keeps how far it is: the next time it
goes on from the last step that was kept, or begins anew, and nothing is refused or lost."""

import json
import os
import tempfile
import unittest

from faults import can_fail, fault_environment
from lesson_text import LESSON
from program import ProgramTest, lesson_key, read, run, write

CALLS = ("open", "write", "fsync", "close", "rename", "mkdir")
LINES = (":lesson lesson.md", "", "yes", "", "", "5", ":hint", "4", "")
KILLED = -9


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
        """How many calls of this kind there are."""
        state = tempfile.mkdtemp(dir=self.folder)
        self.play(state, *LINES, **fault_environment(self.counter, call=call))
        return int.from_bytes(read(self.counter), "little")

    def answers_kept(self, state):
        path = os.path.join(state, f"glassbox/lessons/{lesson_key(self.path('lesson.md'))}.en.json")
        return json.loads(read(path))["answers"] if os.path.exists(path) else []

    def test_nothing_kept_is_lost(self):
        kills = 0
        for call in CALLS:
            for at in range(1, self.calls(call) + 1, 4 if call == "open" else 1):
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
        self.assertGreater(kills, 30)


if __name__ == "__main__":
    unittest.main()
