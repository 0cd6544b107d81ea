"""What if: options, presets and dropout of the current model, a training step, and part of the
tokens; what is reported, and what is rejected."""

import csv
import os
import re
import unittest

from program import SENTENCE, ProgramTest, prompt, read, run, sample

WEIGHTS = "encoder.0.self_attention.weights"


class Options(ProgramTest):
    def test_both_answers_and_both_rows_are_shown(self):
        out = prompt(SENTENCE, ":option scale_scores false").out.split(":map")[-1]
        self.assertIn("scale_scores: true → false", out)
        self.assertIn("before: I met a friend in Busan yesterday.", out)
        self.assertIn("after: ", out)
        rows = re.findall(r"^ *(before|now) +([\d. ]+)$", out, re.M)
        self.assertEqual([name for name, _ in rows], ["before", "now"])
        for _, numbers in rows:
            self.assertEqual(numbers.split()[-1], "1.00")

    def test_the_effect_of_the_division_is_explained(self):
        out = prompt(SENTENCE, ":option scale_scores false", ":option reset").out
        self.assertIn("Without the division by √d_head, scores are 4.9 times", out)
        self.assertIn("Scores are divided by √d_head = 4.9 again", out)

    def test_what_is_new_is_named(self):
        out = prompt(SENTENCE, ":option norm pre final_norm true").out
        self.assertIn("model.encoder.layer_norm.weight", out)
        self.assertIn("initial weights", out)

    def test_changes_are_listed_and_taken_back(self):
        out = prompt(":option", ":option causal false", ":option", ":option reset",
                     ":option").out
        self.assertEqual(out.count("no option of the model was changed"), 2)
        self.assertIn("was true", out)

    def test_minus_infinity_is_a_value(self):
        found = prompt(":option mask_value -1e9", ":option mask_value -inf", ":option")
        self.assertEqual(found.err, "")
        self.assertIn("no option of the model was changed", found.out)

    def test_a_subcommand_takes_options(self):
        found = run("heat", WEIGHTS + "[head=0]", "--option", "scale_scores=false",
                    "--source", SENTENCE)
        other = run("heat", WEIGHTS + "[head=0]", "--source", SENTENCE)
        self.assertEqual((found.status, found.err), (0, ""))
        self.assertNotEqual(found.out, other.out)

    def test_the_command_of_a_figure_makes_it_again(self):
        prompt(SENTENCE, ":option scale_scores false", f":draw {WEIGHTS} -o a.txt",
               folder=self.folder)
        with open(self.path("a.txt")) as file:
            text = file.read()
        self.assertIn("options: scale_scores=false", text)
        self.assertIn("--option scale_scores=false", text)

    def test_what_is_refused_says_why(self):
        lines, wanted = [], []
        for line, why in sample(((":option xyzzy 1", "no option 'xyzzy'"),
                                 (":option norn pre", "did you mean norm"),
                                 (":option norm sideways", "one of post, pre, none"),
                                 (":option norm pre final_norm", "no value for"),
                                 (":option d_model 97", "expected a multiple of"),
                                 (":option source_vocabulary 7", "the tokenizer"),
                                 (":option tokenizer words", "tokenizer"),
                                 (":option share_embeddings 3", "true or false"),
                                 (":option max_length 3", "3"),
                                 (":option norm=", "one of"),
                                 (":preset xyzzy", "there is no preset"),
                                 (":preset", "usage"),
                                 (":dropout maybe", "on or off"),
                                 (":dropout on --seed x", "whole number"),
                                 (":heat weights --option norm", "NAME=VALUE")), 3):
            lines += [line, ":option", ":tokens"]
            wanted.append((line, why))
        found = prompt(SENTENCE, *lines)
        parts = found.out.split("no option of the model was changed")[1:]
        self.assertEqual(len(parts), len(wanted), found.out)
        for (line, why), part in zip(wanted, parts):
            self.assertIn(why, found.err, line)
            self.assertIn("·부산", part, line)

    def test_another_model_reads_the_sentence_again(self):
        out = prompt(SENTENCE, ":model chatbot", ":tokens").out
        self.assertIn("read again: " + SENTENCE, out)
        self.assertIn('source: "' + SENTENCE, out)
        found = prompt("5,7,9,2", ":model ko-en", ":model minimal")
        self.assertEqual(found.status, 0, found.err)

    def test_a_long_sentence_that_the_next_model_cannot_read(self):
        out = prompt(":model minimal", "나는 " * 100, ":model ko-en", ":models").out
        self.assertIn("it cannot read the previous sentence", out)

    def test_dropout_says_which_rows_it_changes(self):
        out = prompt(SENTENCE, ":dropout", ":dropout on",
                     ":option attention_dropout 0.3", ":goto weights-dropped").out
        self.assertIn("dropout is off", out)
        self.assertIn("still sum to 1", out.replace("\n  ", " "))
        self.assertRegex(out.replace("\n  ", " "), r"sum to \d\.\d\d: \d+ of 11 were")
        found = prompt(SENTENCE, ":option dropout 0", ":dropout on")
        self.assertIn("drops nothing", found.err)


