"""The full screen in exceptional cases: however it ends, the terminal is restored."""

import itertools
import os
import re
import shutil
import signal
import subprocess
import time
import unittest

import pexpect

import random_prompt
from faults import can_fail, fault_environment
from program import (
    CHECKS_ALL, PATIENCE, PROGRAM, QUOTED, SENTENCE, ProgramTest, read, run, sample, send_signals, write)
from random_screen import Person, write_training
from terminal_session import TerminalSession
from terminal import READY

BEGUN = b"leave"  # in the last line
TYPING = b"\x1b[?25h"  # the cursor is shown while a line is edited
LEAVE = b"\x1b[?1049l"
PASTE, PASTED = b"\x1b[200~", b"\x1b[201~"
SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGSEGV, signal.SIGABRT,
           signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGUSR1, signal.SIGALRM)
SESSIONS = 20 if CHECKS_ALL else 6
TRAINING = """{"model": {"d_model": 128, "attention_heads": 2, "d_ff": 64, "encoder_layers": 1,
    "decoder_layers": 1, "max_length": 128}, "data": "pairs.tsv", "batch": 32,
    "epochs": 1000000, "save_every": 1, "plot": "none", "samples": 0, "output": "out"}"""


class ScreenTest(ProgramTest):
    def sit(self, *arguments, size=(30, 100), **changed):
        sitting = TerminalSession(PROGRAM, self.folder, *arguments, **changed).begin(*size)
        self.addCleanup(sitting.close)
        return sitting

    def on_screen(self, *arguments, **options):
        sitting = self.sit("--screen", *arguments, **options)
        sitting.wait_for(BEGUN)
        sitting.drain(0.05)
        return sitting

    def from_prompt(self, *arguments, **options):
        sitting = self.sit(*arguments, **options)
        sitting.wait_for(READY.encode())
        sitting.send(b":screen\r")
        sitting.wait_for(BEGUN)
        sitting.drain(0.05)
        return sitting

    def check_end(self, sitting, status):
        self.assertEqual(sitting.wait(), status, sitting.said[-500:])
        self.assertIsNone(sitting.finding())
        self.assertIsNone(sitting.left_behind())

    def check_leaves(self, sitting):
        """Check that it is on the screen and responds to keys."""
        sitting.send(b"\x03q")
        self.check_end(sitting, 0)


class Ends(ScreenTest):
    def test_keys_end_it(self):
        for key in (b"q", b"\x03", b"\x04", b":quit\r"):
            with self.subTest(key=key):
                sitting = self.on_screen()
                sitting.send(key)
                self.check_end(sitting, 0)

    def test_keys_lead_back_to_the_prompt(self):
        sitting = self.sit()
        sitting.wait_for(READY.encode())
        for key in (b"q", b"\x03", b"\x04"):
            sitting.ask(b":screen\r", BEGUN)
            sitting.ask(key, READY.encode())
        sitting.ask(b":vers\t\x01\x05\r", b"GPL")
        sitting.ask(b"\x1b[A\x1b[A\r", BEGUN)  # the second to last line
        sitting.set_size(24, 60)
        sitting.ask(b"i\x1b[A\x1b[A\x1b[B", b":screen")
        sitting.ask(b"\x03q", READY.encode())
        sitting.set_size(24, 90)
        sitting.ask("가나다\x02\x7f".encode(), "다".encode())
        sitting.ask(b"\x03:quit\r", b"")
        self.check_end(sitting, 0)

    def test_signals_end_it(self):
        cases = [*itertools.product([self.on_screen], SIGNALS),
                 *itertools.product([self.from_prompt], SIGNALS[:4])]
        for start, number in sample(cases, 3):
            with self.subTest(number=number, start=start.__name__):
                sitting = start()
                sitting.signal(number)
                self.check_end(sitting, -number)

    def test_signals_end_a_line_that_is_typed(self):
        for number in sample(SIGNALS[:3], 3, 2):
            with self.subTest(number=number):
                sitting = self.on_screen()
                sitting.ask(b":half a line", b"half a line")
                sitting.signal(number)
                self.check_end(sitting, -number)

    def test_a_hang_up_ends_it(self):
        for keys in (b"", b"i"):
            sitting = self.on_screen()
            sitting.send(keys)
            os.close(sitting.slave)
            os.close(sitting.master)
            sitting.master = None
            until = time.monotonic() + PATIENCE
            while not sitting.has_ended() and time.monotonic() < until:
                time.sleep(0.01)
            self.assertIn(sitting.status, (0, 1, -signal.SIGHUP))

    def test_a_screen_opens_no_second_one_and_no_pager(self):
        sitting = self.on_screen()
        sitting.ask(b":screen\r", b"this is the full screen")
        sitting.ask(b":options pager=true\r", b"digits after")
        sitting.ask(b"\r:help\r", b"back to the panes")
        self.assertNotIn(b"-- more", sitting.said)
        sitting.send(b"\rq")
        self.check_end(sitting, 0)

    def test_a_rejected_lesson_shows_the_reason(self):
        write(self.path("lesson.md"), "---\ntitle: T\nlanguage: en\nminutes: 1\nneeds: none\n"
              "model: ko-en\n---\n\n```glassbox\n> :show nowhere\n...\n```\n")
        sitting = self.on_screen()
        sitting.ask(b":lesson lesson.md\r", b"no sentence to run")
        self.check_leaves(sitting)

    def test_rest_costs_nothing(self):
        sitting = self.on_screen()
        for keys in (b"", b"itext"):
            sitting.send(keys)
            sitting.drain(0.2)
            before = sitting.seconds_used()
            sitting.drain(1)
            self.assertLessEqual(sitting.seconds_used() - before, 0.03)


