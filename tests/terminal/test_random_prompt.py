"""Two hundred random sessions at the prompt; slow_prompt.py runs ten times as many."""

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../hazards"))
import random_prompt
from program import CHECKS_ALL

SESSIONS = 200 if CHECKS_ALL else 20


class RandomPrompt(unittest.TestCase):
    def test_no_session_breaks_it(self):
        self.assertEqual(random_prompt.play_all(range(SESSIONS)), [])


if __name__ == "__main__":
    unittest.main()
