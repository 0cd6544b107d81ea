"""Random sessions and a macro's paste at the prompt, under the address sanitizer."""

import os
import time
import unittest

import random_prompt
from program import PROGRAM
from terminal import READY, TerminalTest

SESSIONS = 2000
SANITIZED = os.path.join(os.path.dirname(PROGRAM), "sanitized/glassbox")


class RandomPrompt(unittest.TestCase):
    def test_no_session_breaks_it(self):
        self.assertTrue(os.path.exists(SANITIZED), "make test-slow builds it")
        self.assertEqual(random_prompt.play_all(range(SESSIONS), SANITIZED), [])


class Macro(TerminalTest):
    """A paste that a macro of readline's begins, and that Ctrl-C ends: readline would
    read on beyond what it has of it."""

    def test_a_paste_that_a_macro_begins_is_closed(self):
        macros = os.path.join(self.folder, "macros")
        with open(macros, "w") as file:
            file.write('"\\C-t": "\\e[200~abc"\n')
        child = self.start(program=SANITIZED, INPUTRC=macros, ASAN_OPTIONS="detect_leaks=0")
        child.send("\x14more")
        time.sleep(0.5)  # nothing is drawn before a paste ends; Ctrl-C forgets unread keys
        child.sendintr()
        child.expect_exact(READY)
        self.assertIn("0.1", self.ask(child, ":version"))
        child.sendeof()
        self.end(child)


if __name__ == "__main__":
    unittest.main()
