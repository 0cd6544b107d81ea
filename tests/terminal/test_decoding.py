"""Other ways to decode: the tree of beam search, random sampling, picked tokens, teacher forcing,
and what each token attended to."""

import itertools
import math
import re
import unittest

from program import SENTENCE, ProgramTest, prompt, read, run, sample, width

WINNER = "I met a friend in Busan yesterday."
UNKNOWN = "블록체인이 뭐야?"
SOURCE = ("--source", SENTENCE)
SEQ2SEQ = ("--model", "seq2seq-ko-en", "--source", "나는 친구를 만났다.")


def numbers(line):
    return [float(number) for number in re.findall(r"-?\d+\.\d+", line)]


class Beam(ProgramTest):
    def beam(self, *words):
        outcome = run("beam", *words)
        self.assert_done(outcome)
        return outcome.out

    def test_the_tree_has_its_ends(self):
        text = self.beam("3", *SOURCE)
        self.assertRegex(text, r"<start>\n├─ I 0\.93\n")
        self.assertIn("dropped from the best 3 (-", text)
        self.assertRegex(text, r"<end> 0\.92 ■ -0\.39")
        self.assertIn("unfinished when the search ended", text)
        winner = next(line for line in text.split("\n") if line.startswith("▶ 1"))
        self.assertTrue(winner.endswith(WINNER), winner)
        log_p, mean, score = numbers(winner)
        self.assertAlmostEqual(mean, log_p / 10, places=2)
        self.assertAlmostEqual(score, log_p / ((5 + 10) / 6) ** 0.6, places=2)
        self.assertIn("Greedy decoding finds the same sentence.", text)

    def test_it_finds_what_greedy_decoding_misses(self):
        text = self.beam("4", "--penalty", "0", "--source", UNKNOWN)
        best = numbers(next(line for line in text.split("\n") if line.startswith("▶")))
        greedy = numbers(next(line for line in text.split("\n") if line.startswith("greedy")))
        self.assertGreater(best[0], greedy[0])
        self.assertEqual(best[0], best[2])
        self.assertIn("Greedy decoding finds another sentence", text)

    def test_a_beam_of_one_is_greedy(self):
        text = self.beam("1", "--source", UNKNOWN)
        self.assertIn("finds the same sentence", text)
        self.assertIn(run("generate", "--source", UNKNOWN).out.strip(), text)
        self.assertNotIn("├", text)

    def test_seq2seq_also_has_one(self):
        self.assertIn("■", self.beam("2", *SEQ2SEQ))
        self.assertIn("▶ 1", self.beam("2", "--model", "ko-en", "--source-ids", "5,7,9,2"))

    def test_no_line_of_the_tree_is_longer_than_the_terminal(self):
        pairs = itertools.product(("20", "40", "60", "80", "120"), ("1", "3", "8"))
        for columns, beams in sample(pairs, 4):
            text = self.beam(beams, "--width", columns, "--source", UNKNOWN)
            tree = text[:text.index("After a token")]
            for line in tree.split("\n"):
                self.assertLessEqual(width(line), max(40, int(columns)), line)

    def test_it_is_drawn_as_every_figure_is(self):
        for ending, begin in sample(((".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF"),
                                     (".txt", b"Beam search")), 3):
            path = self.path("tree" + ending)
            self.assert_done(run("beam", "2", *SOURCE, "-o", path))
            self.assertTrue(read(path).startswith(begin))
            self.assertIn("already exists", run("beam", "2", *SOURCE, "-o", path).err)

    def test_the_command_that_is_recorded_draws_it_again(self):
        first, again = self.path("first.txt"), self.path("again.txt")
        self.assertEqual(prompt(SENTENCE, ":beam 5 --penalty 0.3", f":draw beam -o {first}").err, "")
        text = read(first).decode()
        self.assertIn("the 5 best at each step, length penalty 0.3", text)
        command = re.search(r"command: (glassbox draw beam.*)", re.sub(r"\n(?=\S)", " ", text))
        self.assertIn("--beams 5 --penalty 0.3", command.group(1))
        self.assert_done(run("draw", "beam", *SOURCE, "--beams", "5", "--penalty", "0.3", "-o", again))
        self.assertEqual(text.split("command:")[0], read(again).decode().split("command:")[0])

    def test_invalid_beam_widths_are_rejected(self):
        for words, part in sample(((("0",), "width of a beam is '0'"), (("65",), "from 1 to 64"),
                                   (("-1",), "'-1'"), (("three",), "'three'"), (("3.5",), "'3.5'"),
                                   (("3", "--penalty", "-1"), "--penalty is '-1'"),
                                   (("3", "--penalty", "nan"), "'nan'"),
                                   (("3", "--penalty", "1e9"), "from 0 to 10")), 3):
            self.assert_says(run("beam", *words, *SOURCE), part, status=2)
        self.assert_says(run("draw", "beam", "--beams", "0", *SOURCE), "--beams is '0'", status=2)
        self.assert_says(run("draw", "beam", "--as", "curves", *SOURCE), "are not numbers")
        self.assert_says(run("draw", "map", "--beams", "3"), "--beams")


