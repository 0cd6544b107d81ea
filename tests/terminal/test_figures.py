"""Figures as users request them: what is drawn, and what cannot be drawn."""

import csv
import json
import math
import re
import unittest

from program import SENTENCE, ProgramTest, prompt, read, run

WEIGHTS = "encoder.0.self_attention.weights"


class Alone(ProgramTest):
    """Figures that are the same for every sentence need no sentence."""

    def draw(self, *words):
        self.assert_done(run("draw", *words, "-o", self.path("a.txt"), "--force"))
        return read(self.path("a.txt")).decode()

    def test_the_schedule_needs_no_model(self):
        text = self.draw("schedule", "--warmup", "4000", "--d-model", "512")
        self.assertIn("d_model 512, warmup 4000", text)
        self.assertNotIn("model:", text)
        highest = 512 ** -0.5 * 4000 ** -0.5
        self.assertLess(highest, 0.0008)
        self.assertIn("0.0008│", text)
        self.assertIn("20000", text.split("─")[-1], "five times the warmup")

    def test_the_schedule_ends_at_the_given_step(self):
        self.assertIn("300", self.draw("schedule", "--warmup", "100", "--steps", "300")
                      .split("─")[-1])

    def test_positions_are_sines_and_cosines(self):
        text = self.draw("position", "--length", "3", "--d-model", "4", "--annotate")
        rows = [[float(x) for x in re.findall(r"-?\d\.\d\d", line)]
                for line in text.split("\n") if re.match(r"\s*[012]\s", line)]
        rows = [row for row in rows if len(row) == 4]
        for place, row in enumerate(rows):
            expected = [math.sin(place), math.cos(place),
                        math.sin(place / 100), math.cos(place / 100)]
            for a, b in zip(row, expected, strict=True):
                self.assertAlmostEqual(a, b, delta=0.0051)
        self.assertEqual(len(rows), 3, text)

    def test_positions_of_a_model(self):
        self.assertIn("dimension 16", self.draw("position", "--length", "100", "--as", "curves"))
        self.assert_says(run("draw", "position", "--model", "seq2seq-ko-en"), "no positions")
        self.assert_done(run("new", "--preset", "prenorm", "--max-length", "20", "--d-model", "16",
                             "-o", self.path("learned")))
        self.assertIn("learned positions",
                      self.draw("position", "--model", self.path("learned"), "--length", "20"))
        self.assert_says(run("draw", "position", "--model", self.path("learned"),
                             "--length", "21"), "learned 20 positions")

    def test_a_mistyped_name_is_corrected(self):
        for typed, meant in (("positions", "position"), ("map2", "map"), ("stesp", "steps")):
            said = f"there is no figure '{typed}'; did you mean {meant}?"
            self.assert_says(run("draw", typed, "-o", self.path("a.png")), said)
        for address in ("mask", "embedding", "show"):
            self.assert_says(run("draw", address), "no sentence to run; type one")
        self.assert_says(run("show", "positions"), "no sentence to run; type one")
        self.assertIn("there is no figure 'positions'", prompt(":draw positions").err)

    def test_the_command_draws_it_again(self):
        text = self.draw("schedule", "--warmup", "10")
        self.assertIn("command: glassbox draw schedule --warmup 10 --output", text)

    def test_flags_of_others_are_refused(self):
        self.assert_says(run("draw", WEIGHTS, "--source", "a", "--warmup", "3"), "--warmup")
        self.assert_says(run("draw", "schedule", "--length", "3"), "--length")
        self.assert_says(run("draw", "schedule", "--as", "heatmap"), "--as curves")

    def test_positions_are_those_of_the_model_or_of_none(self):
        self.assertIn("model: gpt2", self.draw("position", "--model", "gpt2"))
        self.assertNotIn("model:", self.draw("position", "--d-model", "512"))
        for model, word in (("llama", "rotates"), ("minimal", "adds no positions;")):
            self.assert_says(run("draw", "position", "--model", model, "-o", "a.txt"), word)

    def test_at_the_prompt_without_a_sentence(self):
        outcome = prompt(":draw position --length 9 -o p.txt", folder=self.folder)
        self.assert_done(outcome)
        self.assertIn("wrote p.txt", outcome.out)


