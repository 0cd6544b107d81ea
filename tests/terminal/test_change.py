"""Change the run at the prompt: what is reported and rejected, and how runs are compared."""

import functools
import os
import re
import unittest

from program import CHECKS_ALL, SENTENCE, ProgramTest, prompt, read, run, sample

NORM = "encoder.0.norm_1"
WEIGHTS = "encoder.0.self_attention.weights"
SEOUL = "나는 어제 서울에서 친구를 만났다."
BUSAN = "I met a friend in Busan yesterday."


def after(outcome, text):
    """Return what was printed after the last occurrence of `text`."""
    return outcome.out.rpartition(text)[2]


class Changes(ProgramTest):
    def said(self, *lines):
        outcome = prompt(SENTENCE, *lines)
        self.assert_done(outcome)
        return re.sub(r"\s+", " ", outcome.out.partition(":map")[2])

    def test_a_word_is_masked_with_all_of_its_tokens(self):
        show = ":show encoder.0.self_attention.weights[head=0, query=0]"
        said = prompt(SENTENCE, ":mask key 부산에서", show).out
        self.assertRegex(said, r"·부산 +에서")
        row = said[said.rindex("·부산"):]
        self.assertRegex(row, r"\n나는 +0\.\d+ +0\.\d+ +0\.000 +0\.000 +0\.0[^0]")
        self.assertIn("1  :mask key 부산에서", prompt(SENTENCE, ":mask key 부산에서", ":changes").out)

    def test_units_do_not_explain_an_output_that_was_changed(self):
        def remark(*lines):
            lines = ("Anna had a red kite.", *lines, ":goto feed-forward", "")
            walked = run("--model", "stories", text="\n".join(lines))
            return " ".join(after(walked, "Feed-forward with a gate").split())

        output = "decoder.0.feed_forward.output"
        self.assertIn("unit 276 contributes most to the feed-forward's output: 33%", remark())
        for change in (f":zero {output}", f":set {output}[target=·a, d_model=5] = 1000"):
            self.assertNotIn("contribute", remark(change))

    def test_a_word_is_meant_with_all_its_tokens_wherever_a_token_is(self):
        """The tokens of 만났다 are 6, 7 and 8 (만, 났, 다), those of 부산에서 2 and 3."""
        for word, tokens in ((":zero encoder.0.norm_1[source=만났다]", "6:9"),
                             (":mask encoder.0.self_attention.weights[key=만났다]", "6:9"),
                             (":patch encoder.1.norm_2[source=부산에서] from 나는 어제 서울에서 "
                              "친구를 만났다.", "2:4")):
            line = re.sub(r"=(만났다|부산에서)]", f"={tokens}]", word)
            self.assertNotEqual(word, line)
            self.assertEqual(self.said(word), self.said(line), word)
        moved = ("", ":show encoder.ids")
        by_word = after(prompt(SENTENCE, ":swap 어제 부산에서", *moved), "ids")
        self.assertRegex(re.sub(r"\s+", " ", by_word), "나는 ·부산 에서 ·어제 ·친구")

    def test_several_numbers_are_added_up(self):
        said = self.said(f":why {WEIGHTS}[head=0, query=나는, key=만났다]")
        terms = [float(n) for n in re.findall(r"key=\S+ [-0-9.]+ = ([-0-9.e]+)", said)]
        self.assertEqual(len(terms), 3, said)
        total = float(re.search(r" sum = ([-0-9.e]+)", said)[1])
        self.assertAlmostEqual(sum(terms), total, places=6)
        followed = self.said(f":why {WEIGHTS}[head=0, query=나는, key=만났다]", ":why 2")
        self.assertIn("key=났] = ", followed)
        refused = prompt(SENTENCE, f":because {WEIGHTS}[head=0, query=나는, key=만났다]").err
        self.assertIn("has 3 numbers, but only one can be traced back", refused)
        refused = prompt(SENTENCE, f":why {WEIGHTS}[head=0, query=나는]").err
        self.assertIn("expected one cell", refused)

    def test_a_source_word_leads_to_what_depends_on_it(self):
        refused = prompt(SENTENCE, ":because 부산에서").err
        self.assertIn(":mask key 부산에서", refused)
        self.assertIn("there is no address 'koala'", prompt(SENTENCE, ":because koala").err)

    def test_a_patch_takes_a_run_that_was_kept(self):
        other = "나는 어제 서울에서 친구를 만났다."
        place = ":patch encoder.1.norm_2[source=3] from"
        kept = prompt(other, ":keep seoul", SENTENCE, f"{place} seoul")
        typed = prompt(SENTENCE, f"{place} {other}")
        self.assertEqual(after(kept, ":map"), after(typed, ":map"))
        self.assertIn("first difference", after(kept, ":map"))

    def test_a_masked_key_is_no_longer_reported(self):
        said = self.said(":mask key 부산")
        self.assertIn(BUSAN + " → I met a friend", said)
        self.assertRegex(said, r'changed: \d tokens? \("·in" 0\.84 "·Busan" 0\.93 →')
        self.assertRegex(said, r"first difference: encoder\.0\.self_attention\.masked")
        self.assertIn(":undo :compare :changes", said)

    def test_a_masked_head_first_changes_its_context(self):
        said = self.said(":mask encoder.0 head 2")
        self.assertIn("first difference: encoder.0.self_attention.context[head=2", said)

    def test_a_layer_adds_nothing(self):
        said = self.said(":mask layer encoder.1")
        self.assertIn("first difference: encoder.1.self_attention.output", said)

    def test_without_positions_the_first_difference_is_there(self):
        self.assertIn("first difference: encoder.position[", self.said(":no position"))

    def test_without_masks_the_decoder_sees_what_comes(self):
        said = self.said(":no mask", ":show decoder.0.self_attention.weights[head=0]")
        self.assertIn("first difference: decoder.0.self_attention.masked", said)

    def test_swapped_tokens_are_seen_swapped(self):
        said = self.said(":swap 나는 어제", ":show encoder.embedding[d_model=0]")
        first = said.index("·어제", said.index("encoder.embedding"))
        self.assertLess(first, said.index("나는", said.index("encoder.embedding")))

    def test_tokens_between_two_changes_are_not_counted(self):
        said = run("--model", "passive",
                   text="The cat did not chase a dog.\n:swap cat dog\n").out
        found = re.search(r"changed: (\d+) tokens \((.*?) → (.*?)\);", " ".join(said.split()))
        before, now = (re.findall(r'"(\S+)" \d', part) for part in found.groups()[1:])
        self.assertEqual([len(before), len(now)], [int(found[1])] * 2)
        self.assertNotIn(True, [a == b for a, b in zip(before, now)])

    def test_swap_exchanges_whole_words(self):
        """All pieces of both words move; a word with the same beginning is a different word."""
        ball = "Lily had a red ball.", "Tom had a red balloon and a ball."
        cases = ((ball[0], "red ball", "L il y ·had ·a ·ball ·r ed ."),
                 (ball[0], "ball red", "L il y ·had ·a ·ball ·r ed ."),
                 (ball[0], "Lily red", "·r ed ·had ·a L il y ·ball ."),
                 (ball[1], "ball red", "T om ·had ·a ·ball ·ball o on ·and ·a ·r ed ."),
                 (ball[1], "balloon ball", "T om ·had ·a ·r ed ·ball ·and ·a ·ball o on ."),
                 (ball[1], "a#2 ball", "T om ·had ·a ·r ed ·ball o on ·and ·ball ·a ."))
        for text, words, swapped in cases:
            with self.subTest(words):
                size = len(swapped.split()) + 1
                outcome = prompt(":options width=250", ":model stories", text, ":swap " + words,
                                 f":show decoder.ids[target=0:{size}]")
                self.assert_done(outcome)
                shown = outcome.out.rpartition("target → ")[2].split("\n0 ")[0].split()
                self.assertEqual([re.sub(r"#\d$", "", label) for label in shown],
                                 ["<start>", *swapped.split()])

    def test_a_patch_brings_the_other_sentence(self):
        said = self.said(":patch encoder.output[source=2] from "
                         "나는 어제 서울에서 친구를 만났다.")
        self.assertIn('Busan" 0.93 → "·Seoul"', said)

    def test_a_number_of_the_decoder_changes_the_step_that_makes_it(self):
        said = self.said(":set logits[target=5, vocabulary=·Seoul] = 40")
        self.assertIn("Seoul", said)
        self.assertIn("first difference: logits[", said)

    def test_what_no_step_makes_holds_the_target(self):
        outcome = prompt(SENTENCE, ":set decoder.ids[target=3] = 17", ":decode", ":undo",
                         ":decode")
        self.assertIn("No decoding step computes what was", outcome.out)
        self.assertIn("first difference: decoder.ids[", outcome.out)
        self.assertEqual(outcome.err.count("fixes the target"), 1)

    def test_undo_redo_and_reset(self):
        said = self.said(":mask key 부산", ":no position", ":undo", ":changes", ":redo",
                         ":changes", ":reset", ":changes")
        self.assertIn("1 :mask key ·부산 2 :no position (undone)", said)
        self.assertRegex(said, "1 :mask key ·부산 2 :no position I met")
        self.assertIn("1 :mask key ·부산 (undone) 2 :no position (undone)", said)
        self.assertRegex(said, "→ " + re.escape(BUSAN))

    def test_undo_brings_picked_tokens_back(self):
        look = ":branches", ":show step.7.logits"
        lines = SENTENCE, ":pick 1 2", ":branches 0", ":pick 5 at"
        picked = prompt(*lines, *look).out.removeprefix(prompt(*lines).out)
        self.assertIn("▶ 2  from 0, step 5: ·at", picked)
        first = lines
        for change in (":swap 나는 어제", ":mask key 부산", ":zero logits[target=2]",
                       ":set decoder.ids[0, 1] = 40"):
            lines = *first, change, ":undo"
            self.assertEqual(prompt(*lines, *look).out.removeprefix(prompt(*lines).out), picked,
                             change)

    def test_picked_tokens_are_taken_in_what_a_change_makes(self):
        out = prompt(SENTENCE, ":pick 5 at", ":mask key 부산", ":branches").out
        listed = out.rpartition("picked ")[2]
        self.assertIn("0  the model's own", listed)
        self.assertRegex(listed, r"▶ 1  from 0, step 5: ·at .* I met a friend at the market")
        self.assertNotIn("Busan", listed)

    def test_nothing_to_undo_is_said(self):
        said = self.said(":undo", ":redo", ":reset", ":changes", ":keep")
        for text in ("no change to undo", "no undone change to redo", "the run has no changes",
                     "no changes; :set", "no run is kept"):
            self.assertIn(text, said)

    def test_why_reports_manual_changes(self):
        said = self.said(f":zero {NORM}[source=2]", f":why {NORM}[source=2, d_model=0]")
        self.assertIn("changed: :zero encoder.0.norm_1[source=·부산]", said)

    def test_a_new_sentence_has_no_old_changes_but_edits(self):
        weight = "model.encoder.layers.0.fc1.bias[0]"
        outcome = prompt(SENTENCE, f":edit {weight} = 2", ":no position", "안녕하세요.",
                         ":changes")
        self.assertIn("do not apply here", outcome.out + outcome.err)
        self.assertIn(":edit model.encoder.layers.0.fc1.bias", after(outcome, "Hello"))
        self.assertNotIn(":no position", after(outcome, "Hello"))

    def test_another_model_has_none(self):
        outcome = prompt(":edit model.encoder.layers.0.fc1.bias[0] = 2", ":model en-ko",
                         ":changes")
        self.assertIn("no changes; :set", outcome.out)

    def test_in_a_shell_one_change_is_reported(self):
        outcome = run("mask", "key", "부산", "--source", SENTENCE)
        self.assert_done(outcome)
        self.assertIn("changed:", outcome.out)
        self.assertNotIn(":undo", outcome.out)

    def test_a_classifier_and_a_given_target(self):
        outcome = prompt(":model classifier", "오늘은 정말 행복하다.",
                         ":mask encoder.0 head 0")
        self.assert_done(outcome)
        self.assertIn("The answer stays: ", outcome.out)
        self.assertIn("first difference: encoder.0.self_attention.context", outcome.out)
        outcome = run("zero", NORM, "--source", SENTENCE, "--target", "I met him.")
        self.assertIn("The target was given and stays", outcome.out.replace("\n", " "))