class Computing(ScreenTest):
    """The model that comes with the program is evaluated, which takes long on any
    processor."""

    def setUp(self):
        super().setUp()
        write(self.path("many.tsv"), f"{SENTENCE}\tI met a friend in Busan.\n" * 100000)

    def compute(self, sitting):
        """Start it and return while it runs."""
        before = sitting.seconds_used()
        sitting.send(b":evaluate ko-en many.tsv\r")
        until = time.monotonic() + PATIENCE
        while sitting.seconds_used() < before + 0.1:
            self.assertLess(time.monotonic(), until)
            sitting.drain(0.01)

    def test_control_c_stops_it(self):
        sitting = self.on_screen()
        self.compute(sitting)
        sitting.ask(b"\x03", b"stopped")
        self.check_leaves(sitting)

    def test_signals_end_it(self):
        cases = [*itertools.product([self.on_screen], SIGNALS[:5]),
                 *itertools.product([self.from_prompt], SIGNALS[:2])]
        for start, number in sample(cases, 3, 1):
            with self.subTest(number=number, start=start.__name__):
                sitting = start()
                self.compute(sitting)
                sitting.signal(number)
                self.check_end(sitting, -number)

    def test_a_second_signal_leaves_the_terminal_as_it_was(self):
        sitting = self.on_screen()
        self.compute(sitting)
        sitting.signal(signal.SIGTERM)
        sitting.signal(signal.SIGTERM)
        self.check_end(sitting, -signal.SIGTERM)


    def test_a_training_is_stopped_as_often_as_one_likes(self):
        write(self.path("recipe.json"), TRAINING)
        write(self.path("pairs.tsv"), f"{'a b c d ' * 25}\t{'d c b a ' * 25}\n" * 64)
        for stop, status in ((signal.SIGINT, 0), (signal.SIGTERM, -signal.SIGTERM)):
            with self.subTest(stop=stop):
                sitting = self.on_screen()
                sitting.send(b":train recipe.json --force\r")
                sitting.wait_until(lambda: os.path.exists(self.path("out/checkpoint.safetensors")))
                send_signals(sitting.pid, [stop] * 3)
                if status == 0:  # the last one may have reached the screen, which is left
                    self.assertIsNone(sitting.check_rest())
                    sitting.send(b"q")
                self.check_end(sitting, status)
                self.assertIn(b":train", read(self.path(".local/state/glassbox/history")))
                shutil.rmtree(self.path("out"))


class Training(ScreenTest):
    """A page of a lesson discards the run that is displayed, and trains."""

    def setUp(self):
        super().setUp()
        write_training(self.folder, 20)

    def test_keys_work_while_it_trains(self):
        for seen in (b"/decoder.0.cross_attention.weights\r", b""):
            sitting = self.on_screen()
            sitting.ask(b":lesson lessons/01-train.md\r", b"Enter")
            sitting.ask("i나는 친구를 만났다.\r".encode(), b"friend")
            sitting.send(seen)
            sitting.drain(0.2)
            sitting.send(b"\r[]hjkl")
            sitting.drain(0.2)
            sitting.wait_until(lambda: "model.safetensors" in sum((
                files for folder, _, files in os.walk(self.folder)
                if os.path.basename(folder) == "made"), []))
            self.assertIsNone(sitting.check_rest())
            self.assertIsNone(sitting.finding())
            self.check_leaves(sitting)


