"""Lenses: their numbers are those of a NumPy script, :why explains each, and what cannot be shown
is rejected with a sentence."""

import functools
import os
import re
import shlex
import sys
import unittest

from program import SENTENCE, ProgramTest, prompt, read, run, sample

try:
    import numpy
except ImportError:
    numpy = None

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "reference"))

MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "assets", "models")
SOURCES = {"ko-en": SENTENCE, "en-ko": "I met a friend.", "classifier": "영화가 정말 좋았다.",
           "chatbot": "안녕"}


@unittest.skipIf(numpy is None, "needs NumPy")
class Numbers(ProgramTest):
    def check(self, folder, *sentence):
        import lenses

        config, weights = lenses.load(folder)
        self.assert_done(run("trace", "--model", folder, sentence[0], sentence[1].strip('"'), "-o", self.path("run.npz"),
                             "--force"))
        with numpy.load(self.path("run.npz")) as file:
            trace = {name: file[name] for name in file.files if not name.startswith("words.")
                     and name != "axes.json"}
        wanted = lenses.all_lenses(trace, config, weights)
        self.assertGreater(len(wanted), 5)
        lines = [f":show {address} -o {n}.npy --force" for n, address in enumerate(wanted)]
        first = ":show ids " + " ".join(sentence)
        outcome = run("--model", folder, folder=self.folder, text="\n".join((first, *lines, "")))
        self.assertEqual(outcome.status, 0, outcome.err)
        for n, (address, expected) in enumerate(wanted.items()):
            found = numpy.load(self.path(f"{n}.npy"))
            self.assertEqual(found.reshape(-1).shape, expected.reshape(-1).shape, address)
            numpy.testing.assert_allclose(found.reshape(-1), expected.reshape(-1), rtol=1e-4,
                                          atol=2e-5, err_msg=f"{folder} {address}")

    def test_of_shipped_models_are_those_of_the_reference(self):
        for name, sentence in SOURCES.items():
            with self.subTest(model=name):
                self.check(os.path.join(MODELS, name), "--source", f'"{sentence}"')

    def test_of_presets_are_those_of_the_reference(self):
        for preset in sample(("paper", "prenorm", "kit", "kit-as-written", "minimal",
                              "classifier", "prenorm-as-written"), 2):
            with self.subTest(preset=preset):
                folder = self.path(preset)
                layers = ["--encoder-layers", "2"]
                if preset not in ("minimal", "classifier"):
                    layers += ["--decoder-layers", "2"]
                self.assert_done(run("new", "--preset", preset, "--d-model", "16",
                                     "--attention-heads", "2", "--source-vocabulary", "12",
                                     "--target-vocabulary", "12", *layers, "-o", folder))
                self.check(folder, "--source-ids", "5,7,9,2")

    def test_gradient_times_input_is_what_moving_the_number_gives(self):
        """The reference for small models is tests/units/test_lens.c; here the products."""
        outcome = prompt(SENTENCE, ":lens gradient", ":show encoder.embedding -o x.npy",
                         ":show lens.gradient.encoder.gradient -o g.npy",
                         ":show lens.gradient.encoder.product -o p.npy", folder=self.folder)
        self.assertEqual(outcome.status, 0, outcome.err)
        x, g, p = (numpy.load(self.path(f"{name}.npy")) for name in "xgp")
        numpy.testing.assert_allclose((x * g).sum(-1), p, rtol=1e-4, atol=1e-6)
        self.assertGreater(numpy.abs(p).max(), 0.01)


@functools.cache
def lens(name):
    return run("lens", name, "--source", SENTENCE)


