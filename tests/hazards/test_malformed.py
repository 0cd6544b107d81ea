"""The malformed files of tests/hazards/malformed.h given to the program, as a user
would: each is rejected with status 1 and a sentence that is safe to print."""

import math
import os
import re
import resource
import shutil
import struct
import subprocess
import unittest

from program import CHECKS_ALL, PATIENCE, PROGRAM, ProgramTest, is_sanitized, read, run, sample, write

MODEL = os.path.join(os.path.dirname(__file__), "../../assets/models/chatbot")
WRITERS = ("test_malformed_weights", "test_malformed_config", "test_malformed_text")
# Controls (C0 except the line end, and C1) and everything that reverses or hides text.
UNSAFE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]")


def limited():
    """Limit the program to 2 GB of addresses and 5 seconds of processor time."""
    if not is_sanitized():
        resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (5, 5))


class MalformedFiles(ProgramTest):
    def setUp(self):
        super().setUp()
        self.model = self.path("model")
        shutil.copytree(MODEL, self.model)

    def verdicts(self):
        """Yield the file's name in the model folder, its path, what is wrong, and the
        message."""
        for writer in WRITERS:
            program = os.path.join(os.path.dirname(PROGRAM), "tests/hazards", writer)
            subprocess.run([program, "--write", self.folder], check=True)
        with open(self.path("verdicts.tsv"), newline="\n", encoding="utf-8") as table:
            for line in table:
                yield line.rstrip("\n").split("\t")

    def test_every_file_is_refused_with_status_1_and_a_safe_sentence(self):
        count = 0
        for place, name, what, expected in sample(self.verdicts(), 6):
            target = os.path.join(self.model, place)
            shutil.copy(self.path(name), target)
            found = run("model", self.model)
            shutil.copy(os.path.join(MODEL, place), target)
            with self.subTest(file=place, what=what):
                self.assertEqual(found.status, 1, found.err)
                self.assertEqual(found.out, "")
                lines = found.err.rstrip("\n").split("\n")
                self.assertLessEqual(len(lines), 12)
                self.assertIn(expected or "does not fit config.json", lines[0])
                self.assertIn(self.model, lines[0])
                self.assertEqual(found.err_bytes.decode("utf-8"), found.err)
                self.assertIsNone(UNSAFE.search(found.err), found.err)
            count += 1
        self.assertGreater(count, 100 if CHECKS_ALL else 16)

    def test_a_header_of_100_megabytes_is_refused_within_its_limits(self):
        size = 100 * 1000 * 1000
        with open(self.model + "/model.safetensors", "wb") as file:
            file.write(struct.pack("<Q", size) + b'{"a":1' + b"," * (size - 6))
        found = subprocess.run([PROGRAM, "model", self.model], capture_output=True,
                               preexec_fn=limited, timeout=PATIENCE, check=False)
        self.assertEqual(found.returncode, 1)
        self.assertIn(b"at most 16777216 are read", found.stderr)

    def test_names_of_tensors_are_shown_escaped_and_cut(self):
        header = ('{"\\u001b]0;x\\u0007\\u202e%s":{"dtype":"U8","shape":[1],'
                  '"data_offsets":[0,1]}}' % ("n" * 1000)).encode()
        with open(self.model + "/model.safetensors", "wb") as file:
            file.write(struct.pack("<Q", len(header)) + header + b"\0")
        found = run("model", self.model)
        self.assertEqual(found.status, 1)
        self.assertIsNone(UNSAFE.search(found.err), found.err)
        lines = found.err.rstrip("\n").split("\n")
        self.assertEqual(len(lines), 12, found.err)
        self.assertIn(" is missing", lines[1])
        self.assertTrue(lines[11].startswith("  and "))
        # Without the others, so that it is among the ten lines.
        write(self.model + "/config.json", "{}")
        os.unlink(self.model + "/model.safetensors")
        self.assertEqual(run("new", "--preset", "minimal", "--d-model", "4",
                             "--attention-heads", "1", "--encoder-layers", "1",
                             "--source-vocabulary", "9", "-o", self.path("small")).status, 0)
        good = read(self.path("small/model.safetensors"))
        length = struct.unpack("<Q", good[:8])[0]
        end = good[8:8 + length].rstrip()[:-1]
        size = len(good) - 8 - length
        more = end + (',"\\u001b[2J%s":{"dtype":"U8","shape":[0],"data_offsets":[%d,%d]}}'
                      % ("n" * 1000, size, size)).encode()
        with open(self.path("small/model.safetensors"), "wb") as file:
            file.write(struct.pack("<Q", len(more)) + more + good[8 + length:])
        found = run("model", self.path("small"))
        self.assertEqual(found.status, 1)
        self.assertIn("(1 difference):\n  <1B>[2Jnnn", found.err)
        self.assertIn("nnn… is not part of such a model\n", found.err)

    def test_broken_weights_are_warned_of_and_hatched(self):
        folder = self.path("small")
        self.assert_done(run("new", "--preset", "paper", "--d-model", "4",
                             "--attention-heads", "1", "--d-ff", "4",
                             "--encoder-layers", "1", "--decoder-layers", "1",
                             "--source-vocabulary", "9", "--target-vocabulary", "9",
                             "--max-length", "8", "-o", folder))
        good = read(folder + "/model.safetensors")
        length = struct.unpack("<Q", good[:8])[0]
        header = good[8:8 + length].decode()
        begin = int(re.search(r'"lm_head.weight":\{[^}]*"data_offsets":\[(\d+)',
                              header).group(1)) + 8 + length
        bad = bytearray(good)
        for cell in (6, 9, 10):
            struct.pack_into("<f", bad, begin + 4 * cell, math.nan)
        with open(folder + "/model.safetensors", "wb") as file:
            file.write(bad)
        found = run("show", "lm_head.weight", "--model", folder, "--source-ids", "5,2",
                    "--target-ids", "1")
        self.assertEqual(found.status, 0, found.err)
        self.assertEqual(found.err, folder + ": tensor lm_head.weight: 3 NaN, first at "
                                    "[1,2]\n")
        self.assertEqual(found.out.count("nan"), 3)
        picture = self.path("picture.txt")
        self.assertEqual(run("draw", "lm_head.weight", "--model", folder, "--source-ids",
                             "5,2", "--target-ids", "1", "-o", picture).status, 0)
        text = read(picture).decode()
        self.assertEqual(len(re.findall("╱{3,}", text)), 3, text)
        self.assertIn("╱╱ not a number", text)


if __name__ == "__main__":
    unittest.main()
