"""With valgrind: no uninitialized byte is read, no memory is leaked, no file stays
open."""

import re
import subprocess
import unittest

from faults import LINES, FaultTest, can_fail
from program import PATIENCE, PROGRAM

NAMES = ("show out.csv", "why", "trace out.npz", "generate", "new made/vocab.json", "data",
         "learn-bpe said/vocab.json", "evaluate", "--model")


@unittest.skipUnless(can_fail("memory"), "the sanitizer stands in the way")
class Valgrind(FaultTest):
    def check_line(self, words, text):
        # Use plain loops instead of BLAS: valgrind knows few of its instructions.
        found = subprocess.run(
            ["valgrind", "--track-fds=yes", "--leak-check=full", "--error-exitcode=99",
             "--errors-for-leak-kinds=definite", PROGRAM, *words], cwd=self.work,
            input=text.encode(), capture_output=True, timeout=PATIENCE)
        said = found.stderr.decode()
        self.assertEqual(found.returncode, 0, said)
        # The three open ones are Python's pipes.
        opened = re.search(r"FILE DESCRIPTORS: (\d+) open \((\d+) std\)", said)
        self.assertEqual(opened.groups(), ("3", "3"), said)

    def test_nothing_is_lost_and_nothing_stays_open(self):
        self.fresh()
        lines = [line for line in LINES if line.name in NAMES]
        self.assertEqual({line.name for line in lines}, set(NAMES))
        for line in lines:
            with self.subTest(line=line.name):
                self.check_line(line.words, line.text)
        self.check_line(("train", "pairs.json", "--force"), "")


if __name__ == "__main__":
    unittest.main()