class Changed(ProgramTest):
    NOTE = "changes to numbers of the decoder do not"

    def after_change(self, line, change=":zero decoder.0.norm_1"):
        return prompt("나는 친구를 만났다.", change, line)

    def test_what_decodes_again_says_which_changes_apply(self):
        for line in (":beam 1", ":draw beam -o " + self.path("a.txt"), ":sample --count 1",
                     ":force I met."):
            self.assertEqual(self.after_change(line).out.count(self.NOTE), 1, line)

    def test_what_is_refused_or_is_not_decoded_again_does_not(self):
        for line, problem in ((":beam 0", "from 1 to 64"), (":beam 2 --penalty x", "'x'"),
                              (":force", "no target"), (":sample --step 99", "no step")):
            outcome = self.after_change(line)
            self.assertIn(problem, outcome.err)
            self.assertNotIn(self.NOTE, outcome.out)
        steps = [self.after_change(":sample --step 0", change).out.partition("Step 0")[2]
                 for change in (":zero decoder.0.norm_1", "")]
        self.assertNotEqual(*steps)
        self.assertNotIn(self.NOTE, self.after_change(":sample --step 0").out)


class Without(ProgramTest):
    def test_a_model_without_decoder_says_so(self):
        for words in (("beam",), ("sample",), ("pick", "0", "2"), ("force", "a"),
                      ("heat", "decoding"), ("draw", "decoding"), ("draw", "beam")):
            self.assert_says(run(*words, "--model", "classifier", "--source-ids", "5,7,2"),
                             "this model has no decoder")

    def test_without_a_sentence_there_is_nothing_to_decode(self):
        lines = ":beam", ":sample", ":pick 0 2", ":branches", ":force a", ":heat decoding"
        self.assertEqual(prompt(*lines).err.count("no sentence to run"), len(lines))

    def test_a_target_that_was_given_was_not_decoded(self):
        given = (*SOURCE, "--target", "I met a friend.")
        for words in (("pick", "0", "2"), ("sample", "--step", "0"), ("heat", "decoding")):
            self.assert_says(run(*words, *given), "the target was given")
        self.assert_done(run("beam", "2", *given))
        self.assert_done(run("sample", "--count", "1", *given))


