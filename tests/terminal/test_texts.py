"""A decoder-only model learns texts: from a file of lines, and from the current prompt."""

import json
import math
import pathlib
import random
import re
import unittest

from program import ProgramTest, prompt, run, write

RECIPE = {
    "data": "texts.txt", "output": "model", "tokenizer": "words", "validation_share": 0.1,
    "epochs": 3, "batch": 32, "warmup": 30, "samples": 2,
    "model": {"encoder_layers": 0, "decoder_layers": 1, "d_model": 32, "attention_heads": 4,
              "key_value_heads": 2, "d_ff": 64, "norm": "pre", "norm_type": "rms",
              "final_norm": True, "position": "rotary", "activation": "silu", "dropout": 0,
              "feed_forward_gate": True, "tie_embeddings": True, "logits_bias": False},
}


def texts(count):
    generator = random.Random(3)
    for _ in range(count):
        name, her = generator.choice((("Anna", "her"), ("Ben", "his")))
        thing = generator.choice(("kite", "ball", "lamp"))
        yield f"{name} lost {her} {thing} and found the {thing} again."


class Texts(ProgramTest):
    def train(self, recipe=RECIPE):
        write(self.path("texts.txt"), "\n".join(texts(600)) + "\n")
        write(self.path("recipe.json"), json.dumps(recipe))
        return run("train", self.path("recipe.json"))

    def test_it_learns_to_go_on_and_is_measured_by_perplexity(self):
        trained = self.train()
        self.assertEqual(trained.status, 0, trained.err)
        said = trained.out + trained.err
        self.assertRegex(said, r"    (Anna|Ben) lost \w+ \w+ -> .*again\.")
        held = float(re.findall(r"validation loss (\d\.\d+)", said)[-1])
        # Two names and three things are random; they determine the rest of the 11 tokens.
        self.assertLess(abs(held - (math.log(2) + math.log(3)) / 11), 0.08)
        found = run("evaluate", self.path("model"), self.path("texts.txt"), "--json")
        self.assert_done(found)
        figures = json.loads(found.out)
        self.assertEqual(figures["pairs"], 600)
        self.assertLess(abs(figures["loss"] - held), 0.05)
        self.assertAlmostEqual(figures["perplexity"], math.exp(figures["loss"]), 6)
        self.assertNotIn("bleu", figures)
        shown = run("evaluate", self.path("model"), self.path("texts.txt")).out
        self.assertIn("each separately, after <start>", shown)
        self.assertNotIn("BLEU", shown)
        going_on = run("generate", "--model", self.path("model"), "--source", "Anna lost her lamp")
        self.assertEqual(going_on.out.strip(), "and found the lamp again.")

    def test_the_smallest_preset_learns_names(self):
        """With the recipe and the grammar of README."""
        found = run("new", "--preset", "microgpt", "-o", self.path("initial"))
        self.assertIn("4192 weights", found.out)
        assets = pathlib.Path(__file__).resolve().parents[2] / "assets"
        write(self.path("names.json"), (assets / "recipes/names.json").read_text())
        said = run("grammar", str(assets / "grammar/names.json"), "-o", self.path("names"))
        self.assert_done(said)
        trained = run("train", self.path("names.json"))
        self.assertEqual(trained.status, 0, trained.err)
        found = run("evaluate", self.path("names/model"), self.path("names/test.tsv"), "--json")
        figures = json.loads(found.out)
        nats = float(re.search(r"says ([\d.]+) nats", said.out)[1])
        of_grammar = nats * figures["pairs"] / figures["tokens"]
        self.assertLess(math.exp(figures["loss"] - of_grammar), 1.15)
        letters = run("generate", "--model", self.path("names/model"), "--source", "K").out.split()
        self.assertTrue(letters and all(len(letter) == 1 for letter in letters), letters)

    def test_it_learns_the_current_text(self):
        self.assertEqual(self.train({**RECIPE, "epochs": 1}).status, 0)
        found = prompt(f":model {self.path('model')}", "Anna lost his kite.", ":learn",
                       ":learn Ben lost her lamp.", ":learn undo", ":target kite")
        self.assertIn("takes no target", found.err)
        tables = re.findall(r"^after .*\n((?:.+\n)+?)  Loss: ([\d.]+), the mean over (\d)",
                            found.out, re.M)
        self.assertEqual(len(tables), 2, found.out + found.err)
        for (rows, loss, count), words in zip(tables, ("<start> Anna lost his kite . <end>",
                                                       "<start> Ben lost her lamp . <end>")):
            cells = [row.split() for row in rows.strip().split("\n")]
            self.assertEqual([row[:2] for row in cells],
                             [list(pair) for pair in zip(words.split(), words.split()[1:])])
            self.assertEqual(len(cells), int(count))
            mean = sum(float(row[3]) for row in cells) / len(cells)
            self.assertLess(abs(mean - float(loss)), 1e-3)
        self.assertIn("2 steps are undone", found.out)

    def test_a_model_that_cannot_begin_or_end_a_text_is_not_trained(self):
        found = self.train({**RECIPE, "model": {**RECIPE["model"], "start_id": -1}})
        self.assertEqual(found.status, 1)
        self.assertIn("needs start_id, end_id and pad_id", found.err)


if __name__ == "__main__":
    unittest.main()