class Stops(ScreenTest):
    """Ctrl-Z and other stop signals, under a shell."""

    def settings(self, shell):
        before = len(shell.said)
        shell.ask(b"stty -g; echo 'that is' all\r", b"\nthat is all")
        return re.search(rb"[0-9a-f]+(:[0-9a-f]+){20,}", shell.said[before:])[0]

    def test_it_stops_and_continues(self):
        shell = TerminalSession("/bin/bash", self.folder, "--norc", "-i", PS1="$ ").begin()
        self.addCleanup(shell.close)
        shell.wait_for(b"$ ")
        before = self.settings(shell)
        shell.ask(f"{QUOTED} --screen --model ko-en\r".encode(), BEGUN)
        for typed, shown in ((b"n", b""), (b"ityped", b"typed")):
            shell.ask(typed, shown)
            begun = len(shell.said)
            shell.ask(b"\x1a", b"Stopped")
            self.assertIn(LEAVE, shell.said[begun:])
            self.assertEqual(self.settings(shell), before)
            begun = len(shell.said)
            shell.send(b"fg\r")
            for again in (b"\x1b[?1049h", b"\x1b[?1006;1000h", b"\x1b[?2004h\x1b[?1h"):
                shell.wait_for(again, begun)
            shell.drain(0.1)
        shell.ask(b"\x03", BEGUN)
        shell.ask(b"q", LEAVE)
        shell.ask(b"echo status $?\r", b"status 0")
        self.assertEqual(self.settings(shell), before)

    def test_without_a_shell_to_continue_it_does_not_stop(self):
        sitting = TerminalSession(PROGRAM, self.folder, "--screen").begin()
        self.addCleanup(sitting.close)
        sitting.wait_for(BEGUN)
        for number in (signal.SIGTSTP, signal.SIGCONT):
            before = len(sitting.said)
            sitting.signal(number)
            sitting.wait_for(BEGUN, before)
        sitting.send(b"q")
        self.assertEqual(sitting.wait(), 0)
        self.assertIsNone(sitting.left_behind())


class Terminals(ScreenTest):
    def test_where_no_screen_can_be_shown_there_is_the_prompt(self):
        for kind in sample((None, "", "dumb", "no-such-terminal", "../x", "\x1b[31m"), 2):
            with self.subTest(kind=kind):
                sitting = self.sit("--screen", TERM=kind, size=(30, 200))
                sitting.wait_for(b"the prompt has the same commands")
                sitting.ask(b":screen\r", b"the prompt has the same commands")
                sitting.ask(b":version\r", b"GPL")
                sitting.send(b":quit\r")
                self.check_end(sitting, 0)
                self.assertNotIn(b"\x1b[", sitting.said)

    def compile_kinds(self):
        write(self.path("kinds"), "printer|prints lines,\n\tam, cols#80, cr=\\r, ind=\\n,\n"
              "xterm-direct|colours by their numbers,\n\tRGB, colors#0x1000000, "
              "pairs#0x7fff, use=xterm-256color,\n")
        subprocess.run(["tic", "-x", "-o", self.path(".terminfo"), self.path("kinds")],
                       check=True)

    def test_kinds_of_terminals(self):
        self.compile_kinds()
        sitting = self.sit("--screen", TERM="printer")
        sitting.wait_for(b"does not support the full screen")
        for kind, colored in sample((("vt100", False), ("linux", False), ("xterm-mono", False),
                                     ("vt52", False), ("xterm-direct", True), ("ansi", False),
                                     ("screen-256color", True), ("xterm-256color", True)), 4):
            with self.subTest(kind=kind):
                sitting = self.on_screen(TERM=kind)
                sitting.ask("i가\r".encode(), b"target")
                sitting.drain(0.1)
                self.assertEqual(bool(re.search(rb"\x1b\[[0-9;]*[34]8[:;]", sitting.said)),
                                 colored)
                self.check_leaves(sitting)

    def test_no_color(self):
        for none, colored in (("1", False), ("", True)):
            sitting = self.on_screen(NO_COLOR=none)
            sitting.ask("i가\r".encode(), b"target")
            sitting.drain(0.1)
            self.assertEqual(b"8;5;" in sitting.said, colored)
            self.check_leaves(sitting)

    def test_sizes_that_are_none(self):
        for columns, lines in sample((("0", "99999"), ("-5", "x"), ("50", "14"), ("1000", "1000"),
                                      ("99999999999999", "0")), 2):
            with self.subTest(columns=columns):
                sitting = self.on_screen(COLUMNS=columns, LINES=lines)
                self.assertIn(b"\x1b[30;", sitting.said)  # the last line of the terminal
                sitting.set_size(24, 80)
                sitting.ask(b"", b"\x1b[24;")
                self.check_leaves(sitting)

    def test_without_a_terminal_it_says_so(self):
        outcome = run("--screen")
        self.assert_says(outcome, "the full screen needs a terminal for input and output")
        self.assertIn("the full screen needs a terminal", run(text=":screen\n").out)
        self.assertNotIn("\x1b", outcome.out + outcome.err)
        for command in (f"echo :quit | {QUOTED} --screen", f"{QUOTED} --screen > out"):
            shell = pexpect.spawn("sh", ["-c", command + "; echo status $?"],
                                  cwd=self.folder, encoding="utf-8", timeout=PATIENCE)
            shell.expect_exact("the full screen needs a terminal")
            shell.expect_exact("status 1")
            shell.close()