class Drawn(ProgramTest):
    def draw(self, *words):
        self.assert_done(run("draw", *words, "--source", "갔다.", "--limit", "2", "-o",
                             self.path("a.txt"), "--force"))
        return read(self.path("a.txt")).decode()

    def test_dimensions_are_curves(self):
        self.assertIn("d_model 5", self.draw("encoder.0.norm_1", "--dimensions", "0,5"))
        self.assert_says(run("draw", "encoder.0.norm_1", "--source", "a", "--as", "heatmap",
                             "--dimensions", "0"), "--dimensions chooses curves")

    def test_a_part_of_a_row_has_no_sum(self):
        self.assertIn("sum", self.draw(WEIGHTS + "[head=0]"))
        self.assertNotIn("sum", self.draw(WEIGHTS + "[head=0, key=0:2]"))

    def test_scale_is_pixels(self):
        sizes = []
        for scale in ("1", "2"):
            self.assert_done(run("draw", WEIGHTS, "--source", "a", "--limit", "1", "--scale",
                                 scale, "-o", self.path("a.png"), "--force"))
            sizes.append(int.from_bytes(read(self.path("a.png"))[16:20], "big"))
        self.assertEqual(sizes[1], 2 * sizes[0])
        self.assert_says(run("draw", WEIGHTS, "--source", "a", "--scale", "0"), "--scale", status=2)

    def test_a_confusion_matrix_says_how_it_was_made(self):
        self.assert_done(run("evaluate", "classifier", "-o", self.path("a.svg"),
                             folder=self.folder))
        facts = dict(re.findall('<fact name="(.*?)">(.*?)</fact>',
                                read(self.path("a.svg")).decode()))
        self.assertEqual(facts["model"], "classifier")
        self.assertEqual(facts["data"], "classifier/held-out.tsv")
        self.assertTrue(facts["command"].startswith("glassbox evaluate classifier --output"))

    def test_pictures_of_a_training_say_where_they_come_from(self):
        with open(self.path("pairs.tsv"), "w") as file:
            file.write("".join(f"{a} {b}\t{b} {a}\n" for a in "abcd" for b in "fghi"))
        address = "decoder.0.cross_attention.weights"
        recipe = {"preset": "paper", "model": {"d_model": 8, "d_ff": 8, "attention_heads": 2,
                                               "encoder_layers": 1, "decoder_layers": 1},
                  "tokenizer": "words", "vocabulary": 20, "data": "pairs.tsv", "batch": 8,
                  "steps": 3, "output": "made", "snapshots": [address], "plot": "svg",
                  "log_every": 1, "snapshot_every": 100}
        with open(self.path("r.json"), "w") as file:
            json.dump(recipe, file)
        outcome = run("train", "r.json", "--set", "seed=7", folder=self.folder)
        self.assertEqual(outcome.status, 0, outcome.err)
        for name in ("loss.svg", address + ".svg"):
            facts = dict(re.findall('<fact name="(.*?)">(.*?)</fact>',
                                    read(self.path("made/" + name)).decode()))
            self.assertEqual(facts["recipe"], "r.json")
            self.assertEqual(facts["seed"], "7")
            self.assertEqual((facts["data"], facts["model"], facts["steps"]),
                             ("pairs.tsv", "paper", "3"))
            self.assertEqual(facts["command"], "glassbox train r.json --set seed=7")
        self.assertRegex(facts["sentence"], "^[abcd] [fghi]$")
        # The last step is drawn as if it had been requested.
        seen = read(self.path(f"made/{address}.svg"))
        with open(self.path("r.json"), "w") as file:
            json.dump({**recipe, "snapshot_every": 3}, file)
        run("train", "r.json", "--set", "seed=7", "--force", folder=self.folder)
        self.assertEqual(read(self.path(f"made/{address}.svg")), seen)
        self.assertIn(b"step 3.", read(self.path("made/snapshots.safetensors")))


