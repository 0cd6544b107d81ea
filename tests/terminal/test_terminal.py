"""All kinds of terminals and locales: escapes, the position of the cursor, typed and pasted text.
"""

import os
import re
import select
import shutil
import subprocess
import time
import unicodedata
import unittest

import pexpect

from program import PATIENCE, PROGRAM, QUOTED, SENTENCE, is_sanitized, run, sample, write
from terminal_session import TerminalSession
from terminal import READY, TerminalTest

WEIGHTS = "encoder.0.self_attention.weights"
COLOUR = re.compile(r"\x1b\[[0-9;]*[34]8;[25];")
PASTE, PASTED = "\x1b[200~", "\x1b[201~"


class Terminals(TerminalTest):
    def plain(self, **changed):
        """The output of a prompt that must not write escapes."""
        child = self.spawn(**changed)
        text = ""
        for line in (SENTENCE, ":next", f":heat {WEIGHTS}[head=0]", ":quit"):
            child.expect_exact("\n> ")
            text += child.before
            child.sendline(line)
        self.end(child)
        self.assertIn("Tokens: the sentence in pieces", text)
        self.assertIn("부산", text)
        return text

    def test_no_escapes_where_the_terminal_knows_none(self):
        for kind in (None, "", "dumb", "no-such-terminal"):
            with self.subTest(kind=kind):
                self.assertNotIn("\x1b", self.plain(TERM=kind))

    def test_a_long_line_breaks_between_words(self):
        child = self.start(columns=55)
        self.assertIn("8 heads,\r\nuntrained", self.ask(child, ":model pytorch"))

    def test_sizes_that_are_none(self):
        for columns, lines in (("0", "99999"), ("-5", "x"), ("2000000000", "0"),
                               ("99999999999999", "0")):
            child = self.start(COLUMNS=columns, LINES=lines)
            with self.subTest(columns=columns):
                self.assertIn("I met a friend", self.ask(child, SENTENCE))
                self.assertIn("0.", self.ask(child, f":heat {WEIGHTS}[head=0]"))
            found = run(text=SENTENCE, COLUMNS=columns, LINES=lines)
            self.assert_done(found)
            self.assertLess(max(map(len, found.out.splitlines()[3:])), 81)

    def test_a_tiny_terminal_reads_plain_lines(self):
        for rows, columns in ((1, 1), (1, 2), (2, 1), (24, 3), (2, 80), (24, 19)):
            for kind in ("xterm-256color", "dumb"):
                child = self.spawn(TERM=kind, rows=rows, columns=columns)
                with self.subTest(rows=rows, columns=columns, kind=kind):
                    child.expect_exact("> ")
                    child.send("한글 漢字 wide\x15")  # Ctrl-U
                    child.sendline(":version")
                    child.expect_exact("GPL")
                    child.expect_exact("> ")
                    child.sendintr()
                    child.expect_exact("> ")
                    self.assertNotIn("\x1b[?2004h", child.before)
                    child.sendline(":quit")
                    self.end(child)

    def test_sizes_from_the_environment_are_clamped(self):
        for columns in ("2147483647", "99999999999", "1", "-2147483648"):
            child = self.spawn(COLUMNS=columns, LINES=columns, rows=0, columns=0)
            with self.subTest(columns=columns):
                child.expect_exact("> ")
                child.sendline("가나다 :version")
                child.expect_exact("a guess")
                child.expect_exact("> ")
                child.sendline(":quit")
                self.end(child)

    def test_a_line_follows_the_terminals_size(self):
        child = self.start(columns=200)
        child.send("word " * 30)
        for columns in (1, 500, 2, 30, 100, 7, 80):
            child.setwinsize(3, columns)
            time.sleep(0.12)
        child.send("last")
        self.assertIn("last", self.ask(child, ""))
        self.assertIn("GPL", self.ask(child, ":version"))

    def test_a_terminal_that_cannot_go_up_shows_the_line_around_the_cursor(self):
        inputrc = self.path("sideways")
        write(inputrc, "set horizontal-scroll-mode on\n")
        for columns, changed in ((253, {"TERM": "dumb"}), (80, {"TERM": "no-such-terminal"}),
                                 (20, {"TERM": "dumb"}), (253, {"INPUTRC": inputrc})):
            with self.subTest(columns=columns, **changed):
                sitting = TerminalSession(PROGRAM, self.folder, **changed).begin(40, columns)
                self.addCleanup(sitting.close)
                sitting.wait_for(b"> ")
                for text in ("말" * 330, " ".join(map(str, range(275)))):
                    for keys in (text, "\x01", "\x05", "\x12" + text[:40], "\x07", "\x15"):
                        sitting.send(keys.encode())
                        sitting.drain(0.05)
                    self.assertIsNone(sitting.finding())
                sitting.ask(b"\x15:version\r", b"GPL")
                sitting.send(b":quit\r")
                self.assertEqual(sitting.wait(), 0)
                self.assertIsNone(sitting.finding())
                self.assertIsNone(sitting.left_behind())
                self.assertNotIn("\ufffd", sitting.said.decode("utf-8", "replace"))

    def test_what_a_terminal_obeys_is_drawn_escaped(self):
        child = self.start()
        for text, shown in (("a\u202eb", "a<U+202E>b"), ("a\u009b31mb", "a<U+009B>31mb"),
                            ("a\u200b", "a<U+200B>")):
            for typed in (text, PASTE + text + PASTED):
                with self.subTest(typed=typed):
                    child.send(typed + "\x01\x05")
                    child.expect_exact(shown)
                    self.assertNotRegex(child.before, "[\u0080-\u009f\u202e\u200b]")
                    child.send("\x03")
                    child.expect_exact(READY)
        self.ask(child, "one\u202etwo")
        child.send("\x1b[A")
        child.expect_exact("one<U+202E>two")
        self.assertNotIn("\u202e", child.before)

    def test_no_escapes_if_output_is_not_a_terminal(self):
        found = run(text=f"{SENTENCE}\n\n:heat {WEIGHTS}\n", TERM="xterm-256color")
        self.assert_done(found)
        self.assertNotIn("\x1b", found.out)

    def test_input_or_output_that_is_not_a_terminal(self):
        shell = self.spawn("-c", f"echo :version | {QUOTED}", program="/bin/sh")
        shell.expect_exact("GPL")
        self.assertNotIn("\x1b", shell.before)
        self.end(shell)
        path = self.path("out.txt")
        shell = self.spawn("-c", f"{QUOTED} > {path}", program="/bin/sh")
        shell.sendline(":version")
        shell.sendline(":quit")
        self.end(shell)
        with open(path) as file:
            text = file.read()
        self.assertIn("GPL", text)
        self.assertNotIn("\x1b", text)

    def test_colours_are_a_choice(self):
        ask = ["heat", WEIGHTS, "--source", "a"]
        for mode, none, wanted in ((None, None, True), (None, "1", False),
                                   (None, "", True), (None, "0", False),
                                   ("never", None, False), ("256", "1", True),
                                   ("true", "1", True), ("auto", "1", False)):
            with self.subTest(mode=mode, NO_COLOR=none):
                more = ["--color", mode] if mode else []
                child = self.spawn(*ask, *more, NO_COLOR=none)
                child.expect(pexpect.EOF)
                self.assertEqual(bool(COLOUR.search(child.before)), wanted)
                if not wanted:
                    self.assertNotIn("\x1b", child.before)
        self.assertNotIn("\x1b", run(*ask, TERM="xterm-256color").out)
        self.assertRegex(run(*ask, "--color", "256", NO_COLOR="1").out, COLOUR)

    def test_libraries_say_nothing(self):
        with open(self.path("fonts.conf"), "w") as file:
            file.write("<fontconfig><dir>nowhere</dir></fontconfig>")
        child = self.start(XDG_CACHE_HOME="/nowhere", G_MESSAGES_DEBUG="all")
        self.ask(child, "한글 \U0001F468\u200D\U0001F469 ⌛ ﷽ \x16\x01 \u0378")
        for line in (f":draw {WEIGHTS} -o f.png", f":draw {WEIGHTS} -o f.svg --force",
                     f":draw {WEIGHTS} -o f.pdf --force"):
            with self.subTest(line=line):
                said = self.ask(child, line)
                self.assertRegex(said, r"wrote f\.")
                self.assertNotRegex(said, r"(?i)pango|glib|cairo|fontconfig|blas|\*\*")

    def test_a_foreign_locale_changes_nothing(self):
        usual = None
        for locale in ({}, {"LC_ALL": None, "LANG": None}, {"LC_ALL": "C"},
                       {"LC_ALL": "POSIX"}, {"LC_ALL": "ko_KR.EUC-KR", "LANGUAGE": "en"},
                       {"LC_ALL": "ja_JP.EUC-JP"},
                       {"LC_ALL": None, "LANG": "C"}, {"LC_ALL": "nowhere"},
                       {"LC_ALL": None, "LC_CTYPE": "POSIX"}):
            child = self.start(**locale)
            with self.subTest(locale=locale):
                child.send("가나다\x7f 친구")
                said = self.ask(child, "") + self.ask(child, "")
                said += self.ask(child, f":heat {WEIGHTS}[head=0]")
                self.assertIn('"가나 친구"', said)
                usual = usual or said
                self.assertEqual(said, usual)

    def test_hangul_taken_apart_is_the_same_sentence(self):
        apart = unicodedata.normalize("NFD", SENTENCE)
        self.assertNotEqual(apart, SENTENCE)
        piped = run("generate", text=apart + "\n")
        self.assertEqual(piped.out, run("generate", text=SENTENCE + "\n").out)
        typed = []
        for text in (SENTENCE, apart):
            child = self.start(rows=60)
            said = self.ask(child, text) + self.ask(child, ":tokens")
            self.assertEqual("letters decomposed" in said, text == apart)
            typed.append(re.findall(r"(?m)^ +\d+  .*$", said))
        self.assertEqual(typed[0], typed[1])
        self.assertGreater(len(typed[0]), 5)


