"""Saved files are readable only by their owner, and unfinished ones are removed."""

import fcntl
import os
import stat
import unittest

from faults import fault_environment
from lesson_text import LESSON
from program import ProgramTest, prompt, run, write


def mode(path):
    return stat.S_IMODE(os.stat(path).st_mode)


class Kept(ProgramTest):
    def tree(self, folder):
        return [os.path.join(place, name) for place, folders, files in os.walk(folder)
                for name in folders + files]

    def test_progress_and_state_are_private(self):
        home = self.path("home")
        os.makedirs(os.path.join(home, ".local/state/glassbox/lessons"))
        write(self.path("small.md"), LESSON)
        prompt(":lesson " + self.path("small.md"), "", ":stop", HOME=home)
        kept = self.tree(os.path.join(home, ".local/state/glassbox"))
        self.assertTrue([path for path in kept if path.endswith(".json")], kept)
        for path in kept:
            self.assertEqual(mode(path), 0o700 if os.path.isdir(path) else 0o600, path)

    def test_a_home_that_does_not_exist_is_not_made(self):
        home = self.path("nowhere")
        write(self.path("small.md"), LESSON)
        found = prompt(":lesson " + self.path("small.md"), "", ":stop", HOME=home)
        self.assertIn("HOME", found.out + found.err)
        self.assertFalse(os.path.exists(home))

    def test_a_model_that_could_not_be_saved_leaves_no_folder(self):
        small = ("new", "--preset", "gpt2", "--d-model", "8", "--attention-heads", "2",
                 "--d-ff", "8", "--decoder-layers", "1", "--source-vocabulary", "9",
                 "--target-vocabulary", "9", "-o", self.path("model"))
        full = fault_environment(self.path("count"), call="write", at=1, forever=True)
        self.assert_says(run(*small, **full), "No space left")
        self.assertFalse(os.path.exists(self.path("model")))
        os.mkdir(self.path("model"))  # an empty folder of the user stays
        self.assert_says(run(*small, **full), "No space left")
        self.assertTrue(os.path.exists(self.path("model")))

    def test_a_folder_that_a_killed_check_left_is_removed_by_the_next(self):
        place = self.path("tmp")
        left, used = (os.path.join(place, name) for name in ("glassbox-abcdef", "glassbox-ghijkl"))
        for folder in (left, used, os.path.join(place, "glassbox-other-one")):
            os.makedirs(folder)
            write(os.path.join(folder, "file"), "x")
        lock = os.open(used, os.O_RDONLY)
        self.addCleanup(os.close, lock)
        fcntl.flock(lock, fcntl.LOCK_EX)
        write(self.path("small.md"), LESSON)
        run("lesson", "check", self.path("small.md"), TMPDIR=place)
        self.assertEqual(sorted(os.listdir(place)), ["glassbox-ghijkl", "glassbox-other-one"])


if __name__ == "__main__":
    unittest.main()
