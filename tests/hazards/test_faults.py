"""The first calls of each kind fail. tests/hazards/slow_faults.py makes every call
fail."""

import os
import re
import subprocess
import unittest

import pexpect

from faults import CALLS, LINES, PROMPT, FaultTest, TrainingTest, can_fail, preloaded
from program import CHECKS_ALL, PATIENCE, PROGRAM, command_names, read, run, sample, write


class Table(unittest.TestCase):
    def test_every_command_has_a_line(self):
        tried = {line.words[0] for line in LINES}
        tried |= {name for line in LINES for name in re.findall(r"^:(\S+)", line.text, re.M)}
        self.assertEqual(set(command_names()) - tried, set())

    def test_the_program_cannot_start_another_one(self):
        names = subprocess.run(["nm", "-D", "--undefined-only", PROGRAM], check=True,
                               capture_output=True, text=True).stdout
        self.assertIn(" fsync", names)
        starts = r"\b(system|popen|w?exec[lv]\w*|fexecve|v?fork|clone3?|posix_spawnp?)\b"
        self.assertIsNone(re.search(starts, names), names)


@unittest.skipUnless(can_fail("disk"), "the sanitizer stands in the way")
class Disk(FaultTest):
    def check_call(self, line, after, call, **fault):
        self.fresh()
        outcome = self.run_line(line, call=call, **fault)
        with self.subTest(line=line.name, call=call, **fault):
            self.check(after, outcome)
            if call in ("write", "fsync", "rename") and fault["at"] == 1:
                self.assertEqual(outcome.status, 1)

    def test_a_call_that_fails_leaves_the_old_file_or_the_new_one(self):
        errors = ("ENOSPC", "EIO", "EDQUOT", "EROFS")
        for number, line in enumerate(line for line in LINES if line.files):
            after = self.new_contents(line)
            error = errors[number % len(errors)]
            for place, call in enumerate(CALLS):
                # In `make test` one of both for each line, along the diagonal.
                if CHECKS_ALL or number % (2 * len(CALLS)) == 2 * place:
                    self.check_call(line, after, call, at=1, error=error)
                if CHECKS_ALL or number % (2 * len(CALLS)) == 2 * place + 1:
                    self.check_call(line, after, call, at=2, forever=True, error=error)

    def test_the_sentence_names_the_file_and_the_reason(self):
        line = next(line for line in LINES if line.name == "trace out.npz")
        for call, error, reason in (("write", "ENOSPC", "No space left on device"),
                                    ("fsync", "EIO", "Input/output error"),
                                    ("close", "EDQUOT", "Disk quota exceeded"),
                                    ("rename", "EROFS", "Read-only file system")):
            self.fresh()
            outcome = self.run_line(line, call=call, at=1, error=error)
            self.assert_says(outcome, "cannot write out.npz: " + reason)