class Prompt(ProgramTest):
    def test_each_lens_ends_with_what_it_does_not_show(self):
        for name, year in (("logit", "2023"), ("rollout", "2019"), ("entropy", "2019"),
                           ("gradient", "2017")):
            outcome = lens(name)
            self.assert_done(outcome)
            self.assertRegex(re.sub(r"\s+", " ", outcome.out), rf"It shows .* and not .*{year}\)")

    def test_without_a_name_it_lists_them_and_needs_no_sentence(self):
        outcome = prompt(":lens")
        self.assert_done(outcome)
        for name in ("logit", "rollout", "entropy", "gradient"):
            self.assertIn(f"  {name} ", outcome.out)

    def test_a_word_that_was_chosen_is_a_place(self):
        outcome = run("lens", "gradient", "friend", "--source", SENTENCE)
        self.assertIn("logits[target=·a, vocabulary=·friend]", outcome.out)
        outcome = run("lens", "logit", "friend", "--source", SENTENCE)
        self.assertRegex(outcome.out, r"decoder.1.feed_forward +·friend 0.9")

    def test_a_place_is_an_address(self):
        outcome = run("lens", "gradient", "[target=0]", "--source", SENTENCE)
        self.assertIn("logits[target=<start>, vocabulary=I]", outcome.out)
        self.assertNotIn("decoder I", outcome.out, "what comes later has no say")
        outcome = run("lens", "gradient", "[target=0, vocabulary=·friend]", "--source", SENTENCE)
        self.assertIn("logits[target=<start>, vocabulary=·friend]", outcome.out)

    def test_hints_can_be_typed(self):
        for name in ("logit", "rollout", "entropy", "gradient"):
            outcome = lens(name)
            text = re.sub(r"\s+", " ", outcome.out)
            hint = re.search(r":why (lens\.[^\]]*\])", text).group(1)
            outcome = prompt(SENTENCE, f":lens {name}", f":why {hint}", ":why 1", ":up",
                             ":because")
            self.assert_done(outcome)
            self.assertIn("the value of the cell is", outcome.out)

    def test_what_is_given_says_what_it_is(self):
        for address, meaning in (
                ("lens.gradient.encoder.gradient[source=0, d_model=0]", "nothing held fixed"),
                ("lens.entropy.encoder.0.self_attention.uniform[query=0, key=0]", "all keys equally"),
                ("lens.entropy.encoder.0.self_attention.last[query=0, key=0]", "last token")):
            outcome = run("why", address, "--source", SENTENCE)
            self.assert_done(outcome)
            self.assertIn(meaning, re.sub(r"\s+", " ", outcome.out))

    def test_an_address_is_enough_to_make_the_lens(self):
        outcome = run("why", "lens.rollout.encoder.1.rollout[query=0, key=0]",
                      "--source", SENTENCE)
        self.assert_done(outcome)
        self.assertIn("mixed", outcome.out)
        self.assert_says(run("show", "lens.rollout.encoder.9.rollout", "--source", SENTENCE),
                         "there is no address", "lens.rollout")

    def test_an_address_is_drawn_in_a_shell(self):
        path = self.path("a.svg")
        self.assert_done(run("draw", "lens.rollout.decoder.1.rollout", "--source", "갔다.",
                             "-o", path))
        self.assertIn(b"lens.rollout.decoder.1.rollout", read(path))

    def test_another_sentence_makes_it_again(self):
        address = "lens.rollout.encoder.1.rollout"
        outcome = prompt("갔다.", f":show {address} -o a.npy", SENTENCE,
                         f":show {address} -o b.npy", folder=self.folder)
        self.assert_done(outcome)
        self.assertLess(len(read(self.path("a.npy"))), len(read(self.path("b.npy"))))

    def test_a_sentence_that_fails_keeps_it(self):
        outcome = prompt("갔다.", ":lens rollout", ":lens gradient", "", ":target " + "a " * 3000,
                         ":why lens.gradient.encoder.product[source=0]")
        self.assertIn("the value of the cell is", outcome.out)

    def test_of_a_batch_each_sentence_has_its_own(self):
        for row, words in (("0", "갔"), ("1", "친구")):
            outcome = run("lens", "gradient", "--source", f"갔다.|{SENTENCE}", "--batch", row)
            self.assert_done(outcome)
            self.assertIn(words, outcome.out)
            self.assertNotIn("<pad>", outcome.out)

    def test_it_is_drawn_and_drawn_again_by_its_command(self):
        for name in ("logit", "rollout", "entropy", "gradient"):
            path = self.path(f"{name}.svg")
            outcome = run("lens", name, "--source", SENTENCE, "-o", path)
            self.assert_done(outcome)
            self.assertIn("It shows", outcome.out)
            text = read(path)
            command = re.search(b'<fact name="command">glassbox (.*?)</fact>', text).group(1)
            self.assertIn(f"lens {name}".encode(), command)
            words = command.decode().replace("&apos;", "'").replace("&#39;", "'")
            self.assert_done(run(*shlex.split(words), "--force"))
            self.assertEqual(read(path), text)

    def test_what_cannot_be_shown_is_refused(self):
        refused = ((":lens logit", "sentence"),
                   (":model seq2seq-ko-en\n갔다.\n:lens logit", "reads token by token"),
                   (":lens rollout", "self-attention"),
                   (":model classifier\n좋았다.\n:lens gradient great", "no label 'great'"),
                   (f":model ko-en\n{SENTENCE}\n:lens logits", "no lens 'logits'"),
                   (":lens rollout friend", "takes no 'friend'"),
                   (":lens gradient enemy", "'enemy' is not in the output"),
                   (":lens gradient [target=99]", "target"),
                   (":lens gradient [vocabulary=I]", "one position"),
                   (":lens logit [target=0, vocabulary=I]", "leave"),
                   (":lens gradient [", "["),
                   (f":lens rollout -o {self.path('a.xyz')}", ".png"))
        said = prompt(*[lines for lines, _ in refused]).err.splitlines()
        for (lines, part), line in zip(refused, said, strict=True):
            self.assertIn(part, line, lines)
        self.assert_says(run("lens", "rollout", "friend", "--source", SENTENCE),
                         "takes no 'friend'")

    def test_models_without_layers_have_a_gradient(self):
        self.assert_done(run("lens", "gradient", "--model", "seq2seq-ko-en", "--source", "갔다."))
        self.assert_done(run("lens", "gradient", "--model", "classifier", "--source", "좋았다."))
        self.assert_done(run("lens", "logit", "--model", "classifier", "--source", "좋았다."))


if __name__ == "__main__":
    unittest.main()
