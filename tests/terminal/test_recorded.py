"""The command stored in a file makes the same file again, byte for byte, when a shell runs it."""

import html
import json
import os
import re
import subprocess
import unittest

from program import PATIENCE, PROGRAM, SENTENCE, ProgramTest, prompt, read, run

WEIGHTS = "encoder.0.self_attention.weights"
BATCH = "나는 학생입니다. | 친구를 만났다. | it's a \\| \"b\" \\\\ $c `d`"


def of_png(data):
    at = 8
    while at < len(data):
        size = int.from_bytes(data[at:at + 4], "big")
        if data[at + 4:at + 16] == b"iTXtcommand\0":
            return data[at + 20:at + 8 + size].decode()
        at += 12 + size


def of_svg(data):
    return html.unescape(re.search('<fact name="command">(.*)</fact>', data.decode())[1])


def of_pdf(data):
    """The facts are the subject: UTF-16 in hexadecimal digits."""
    facts = re.search(rb"/Subject <([0-9A-Fa-f]+)>", data)
    return bytes.fromhex(facts[1].decode()).decode("utf-16").split("command: ")[1]


def of_safetensors(data):
    size = int.from_bytes(data[:8], "little")
    return json.loads(data[8:8 + size])["__metadata__"]["command"]


def of_txt(data):
    """The facts are the footer, wrapped at spaces."""
    return " ".join(data.decode().split("command: ")[1].split())


PICTURES = {".png": of_png, ".svg": of_svg, ".pdf": of_pdf}
READERS = {**PICTURES, ".txt": of_txt, ".safetensors": of_safetensors}


class Recorded(ProgramTest):
    def setUp(self):
        super().setUp()
        for folder in ("bin", "first", "again"):
            os.mkdir(self.path(folder))
        os.symlink(PROGRAM, self.path("bin/glassbox"))

    def assert_draws_again(self, name, needs):
        """The command remakes the file of the first folder in the other one."""
        first = read(self.path(f"first/{name}"))
        command = READERS[os.path.splitext(name)[1]](first)
        for part in needs:
            self.assertIn(part, command)
        path = f"{self.path('bin')}:{os.environ['PATH']}"
        done = subprocess.run(["sh", "-c", command], cwd=self.path("again"), timeout=PATIENCE,
                              capture_output=True, env={**os.environ, "PATH": path})
        self.assertEqual((done.returncode, done.stderr), (0, b""), command)
        self.assertEqual(read(self.path(f"again/{name}")), first, command)

    def check(self, lines, name, *needs):
        self.assert_done(prompt(*lines, folder=self.path("first")))
        self.assert_draws_again(name, needs)

    def check_each(self, lines, drawn, *needs):
        """After the lines, type the values of `drawn`; each of them draws the figure of its key."""
        self.assert_done(prompt(*lines, *drawn.values(), folder=self.path("first")))
        for name, line in drawn.items():
            with self.subTest(line):
                self.assert_draws_again(name, needs)

    def test_of_a_map(self):
        """With the mark of the current stop, and the shapes of the sentence."""
        self.check_each([SENTENCE, ":goto decoder.1.cross_attention.scores"],
                        {f"a{ending}": f":draw map -o a{ending}" for ending in (*PICTURES, ".txt")},
                        "--source", "--at decoder.1.cross_attention.scores")
        self.check([SENTENCE, ":goto step.2", ":draw map -o b.svg"], "b.svg", "--at step.2")
        self.check([BATCH, ":goto tokens", ":batch 1", ":draw map -o c.svg"], "c.svg",
                   "--at tokens", "--batch 1")
        self.check([SENTENCE, ":draw map -o d.svg"], "d.svg", "--source")
        self.check([":model seq2seq", ":draw map -o e.svg"], "e.svg", "--model seq2seq")

    def test_of_each_format(self):
        self.check_each([SENTENCE], {f"a{ending}": f":draw {WEIGHTS} -o a{ending}"
                                     for ending in PICTURES})

    def test_with_flags(self):
        self.check_each([SENTENCE], {
            f"{number}.png": f":draw {WEIGHTS}[head=0] {flags} -o {number}.png"
            for number, flags in enumerate(["--annotate", "--annotate --palette magma --force",
                                            "--as=grid", "--as curves --dimensions 0,1"])})

    def test_with_a_name_that_a_shell_would_take_apart(self):
        self.check([SENTENCE, f":draw {WEIGHTS} -o \"it's $HOME.png\""], "it's $HOME.png")

    def test_without_a_name(self):
        self.check([SENTENCE, f":draw {WEIGHTS}[head=0]"], f"{WEIGHTS}-head-0.png")

    def test_of_a_batch(self):
        self.check_each([BATCH, ":batch 1"], {
            f"{number}.png": f":draw {address} -o {number}.png" for number, address in enumerate([
                WEIGHTS, f"{WEIGHTS}[batch=2]", "encoder.*.self_attention.weights",
                "encoder.position", "step.0.decoder.0.cross_attention.weights"])}, "--batch 1")

    def test_of_another_sentence_of_a_batch(self):
        lines = [BATCH, f":draw {WEIGHTS} -o 0.png", ":batch 2",
                 f":draw {WEIGHTS} -o 2.png"]
        self.assert_done(prompt(*lines, folder=self.path("first")))
        self.assertIn("--batch 2", of_png(read(self.path("first/2.png"))))
        self.assertNotIn("--batch", of_png(read(self.path("first/0.png"))))
        shown = run("show", WEIGHTS, "--source", BATCH, "--batch", "2").out
        self.assertEqual(shown, prompt(BATCH, ":batch 2", f":show {WEIGHTS}").out
                         [-len(shown):])

    def test_in_a_palette_of_options(self):
        options = ":options palette=magma limit=2"
        self.check([options, SENTENCE, f":draw {WEIGHTS} -o a.svg"], "a.svg",
                   "--palette magma", "--limit 2")
        self.check([options, SENTENCE, f":draw {WEIGHTS} --palette grey -o b.png"],
                   "b.png")

    def test_of_a_target(self):
        cross = "decoder.1.cross_attention.weights"
        self.check([SENTENCE, ":target \"it's\" I", f":draw {cross} -o a.png"], "a.png",
                   "--target")
        self.check([BATCH, ":target I | \\| | you", f":draw {cross} -o b.png"], "b.png")

    def test_of_ids(self):
        ids = "--source-ids 5,7,9,2|5,2 --target-ids 1,8|1"
        self.check([f":draw logits[vocabulary=0:9] {ids} --batch 1 -o a.png"], "a.png",
                   "--source-ids", "--target-ids", "--batch 1")

    def test_of_text_that_is_not_printed(self):
        self.check(["한\u202e글\tand \\ %d '", f":draw {WEIGHTS} -o a.png"], "a.png")

    def test_of_a_trace(self):
        self.check([BATCH, ":batch 1", ":options palette=magma",
                    ":trace -o a.safetensors"], "a.safetensors", "--batch 1")


if __name__ == "__main__":
    unittest.main()
