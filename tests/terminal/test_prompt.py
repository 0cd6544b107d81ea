"""The prompt in a real terminal: editing, history, completion, colors, widths."""

import os
import re
import unittest

import pexpect

from program import SENTENCE, width
from terminal import READY, TerminalTest

TITLE = "Tokens: the sentence in pieces"


class Prompt(TerminalTest):
    def test_it_greets_and_leaves(self):
        child = self.start()
        child.sendline(":quit")
        child.expect(pexpect.EOF)
        child.wait()
        self.assertEqual(child.exitstatus, 0)

    def test_end_of_input_leaves_with_0(self):
        child = self.start()
        child.sendeof()
        child.expect(pexpect.EOF)
        child.wait()
        self.assertEqual(child.exitstatus, 0)

    def test_enter_walks_on(self):
        child = self.start()
        self.assertIn("I met a friend", self.ask(child, SENTENCE))
        self.assertIn(TITLE, self.ask(child, ""))
        self.assertIn("2/", self.ask(child, ""))
        self.assertIn("3/", self.ask(child, ":next"))
        self.assertIn("2/", self.ask(child, ":back"))

    def test_an_error_keeps_the_session(self):
        child = self.start(rows=60)
        self.assertIn("'nexxt'", self.ask(child, ":nexxt"))
        self.assertIn("type a sentence", self.ask(child, ""))
        self.assertIn("confidence:", self.ask(child, "배고파요."))
        self.assertIn(TITLE, self.ask(child, ""))

    def test_hangul_is_edited_by_whole_syllables(self):
        child = self.start()
        child.send("가나다\x7f")
        out = self.ask(child, "") + self.ask(child, "")
        self.assertIn('"가나"', out)

    def test_tab_completes_commands_and_addresses(self):
        child = self.start()
        self.ask(child, "가 나")
        child.send(":dec\t\n")
        child.expect_exact("step.0")
        child.expect_exact(READY)
        child.send(":show encoder.emb\t\n")
        child.expect_exact("embedding [batch 1")
        child.expect_exact(READY)

    def test_history_is_kept_between_sessions(self):
        child = self.start()
        self.ask(child, "배고파요.")
        self.ask(child, " a secret begins with a space")
        child.sendeof()
        child.expect(pexpect.EOF)
        path = os.path.join(self.folder, ".local/state/glassbox/history")
        with open(path) as history:
            self.assertEqual(history.read(), "배고파요.\n")
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
        again = self.start()
        again.send("\x1b[A\n")
        again.expect_exact("confidence:")

    def test_colors_only_if_requested(self):
        child = self.start()
        self.ask(child, "가 나")
        heat = self.ask(child, ":heat encoder.0.self_attention.weights[head=0]")
        self.assertIn(";48;5;", heat)
        child = self.start(NO_COLOR="1")
        self.ask(child, "가 나")
        heat = self.ask(child, ":heat encoder.0.self_attention.weights[head=0]")
        self.assertNotIn("48;5;", heat)

    def test_nothing_is_wider_than_the_terminal(self):
        for columns in (40, 80, 200):
            child = self.start(columns=columns, rows=200)
            out = self.ask(child, SENTENCE)
            for stage in range(11):
                out += self.ask(child, "")
            plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", out)
            # Ignore the echo of the input; check the output of the program.
            for line in plain.replace("\r", "").split("\n")[1:]:
                self.assertLessEqual(width(line), columns, line)

    def test_a_paste_of_several_lines_waits_for_enter(self):
        child = self.start("--model", "en-ko")
        child.send("\x1b[200~one two\x1b[201~")
        out = self.ask(child, "") + self.ask(child, "")
        self.assertIn('"one two"', out)


if __name__ == "__main__":
    unittest.main()
