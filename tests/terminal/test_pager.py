"""Output longer than the screen waits for a key, and nothing else does."""

import signal
import termios
import unittest

import pexpect

from program import SENTENCE, prompt
from terminal import READY, TerminalTest

MORE = "-- more: Enter or Space, q ends --"
LAST = ":help COMMAND explains"  # of :help all


class Pager(TerminalTest):
    def begin(self, line=":help all", **changed):
        """Show the first screenful of the line's output."""
        child = self.start(**changed)
        child.sendline(line)
        child.expect_exact(MORE)
        return child

    def turn(self, child, key):
        """Turn pages until the last one; return the number of keys."""
        for keys in range(1, 40):
            child.send(key)
            if child.expect_exact([MORE, READY]) == 1:
                return keys
        self.fail("there is no end")

    def test_space_and_enter_turn_pages(self):
        for key in (" ", "\r"):
            child = self.begin()
            self.assertLess(child.before.count("\r\n"), 25)
            self.assertGreaterEqual(self.turn(child, key), 2)
            self.assertIn(LAST, child.before)
            child.sendline(":quit")
            self.end(child)

    def test_q_leaves(self):
        child = self.begin()
        child.send("q")
        child.expect_exact(READY)
        self.assertNotIn(LAST, child.before)
        self.assertIn("GPL", self.ask(child, ":version"))

    def test_ctrl_c_and_the_end_of_input_leave(self):
        child = self.begin()
        child.sendintr()
        child.expect_exact(READY)
        self.assertNotIn(LAST, child.before)
        child.sendline(":help all")
        child.expect_exact(MORE)
        child.send("\x04")
        child.expect_exact(READY)
        child.send("\x04")
        self.end(child)

    def test_a_command_may_be_typed_at_once(self):
        child = self.begin()
        child.send(":version\r")
        child.expect_exact(READY)
        child.expect_exact("GPL")

    def test_other_keys_do_nothing(self):
        child = self.begin()
        child.send("\x1b[B\x1b[6~가x")
        child.send("q")
        child.expect_exact(READY)
        self.assertNotIn(MORE, child.before)

    def test_a_larger_screen_shows_the_rest(self):
        child = self.begin()
        child.setwinsize(200, 80)
        self.assertEqual(self.turn(child, " "), 1)

    def test_the_option_turns_it_off(self):
        child = self.start()
        self.ask(child, ":options pager=false")
        found = self.ask(child, ":help all")
        self.assertIn(LAST, found)
        self.assertNotIn(MORE, found)

    def test_what_fits_does_not_wait(self):
        child = self.start(rows=150)
        self.assertIn(LAST, self.ask(child, ":help all"))

    def test_a_stage_that_is_taller_than_the_screen_waits_below_its_title(self):
        child = self.start()
        self.ask(child, SENTENCE)
        self.ask(child, ":options depth=steps")
        self.ask(child, ":goto 8")  # a step fits
        for line in (":more", ":goto 5.1", ":goto 8", ":goto 14"):
            child.sendline(line)
            child.expect_exact(MORE)
            self.assertLess(child.before.count("\r\n"), 25)
            self.assertRegex(child.before, r"[\d.]+/\d+  ")
            self.turn(child, "\r")

    def test_a_map_of_a_comparison_waits_and_the_comparison_fits(self):
        child = self.start()
        self.ask(child, SENTENCE)
        self.ask(child, ":options pager=false")
        self.ask(child, ":mask key 부산")
        self.ask(child, ":options pager=true")
        self.assertNotIn(MORE, self.ask(child, ":compare"))
        child.sendline(":compare encoder.0.self_attention.weights")
        child.expect_exact(MORE)
        self.turn(child, "\r")

    def test_a_stage_that_fits_does_not_wait(self):
        child = self.start(rows=60)
        for line in (SENTENCE, "", "", "", ":goto softmax", ":back", ":heat", ":decode 0"):
            self.assertNotIn(MORE, self.ask(child, line))

    def test_typing_ahead_is_not_a_key(self):
        child = self.start()
        child.send(":version\n:help all\n:options\n")
        for _ in range(3):
            child.expect_exact(READY)
        self.assertNotIn(MORE, child.before)

    def test_a_pipe_never_waits(self):
        found = prompt(":help all", ":options pager=true", ":help all")
        self.assert_done(found)
        self.assertNotIn(MORE, found.out)

    def test_a_signal_leaves_the_terminal_as_it_was(self):
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            child = self.begin()
            self.assertFalse(self.modes(child))
            child.kill(number)
            child.expect(pexpect.EOF)
            self.assertEqual(self.modes(child), termios.ICANON | termios.ECHO)
            child.close()
            self.assertIn(number, (child.signalstatus, child.exitstatus - 128
                                   if child.exitstatus is not None else None))

    def modes(self, child):
        """Whether the terminal itself handles lines and echo."""
        return termios.tcgetattr(child.child_fd)[3] & (termios.ICANON | termios.ECHO)


if __name__ == "__main__":
    unittest.main()