class Masks(ProgramTest):
    """The mask as numbers: 1 is masked."""

    def mask(self, name, *words):
        path = self.path("mask.csv")
        self.assert_done(run("show", f"mask.{name}[batch=1]", *words, "-o", path, "--force"))
        lines = read(path).decode().split("\r\n")[1:-1]
        queries = [line.split(",") for line in lines]
        return [[int(x) for x in row if re.fullmatch("[01]", x)][1:] for row in queries]

    def a_new_model(self, preset):
        folder = self.path(preset)
        self.assert_done(run("new", "--preset", preset, "--d-model", "8",
                             "--attention-heads", "2", "-o", folder, "--source-vocabulary",
                             "20", "--target-vocabulary", "20"))
        return ["--model", folder, "--source-ids", "5,7,2|9,2"]

    def of_batch(self, name, words):
        """Rows of three tokens of the second sentence, of which the last is padding."""
        return [row[-3:] for row in self.mask(name, *words, "--target-ids", "1,5,6|1,7")]

    def test_of_a_padded_target(self):
        words = self.a_new_model("paper")
        self.assertEqual(self.of_batch("padding", words), [[0, 0, 1]])
        self.assertEqual(self.of_batch("look_ahead", words),
                         [[0, 1, 1], [0, 0, 1], [0, 0, 0]])
        self.assertEqual(self.of_batch("combined", words),
                         [[0, 1, 1], [0, 0, 1], [0, 0, 1]])

    def test_of_a_tutorial_that_hides_the_diagonal(self):
        words = self.a_new_model("kit-as-written")
        self.assertEqual(self.of_batch("look_ahead", words),
                         [[1, 1, 1], [0, 1, 1], [0, 0, 1]])

    def test_without_a_decoder_only_padding_is_hidden(self):
        words = ["--model", "classifier", "--source", "나는 어제 갔다. | 갔다."]
        self.assertEqual(self.mask("padding", *words)[0][-1], 1)
        self.assert_says(run("show", "mask.combined", *words), "no address")

    def test_the_convention_is_said(self):
        outcome = prompt(SENTENCE, ":show mask.combined", ":draw mask.combined -o m.txt",
                         folder=self.folder)
        self.assertIn("1 is masked, 0 is visible", outcome.out)
        self.assertIn("1 is masked, 0 is visible", read(self.path("m.txt")).decode())


class Norms(ProgramTest):
    """A layer norm changes the mean and the deviation of a row, so its tables have them."""

    def moments(self, address):
        """As printed in the table, and as computed from all numbers of the row."""
        words = [address, "--source", "갔다.", "--limit", "1"]
        self.assert_done(run("show", *words, "-o", self.path("a.csv"), "--force"))
        with open(self.path("a.csv"), encoding="utf-8", newline="") as file:
            header, *lines = csv.reader(file)
        first = header.index("0")
        expected = []
        for line in lines:
            row = [float(x) for x in line[first:]]
            mean = sum(row) / len(row)
            expected.append((mean, math.sqrt(sum((x - mean) ** 2 for x in row) / len(row))))
        table = run("show", *words)
        self.assert_done(table)
        said = []
        if "deviation" in table.out:
            said = [tuple(map(float, line.split()[-2:]))
                    for line in table.out.split("\n")[3:3 + len(lines)]]
        return said, expected

    def test_of_what_it_reads_and_gives(self):
        for address in ("encoder.0.add_1", "encoder.0.norm_1", "encoder.output"):
            said, expected = self.moments(address)
            self.assertEqual(len(said), len(expected), address)
            for a, b in zip(said, expected):
                self.assertAlmostEqual(a[0], b[0], delta=0.00051)
                self.assertAlmostEqual(a[1], b[1], delta=0.00051)

    def test_of_nothing_else(self):
        self.assertEqual(self.moments("encoder.0.self_attention.output")[0], [])

    def test_in_the_walk(self):
        outcome = prompt("갔다.", ":goto encoder.0.norm_1")
        self.assertEqual(len(re.findall("mean  deviation", outcome.out)), 2)


if __name__ == "__main__":
    unittest.main()
