"""The lines of NumPy and PyTorch that :code prints compute the numbers of the trace, for every
stage of every preset and of the models that come with the program."""

import contextlib
import io
import os
import re
import unittest

from program import SENTENCE, ProgramTest, prompt, run, sample

try:
    import numpy
except ImportError:
    numpy = None
try:
    import torch
except ImportError:
    torch = None

MODELS = {"ko-en": SENTENCE, "en-ko": "I met a friend.", "classifier": "영화가 정말 좋았다.",
          "chatbot": "안녕", "seq2seq-ko-en": "갔다."}
SMALL = ["--d-model", "16", "--source-vocabulary", "12", "--target-vocabulary", "12"]
ALONE = ("gpt2", "llama", "microgpt")  # presets without an encoder


def presets():
    """Their names, as listed by `new`."""
    outcome = run("new", "--preset", "no such preset", "-o", "nowhere")
    return re.findall(r"[a-z0-9]+(?:-[a-z0-9]+)*", outcome.err.split("one of")[-1]
                      if "one of" in outcome.err else outcome.err.split(":")[-1])

FAMILIES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../reference/families")


class CodeTest(ProgramTest):
    ids = "encoder.ids"

    def read(self, kind, text):
        """A line that gives the prompt the sentence, as text or as ids."""
        return f':show {self.ids} {kind} "{text}"'

    def stages(self, folder, *sentence):
        outcome = prompt(f":model '{folder}'", self.read(*sentence), ":stages")
        self.assertEqual(outcome.status, 0, outcome.err)
        names = re.findall(r"^[> ]\s*([\d.]+)\s+(\S+)", outcome.out, re.M)
        return [(n, name) for n, name in names if name != "tokens" and
                not name.startswith(("step.", "decoding"))]

    def code(self, folder, language, *sentence):
        """All lines for a model, stage by stage."""
        outcome = run("trace", "--model", folder, *sentence, "-o", self.path("run.npz"), "--force")
        self.assertEqual(outcome.status, 0, outcome.err)
        stages = self.stages(folder, *sentence)
        self.assertGreater(len(stages), 3)
        lines = [self.read(*sentence)] + [f":code {n} --{language}" for n, _ in stages]
        outcome = prompt(f":model '{folder}'", *lines, folder=self.folder)
        self.assertEqual(outcome.status, 0, outcome.err)
        title = {"numpy": "# NumPy\n", "torch": "# PyTorch\n"}[language]
        parts = outcome.out.split(title)[1:]
        self.assertEqual(len(parts), len(stages), outcome.err)
        head = run("code", "load", f"--{language}", "--model", folder)
        self.assert_done(head)
        return head.out, list(zip((name for _, name in stages), parts, strict=True))

    def check(self, folder, language, *sentence):
        head, parts = self.code(folder, language, *sentence)
        names = {}
        here = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, here)
        exec(head, names)
        self.addCleanup(names["trace"].close)
        checked = set()
        with numpy.errstate(all="ignore"):
            for stage, lines in parts:
                said = io.StringIO()
                try:
                    with contextlib.redirect_stdout(said):
                        exec(lines, names)
                except Exception as error:
                    self.fail(f"{folder} {stage}: {error!r}\n{lines}")
                for line in said.getvalue().splitlines():
                    address, verdict = line.split(" ")
                    self.assertEqual(verdict, "True", f"{folder} {stage} {address}\n{lines}")
                    checked.add(address)
        os.chdir(here)
        self.assertGreater(len(checked), 3)
        return checked

    def check_presets(self, language):
        found = presets()
        self.assertGreater(len(found), 14)
        for preset in sample(found, 4):
            with self.subTest(preset=preset):
                folder = self.path(preset)
                options = list(SMALL)
                if "rnn" in preset or "seq2seq" in preset:
                    options += ["--hidden-size", "6"]
                elif preset != "single-head":
                    options += ["--attention-heads", "2"]
                self.assert_done(run("new", "--preset", preset, *options, "-o", folder))
                self.ids = f"{'decoder' if preset in ALONE else 'encoder'}.ids"
                self.check(folder, language, "--source-ids", "5,7,9,2")
                if preset in ("paper", "classifier", "seq2seq"):
                    self.check(folder, language, "--source-ids", "5,7,9,2|6,2")

    def check_families(self, language):
        self.ids = "decoder.ids"
        for family in sample(("gpt2", "llama-with-biases", "gpt2-prefixed-untied", "llama",
                              "llama-f16-in-parts", "qwen2-bf16"), 4):
            with self.subTest(family=family):
                self.check(os.path.join(FAMILIES, family), language, "--source-ids", "5,7,9,2")

    def check_models(self, language):
        for name, sentence in sample(MODELS.items(), 2):
            with self.subTest(model=name):
                self.check(name, language, "--source", sentence)