@unittest.skipUnless(can_fail("disk"), "not built")
class Resume(TrainingTest):
    def check_resumed(self, *sets, **recipe):
        sets = [word for pair in sets for word in ("--set", pair)]
        self.write_recipe(**recipe)
        outcome = self.train(*sets)
        self.assertEqual(outcome.status, 0, outcome.err)
        whole = self.made()
        calls = self.train("--force", *sets, call="fsync").calls
        self.write_recipe(**recipe)
        killed = self.train(*sets, call="fsync", at=calls // 2, error=None)
        self.assertEqual(killed.status, -9)
        resumed = self.train("--resume", *sets)
        self.assertEqual(resumed.status, 0, resumed.err)
        self.assertIn("step 3 of 4", resumed.err)
        self.assertEqual(self.made(), whole)

    def test_a_new_training_that_fails_leaves_the_model_that_was_there(self):
        self.write_recipe()
        self.assertEqual(self.train().status, 0)
        before = self.made()
        other = ["--force", "--set", "data=labels.tsv", "--set", "tokenizer=bpe"]
        for call in CALLS[1:5]:
            outcome = self.train(*other, call=call, at=1, forever=True)
            self.assertEqual(outcome.status, 1)
            self.assertEqual(self.made(), before)
        self.assertEqual(self.train(*other).status, 0)
        opened = run("model", "deep", folder=self.work)
        self.assertEqual(opened.status, 0, opened.err)

    def test_a_killed_training_resumes_to_the_same_bytes(self):
        for sets in sample((["schedule=constant", "batch=3"],
                            ["schedule=cosine", "warmup=2", "batch=0", "batch_tokens=30"],
                            ["smoothing=0.1", "clip=0.5", "threads=2", "tokenizer=bpe"],
                            ["model.dropout=0.5", "steps=0", "epochs=2", "batch=8"]), 3):
            self.check_resumed(*sets)
        self.check_resumed("model.attention_heads=1", "model.hidden_size=8", "model.d_ff=0",
                           preset="seq2seq", seen="decoder.attention.weights")
        self.check_resumed(preset="classifier", decoder=0, data="labels.tsv",
                           seen="encoder.0.self_attention.weights")


@unittest.skipUnless(can_fail("memory"), "the sanitizer stands in the way")
class Memory(FaultTest):
    def check_request(self, line, after, at, forever):
        self.fresh()
        outcome = self.run_line(line, "memory", at=at, forever=forever)
        with self.subTest(line=line.name, at=at, forever=forever):
            self.check(after, outcome)
            self.assert_says(outcome, "glassbox: out of memory: ", " bytes more")

    def test_a_request_that_fails_ends_each_command_with_one_sentence(self):
        for number, line in enumerate(LINES):
            if line not in sample(LINES, 4):
                continue
            after = self.new_contents(line)
            self.fresh()
            counted = self.run_line(line, "memory").calls
            # Starting makes about fifty requests, opening and running a model a
            # thousand.
            self.assertGreater(counted, 1000 if "--model" in line.words else 50)
            for part in sample((0, 0.45, 0.95), 3, number // 4 % 3):
                self.check_request(line, after, 1 + int(part * counted), part > 0.9)

    def type(self, at, *typed, ends):
        """Run the prompt and compare the terminal's settings before and after; return
        the output, and the number of memory requests before the last input."""
        write(self.counter, "\0" * 4)
        fault = dict(os.environ, TERM="xterm", XDG_STATE_HOME=self.work,
                     FAULT_COUNT=self.counter, FAULT_AT=str(at), FAULT_FOREVER="1")
        shim = [f"{name}={text}" for name, text in preloaded("memory").items()]
        script = 'stty -g; env "$@" "$0" --model small; echo status $?; stty -g'
        child = pexpect.spawn("sh", ["-c", script, PROGRAM, *shim], timeout=PATIENCE,
                              env=fault, cwd=self.work, encoding="utf-8", dimensions=(24, 120))
        shown, counted = "", 0
        for text in typed:
            child.expect("> ")
            shown += child.before
            child.delaybeforesend = 0.2  # so that the prompt has settled
            counted = int.from_bytes(read(self.counter), "little")
            child.send(text)
        child.expect(pexpect.EOF)
        child.close()
        shown += child.before
        self.assertIn(ends, shown)
        settings = re.findall(r"\b[0-9a-f]+(?::[0-9a-f]+){10,}", shown)
        self.assertEqual(len(settings), 2, shown)
        self.assertEqual(settings[0], settings[1])
        return shown, counted

    def test_the_prompt_leaves_the_terminal_as_it_was(self):
        self.fresh()
        os.mkdir(os.path.join(self.work, "glassbox"))
        write(os.path.join(self.work, "glassbox/history"), "kept\n")
        _, prompted = self.type(0, "\x04", ends="status 0")
        # Before the prompt, at Tab while a line is edited, and while a line is run.
        for at, typed in ((-5, []), (1, [":tr\t"]), (1, ["a b\r"]), (4, ["a b\r"])):
            shown, _ = self.type(prompted + at, *typed, ends="status 1")
            self.assertEqual(len(re.findall("glassbox: out of memory: ", shown)), 1)
            self.assertEqual(read(os.path.join(self.work, "glassbox/history")),
                             b"kept\n")

    def test_a_small_address_space_also_ends_with_one_sentence(self):
        for megabytes, threads in ((100, 1), (140, 1), (160, 2), (180, 2)):
            found = subprocess.run(
                ["prlimit", f"--as={megabytes << 20}", PROGRAM, "generate", "--source",
                 "a"], capture_output=True, text=True, timeout=PATIENCE,
                env=dict(os.environ, OPENBLAS_NUM_THREADS=str(threads)))
            self.assertEqual((found.returncode, found.stdout), (1, ""))
            self.assertRegex(found.stderr, r"^glassbox: (\S+: )?out of memory: [^\n]+\n$")


if __name__ == "__main__":
    unittest.main()