# Makes all numbers after the first layer NaN. With -inf, processors produce numbers that are
# printed as -nan.
BROKEN = [f":edit model.encoder.layers.0.fc1.weight[0, 0] = {number} --force"
          for number in ("nan", "-inf")]
NO_ANSWER = "The probabilities are no longer numbers (NaN), so there is no answer."


@functools.cache
def broken_answer(broken):
    return prompt(SENTENCE, broken)


class NoNumbers(ProgramTest):
    def said(self, broken, *lines):
        """Return the output of the lines as a single line, and the errors."""
        before = broken_answer(broken)
        after = prompt(SENTENCE, broken, *lines)
        self.assert_done(before)
        self.assertIn(NO_ANSWER, " ".join(before.out.split()))
        self.assertNotIn("-nan", after.out)
        return " ".join(after.out.removeprefix(before.out).split()), after.err

    def test_nothing_is_drawn_or_ranked_where_all_are_nan(self):
        for place, broken in enumerate(BROKEN):
            for line, why in sample(((":sample --step 0", "drawn"), (":beam", "ranked"),
                                     (":sample", "drawn")), 2, place):
                out, err = self.said(broken, line)
                self.assertEqual(err, "the logits of step 0 are not numbers, so nothing can be "
                                      f"{why}\n")
                self.assertNotIn("<pad>", out)
            self.assertEqual(self.said(broken, ":decode")[0].count("<pad>"), 1)

    def test_the_report_names_the_first(self):
        for place, broken in enumerate(BROKEN):
            for line in sample((":goto logits", ":goto probabilities", ":goto decoding",
                                ":goto encoder.1.self_attention.weights",
                                ":goto encoder.1.norm_1"), 4, place):
                out, err = self.said(broken, line)
                self.assertEqual(err, "")
                self.assertRegex(out, r"Here: Some numbers here are not finite: \S+\[.*\] is nan\.")

    def test_no_sign_of_nan_is_printed(self):
        lines = (":because", ":why", ":why logits[0, 0, 5]", ":why encoder.output[0, 0, 0]",
                 ":why step.0.choice[0, 0]", ":show probabilities", ":decode 0",
                 ":lens logit", ":lens entropy", ":lens gradient", ":compare",
                 ":heat logits", ":heat decoding")
        # All in one session in `make test`, each in its own session in `make test-all`.
        for some in [[line] for line in lines] if CHECKS_ALL else [lines]:
            out, err = self.said(BROKEN[1], *some)
            self.assertEqual(err, "")
            self.assertTrue(out)

    def test_nan_gives_no_answer(self):
        for line in (":force I met a friend.", SENTENCE):
            self.assertIn(NO_ANSWER, self.said(BROKEN[1], line)[0])
        back = self.said(BROKEN[1], ":undo")[0]
        self.assertIn("after: " + BUSAN, back)
        self.assertNotIn("nan %", back)

    def test_one_nan_is_passed_over(self):
        """A NaN among numbers does not affect the ranking of the others, at any index."""
        for cell in ("<pad>", "<01>", "·the"):
            change = f":set logits[target=1, vocabulary={cell}] = nan --force"
            out = prompt(SENTENCE, change, ":decode", ":sample --step 1",
                         ":why step.1.choice[0, 0]", ":goto step.1").out
            self.assertRegex(out, r"step\.1 +·m +281 +nan")
            self.assertRegex(out, r"▶ ·m +11\.74 ")
            self.assertRegex(out, r"the index of the largest += +281\s+cell value: 281\n")

    def test_infinite_logits_take_all(self):
        out = prompt(SENTENCE, ":set logits[target=1, vocabulary=<01>] = inf --force",
                     ":sample --step 1", ":pick 2 et", ":branches").out
        self.assertRegex(out, r"▶ <01> +inf +inf +1\.0000 +1\.0000 +1\.0000")
        self.assertNotIn("-inf", out.partition("picked ")[2])


