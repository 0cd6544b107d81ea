"""The first calls of each kind fail. tests/slow_faults.py lets each of them fail."""

import re
import subprocess
import unittest

from faults import CALLS, LINES, PROMPT, FaultTest, Line, can_fail
from program import PROGRAM, prompt


class Table(unittest.TestCase):
    def test_every_command_has_a_line(self):
        tried = {line.words[0] for line in LINES}
        tried |= set(re.findall(r"^:(\S+)", PROMPT, re.M))
        names = re.findall(r"^  :(\S+)", prompt(":help").out, re.M)
        self.assertGreater(len(names), 20)
        self.assertEqual(set(names) - tried, set())

    def test_the_program_cannot_start_another_one(self):
        names = subprocess.run(["nm", "-D", "--undefined-only", PROGRAM], check=True,
                               capture_output=True, text=True).stdout
        self.assertIn(" fsync", names)
        starts = r"\b(system|popen|w?exec[lv]\w*|fexecve|v?fork|clone3?|posix_spawnp?)\b"
        self.assertIsNone(re.search(starts, names), names)


@unittest.skipUnless(can_fail("disk"), "the sanitizer stands in the way")
class Disk(FaultTest):
    def check_call(self, line, after, call, **fault):
        self.fresh()
        outcome = self.run_line(line, call=call, **fault)
        with self.subTest(line=line.name, call=call, **fault):
            self.check(after, outcome)
            if call in ("write", "fsync", "rename") and fault["at"] == 1:
                self.assertEqual(outcome.status, 1)

    def test_a_call_that_fails_leaves_the_old_file_or_the_new_one(self):
        errors = ("ENOSPC", "EIO", "EDQUOT", "EROFS")
        for number, line in enumerate(line for line in LINES if line.files):
            after = self.new_contents(line)
            error = errors[number % len(errors)]
            for call in CALLS:
                self.check_call(line, after, call, at=1, error=error)
                self.check_call(line, after, call, at=2, forever=True, error=error)

    def test_the_sentence_names_the_file_and_the_reason(self):
        line = next(line for line in LINES if line.name == "trace out.npz")
        for call, error, reason in (("write", "ENOSPC", "No space left on device"),
                                    ("fsync", "EIO", "Input/output error"),
                                    ("close", "EDQUOT", "Disk quota exceeded"),
                                    ("rename", "EROFS", "Read-only file system")):
            self.fresh()
            outcome = self.run_line(line, call=call, at=1, error=error)
            self.assert_says(outcome, "cannot write out.npz: " + reason)


@unittest.skipUnless(can_fail("memory"), "the sanitizer stands in the way")
class Memory(FaultTest):
    def check_request(self, line, after, at, forever):
        self.fresh()
        outcome = self.run_line(line, "memory", at=at, forever=forever)
        with self.subTest(line=line.name, at=at, forever=forever):
            self.check(after, outcome)
            self.assert_says(outcome, "glassbox: out of memory: ", " bytes more")

    def test_a_request_that_fails_ends_each_command_with_one_sentence(self):
        for line in LINES:
            after = self.new_contents(line)
            self.fresh()
            counted = self.run_line(line, "memory").calls
            self.assertGreater(counted, 100)
            for part in (0, 0.45, 0.95):
                self.check_request(line, after, 1 + int(part * counted), part > 0.9)


if __name__ == "__main__":
    unittest.main()