class Sample(ProgramTest):
    def sample(self, *words):
        outcome = run("sample", *words, *SOURCE)
        self.assert_done(outcome)
        return outcome.out

    def test_the_seed_decides(self):
        words = ("--temperature", "1.3", "--top-k", "20", "--count", "6", "--seed")
        self.assertEqual(self.sample(*words, "7"), self.sample(*words, "7"))
        self.assertNotEqual(self.sample(*words, "7").split("\n", 1)[1],
                            self.sample(*words, "8").split("\n", 1)[1])

    def test_all_that_was_asked_for_is_drawn(self):
        text = self.sample("--temperature", "1.3", "--top-k", "5", "--count", "40")
        rows = [line for line in text.split("\n") if re.match(r" +\d+ +\d\S* +\d", line)]
        self.assertEqual(sum(int(row.split()[0]) for row in rows), 40)
        self.assertGreater(len(rows), 1)

    def test_sampling_only_the_best_token_is_greedy(self):
        for cut in (("--top-k", "1"), ("--top-p", "0.001"), ("--temperature", "0.001")):
            text = self.sample(*cut, "--count", "3")
            self.assertRegex(text, r" +3 +0\.50\d\d +1\.0000  " + re.escape(WINNER))

    def test_a_step_shows_the_whole_way(self):
        text = self.sample("--step", "5", "--temperature", "2", "--top-k", "3", "--top-p", "0.95")
        rows = {}
        for line in text.split("\n"):
            match = re.match(r"(▶?) +(\S+) +(\d.*)", line)
            if match and len(numbers(line)) > 2:
                rows[match.group(2)] = numbers(line)
        logit, scaled, softmax, share, total = rows["·in"][:5]
        self.assertAlmostEqual(logit / 2, scaled, places=2)
        self.assertEqual(share, total)
        ratio = math.exp(rows["·in"][1] - rows["·at"][1])
        self.assertAlmostEqual(softmax / rows["·at"][2], ratio, delta=0.02 * ratio)
        self.assertAlmostEqual(rows["·at"][4], 1, places=3)
        self.assertIn("top-k: removed", text)
        self.assertIn("top-p: removed", text)
        self.assertEqual(text.count("▶"), 1)
        self.assertIn("others", text)

    def test_what_is_drawn_at_a_step_is_drawn_in_the_sentence(self):
        words = ("--temperature", "1.1", "--top-k", "3", "--seed", "5")
        sentence = self.sample(*words, "--count", "1")
        step = self.sample(*words, "--step", "0")
        drawn = re.search(r"larger is (\S+)\.\n", step.replace("\n  ", " ") + "\n")
        self.assertIn(drawn.group(1).lstrip("·"), sentence)

    def test_what_cannot_be_is_refused(self):
        for words in sample((("--temperature", "0"), ("--temperature", "-1"), ("--temperature", "warm"),
                             ("--temperature", "0x1"), ("--temperature", "inf"), ("--top-k", "0"),
                             ("--top-k", "1.5"), ("--top-p", "0"), ("--top-p", "1.01"), ("--seed", "-1"),
                             ("--count", "0"), ("--count", "1001"), ("--step", "-1")), 3):
            self.assert_says(run("sample", *words, *SOURCE), words[0], f"'{words[1]}'", status=2)
        self.assert_says(run("sample", "--step", "99", *SOURCE), "no step '99'", "0 to 9")