@unittest.skipIf(numpy is None, "needs NumPy (python3-numpy)")
class Numpy(CodeTest):
    def test_of_presets_computes_the_trace(self):
        self.check_presets("numpy")

    def test_of_other_families_computes_the_trace(self):
        self.check_families("numpy")

    def test_of_models_computes_the_trace(self):
        self.check_models("numpy")

    def test_says_where_something_else_comes_out(self):
        head, parts = self.code("ko-en", "numpy", "--source", SENTENCE)
        lines = dict(parts)["encoder.0.scores"].replace("query @", "2 * query @")
        here = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, here)
        names = {}
        said = io.StringIO()
        exec(head, names)
        self.addCleanup(names["trace"].close)
        with contextlib.redirect_stdout(said):
            exec(lines, names)
        self.assertIn(".scores False", said.getvalue())

    def test_a_lens_is_not_a_stage(self):
        outcome = run("code", "lens.rollout.encoder.0.mixed", "--source", SENTENCE)
        self.assert_says(outcome, "there is no stage")


@unittest.skipIf(numpy is None or torch is None, "needs PyTorch (python3-torch)")
class Torch(CodeTest):
    def test_of_presets_computes_the_trace(self):
        self.check_presets("torch")

    def test_of_other_families_computes_the_trace(self):
        self.check_families("torch")

    def test_of_models_computes_the_trace(self):
        self.check_models("torch")


class Prompt(ProgramTest):
    def test_both_are_shown_unless_one_is_named(self):
        both = run("code", "scores", "--source", "갔다.")
        self.assert_done(both)
        self.assertIn("# NumPy\nquery = trace[", both.out)
        self.assertIn("# PyTorch\nquery = torch.from_numpy(", both.out)
        self.assertNotIn("PyTorch", run("code", "scores", "--numpy", "--source", "갔다.").out)
        self.assertNotIn("NumPy", run("code", "scores", "--torch", "--source", "갔다.").out)

    def test_the_current_stage_needs_no_name(self):
        outcome = prompt("갔다.", ":goto scores", ":code --numpy")
        self.assert_done(outcome)
        self.assertIn('same("encoder.0.self_attention.scores", scores)', outcome.out)

    def test_an_address_will_do(self):
        outcome = run("code", "decoder.1.feed_forward.hidden", "--numpy", "--source", "갔다.")
        self.assert_done(outcome)
        self.assertIn("fc1_weight", outcome.out)
        self.assertIn("hidden_2 = norm_2 @ fc1_weight.T + fc1_bias", outcome.out)

    def test_load_needs_no_sentence(self):
        outcome = run("code", "load", "--numpy")
        self.assert_done(outcome)
        self.assertIn("ko-en/model.safetensors", outcome.out)
        self.assertNotIn("torch", outcome.out)

    def test_what_has_no_code_says_so(self):
        self.assert_says(run("code", "blorb", "--source", "갔다."), "no stage 'blorb'")
        self.assert_says(run("code", "tokens", "--source", "갔다."), "nothing is computed at")
        self.assert_says(run("code", "--source", "갔다."), "no stage is open")
        self.assert_says(run("code", "scores", "--source-ids", ""), "id")
        self.assert_says(prompt(":code scores"), "sentence")


if __name__ == "__main__":
    unittest.main()