class Sizes(ScreenTest):
    def storm(self, sitting, rounds):
        for turn in range(rounds):
            sitting.set_size(1 + turn * 37 % 100, 1 + turn * 131 % 300)
            sitting.drain(0.002)
        sitting.set_size(1, 1)
        sitting.drain(0.15)

    def test_storms_of_sizes(self):
        sitting = self.on_screen()
        sitting.ask(SENTENCE.join("i\r").encode(), b"Busan")
        for keys in (b"", b"itext", b"\x03:" + b"word " * 40):
            sitting.send(keys)
            self.storm(sitting, 50)
            before = len(sitting.said)
            sitting.set_size(8, 39)
            sitting.wait_for(b"40 x 12", before)
            before = len(sitting.said)
            sitting.set_size(30, 100)
            sitting.wait_for(b"sentence", before)
        self.check_leaves(sitting)

    def test_signals_without_a_new_size(self):
        sitting = self.on_screen()
        for _ in range(200):
            sitting.signal(signal.SIGWINCH)
        self.check_leaves(sitting)


class Random(unittest.TestCase):
    def test_no_session_breaks_it(self):
        self.assertEqual(random_prompt.play_all(range(SESSIONS), person=Person), [])


class Pastes(ScreenTest):
    def test_a_paste_is_one_edit(self):
        for where in (b"", b":", b"?"):
            sitting = self.on_screen()
            sitting.send(where)
            sitting.ask(PASTE + b"one\rq\ntwo\r\n:quit\r" + PASTED, b"two")
            sitting.drain(0.1)
            self.assertFalse(sitting.has_ended())
            sitting.ask(b"\x03", BEGUN)
            self.check_leaves(sitting)

    def test_an_end_within_a_paste_ends_it(self):
        sitting = self.on_screen()
        sitting.ask(PASTE + b"one" + PASTED + b" two" + PASTED, b"one two")
        sitting.ask(b"\x03i", TYPING)
        sitting.ask(PASTE + b"\x1b[A\x1b[<0;3;3M\x1b[31mthree" + PASTED, b"three")
        self.assertNotIn(b"\x1b[31mthree", sitting.said)
        self.check_leaves(sitting)

    def test_a_large_paste_meets_the_limit(self):
        for size, sentence in sample(((64 * 1024 + 8, b"65544 bytes; the limit"),
                                      ((1 << 20) + 8, b"more than 1048576 bytes")), 2):
            sitting = self.on_screen()
            sitting.send(PASTE + b"a b " * (size // 4 - 1) + b"a bc" + PASTED)
            sitting.ask(b"\r", sentence)
            self.check_leaves(sitting)


class Hostile(ScreenTest):
    """Characters that control a terminal, or have no width."""

    TEXTS = ("a\u202eb", "a\u009b31mb", "a\u200bb", "\U0001F468\u200d\U0001F469", "e\u0301",
             "\u1112\u1161\u11ab\u1100\u1173\u11af", "\U0001FAE8", "a\ufeffb")
    DANGER = re.compile("[\u0080-\u009f\u202e\u200b\ufeff]")

    def test_it_is_escaped_everywhere(self):
        write(self.path("lesson.md"), "---\ntitle: \u202eT\nlanguage: en\nminutes: 1\n"
              "needs: none\nmodel: ko-en\n---\n\nWords \u202e and \u009b31m.\n")
        sitting = self.on_screen()
        for text in (*self.TEXTS, ":nothing\u202e", ":show \u009b2J", "/\u202e\u200b",
                     ":draw x -o \u202e.png", ":lesson lesson.md"):
            typed = text.encode()
            for keys in (typed, PASTE + typed + PASTED):
                sitting.send(b"i" + keys)
                sitting.drain(0.03)
                sitting.send(b"\r")
                sitting.drain(0.05)
            with self.subTest(text=text):
                self.assertNotRegex(sitting.said.decode("utf-8", "replace"), self.DANGER)
        self.assertIn(b"<U+202E>", sitting.said)
        self.check_leaves(sitting)

    def test_malformed_bytes_become_letters(self):
        sitting = self.on_screen()
        sitting.ask(b"ia\xffb\xed\x95c\xe2\x82", "a\ufffdb\ufffdc\ufffd".encode())
        self.check_leaves(sitting)

    def test_a_letter_that_comes_in_parts_is_one(self):
        sitting = self.on_screen()
        sitting.ask(b"i", b"")
        for byte in "가나".encode():
            sitting.send(bytes([byte]))
            sitting.drain(0.01)
        sitting.drain(0.2)
        self.assertIn("나".encode(), sitting.said)
        self.check_leaves(sitting)


@unittest.skipUnless(shutil.which("tmux"), "no tmux")
class Columns(ScreenTest):
    def tmux(self, *words):
        return subprocess.run(["tmux", "-S", self.path("socket"), "-f", "/dev/null", *words],
                              capture_output=True, text=True, check=True).stdout.rstrip("\n")

    def wait_until(self, look, wanted):
        until = time.monotonic() + PATIENCE
        while look() != wanted and time.monotonic() < until:
            time.sleep(0.02)
        self.assertEqual(look(), wanted)

    def test_the_cursor_is_where_letters_are_typed(self):
        self.tmux("new-session", "-d", "-x", "100", "-y", "30", "-e", f"HOME={self.folder}",
                  "-e", "LC_ALL=C.UTF-8", PROGRAM, "--screen")
        self.addCleanup(self.tmux, "kill-server")
        line = lambda: self.tmux("capture-pane", "-p").split("\n")[-1]
        cursor = lambda: self.tmux("display", "-p", "#{cursor_x}")
        self.wait_until(lambda: "leave" in line(), True)
        self.tmux("send-keys", "i")
        self.wait_until(line, ">")
        for keys, shown, column in (("나는", "> 나는", "6"), ("漢a", "> 나는漢a", "9"),
                                    ("\u202e", "> 나는漢a<U+202E>", "17"),
                                    ("BSpace", "> 나는漢", "8"), ("Home", None, "2"),
                                    ("가" * 60, None, "99")):
            self.tmux("send-keys", *([] if keys in ("BSpace", "Home") else ["-l"]), keys)
            if shown:
                self.wait_until(line, shown)
            if column == "99":
                self.wait_until(lambda: cursor() in ("98", "99"), True)
            else:
                self.wait_until(cursor, column)


@unittest.skipUnless(can_fail("memory"), "the sanitizer stands in the way")
class Memory(ScreenTest):
    def count(self):
        return int.from_bytes(read(self.path("count")), "little")

    def out_of_memory(self, keys, behind):
        """The output if requests for memory fail, from some point on."""
        counter = self.path("count")
        sitting = self.on_screen(**fault_environment(counter, "memory", error=None))
        begun = self.count()
        sitting.send(b"q")
        sitting.wait()
        sitting = self.sit("--screen", **fault_environment(
            counter, "memory", at=begun + behind, forever=True, error=None))
        sitting.wait_for(BEGUN)
        sitting.drain(0.1)
        sitting.send(keys)
        self.check_end(sitting, 1)
        end = sitting.said[sitting.said.rindex(LEAVE):]
        self.assertRegex(end, rb"^[^\n]*glassbox: out of memory: \d+ bytes more are needed\r\n$")

    def test_it_ends_with_one_sentence(self):
        for keys, behind in sample((("i가 나\r".encode(), 4), ("i가 나\r".encode(), 300), (b"?", 4),
                                    (b":sh\t\t", 4)), 3):
            with self.subTest(keys=keys, behind=behind):
                self.out_of_memory(keys, behind)

    def test_a_small_address_space_ends_with_one_sentence(self):
        for megabytes in (100, 160):
            child = pexpect.spawn(
                "prlimit", [f"--as={megabytes << 20}", PROGRAM, "--screen"],
                env=dict(os.environ, TERM="xterm", HOME=self.folder,
                         OPENBLAS_NUM_THREADS="1"), timeout=PATIENCE)
            child.delaybeforesend = 0.2
            child.send("ia b\r")
            child.expect(pexpect.EOF)
            child.close()
            self.assertEqual(child.exitstatus, 1)
            end = child.before[child.before.rindex(LEAVE):]
            self.assertRegex(end, rb"^[^\n]*glassbox: out of memory: \d+ bytes more are needed\r\n$")


if __name__ == "__main__":
    unittest.main()