class Pick(ProgramTest):
    def test_it_continues_from_there(self):
        out = prompt(SENTENCE, ":pick 5 at", ":branches", ":decode").out
        self.assertIn("I met a friend at Busan yesterday.", out)
        self.assertRegex(out, r"step\.5 +·in +0\.8421 +·at +0\.0597 +◀ picked")
        self.assertRegex(out, r"  0 +the model's own +-0\.68")
        self.assertRegex(out, r"▶ 1 +from 0, step 5: ·at +-3\.39")
        self.assertIn('"I met a friend at Busan yesterday."', out)

    def test_a_candidate_and_an_id_can_be_picked(self):
        by_word = prompt(SENTENCE, ":pick 5 at").out
        self.assertEqual(by_word, prompt(SENTENCE, ":pick 5 ·at").out)
        self.assertEqual(by_word, prompt(SENTENCE, ":pick 5 2").out)
        number = re.search(r"·at +(\d+)", prompt(SENTENCE, ":decode 5").out).group(1)
        self.assertEqual(by_word, prompt(SENTENCE, f":pick 5 id={number}").out)
        walking = prompt(SENTENCE, ":goto step.5", ":pick at").out
        self.assertTrue(walking.endswith(by_word[by_word.index("step.0"):]))

    def test_the_walk_shows_the_branch(self):
        out = prompt(SENTENCE, ":goto step.5", ":pick at", ":goto step.5", ":branches 0",
                     ":goto step.5").out
        self.assertIn("I met a friend at Busan yesterday.", out)
        self.assertRegex(out, r"picked by you: ·at \(id \d+\)")
        self.assertRegex(out, r"chosen: ·in \(id \d+\)")

    def test_branches_grow_from_branches(self):
        out = prompt(SENTENCE, ":pick 5 at", ":pick 4 my", ":pick 5 sister", ":branches").out
        self.assertRegex(out, r"  2 +from 1, step 4: ·my ")
        self.assertRegex(out, r"▶ 3 +from 2, step 5: ·sister ")
        self.assertIn("I met a my sister in", out)

    def test_a_new_sentence_has_none(self):
        out = prompt(SENTENCE, ":pick 5 at", UNKNOWN, ":branches").out
        self.assertIn("no token was picked yet", out)
        self.assertIn("there are no branches yet", prompt(SENTENCE, ":branches 1").err)
        self.assertIn("there is no branch 7; there are 0 to 1",
                      prompt(SENTENCE, ":pick 5 at", ":branches 7").err)

    def test_a_sentence_of_a_batch_has_its_own(self):
        out = prompt("나는 친구를 만났다. | 나는 어제 친구를 만났다.", ":batch 1", ":pick 0 2",
                     ":branches", ":batch 0", ":branches").out
        self.assertEqual(out.count("from 0, step 0"), 1)
        self.assertIn("no token was picked yet", out)

    def test_what_cannot_be_picked_is_refused(self):
        said = (
            (":pick 5 gorillas", "is not one token but the pieces"),
            (":pick 5 zzzz", "'zzzz'"),
            (":pick 5 id=99999", "outside the vocabulary"),
            (":pick 5 99999", "outside the vocabulary"),
            (":pick 5 id=-1", "outside the vocabulary"),
            (":pick 5 in", "already chose ·in"),
            (":pick 10 a", "ended at step 9"),
            (":pick 99 a", "ended at step 9"),
            (":pick -1 a", "'-1'"),
            (":pick my friend", "the step is 'my'"),
            (":pick my", "give the step"),
            (":pick", "usage: pick"),
            (None, "for example: :pick 1 2"),  # the second line of the same error
            (":pick 5 \x1b[31m", "<1B>"),
        )
        outcome = prompt(SENTENCE, *[typed for line, _ in said if line for typed in (line, ":branches")])
        for (_, part), told in zip(said, outcome.err.splitlines(), strict=True):
            self.assertIn(part, told)
        self.assertNotIn("from 0", outcome.out)
        self.assert_says(run("pick", "5", "a", *SOURCE, "--limit", "3"), "no step '5'", "0 to 2")

    def test_a_branch_is_recorded_and_drawn_again(self):
        first, again = self.path("first.txt"), self.path("again.txt")
        outcome = prompt(SENTENCE, ":pick 5 at", ":pick 7 now", f":draw decoding -o {first}")
        self.assertEqual(outcome.err, "")
        text = read(first).decode()
        picks = re.search(r"--picks\s+'?([0-9=,]+)", text).group(1)
        self.assert_done(run("draw", "decoding", *SOURCE, "--picks", picks, "-o", again))
        self.assertEqual(text.split("command:")[0], read(again).decode().split("command:")[0])
        self.assertIn("·at", text)

    def test_picks_that_are_none_are_refused(self):
        for picks in sample(("", "5", "5=", "=5", "5=1,", "5=1,4=1", "5=-1", "-1=5", "5=99999", "x=1",
                             "99999=1", "5=1;6=1"), 4):
            outcome = run("decode", *SOURCE, "--picks", picks)
            if picks == "5=1,":
                self.assert_done(outcome)
            else:
                self.assert_says(outcome, "--picks", status=2)
        self.assert_says(run("decode", *SOURCE, "--picks", "40=7"), "step 40", "ends at 9")

    def test_there_is_an_end_to_branches(self):
        lines = [f":pick 5 id={100 + i}" for i in range(33)]
        self.assertIn("which is the limit", prompt(SENTENCE, *lines).err)

    def test_a_shell_can_pick(self):
        outcome = run("pick", "5", "at", *SOURCE)
        self.assert_done(outcome)
        self.assertIn("I met a friend at Busan yesterday.", outcome.out)
        self.assert_done(run("pick", "1", "2", *SEQ2SEQ))


