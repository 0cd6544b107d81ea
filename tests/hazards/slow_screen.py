"""Random sessions on the full screen, with the address sanitizer."""

import os
import unittest

import random_prompt
from program import PROGRAM
from random_screen import Person

SESSIONS = 700
SANITIZED = os.path.join(os.path.dirname(PROGRAM), "sanitized/glassbox")


class RandomScreen(unittest.TestCase):
    def test_no_session_breaks_it(self):
        self.assertTrue(os.path.exists(SANITIZED), "make test-slow builds it")
        self.assertEqual(random_prompt.play_all(range(SESSIONS), SANITIZED, Person), [])


if __name__ == "__main__":
    unittest.main()