class Learning(ProgramTest):
    def test_a_step_is_walked_from_the_loss_to_the_first_stage(self):
        out = prompt(SENTENCE, ":options depth=boxes",
                     ":learn I met a friend in Seoul yesterday.", *13 * [""]).out
        stops = re.findall(r"^(\d+)/(\d+)  (Loss|Backwards|Adam)", out, re.M)
        self.assertEqual(stops[0][2], "Loss")
        self.assertEqual(stops[-1][2], "Adam")
        self.assertEqual([int(stop[0]) for stop in stops],
                         list(range(1, int(stops[0][1]) + 1)))
        text = out.replace("\n  ", " ")
        self.assertIn('the loss falls fastest if the logit of "·Seoul" rises (slope -', text)
        self.assertIn('the logit of "·Busan" falls (slope 0', text)
        before, after = re.search(r"Loss: (\d\.\d+) → (\d\.\d+)", text).groups()
        self.assertLess(float(after), float(before))

    def test_the_loss_is_the_mean_of_the_places(self):
        out = prompt(SENTENCE, ":learn I met a friend.").out
        places = [float(number) for number in
                  re.findall(r"^\S+ +\S+ +[\d.e-]+ +([\d.]+)  \S+ +[\d.]+$", out, re.M)]
        self.assertEqual(len(places), 7)
        loss = float(re.search(r"Loss: (\d\.\d+)", out).group(1))
        self.assertAlmostEqual(sum(places) / len(places), loss, places=3)

    def test_a_gradient_is_taken_apart_up_to_the_loss(self):
        out = prompt(SENTENCE, ":learn I met a friend.", ":why logits.grad[0,0,77]",
                     ":why 1", ":why encoder.0.norm_1.grad[0,0]", ":why 1",
                     ":heat decoder.0.self_attention.weights.grad").out
        self.assertIn("target) / 7 positions", out)
        self.assertIn("the loss moves with itself", out)
        for shown, held in re.findall(r"sum +=  *(\S+) +cell value: (\S+)", out):
            self.assertAlmostEqual(float(shown), float(held), places=5)

    def test_gradients_keep_their_words_when_the_sentence_goes(self):
        tensor = "encoder.0.norm_1.grad"
        learned = SENTENCE, ":learn I met a friend."
        for place, others in enumerate((("너는",), (":target I am",),
                                        ("너는", "우리는 내일 만난다.", "나는"))):
            for line in sample((f":heat {tensor}", f":show {tensor}", f":why {tensor}[0, 0, 0]",
                                ":show logits.grad[vocabulary=77]"), 3, place):
                said = []
                for lines in (learned, learned + others):
                    outcome = prompt(*lines, ":version", line)
                    self.assert_done(outcome)
                    said.append(outcome.out.rpartition("GPL-3.0")[2])
                self.assertIn("I" if "logits" in line else "나는", said[0])
                self.assertEqual(*said, (line, others))

    def test_undo_gives_back_what_was_copied_after_it_learned(self):
        fresh, back = self.path("fresh.npz"), self.path("back.npz")
        options = (":option tie_embeddings false",), (":option share_layers true",
                                                      ":option share_layers false")
        for lines in options:
            self.assert_done(prompt(SENTENCE, *lines, f":trace -o {fresh} --force"))
            self.assert_done(prompt(SENTENCE, ":learn I met a friend. --rate 0.1", *lines,
                                    ":learn undo", f":trace -o {back} --force"))
            self.assertEqual(read(fresh), read(back), lines)

    def test_undo_gives_back_the_target_that_there_was(self):
        said = "[batch 1, target 7]"  # <start> and six tokens of "I met a friend."
        for before, shown in (((), "target 10]"), ((":target I met.",), "target 5]")):
            lines = SENTENCE, *before, ":learn I met a friend.", ":learn", ":learn undo"
            found = prompt(*lines, ":show decoder.ids")
            self.assert_done(found)
            self.assertIn(shown, found.out.split("taken back")[-1])
            self.assertNotIn(said, found.out.split("taken back")[-1])
        kept = prompt(SENTENCE, ":learn I met a friend.", ":target I met a friend.", SENTENCE,
                      ":target I met.", ":learn undo", ":show decoder.ids").out
        self.assertIn("target 5]", kept.split("taken back")[-1])

    def test_the_last_page_holds_the_answer_before_and_after(self):
        out = prompt(SENTENCE, ":learn I met a friend at Busan. --rate 0.01 --all").out
        adam = out.split("Adam: ")[-1]
        self.assertIn("before: I met a friend in Busan yesterday. (confidence: 93%)", adam)
        self.assertRegex(adam, r"after: .* \(confidence: \d+%\)")
        out = prompt(":model classifier", "시험에 합격해서 정말 행복해요.", ":learn 기쁨 --all").out
        self.assertRegex(out.split("Adam: ")[-1], r"The answer stays: joy \(confidence: \d+")

    def test_what_cannot_move_is_not_spoken_of(self):
        words = ["<start>", "I", "·m", "et", "·a", "·friend", "."]
        out = prompt(SENTENCE, ":options depth=numbers", ":learn I met a friend. --all").out
        pages = re.split(r"\n[\d.]+/\d+  ", out)
        self.assertIn("A gradient is a slope", pages[2])
        spoken = 0
        for page in pages:
            if re.match(r".*position\.grad", page):
                self.assertIn("Nothing here can be learned or moved", page)
            for query, key in re.findall(r"\[head=\d,\s+query=(\S+),\s+key=(\S+)\]", page):
                if query in words and key in words:  # of the decoder's own attention
                    spoken += 1
                    self.assertLessEqual(words.index(key), words.index(query), page)
        self.assertGreater(spoken, 6)

    def test_what_is_refused_says_why(self):
        cases = (((":learn a",), "no sentence to run"),
                 ((SENTENCE, ":learn"), "no target to learn from"),
                 ((SENTENCE, ":learn undo"), "nothing to undo"),
                 ((SENTENCE, ":learn a --rate x"), "--rate is 'x'"),
                 ((SENTENCE, ":learn a --rate nan"), "--rate is 'nan'"),
                 ((SENTENCE, ":learn a --smoothing 1"), "--smoothing is '1'"),
                 ((SENTENCE, ":learn a --cell xyzzy"), "no address 'xyzzy'"),
                 ((SENTENCE, ":learn a --cell encoder.0.norm_1[0,0]"),
                  "no address"),
                 ((SENTENCE, ":why logits.grad[0,0,0]"), "compute them with :learn"),
                 ((":model classifier", SENTENCE, ":learn xyzzy"),
                  "the labels of this model are"),
                 ((":model minimal", SENTENCE, ":learn a"), "no loss"))
        said = prompt(*[line for lines, _ in cases for line in lines]).err.splitlines()
        for (lines, why), told in zip(cases, said, strict=True):
            self.assertIn(why, told, lines)

    def test_a_subcommand_says_all_stops(self):
        out = run("learn", "I", "met", "--source", "나는", "--cell", "lm_head.bias[77]").out
        self.assertIn("Backwards: Logits", out)
        self.assertIn("lm_head.bias[vocabulary=I]", out)

    def test_the_folder_stays_as_it_is(self):
        path = os.path.join(os.path.dirname(__file__),
                            "../../assets/models/ko-en/model.safetensors")
        with open(path, "rb") as file:
            before = file.read()
        prompt(SENTENCE, ":learn I met a friend.")
        with open(path, "rb") as file:
            self.assertEqual(file.read(), before)


