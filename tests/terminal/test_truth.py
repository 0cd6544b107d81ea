"""What is shown agrees with the numbers: no mask, word or limit that does not exist."""

import csv
import io
import json
import re
import unittest

from program import ProgramTest, prompt, read, run

TINY = ["--d-model", "16", "--attention-heads", "2", "--d-ff", "24",
        "--source-vocabulary", "20", "--target-vocabulary", "20"]
TWO = "나는 간다. | 친구를 어제 만났다."


class TruthTest(ProgramTest):
    def new(self, preset, *options):
        folder = self.path(preset)
        self.assert_done(run("new", "--preset", preset, *TINY, *options, "-o", folder))
        return folder


class Masks(TruthTest):
    """In kit-as-written the mask includes the diagonal: the first row has no key to attend to,
    and with a finite mask value it attends to all equally."""

    def look(self, address):
        return run("heat", address, "--model", self.new("kit-as-written"),
                   "--source-ids", "5,6,2", "--target-ids", "1,7,8,9").out

    def test_a_weight_that_is_not_0_is_not_hatched(self):
        lines = self.look("decoder.0.self_attention.weights[head=0]").split("\n")
        first = next(line for line in lines if line.startswith("0  "))
        self.assertEqual(first.split(), ["0"] + 4 * ["0.25"] + ["1.00"])

    def test_row_sums_are_sums_of_the_row(self):
        lines = self.look("decoder.0.self_attention.weights[head=1]").split("\n")
        begin = next(i for i, line in enumerate(lines) if line.rstrip().endswith("sum"))
        self.assertEqual([line.split()[-1] for line in lines[begin + 1:begin + 5]],
                         4 * ["1.00"])

    def test_a_weight_of_0_that_was_hidden_is_hatched(self):
        lines = self.look("decoder.0.self_attention.weights[head=0]").split("\n")
        second = next(line for line in lines if line.startswith("1  "))
        self.assertEqual(second.count("╱╱╱╱"), 3)

    def test_scores_are_hatched_where_the_mask_is(self):
        lines = self.look("decoder.0.self_attention.masked[head=0]").split("\n")
        first = next(line for line in lines if line.startswith("0  "))
        self.assertEqual(first.count("╱╱╱╱╱"), 4)


class Learning(TruthTest):
    """A training step reports only what can change."""

    def test_no_masked_cell_is_described(self):
        outcome = run("learn", "--model", self.new("paper"), "--all", "--source-ids",
                      "5,6,2", "--target-ids", "1,7,8,9,2", "--width", "160")
        self.assert_done(outcome)
        page = outcome.out.split("decoder.0.weights.grad\n")[1].split("Backwards")[0]
        told = re.findall(r"query=(\d+), key=(\d+)", page)
        self.assertGreaterEqual(len(told), 4)
        self.assertEqual([cell for cell in told if int(cell[0]) < int(cell[1])], [])
        self.assertIn("╱╱", page)

    def test_constants_get_no_direction(self):
        for preset, place, moves in (("paper", "position", False),
                                     ("pytorch", "position", True)):
            outcome = run("learn", "--model", self.new(preset), "--all", "--source-ids",
                          "5,6,2", "--target-ids", "1,7,8,2")
            page = outcome.out.split(f"encoder.{place}.grad\n")[1].split("Backwards")[0]
            self.assertEqual("the loss falls fastest" in page, moves, preset)
            self.assertEqual("it is given" in page, not moves, preset)

    def test_a_classifier_learns_a_label_and_no_word(self):
        outcome = run("learn", "negative", "--model", self.new("classifier"),
                      "--source-ids", "5,6,2", "--smoothing", "0.1")
        self.assert_done(outcome)
        self.assertIn("of its label", outcome.out)
        self.assertNotIn("word", outcome.out)


class Words(TruthTest):
    """Labels belong to a sentence of the batch."""

    def test_columns_of_several_sentences_are_counted(self):
        for command in ("show", "heat"):
            outcome = run(command, "encoder.ids[batch=0:2]", "--source", TWO,
                          "--width", "120")
            self.assert_done(outcome)
            head, first, second = [line for line in outcome.out.split("\n")
                                   if " 0 " in line or "0: " in line or "1: " in line][:3]
            self.assertNotIn("나는", head)
            self.assertIn("나는", first)
            self.assertNotIn("만났다", first)
            self.assertIn("1: 친", second)

    def test_one_sentence_keeps_its_words(self):
        outcome = run("show", "encoder.ids[batch=1]", "--source", TWO, "--width", "120")
        head = next(line for line in outcome.out.split("\n") if line.startswith("batch ↓"))
        self.assertIn("·만", head)
        self.assertNotIn("나는", head)

    def test_each_line_of_a_csv_has_its_own_words(self):
        path = self.path("ids.csv")
        self.assert_done(run("show", "encoder.ids[batch=0:2]", "--source", TWO, "-o", path))
        head, first, second = csv.reader(io.StringIO(read(path).decode()))
        self.assertEqual(head[:3], ["batch", "source", "0"])
        self.assertTrue(first[1].startswith("나는 "), first)
        self.assertIn("·만 ", second[1])


class Ends(TruthTest):
    """An untrained model does not generate <end>, but it can be inspected."""

    def test_decoding_ends_where_the_positions_end(self):
        model = self.new("paper", "--max-length", "32")
        outcome = run("generate", "--model", model, "--source-ids", "5,6,2")
        self.assert_done(outcome)
        self.assertEqual(len(outcome.out.split(",")), 32)
        path = self.path("run.json")
        self.assert_done(run("trace", "--model", model, "--source-ids", "5,6,2", "-o", path))
        ids = json.loads(read(path))["tensors"]["decoder.ids"]
        self.assertEqual([len(row) for row in ids["data"]], [32])

    def test_every_command_of_the_walk_runs_on_it(self):
        model = self.new("paper", "--max-length", "32")
        for command in (["show", "decoder.ids"], ["decode"], ["stages"]):
            self.assert_done(run(*command, "--model", model, "--source-ids", "5,6,2"))

    def test_a_sentence_at_the_prompt_is_read(self):
        model = self.path("words")
        self.assert_done(run("new", "--preset", "paper", *TINY[:6], "--max-length", "32",
                             "--tokenizer", "assets/models/ko-en", "-o", model))
        outcome = prompt(f":model {model}", "나는 간다.", ":options limit=32",
                         "나는 간다.", ":decode")
        self.assert_done(outcome)


if __name__ == "__main__":
    unittest.main()
