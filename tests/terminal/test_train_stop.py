"""The train and data commands for users: signals, messages, the terminal."""

import glob
import os
import re
import shutil
import signal
import subprocess
import time
import unittest

import pexpect

from program import PATIENCE, PROGRAM, ProgramTest, read, run, send_signals, write
from terminal import READY

RECIPE = """{
  "preset": "paper",
  "model": {"d_model": 32, "attention_heads": 2, "d_ff": 64, "encoder_layers": 1,
            "decoder_layers": 1, "max_length": 32},
  "data": "pairs.tsv", "batch": 4, "epochs": 100000, "save_every": 1000000,
  "validate_every": 1000000, "threads": 1, "plot": "none", "samples": 0,
  "output": "out"
}"""


class TrainTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.recipe = self.path("recipe.json")
        write(self.recipe, RECIPE)
        pairs = [f"{a} {b}\t{b} {a}\n" for a in "abcde" for b in "fghij"]
        write(self.path("pairs.tsv"), "".join(pairs))

    def train(self, *more):
        return run("train", self.recipe, *more)

    def losses(self):
        with open(self.path("out/train.csv")) as rows:
            return [row.split(",")[:2] for row in rows][1:]

    def begin(self):
        """Start a training and wait until it learns."""
        process = subprocess.Popen([PROGRAM, "train", self.recipe], text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while not process.stderr.readline().startswith("encoder-decoder"):
            pass
        return process

    def make_steps_long(self):
        write(self.recipe, RECIPE.replace("32", "128").replace('"batch": 4', '"batch": 32'))
        write(self.path("pairs.tsv"), f"{'a b c d ' * 25}\t{'d c b a ' * 25}\n" * 64)

    def stop_by(self, number):
        """Train until a signal arrives."""
        process = self.begin()
        time.sleep(0.1)  # hundreds of steps
        process.send_signal(number)
        out, _ = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, -number)
        self.assertIn("stopped and saved", out)

    def check_signal(self, number):
        self.stop_by(number)
        more = len(self.losses()) + 7
        self.assertEqual(self.train("--resume", "--set", f"steps={more}").status, 0)
        resumed = self.losses()
        self.assertEqual(len(resumed), more)
        self.assertEqual(self.train("--force", "--set", f"steps={more}").status, 0)
        self.assertEqual(self.losses(), resumed)

    def test_after_an_interrupt_resuming_repeats_the_same_losses(self):
        self.check_signal(signal.SIGINT)

    def test_after_a_hang_up_resuming_repeats_the_same_losses(self):
        self.check_signal(signal.SIGHUP)

    def test_after_a_termination_resuming_repeats_the_same_losses(self):
        self.check_signal(signal.SIGTERM)

    def test_signals_after_the_first_change_nothing(self):
        self.make_steps_long()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process = self.begin()
            time.sleep(0.1)
            send_signals(process.pid, [number] * 3)
            out, _ = process.communicate(timeout=PATIENCE)
            self.assertEqual(process.returncode, -number)
            self.assertIn("stopped and saved", out)
            shutil.rmtree(self.path("out"))

    def test_a_training_that_fails_after_a_signal_ends_by_it(self):
        process = self.begin()
        os.mkdir(self.path("out/model.safetensors"))
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=PATIENCE)
        self.assertIn("model.safetensors: it is a folder", err)
        self.assertEqual(process.returncode, -signal.SIGTERM)

    def test_a_lesson_that_is_ended_leaves_no_file(self):
        for folder in ("lessons/en", "lessons/files", "scratch"):
            os.makedirs(self.path(folder))
        shutil.copy(self.path("pairs.tsv"), self.path("lessons/files"))
        write(self.path("lessons/files/recipe.json"),
              RECIPE.replace('"epochs": 100000, "save_every": 1000000',
                             '"steps": 3000, "save_every": 1').replace("32", "128"))
        lesson = self.path("lessons/en/01-any.md")
        write(lesson, "---\ntitle: Any\nlanguage: en\nminutes: 5\nneeds: none\nmodel: ko-en\n"
              "files: recipe.json, pairs.tsv\n---\n\n# Any\n\n"
              "```glassbox\n> :train recipe.json\n...\n```\n")
        for more in (["check", lesson], ["run", lesson],
                     ["page", lesson, "-o", self.path("page.html")]):
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                with self.subTest(more=more[0], number=number):
                    process = subprocess.Popen(
                        [PROGRAM, "lesson", *more], stdout=subprocess.DEVNULL,
                        stderr=subprocess.DEVNULL,
                        env=dict(os.environ, TMPDIR=self.path("scratch"), HOME=self.folder))
                    saved = self.path("scratch/glassbox-*/out/checkpoint.safetensors")
                    while not glob.glob(saved):
                        self.assertIsNone(process.poll())
                        time.sleep(0.001)
                    process.send_signal(number)
                    self.assertEqual(process.wait(timeout=PATIENCE), -number)
                    self.assertEqual(os.listdir(self.path("scratch")), [])
                    self.assertFalse([name for name in os.listdir(self.folder) if "page" in name])

    def test_a_folder_belongs_to_one_training_until_it_ends(self):
        for number in (signal.SIGKILL, signal.SIGTERM):
            write(self.recipe, RECIPE.replace('"save_every": 1000000', '"save_every": 2'))
            first = self.begin()
            for more in ([], ["--resume"], ["--force"]):
                self.assert_says(self.train("--set", "steps=2", *more), self.path("out"),
                                 "another training is running in this folder")
            self.assertIsNone(first.poll())
            first.send_signal(number)
            first.communicate(timeout=PATIENCE)
            self.assertEqual(first.returncode, -number)
            after = self.train("--force", "--set", "steps=2")
            self.assertEqual(after.status, 0, after.err)
            shutil.rmtree(self.path("out"))

    def test_a_training_that_cannot_begin_makes_no_folder(self):
        self.assert_says(self.train("--set", "data=nowhere.tsv"), "nowhere.tsv")
        self.assertFalse(os.path.exists(self.path("out")))

    def test_plain_lines_without_a_terminal(self):
        found = self.train("--set", "steps=40")
        self.assertEqual(found.status, 0, found.err)
        self.assertRegex(found.out, r"wrote .*out: 40 steps, loss [\d.]+\n")
        line = r"^step \d+ of 40  loss [\d.]+  \d+ tokens/s"
        self.assertEqual(len(re.findall(line, found.err, re.M)), 20, found.err)
        self.assertNotRegex(found.err, r"[\x1b\r]")

    def train_on_terminal(self, rows, columns, steps, kind="xterm"):
        arguments = ["train", self.recipe, "--force", "--set", f"steps={steps}"]
        begin = time.time()
        child = pexpect.spawn(PROGRAM, arguments, dimensions=(rows, columns), timeout=PATIENCE,
                              env=dict(os.environ, TERM=kind))
        child.expect(pexpect.EOF)
        child.close()
        self.assertEqual(child.exitstatus, 0)
        text = child.before.decode()
        shown = text.count(f"of {steps}  loss")
        self.assertLess(shown, 22 + 10 * (time.time() - begin))
        return text

    def test_a_terminal_shows_a_curve_that_is_drawn_again(self):
        text = self.train_on_terminal(24, 80, 3000)
        last = text[text.rindex("\x1b[12A"):]
        curve = last.split("\r\n")
        self.assertIn("loss", curve[0])
        self.assertEqual(sum("│" in line for line in curve), 8)
        self.assertIn("step 3000 of 3000", curve[12])
        for line in curve[:13]:
            self.assertTrue(line.endswith("\x1b[K"), line)

    def test_a_low_terminal_shows_one_line(self):
        text = self.train_on_terminal(12, 130, 100)
        self.assertNotIn("│", text)
        self.assertNotRegex(text, r"\x1b\[\d+A")
        self.assertIn("\r[", text)

    def test_a_dumb_terminal_shows_plain_lines(self):
        self.assertNotIn("\x1b", self.train_on_terminal(24, 80, 100, kind="dumb"))

    def test_faults_are_one_sentence_and_status_1(self):
        for more, part in [
                (["--set", "data=nowhere.tsv"], "cannot read nowhere.tsv"),
                (["--set", "batch=x"], '"batch" is not valid; expected a whole number'),
                (["--resume"], "vocab.json")]:
            found = self.train(*more)
            self.assertEqual(found.status, 1)
            self.assertIn(part, found.err)
            self.assertEqual(found.err.count("\n"), 1, found.err)

    def test_the_prompt_continues_after_an_interrupt(self):
        self.assertEqual(self.train("--set", "steps=1").status, 0)
        arguments = ["--model", self.path("out")]
        child = pexpect.spawn(PROGRAM, arguments, dimensions=(24, 130), timeout=PATIENCE,
                              env=dict(os.environ, TERM="xterm",
                                       XDG_STATE_HOME=self.path("history")))
        child.expect("Type a sentence")
        self.make_steps_long()
        child.sendline(f":train {self.recipe} --force")
        child.expect("step ")
        send_signals(child.pid, [signal.SIGINT] * 3)
        child.expect("stopped and saved")
        # The prompt may have received the last signal, which discards the input.
        while child.expect_exact([READY, pexpect.EOF]) == 0:
            child.sendline(":quit")
        self.assertIn(f":train {self.recipe} --force\n",
                      read(self.path("history/glassbox/history")).decode())

    def test_keys_lists_every_key_with_its_help(self):
        found = run("train", "--keys")
        self.assertEqual(found.status, 0)
        for key in ["preset", "data", "warmup", "snapshots", "model"]:
            self.assertRegex(found.out, rf"(?m)^  {key} .{{20}}")

    def test_data_shows_what_it_read(self):
        with open(self.path("pairs.tsv"), "a") as pairs:
            pairs.write("alone\n")
        found = run("data", self.path("pairs.tsv"), "--words", "8")
        self.assertEqual(found.status, 0, found.err)
        for part in [
                "25 pairs, no header",
                "pairs.tsv:26: skipped: it has 1 columns; expected 2",
                "source: 50 tokens, 2.0 a sentence, 2 to 2; vocabulary 8",
                "unknown 60.00%",
                "1: a f -> f a"]:
            self.assertIn(part, found.out)


if __name__ == "__main__":
    unittest.main()