class Tokens(ProgramTest):
    def numbers(self, *lines):
        found = prompt(SENTENCE, *lines, f":show {WEIGHTS}[head=1] -o a.csv --force",
                       folder=self.folder)
        self.assertEqual(found.status, 0, found.err)
        with open(self.path("a.csv"), encoding="utf-8") as file:
            rows = list(csv.reader(file))
        return [float(cell) for row in rows[1:] for cell in row[3:]]

    def test_joined_columns_are_added_and_joined_rows_averaged(self):
        whole = self.numbers()
        self.assertEqual(len(whole), 121)
        chosen = self.numbers(":only 나는 부산+에서")
        self.assertEqual(len(chosen), 4)
        at = lambda row, column: whole[11 * row + column]
        self.assertAlmostEqual(chosen[0], at(0, 0), places=5)
        self.assertAlmostEqual(chosen[1], at(0, 2) + at(0, 3), places=5)
        self.assertAlmostEqual(chosen[2], (at(2, 0) + at(3, 0)) / 2, places=5)

    def test_a_word_is_its_pieces_joined(self):
        self.assertEqual(self.numbers(":only 나는 만났다"), self.numbers(":only 나는 6+7+8"))

    def test_a_window_is_a_part_of_the_same_numbers(self):
        whole = self.numbers()
        part = self.numbers(":window 2:5")
        self.assertEqual(part, [whole[11 * row + column] for row in (2, 3, 4)
                                for column in (2, 3, 4)])

    def test_a_number_outside_of_the_window_can_be_asked_about(self):
        out = prompt(SENTENCE, ":window 0:2", f":why {WEIGHTS}[0, 7, 7]").out
        self.assertIn("cell value:", out)

    def test_what_is_refused_says_why(self):
        cases = ((":window 5:2", "FROM:TO"), (":window a:b", "FROM:TO"),
                 (":window 1:2:3", "FROM:TO"), (":window 99999999999999:", "FROM:TO"),
                 (":window 50:60", "none from 50 on"),
                 (":only xyzzy", "no token or word 'xyzzy'"),
                 (":only 부산+xyzzy", "no token or word 'xyzzy'"),
                 (":only 99", "no token or word '99'"))
        said = prompt(SENTENCE, *[line for line, _ in cases]).err.splitlines()
        for (line, why), told in zip(cases, said, strict=True):
            self.assertIn(why, told, line)
        self.assert_done(prompt(SENTENCE, ":window :"))

    def test_every_stage_shows_chosen_tokens(self):
        stages = [f":goto {number}" for number in sample(range(1, 20), 3)]
        for choice in (":only 0 1+2 <end>", ":window 1:3"):
            found = prompt(SENTENCE, choice, *stages)
            self.assertEqual((found.status, found.err), (0, ""))


if __name__ == "__main__":
    unittest.main()