class Cursor(TerminalTest):
    """In a separate terminal that reports the position of its cursor."""

    def tmux(self, *arguments):
        command = ["tmux", "-u", "-S", self.path("socket"), "-f", "/dev/null", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE,
                              env=self.surroundings())
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.rstrip("\n")

    def wait_for(self, wanted, ask):
        until = time.monotonic() + PATIENCE
        found = ask()
        while found != wanted and time.monotonic() < until:
            time.sleep(0.02)
            found = ask()
        self.assertEqual(found, wanted)

    def cursor(self):
        return self.tmux("display-message", "-p", "#{cursor_x}")

    def line(self):
        lines = self.tmux("capture-pane", "-p").split("\n")
        row = int(self.tmux("display-message", "-p", "#{cursor_y}"))
        return lines[row] if row < len(lines) else ""

    @unittest.skipUnless(shutil.which("tmux"), "tmux is not there")
    def test_the_cursor_follows_the_typed_text(self):
        self.tmux("new-session", "-d", "-x", "80", "-y", "24", f"{QUOTED} --model ko-en")
        self.addCleanup(self.tmux, "kill-server")
        self.wait_for("> ", lambda: self.line().ljust(2))
        for text, cells in (("abc", 3), ("가나다", 6), ("漢字", 4), ("e\u0301", 1),
                            (unicodedata.normalize("NFD", "한"), 2), ("\U0001F600", 2),
                            ("가\U0001F600a", 5)):
            with self.subTest(text=text):
                self.tmux("send-keys", "-l", text)
                self.wait_for(str(2 + cells), self.cursor)
                self.tmux("send-keys", "-l", "x")
                self.wait_for(str(3 + cells), self.cursor)
                self.tmux("send-keys", "C-u")
                self.wait_for("2", self.cursor)

    @unittest.skipUnless(shutil.which("tmux"), "tmux is not there")
    def test_emoji_of_several_parts_end_no_session(self):
        self.tmux("new-session", "-d", "-x", "80", "-y", "24", f"{QUOTED} --model ko-en")
        self.addCleanup(self.tmux, "kill-server")
        self.wait_for("2", self.cursor)
        for text in ("\U0001F468\u200D\U0001F469\u200D\U0001F467", "\U0001F1F0\U0001F1F7",
                     "1\uFE0F\u20E3", "\U0001FAE8", "\U0001F44D\U0001F3FD", "\u200D\uFE0F"):
            with self.subTest(text=text):
                self.tmux("send-keys", "-l", text)
                self.tmux("send-keys", "Enter")
                self.wait_for("> ", lambda: self.line().ljust(2))
                self.tmux("send-keys", "-l", ":quit")
                self.wait_for("> :quit", self.line)
                self.tmux("send-keys", "C-u")
                self.wait_for("2", self.cursor)