class Force(ProgramTest):
    def rows(self, *words):
        outcome = run("force", *words)
        self.assert_done(outcome)
        return outcome.out, [line.split() for line in outcome.out.split("\n")
                             if re.match(r"\d+ ", line)]

    def test_the_input_is_the_target_shifted_by_one(self):
        text, rows = self.rows("I met my friends.", *SOURCE)
        self.assertEqual(rows[0][1:4], ["<start>", "I", "0.9322"])
        for row, after in zip(rows[:6], rows[1:7]):
            self.assertEqual(row[2], after[1])
            self.assertEqual(row[row.index("│") + 2], after[after.index("│") + 1])
        self.assertEqual(rows[6][2], "<end>")
        self.assertEqual([row[0] for row in rows if "◀" in row], ["3"])
        self.assertIn('They first differ at 3: the target has "·my", and the model predicts "·a".', text)

    def test_until_they_part_both_are_the_same_numbers(self):
        _, rows = self.rows("I met my friends.", *SOURCE)
        for row in rows[:3]:
            self.assertEqual(row[1:4], row[5:8])

    def test_the_current_target_is_forced(self):
        given, _ = self.rows("I met my friends.", *SOURCE)
        text, _ = self.rows(*SOURCE, "--target", "I met my friends.")
        self.assertEqual(given, text)
        self.assertIn("They do not differ", self.rows(WINNER, *SOURCE)[0])

    def test_each_model_with_a_decoder_can_be_forced(self):
        self.assertIn("<end>", self.rows("I met a friend.", *SEQ2SEQ)[0])

    def test_without_a_target_or_with_too_many_it_is_refused(self):
        self.assert_says(run("force", *SOURCE), "no target; give one")
        self.assert_says(run("force", "a | b", *SOURCE), ":force takes one sentence")
        self.assert_says(run("force", "word " * 300, *SOURCE), "")


class Looked(ProgramTest):
    def test_each_token_has_a_row_of_shares(self):
        outcome = run("heat", "decoding", *SOURCE)
        self.assert_done(outcome)
        self.assertIn("mean of 4 heads", outcome.out.replace("\n", " "))
        rows = [line for line in outcome.out.split("\n") if line.endswith("1.00")
                and not line.startswith("0.00")]
        self.assertEqual(len(rows), 10)
        for row in rows:
            self.assertAlmostEqual(sum(numbers(row)[:-1]), 1, delta=0.06)

    def test_without_an_encoder_each_row_has_the_tokens_so_far(self):
        outcome = run("heat", "decoding", "--model", "stories", "--source", "I met.", "--limit", "4")
        self.assert_done(outcome)
        rows = [numbers(line) for line in outcome.out.split("\n") if line.endswith("1.00")]
        keys = [len(row) - 1 for row in rows]
        self.assertEqual(keys, list(range(keys[0], keys[0] + 4)))
        for row in rows:
            self.assertAlmostEqual(sum(row[:-1]), 1, delta=0.06)

    def test_a_single_head_is_that_of_the_steps(self):
        whole = run("heat", "decoding", "--head", "2", *SOURCE).out
        path = self.path("step.csv")
        self.assert_done(run("show", "step.4.decoder.1.cross_attention.weights[head=2]",
                             *SOURCE, "-o", path))
        step = [float(cell) for cell in read(path).decode().strip().split("\n")[-1].split(",")[-11:]]
        row = next(line for line in whole.split("\n") if line.lstrip().startswith("·friend"))
        for found, wanted in zip(numbers(row)[:-1], step):
            self.assertAlmostEqual(found, wanted, delta=0.0051)
        self.assertIn("head 2", whole)

    def test_it_is_also_a_figure(self):
        path, again = self.path("looked.txt"), self.path("again.txt")
        self.assert_done(run("draw", "decoding", "--head", "1", *SOURCE, "-o", path))
        text = read(path).decode()
        self.assertIn("glassbox draw decoding", text)
        self.assertIn("--head 1", text)
        self.assert_done(run("draw", "decoding", *SEQ2SEQ, "-o", again))
        for ending in (".png", ".svg", ".pdf"):
            self.assert_done(run("draw", "decoding", *SOURCE, "-o", self.path("a" + ending)))

    def test_a_head_that_is_not_there_is_refused(self):
        self.assert_says(run("heat", "decoding", "--head", "4", *SOURCE), "heads 0 to 3", status=2)
        self.assert_says(run("heat", "encoder.0.self_attention.weights", "--head", "1", *SOURCE),
                         ":heat decoding", status=2)


if __name__ == "__main__":
    unittest.main()