class InEffect(ProgramTest):
    def test_a_slice_says_how_many_numbers_it_set(self):
        out = prompt(SENTENCE, f":set {WEIGHTS}[query=2, key=1] = 0.9", ":changes",
                     f":set {WEIGHTS}[head=1, query=2, key=1] = 0.123456789", ":changes").out
        self.assertEqual(re.findall(r"numbers set: (\d+)", out), ["4"])
        self.assertRegex(out, r"1  :set \S+\[query=\S+, key=\S+\] = 0\.9\n")
        self.assertIn("= 0.12345679\n", out)

    def test_a_further_change_says_how_many_are_in_effect(self):
        changes = [f":mask encoder.{layer}.self_attention head 0" for layer in (0, 1)]
        out = prompt(SENTENCE, *changes, ":undo").out
        self.assertEqual(re.findall(r"Changes in effect: (\d+)", out), ["2"])
        self.assertEqual(len(re.findall(r"^  :undo  :compare", out, re.M)), 2)


class Refusals(ProgramTest):
    def test_one_sentence_and_nothing_changed(self):
        rows = [
            (f":set {NORM}[source=99] = 1", "is out of range"),
            (f":set {NORM}[source=1] = 1,2", "2 numbers for a slice"),
            (f":set {NORM}[source=1] = blue", "is not a number"),
            (f":set {NORM}[source=1] = nan", "--force"),
            (f":set {NORM}[source=1] = -inf", "--force"),
            (f":set {NORM}[source=1] = 1e99", "--force"),
            (f":set {NORM}[source=1]", "usage: set"),
            (f':set {NORM}[source="\\"", d_model=0] = 1', "there is no such label"),
            (":set encoder.nothing = 1", "there is no address"),
            (":set mask.padding = 1", "is display only"),
            (":set encoder.ids[source=1] = 99999", "is not an id"),
            (":set model.encoder.layers.0.fc1.bias[0] = 1", "change it with :edit"),
            (f":edit {NORM}[source=1] = 1", "change it with :set"),
            (":mask key 서울", "there is no such label"),
            (":mask off", ":no mask runs without masks"),
            (":mask 부산에서", "to mask the token: :mask key 부산에서"),
            (":set 3", "for example: :set encoder.0"),
            (":mask encoder.0 head 4", "heads 0 to 3"),
            (":mask encoder.5 head 0", "there is no encoder.5; the last one is encoder.1"),
            (":mask layer encoder.5", "there is no encoder.5; the last one is encoder.1"),
            (":mask layer encoder", "there is no layer"),
            (":mask norm_1 head 0", "there are no heads at"),
            (":mask decoder.1 heads 3", "there is no address 'heads'; did you mean head?"),
            (":mask keys 부산", "there is no address 'keys'; did you mean key?"),
            (":mask laier encoder.1", "there is no address 'laier'; did you mean layer?"),
            (":mask token 부산", "there is no address 'token'"),
            (":mask head 1", "no stage is shown, so write an address first"),
            (":mask scores weights", "2 tensors match; name one, such as encoder.0."),
            (":show decoder.2", "there is no decoder.2; the last one is decoder.1"),
            (":goto encoder.2.scores", "there is no encoder.2; the last one is encoder.1"),
            (f":mask {NORM}[source=0]", "is not attention"),
            (":no way", "position and mask can"),
            (":swap 1 1", "name two"),
            (f":patch {NORM} from 안녕하세요.", "give a slice that both have"),
            (f":patch {NORM}[source=1] to 안녕", "usage: patch"),
            (":compare nobody", "'nobody'"),
            (":keep a.b", "cannot be the name"),
        ]
        typed = [line for row in rows for line in (row[0], ":changes")]
        outcome = prompt(SENTENCE, *typed)
        self.assertEqual(outcome.out.count("no changes; :set"), len(rows))
        for line, text in rows:
            with self.subTest(line):
                self.assertIn(text, outcome.err + outcome.out)

    def test_a_batch_is_refused(self):
        outcome = prompt("나는 | 너는", ":no position")
        self.assertIn("changes need one sentence, but there are 2", outcome.err)
        outcome = prompt(":edit model.encoder.layers.0.fc1.bias[0] = 2", "나는 | 너는",
                         ":undo", "나는", ":undo", ":changes")
        self.assertEqual(outcome.err.count("changes need one sentence"), 1)
        self.assertIn("(undone)", outcome.out)

    def test_infinite_numbers_can_be_forced(self):
        outcome = prompt(SENTENCE, f":set {NORM}[source=1, d_model=0] = nan --force",
                         ":undo", ":changes")
        self.assert_done(outcome)
        self.assertIn("(undone)", outcome.out)


