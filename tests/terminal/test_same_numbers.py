"""The same model on one core and on several, and with the matrix code of other processors: the
same numbers except for rounding, and the same words."""

import json
import os
import struct
import subprocess
import unittest

import numpy

from program import PATIENCE, PROGRAM, ProgramTest, read, run, write

TOLERANCE = 1e-4
IDS = ",".join(str(5 + i * 7 % 90) for i in range(60))
TARGET = "1," + ",".join(str(4 + i * 5 % 90) for i in range(50))


def tensors(path):
    """name -> numbers, of a .safetensors file."""
    data = read(path)
    length = struct.unpack("<Q", data[:8])[0]
    found = {}
    for name, entry in json.loads(data[8:8 + length]).items():
        if name == "__metadata__":
            continue
        begin, end = (8 + length + offset for offset in entry["data_offsets"])
        found[name] = numpy.frombuffer(data[begin:end],
                                       "<f4" if entry["dtype"] == "F32" else "<i4")
    return found


# Kernels of OpenBLAS, and the processor features that they need.
CORES = (("Nehalem", set()), ("Sandybridge", {"avx"}), ("Haswell", {"avx2", "fma"}),
         ("SkylakeX", {"avx512f", "avx512dq", "avx512bw", "avx512vl", "avx512cd"}))


def processor_flags():
    with open("/proc/cpuinfo") as lines:
        return next((set(line.split()[2:]) for line in lines if line.startswith("flags")),
                    set())


class SameNumbers(ProgramTest):
    def setUp(self):
        super().setUp()
        self.model = self.path("model")
        # Wide enough that threads share matrices.
        made = run("new", "--preset", "paper", "--d-model", "256", "--d-ff", "1024",
                   "--encoder-layers", "2", "--decoder-layers", "2", "--seed", "4", "-o",
                   self.model)
        self.assertEqual(made.status, 0, made.err)

    def numbers(self, name, cores=None, **environment):
        """A trace and the generated text of a process with this number of cores."""
        usable = sorted(os.sched_getaffinity(0))
        keep = set(usable[:cores] if cores else usable)
        path = self.path(name + ".safetensors")
        said = []
        for arguments in (["trace", "--target-ids", TARGET, "-o", path],
                          ["generate", "--limit", "40"]):
            done = subprocess.run(
                [PROGRAM, *arguments, "--model", self.model, "--source-ids", IDS],
                capture_output=True, env={**os.environ, **environment}, timeout=PATIENCE,
                preexec_fn=lambda: os.sched_setaffinity(0, keep))
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            said.append(done.stdout)
        return tensors(path), said[1]

    def assert_same(self, one, other):
        self.assertEqual(one[1], other[1])
        self.assertEqual(list(one[0]), list(other[0]))
        for name, numbers in one[0].items():
            x, y = numbers.astype(float), other[0][name].astype(float)
            scale = abs(x[abs(x) < 1e30]).max(initial=0)
            with numpy.errstate(invalid="ignore"):
                near = (x == y) | (abs(x - y) <= TOLERANCE * numpy.maximum(abs(x), scale))
            self.assertTrue(near.all(), f"{name}: {x[~near][:3]} and {y[~near][:3]}")

    @unittest.skipIf(len(os.sched_getaffinity(0)) < 2, "there is one core")
    def test_one_core_and_all(self):
        self.assert_same(self.numbers("one", cores=1), self.numbers("all"))

    def test_other_processors(self):
        usual = self.numbers("usual")
        for core in (core for core, needs in CORES if needs <= processor_flags()):
            with self.subTest(core=core):
                self.assert_same(usual, self.numbers(core, OPENBLAS_CORETYPE=core))


RECIPE = {
    "preset": "paper", "data": "pairs.tsv", "batch": 4, "steps": 4000, "threads": 1,
    "plot": "none", "samples": 0, "output": "out", "save_every": 2,
    "schedule": "constant", "learning_rate": 10, "validate_every": 1000000,
    "model": {"d_model": 16, "attention_heads": 2, "d_ff": 16, "encoder_layers": 1,
              "decoder_layers": 1, "max_length": 16, "norm": "none"},
}


class BrokenTraining(ProgramTest):
    def train(self, *more):
        return run("train", "recipe.json", *more, folder=self.folder)

    def assert_breaks(self, outcome):
        self.assertEqual(outcome.status, 1)
        told = outcome.err.rstrip().split("\n")[-1]
        self.assertRegex(told, r"step \d+: the gradient is not finite; the sum of "
                               r"its squares is too large, mostly because of "
                               r"\S+\[.*\d\] with -?[\d.]+e[+]\d+\. Nothing after the last ")
        return told

    def test_a_nan_loss_stops_and_keeps_the_last_save(self):
        write(self.path("pairs.tsv"), "a b\tb a\nb c\tc b\nc d\td c\nd a\ta d\n" * 3)
        write(self.path("recipe.json"), json.dumps(RECIPE))
        told = self.assert_breaks(self.train())
        out = self.path("out")
        kept = {name: read(os.path.join(out, name)) for name in os.listdir(out)}
        weights = tensors(os.path.join(out, "model.safetensors"))
        self.assertTrue(all(numpy.isfinite(w).all() for w in weights.values()))
        # The saved state is complete: training resumes there, with the same result.
        self.assertEqual(self.assert_breaks(self.train("--resume")), told)
        for name, content in kept.items():
            self.assertEqual(read(os.path.join(out, name)), content, name)
        self.assertEqual(set(os.listdir(out)), set(kept))


if __name__ == "__main__":
    unittest.main()