class Pastes(TerminalTest):
    def paste(self, child, text):
        """Write and read at the same time, so that neither side waits for the other."""
        data = text.encode()
        os.set_blocking(child.child_fd, False)
        until = time.monotonic() + PATIENCE
        while data:
            self.assertLess(time.monotonic(), until)
            readable, writable, _ = select.select([child], [child], [], 1)
            if readable:
                try:
                    os.read(child.child_fd, 65536)
                except BlockingIOError:
                    pass
            if writable:
                try:
                    data = data[os.write(child.child_fd, data[:4096]):]
                except BlockingIOError:
                    pass
        os.set_blocking(child.child_fd, True)

    def test_lines_are_one_line(self):
        child = self.start("--model", "en-ko", rows=60)
        child.send(f"{PASTE}one two\n:quit\r\nthree{PASTED}")
        self.ask(child, "")
        self.assertIn('"one two :quit  three"', self.ask(child, ""))
        child.sendline(":quit")
        self.end(child)
        self.assertEqual(self.history(), ["one two :quit  three", ":quit"])

    def test_an_end_within_a_paste_ends_it(self):
        child = self.start("--model", "en-ko")
        child.send(f"{PASTE}one{PASTED} two{PASTED}")
        self.ask(child, "")
        self.assertIn('"one two', self.ask(child, ""))
        self.assertIn("GPL", self.ask(child, ":version"))

    def test_controls_in_a_paste_are_shown_escaped(self):
        child = self.start("--model", "en-ko")
        child.send(f"{PASTE}a\x1b[31m\x07b\u202e{PASTED}")
        said = self.ask(child, "").split("\r\n", 1)[1]
        said += self.ask(child, ":goto tokens")
        self.assertIn("a<1B>[31m<07>b<U+202E>", said)
        self.assertNotIn("\x1b[31m", said)
        self.assertNotIn("\u202e", said)

    def test_lines_are_limited(self):
        for size, sentence in sample(((64 * 1024 + 8, "the sentence has 65544 bytes; the limit is "),
                                      ((1 << 20) + 8, "the line has more than 1048576 bytes")), 2):
            child = self.start("--model", "en-ko")
            with self.subTest(size=size):
                self.paste(child, f"{PASTE}{'a b '*(size // 4 - 1)}a bc{PASTED}")
                self.assertIn(sentence, self.ask(child, "")[-200:])
                self.assertIn("GPL", self.ask(child, ":version"))
                with open(f"/proc/{child.pid}/status") as status:
                    peak = int(re.search(r"VmHWM:\s+(\d+)", status.read())[1])
                if not is_sanitized():
                    self.assertLess(peak, 64 * 1024)

    def test_lines_typed_ahead_are_run_one_by_one(self):
        child = self.start("--model", "en-ko")
        child.send(":version\n" * 40)
        for _ in range(40):
            child.expect_exact("GPL")
        child.sendline(":quit")
        self.end(child)


if __name__ == "__main__":
    unittest.main()
