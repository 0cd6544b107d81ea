"""Deliberate limits, seen from outside: the last value that is accepted and the first
that is rejected, with its message. The others are in test_limits.c."""

import json
import os
import unittest

from program import ProgramTest, prompt, run, write


class Limits(ProgramTest):
    def setUp(self):
        super().setUp()
        self.model = self.path("small")
        self.assert_done(run("new", "--preset", "prenorm", "--d-model", "32",
                             "--attention-heads", "1", "--d-ff", "4",
                             "--encoder-layers", "1", "--decoder-layers", "1",
                             "--source-vocabulary", "9", "--target-vocabulary", "9",
                             "--max-length", "8", "-o", self.model))

    def on_ids(self, source, *more, command="show", what="encoder.output"):
        return run(command, what, "--model", self.model, "--source-ids", source,
                   "--target-ids", "1", *more)

    def test_a_sentence_has_as_many_tokens_as_the_model_says(self):
        self.assert_done(self.on_ids("4,5,6,7,4,5,6,2"))
        self.assert_says(self.on_ids("4,5,6,7,4,5,6,7,2"), "9 tokens",
                         "at most 8 (max_length)")

    def test_a_logit_lens_counts_before_it_computes(self):
        wide = self.path("wide")
        self.assert_done(run("new", "--preset", "gpt2", "--d-model", "2", "--attention-heads",
                             "1", "--d-ff", "2", "--decoder-layers", "32", "--max-length", "64",
                             "--source-vocabulary", "262144", "--target-vocabulary", "262144",
                             "-o", wide))
        found = run("lens", "logit", "--model", wide, "--limit", "1", "--source-ids",
                    ",".join(["5"] * 60))
        self.assert_says(found, "65 layers after 60 tokens over 262144 words need 2044723200",
                         "take a shorter sentence")

    def test_a_batch_has_64_sentences_at_most(self):
        several = "|".join(["4,2"] * 64)
        self.assert_done(run("show", "encoder.output", "--model", self.model,
                             "--source-ids", several, "--target-ids",
                             "|".join(["1"] * 64)))
        self.assert_says(self.on_ids(several + "|4,2"),
                         "a batch has at most 64 sentences")
        text = "|".join(["나는"] * 65)
        self.assert_says(run("generate", "--source", text),
                         "a batch has at most 64 sentences")

    def test_a_sentence_has_64_kib_at_most(self):
        size = 64 * 1024
        self.assert_says(run("generate", text="a" * size + "\n"), "line 1: ",
                         "max_length")
        self.assert_says(run("generate", text="a" * (size + 1) + "\n"),
                         "line 1 has more than 65536 bytes")
        self.assert_says(run("generate", "--source", "a" * (size + 1)),
                         "the sentence has 65537 bytes; the limit is 65536")

    def test_a_line_of_the_prompt_has_a_megabyte_at_most(self):
        size = 1 << 20
        found = prompt("a" * size, ":quit")
        self.assertIn("the sentence has 1048576 bytes; the limit is 65536", found.err)
        found = prompt("a" * (size + 1), ":quit")
        self.assertIn("the line has more than 1048576 bytes, which is the limit", found.err)
        found = prompt("a" * (20 * size), ":version", ":quit")
        self.assertIn("the line has more than 1048576 bytes, which is the limit", found.err)
        self.assertIn("GPL", found.out)

    def test_a_command_has_256_words_at_most(self):
        found = prompt(":help " + "x " * 255)
        self.assertNotIn("256 words", found.err)
        found = prompt(":help " + "x " * 256)
        self.assertIn("a command has at most 256 words", found.err)
        self.assert_says(run("help", *["x"] * 256), "more than 256 words", status=2)

    def test_a_cell_has_16_axes_at_most(self):
        for count, said in ((16, "has no axis 'x'"), (17, "a cell has at most 16 axes")):
            self.assert_says(self.on_ids("4,2", what="encoder.output[%s]"
                                         % ",".join(["x=0"] * count)), said)

    def test_24_curves_can_be_distinguished(self):
        for count, done in ((24, True), (25, False)):
            found = self.on_ids("4,5,2", "--as", "curves", "--dimensions",
                                ",".join(str(d) for d in range(count)), "-o",
                                self.path(f"{count}.svg"), command="draw")
            if done:
                self.assertEqual(found.status, 0, found.err)
            else:
                self.assert_says(found, "25 curves are too many to tell apart; choose at most 24 can be")

    def test_sizes_beyond_all_are_named_with_their_range(self):
        self.assert_says(run("new", "--preset", "paper", "--d-model", "2000000000", "-o",
                             self.path("huge")),
                         "d_model is '2000000000'; expected a whole number from 1 to "
                         "16384")
        self.assert_says(run("new", "--preset", "paper", "--d-model", "16384", "--d-ff",
                             "65536", "--encoder-layers", "64", "-o", self.path("huge")),
                         "the model exceeds the limit of 536870912 weights")
        write(self.path("recipe.json"), '{"data": "a", "output": "b"}')
        self.assert_says(run("train", self.path("recipe.json"), "--set",
                             "model.d_model=2000000000"),
                         "--set model.d_model=2000000000: d_model is '2000000000'; "
                         "expected a whole number from 1 to 16384")

    def test_json_nested_100000_deep_is_refused(self):
        write(self.path("small/config.json"), '{"a":' * 100000)
        self.assert_says(run("model", self.model), "config.json:1: lists and objects "
                         "are nested more than 32 deep")

    def test_a_batch_whose_logits_do_not_fit_is_refused_before_it_learns(self):
        words = ["<pad>", "<unk>", "<start>", "<end>", *(f"w{i}" for i in range(200000))]
        os.mkdir(self.path("known"))
        write(self.path("known/vocab.json"), json.dumps({w: i for i, w in enumerate(words)}))
        write(self.path("pairs.tsv"), "".join(f"w{i} w1\tw{i} w2\n" for i in range(1024)))
        recipe = {"preset": "paper", "data": "pairs.tsv", "tokenizer": "known", "header": "no",
                  "threads": 1, "batch": 1024, "steps": 1, "plot": "none", "samples": 0,
                  "output": "made",
                  "model": {"d_model": 2, "attention_heads": 1, "d_ff": 2, "max_length": 8,
                            "encoder_layers": 1, "decoder_layers": 1}}
        write(self.path("recipe.json"), json.dumps(recipe))
        self.assert_says(run("train", "recipe.json", folder=self.folder),
                         "a batch of 1024 sentences with up to 3 tokens and 200004 words",
                         "on each of 1 threads", "batch_tokens")
        self.assertFalse(os.path.exists(self.path("made/model.safetensors")))


if __name__ == "__main__":
    unittest.main()
