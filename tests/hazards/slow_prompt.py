"""Random sessions and a macro's paste at the prompt, with the address sanitizer."""

import os
import time
import unittest

import random_prompt
from program import PROGRAM, write
from terminal import READY, TerminalTest

SESSIONS = 800
SANITIZED = os.path.join(os.path.dirname(PROGRAM), "sanitized/glassbox")


class RandomPrompt(unittest.TestCase):
    def test_no_session_breaks_it(self):
        self.assertTrue(os.path.exists(SANITIZED), "make test-slow builds it")
        self.assertEqual(random_prompt.play_all(range(SESSIONS), SANITIZED), [])


class Pastes(TerminalTest):
    """Pastes that Ctrl-C ends without an end marker from the terminal: readline would
    read beyond the pasted text."""

    def check_closed(self, settings, *keys):
        write(self.path("inputrc"), settings)
        child = self.start(program=SANITIZED, INPUTRC=self.path("inputrc"),
                           ASAN_OPTIONS="detect_leaks=0")
        for key in keys:
            child.send(key)
            time.sleep(0.5)  # nothing is drawn before a paste ends; Ctrl-C discards unread keys
        child.sendintr()
        child.expect_exact(READY)
        self.assertIn("glassbox 0.", self.ask(child, ":version"))
        child.sendeof()
        self.end(child)

    def test_a_paste_that_a_macro_begins_is_closed(self):
        self.check_closed('"\\C-t": "\\e[200~abc"\n', "\x14more")


if __name__ == "__main__":
    unittest.main()