class Comparing(ProgramTest):
    def test_now_with_the_run_without_changes(self):
        outcome = prompt(SENTENCE, ":mask key 부산", ":compare")
        self.assert_done(outcome)
        said = outcome.out.partition("unchanged: ")[2]
        self.assertTrue(said.startswith(BUSAN), said)
        self.assertRegex(said, r"\d+ of \d+ tensors differ")
        command = f":compare {WEIGHTS}"
        self.assertIn(command, said)
        drawn = prompt(SENTENCE, ":mask key 부산", command).out
        self.assertIn(f"{WEIGHTS}: now minus unchanged", drawn)

    def test_without_changes_nothing_differs(self):
        outcome = prompt(SENTENCE, ":compare")
        self.assertIn("No numbers differ.", outcome.out)

    def test_kept_runs_of_two_sentences(self):
        outcome = prompt(SENTENCE, ":keep one", ":keep", "나는 어제 서울에서 친구를 만났다.",
                         ":keep two", f":compare one two {WEIGHTS}[head=1]")
        self.assert_done(outcome)
        self.assertIn(f"one: {BUSAN}", outcome.out)
        self.assertIn(f"{WEIGHTS}: two minus one", outcome.out)
        self.assertIn("first ones", outcome.out)

    def test_runs_are_aligned_by_words(self):
        """Pieces of other words are not partners, and equal words have equal rows."""
        stories = "Lily had a red ball.", "Lily had a big red ball."
        cases = (("ko-en", SENTENCE, SEOUL, "Only in a: 부산에서. Only in now: 서울에서.", "encoder.embedding"),
                 ("en-ko", "I like my car.", "I like my castle.", "Only in a: car. Only in now: castle.",
                  "encoder.embedding"),
                 ("stories", *stories, "Only in now: big ", "decoder.embedding"))
        for model, one, other, alone, embedding in cases:
            with self.subTest(model):
                outcome = prompt(f":model {model}", one, ":keep a", other, ":compare a")
                self.assert_done(outcome)
                said = outcome.out.partition("\na: ")[2]
                self.assertIn("The tokens are aligned by words.", said)
                self.assertIn(alone, " ".join(said.split()))
                self.assertIn("tensors differ", said)
                self.assertNotIn(embedding, said)

    def test_a_word_without_a_partner_is_not_subtracted(self):
        outcome = prompt(SENTENCE, ":keep a", SEOUL, ":compare a encoder.input[source=2]")
        self.assertIn("source=·서 has no counterpart in the run a", outcome.err)
        outcome = prompt(SENTENCE, ":keep a", SEOUL,
                         ":compare a encoder.embedding[source=·친구, d_model=0:4]")
        self.assertRegex(outcome.out, r"(?m)^·친구( +0\.00){4}$")

    def test_runs_without_a_common_word_are_not_subtracted(self):
        outcome = prompt(SENTENCE, ":keep a", ":model en-ko", "I like it.", ":compare a")
        self.assert_done(outcome)
        said = outcome.out.partition("\na: ")[2]
        self.assertIn("share no word or no shape, so no numbers are subtracted", said)
        self.assertNotIn("less a", said)
        self.assertNotRegex(said, r"(?m)^ *\S+  encoder\.")

    def test_of_two_long_texts_the_changed_part_is_shown(self):
        """With 24 lines, a text that was printed before is shown in part, with a command for the
        rest; a new answer is shown in full."""
        tale = "Lily had a red ball.", "Lily had a big red ball."
        for lines, whole in (((tale[0], ":keep a", tale[1], ":compare a"), False),
                             ((tale[1], ":mask key Lily", ":undo"), False),
                             ((tale[1], ":option norm post"), True),
                             ((tale[1], ":mask key Lily"), True)):
            with self.subTest(lines[-1]):
                before = prompt(":model stories", *lines[:-1]).out
                outcome = prompt(":model stories", *lines)
                self.assert_done(outcome)
                said = outcome.out.removeprefix(before)
                self.assertLessEqual(said.count("\n"), 23, said)
                parts = re.findall(r"\w …(?=\s+(?:→|\(confidence|\w+:)|\n)", said)
                self.assertGreaterEqual(len(parts), 1 if whole else 2, said)
                self.assertEqual("all: :decode" in said, not whole)

    def test_kept_runs_outlive_the_model(self):
        outcome = prompt(SENTENCE, ":keep one", ":model en-ko", "good morning",
                         ":compare one")
        self.assert_done(outcome)
        self.assertIn("one: " + BUSAN, outcome.out)

    def test_kept_words_outlive_the_model(self):
        outcome = prompt(":model classifier", "오늘은 정말 행복하다.", ":keep b", ":keep",
                         ":model kit", SENTENCE, ":model ko-en", ":keep",
                         MALLOC_PERTURB_="85")  # overwrites freed memory
        self.assert_done(outcome)
        self.assertEqual(len(re.findall(r"^b: joy  \(오늘은 정말 행복하다\.", outcome.out, re.M)), 2,
                         outcome.out)

    def test_files_list_the_changes(self):
        less, beside, drawn = (self.path(n) for n in ("less.svg", "beside.svg", "drawn.svg"))
        outcome = prompt(SENTENCE, ":mask key 부산", f":compare -o {less}",
                         f":compare {WEIGHTS}[head=0] --side-by-side -o {beside}",
                         f":draw {WEIGHTS} -o {drawn}")
        self.assert_done(outcome)
        for path in (less, beside, drawn):
            self.assertIn(":mask key ·부산", read(path).decode())
        self.assertIn("now minus unchanged", read(less).decode())
        self.assertIn("unchanged: no changes | now: :mask key", read(less).decode())
        self.assertIn("command: :compare -o", read(less).decode().replace('">', ": "))
        os.remove(less), os.remove(beside), os.remove(drawn)


if __name__ == "__main__":
    unittest.main()
