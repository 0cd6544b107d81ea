"""Ctrl-C, Ctrl-Z, SIGTERM and SIGHUP at the prompt: what they end, and what is kept."""

import fcntl
import os
import resource
import shutil
import signal
import subprocess
import termios
import time
import unittest

import pexpect

from program import PATIENCE, PROGRAM, QUOTED, cpu_seconds, process_stat, run, sample, write
from terminal import READY, RUNNING, TerminalTest

GRAMMAR = os.path.join(os.path.dirname(__file__), "../../assets/grammar/korean-english.json")
CONTROL_C, CONTROL_R, CONTROL_S, CONTROL_Z, CONTROL_L = "\x03", "\x12", "\x13", "\x1a", "\x0c"
TRIES = 4  # in one of them, Ctrl-C comes before the computation ends


class Interrupt(TerminalTest):
    def large_model(self):
        """A sentence of 500 tokens takes long on any processor: the decoder has many layers,
        which share their weights to keep the file small."""
        self.large = self.path("large")
        made = run("new", "--preset", "paper", "--d-model", "256", "--d-ff", "1024",
                   "--encoder-layers", "2", "--decoder-layers", "48", "--share-layers",
                   "true", "-o", self.large)
        self.assertEqual(made.status, 0, made.err)
        return ",".join(["5"] * 500)

    def compute(self, child, line):
        """Start a computation and return while it runs."""
        child.sendline(line)
        child.expect_exact(RUNNING)
        begun = cpu_seconds(child.pid)
        until = time.monotonic() + PATIENCE
        while cpu_seconds(child.pid) < begun + 0.05:
            self.assertLess(time.monotonic(), until)
            time.sleep(0.005)

    def check_stops(self, child, line):
        """It stops, reports so in one word, and leaves no file. If it ended before the signal,
        the try is void: the prompt has received Ctrl-C."""
        files = set(os.listdir(self.folder))
        for _ in range(TRIES):
            self.compute(child, line)
            begun = time.monotonic()
            child.send(CONTROL_C)
            if child.expect_exact(["stopped\r\n" + READY, READY]) == 0:
                self.stopped(line, time.monotonic() - begun)
                break
            child.expect_exact(READY)
        else:
            self.fail(f"{line[:40]}: it ended before it could be stopped")
        left = set(os.listdir(self.folder)) - files - {".local"}
        self.assertEqual([f for f in left if os.path.isfile(self.path(f))], [])
        self.assertIn("GPL", self.ask(child, ":version"))

    def stopped(self, line, seconds):
        """The delay is not tested here: tests/bench/bench_stop.py prints it."""

    def test_the_line_is_taken_back(self):
        child = self.start()
        for typed in ("", "half a line", ":show encoder", "가나다", '"open',
                      "\x1b[200~a paste without an end\nand more", CONTROL_R + "hal"):
            with self.subTest(typed=typed):
                child.send(typed)
                child.send(CONTROL_C)
                child.expect_exact(READY)
                self.assertIn("GPL", self.ask(child, ":version"))
        child.sendline(":quit")
        self.end(child)
        self.assertEqual(self.history(), [":version", ":quit"])

    def test_a_paste_that_is_cut_off_is_taken_back(self):
        """As over a slow connection: the paste, a pause, Ctrl-C."""
        child = self.start()
        for length in (3, 60, 62, 63, 64, 65, 200):
            child.send("\x1b[200~" + "a" * length)
            time.sleep(0.15)
            child.send(CONTROL_C)
            child.expect_exact(READY)
            shown = child.before.split(RUNNING)[0]
            self.assertRegex(shown, r"^[a\r\n\x1b\[\]0-9;?mCKJA^<>B~]*$")
        self.assertIn("GPL", self.ask(child, ":version"))

    def test_crashes_leave_the_terminal_as_it_was(self):
        for number in (signal.SIGQUIT, signal.SIGSEGV, signal.SIGABRT, signal.SIGFPE,
                       signal.SIGBUS, signal.SIGILL, signal.SIGUSR1, signal.SIGALRM):
            with self.subTest(number=number):
                master, slave = os.openpty()
                before = termios.tcgetattr(slave)
                child = self.in_terminal(slave)
                said = b""
                while b"> " not in said:
                    said += os.read(master, 1000)
                self.assertNotEqual(termios.tcgetattr(slave), before)
                child.send_signal(number)
                self.assertEqual(child.wait(timeout=PATIENCE), -number)
                self.assertEqual(termios.tcgetattr(slave), before)
                self.assertIn(b"\x1b[?2004l", os.read(master, 1000))
                os.close(master)
                os.close(slave)

    def in_terminal(self, slave):
        """The program as the foreground process of the terminal, without a core dump."""
        def take():
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        environment = self.surroundings(
            ASAN_OPTIONS="handle_segv=0:handle_sigbus=0:handle_sigfpe=0")
        return subprocess.Popen([PROGRAM, "--model", "ko-en"], stdin=slave, stdout=slave, stderr=slave,
                                env=environment, preexec_fn=take)

    def test_a_run_stops(self):
        ids = self.large_model()
        child = self.start("--model", self.large)
        self.check_stops(child, ids)
        self.assertIn("type a sentence", self.ask(child, ""))
        self.check_stops(child, f":generate --source-ids {ids}")
        self.ask(child, ":options limit=2")
        self.assertIn("Enter shows how", self.ask(child, ids))
        self.assertIn("encoder.", self.ask(child, ":goto 5"))
        self.assertIn("0.", self.ask(child, ":why encoder.1.norm_2[source=3,d_model=7]"))

    def test_a_figure_a_table_and_a_trace_stop(self):
        ids = self.large_model()
        child = self.start("--model", self.large)
        self.ask(child, ":options limit=2")
        self.ask(child, ids)
        weights = "encoder.0.self_attention.weights"
        for line in sample((
                f":draw {weights} -o figure.png", f":draw {weights} -o figure.svg",
                f":draw {weights}[head=0:6] -o figure.txt", f":show {weights} -o table.csv",
                f":heat {weights}", ":trace -o run.json", ":trace -o run.npz",
                f":show {weights} --width 10000", ":page -o walk.html --depth numbers",
                ":draw position --length 1000 -o moving.apng"), 2, 1):
            with self.subTest(line=line):
                self.check_stops(child, line)
        self.assertIn("wrote", self.ask(child, ":draw encoder.input -o figure.png"))

    def test_work_on_files_stops(self):
        with open(self.path("pairs.tsv"), "w") as file:
            for i in range(200000):
                file.write(f"one {i % 7919} three\tvier {i % 4001} sechs\n")
        child = self.start()
        self.assertIn("I met", self.ask(child, "나는 친구를 만났다."))
        for line in sample((":data pairs.tsv", ":learn-words pairs.tsv -o words",
                            ":learn-bpe pairs.tsv -o pairs --words 4000",
                            f":grammar {GRAMMAR} -o sentences", ":evaluate ko-en",
                            ":new --preset paper -o model"), 2):
            with self.subTest(line=line):
                self.check_stops(child, line)
        self.assertIn("1/19", self.ask(child, ""))  # the sentence is still there

    def pipes(self):
        """Calls that wait for the other end of a pipe, which does not exist or does not read."""
        for name in ("pipe", "pipe.csv", "pipe.txt", "slow", "slow.json"):
            os.mkfifo(self.path(name))
        for name in ("slow", "slow.json"):
            # Open at both ends, so that neither reading nor writing finds an end.
            self.addCleanup(os.close, os.open(self.path(name), os.O_RDWR))
        write(self.path("recipe.json"),
              '{"preset": "paper", "data": "pipe", "output": "out"}')
        weights = "encoder.0.self_attention.weights"
        return (":data pipe", ":data slow", ":data /dev/stdin", ":evaluate ko-en pipe",
                ":train recipe.json", ":learn-words pipe -o words",
                f":draw {weights} -o pipe.txt", ":trace -o slow.json",
                f":show {weights} -o pipe.csv")

    def test_what_waits_for_a_pipe_stops(self):
        child = self.start()
        self.assertIn("I met", self.ask(child, "나는 친구를 만났다."))
        for line in self.pipes():
            with self.subTest(line=line):
                child.sendline(line)
                child.expect_exact(RUNNING)
                time.sleep(0.05)
                child.send(CONTROL_C)
                child.expect_exact("stopped\r\n" + READY, timeout=PATIENCE)

    def test_signals_end_what_waits_for_a_pipe(self):
        lines = self.pipes()
        for number in (signal.SIGTERM, signal.SIGHUP):
            child = self.start()
            child.sendline(lines[0])
            child.expect_exact(RUNNING)
            time.sleep(0.05)
            self.check_signal(child, number)

    def test_signals_end_what_control_s_has_stopped(self):
        """In `make test`, one during a computation, the other at the prompt."""
        ids = self.large_model()
        for number in sample((signal.SIGTERM, signal.SIGHUP), 2):
            child = self.start("--model", self.large)
            self.ask(child, ":options limit=2")
            self.compute(child, ids)
            child.send(CONTROL_S)
            self.wait_until_asleep(child)
            self.check_signal(child, number)
        for number in sample((signal.SIGTERM, signal.SIGHUP), 2, 1):
            child = self.start()
            child.send(CONTROL_S + "typed")
            self.wait_until_asleep(child)
            self.check_signal(child, number)

    def test_a_pipe_is_rejected_as_history_or_model(self):
        folder = self.path(".local/state/glassbox")
        os.makedirs(folder)
        os.mkfifo(os.path.join(folder, "history"))
        child = self.start()
        child.sendline(":quit")
        child.expect_exact("not a file")
        self.end(child)
        shutil.copytree("assets/models/ko-en", self.path("model"))
        for name in ("config.json", "model.safetensors", "vocab.json"):
            with self.subTest(name=name):
                path = self.path(f"model/{name}")
                os.rename(path, self.path("kept"))
                os.mkfifo(path)
                self.assert_says(run("model", self.path("model")), path,
                                 "a pipe or a device, not a file")
                os.replace(self.path("kept"), path)

    def wait_until_asleep(self, child):
        """Wait until it is blocked in a call and has used no processor time for a while."""
        until = time.monotonic() + PATIENCE
        before, now = None, cpu_seconds(child.pid)
        while now != before or process_stat(child.pid)[0] != "S":
            self.assertLess(time.monotonic(), until)
            time.sleep(0.3)
            before, now = now, cpu_seconds(child.pid)

    def check_signal(self, child, number):
        """It ends by the signal, restores the terminal, and keeps the history."""
        os.kill(child.pid, number)
        child.expect(pexpect.EOF)
        child.close()
        self.assertEqual(child.signalstatus, number)

    def test_signals_leave_the_terminal_and_keep_the_history(self):
        for number in (signal.SIGTERM, signal.SIGHUP):
            child = self.spawn("--norc", "-i", program="/bin/bash", PS1="$ ")
            child.expect_exact("$ ")
            before = termios.tcgetattr(child.child_fd)
            child.sendline(f"{QUOTED} --model ko-en; echo status $?")
            child.expect_exact(READY)
            self.ask(child, f":version {number}".split()[0])
            child.send("half a line")
            child.expect_exact("half a line")
            children = f"/proc/{child.pid}/task/{child.pid}/children"
            with open(children) as file:
                os.kill(int(file.read()), number)
            child.expect_exact(RUNNING)
            child.expect_exact(f"status {128 + number}")
            child.expect_exact("$ ")
            # bash sets its own line editing, so the earlier settings must return.
            self.assertEqual(termios.tcgetattr(child.child_fd), before)
            self.assertEqual(self.history(), [":version"])
            child.close(force=True)

    def test_signals_end_a_computation(self):
        ids = self.large_model()
        for number in (signal.SIGTERM, signal.SIGHUP):
            child = self.start("--model", self.large)
            self.compute(child, ids)
            self.check_signal(child, number)
            self.assertEqual(self.history()[-1], ids)

    def test_control_z_stops_and_fg_goes_on(self):
        child = self.spawn("--norc", "-i", program="/bin/bash", PS1="$ ")
        child.expect_exact("$ ")
        child.sendline(f"{QUOTED} --model ko-en")
        child.expect_exact(READY)
        child.send(":vers")
        child.expect_exact(":vers")
        child.send(CONTROL_Z)
        child.expect_exact("Stopped")
        child.expect_exact("$ ")
        child.sendline("fg")
        child.expect_exact(":vers")
        child.sendline("ion")
        child.expect_exact("GPL")
        child.expect_exact(READY)

    def test_without_a_prompt_it_ends_the_program(self):
        ids = self.large_model()
        child = self.spawn("generate", "--model", self.large, "--source-ids", ids)
        begun = time.monotonic()
        while cpu_seconds(child.pid) < 0.2:
            self.assertLess(time.monotonic(), begun + PATIENCE)
            time.sleep(0.005)
        self.check_signal(child, signal.SIGINT)


if __name__ == "__main__":
    unittest.main()
