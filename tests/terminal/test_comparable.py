"""Figures that can be compared: scales, reductions, second maps, bars."""

import csv
import json
import os
import re
import unittest

from program import SENTENCE, ProgramTest, prompt, read, run, sample

WEIGHTS = "encoder.0.self_attention.weights"
WORDS = "encoder layer 0, self-attention"  # in titles
OTHER = "나는 오늘 부산에서 친구를 만났다."


class Comparable(ProgramTest):
    def draw(self, *words, name="a.txt", source=SENTENCE):
        self.assert_done(run("draw", *words, "--source", source, "-o", self.path(name),
                             "--force"))
        return read(self.path(name)).decode() if "*" not in name else None

    def refuse(self, *words, says=(), status=1, source=SENTENCE):
        outcome = run("draw", *words, "--source", source, "-o", self.path("no.txt"))
        self.assert_says(outcome, *says, status=status)
        self.assertFalse(os.path.exists(self.path("no.txt")))

    def numbers(self, address, source=SENTENCE):
        """{(labels of the row): [numbers]}, as written by show."""
        self.assert_done(run("show", address, "--source", source, "-o",
                             self.path("n.csv"), "--force"))
        rows = list(csv.reader(read(self.path("n.csv")).decode().splitlines()))
        fixed = sum(1 for name in rows[0] if name in ("batch", "head", "query"))
        return {tuple(row[1:fixed]): [float(x) for x in row[fixed:]] for row in rows[1:]}


class Scales(Comparable):
    def test_a_range_is_kept_and_its_ends_mark_values_beyond(self):
        text = self.draw(WEIGHTS + "[head=0]", "--range", "0:0.3")
        self.assertRegex(text, r"(?m)^0\.00 \S+ ≥ 0\.30  fraction")
        self.assertIn("0.87", text, "a number that is clipped still stands in its cell")
        self.assertIn("--range 0:0.3", text.split("command:")[1])

    def test_ranges_that_are_none_are_refused(self):
        for wrong in sample(("0", "a:b", "1:0", "0:inf", "nan:1", "0:1:2", ":", "1:", ""), 3):
            self.refuse(WEIGHTS, "--range", wrong, says=("--range is",), status=2)
        self.refuse("map", "--range", "0:1", says=("colors of a heatmap",))

    def test_a_log_scale_distinguishes_zero_from_masked(self):
        text = self.draw("decoder.0.self_attention.weights[head=0]", "--log")
        self.assertRegex(text, r"(?m)^10⁻\S+ \S+ 1  weight or probability, logarithmic +╱╱ masked")
        text = self.draw("encoder.0.feed_forward.activated[d_ff=0:9]", "--log")
        self.assertRegex(text, r"(?m)^·어제 +0 0\.099")
        self.refuse("encoder.0.self_attention.scores", "--log", says=("only numbers above 0 have a logarithm",))
        self.refuse(WEIGHTS, "--log", "--range", "0:1", says=("above 0",), status=2)

    def test_files_share_a_scale(self):
        address = "encoder.*.self_attention.scores[head=0]"
        self.draw(address, "--same-scale", name="layer-*.txt")
        ends = [re.search(r"(?m)^(-\S+) \S+ +\S+ (\S+)  value", read(
            self.path(f"layer-{layer}.txt")).decode()).groups() for layer in (0, 1)]
        self.assertEqual(ends[0], ends[1])
        self.draw(address, name="own-*.txt")
        own = [re.search(r"(?m)^(-\S+) ", read(self.path(f"own-{layer}.txt")).decode())[1]
               for layer in (0, 1)]
        self.assertNotEqual(own[0], own[1])
        self.assertIn(ends[0][0], own, "the larger of the two is that of both")

    def test_a_file_for_each_head_and_its_command_draws_it_again(self):
        self.draw(WEIGHTS, "--same-scale", name="head-*.txt")
        names = sorted(name for name in os.listdir(self.folder) if name.startswith("head-"))
        self.assertEqual(names, [f"head-{head}.txt" for head in range(4)])
        before = read(self.path("head-2.txt"))
        self.assertIn(", head 2\n", before.decode())
        self.assertIn("--same-scale", before.decode().split("command:")[1])
        self.draw(WEIGHTS, "--same-scale", name="head-*.txt")
        self.assertEqual(read(self.path("head-2.txt")), before)

    def test_nothing_is_written_where_one_file_exists(self):
        with open(self.path("h-3.txt"), "w") as file:
            file.write("mine")
        outcome = run("draw", WEIGHTS, "--source", SENTENCE, "-o", self.path("h-*.txt"))
        self.assert_says(outcome, "h-3.txt exists")
        self.assertEqual([n for n in os.listdir(self.folder) if n.startswith("h-")],
                         ["h-3.txt"])
        self.assertEqual(read(self.path("h-3.txt")), b"mine")

    def test_one_file_has_nothing_to_share_a_scale_with(self):
        self.refuse(WEIGHTS, "--same-scale", says=("head-*.png",), status=2)


class Titles(Comparable):
    """A title is in words, and the address is in the caption."""

    SAID = (
        ("decoder.1.cross_attention.weights[head=0]", "decoder layer 1, cross-attention, head 0",
         "디코더 층 1 크로스 어텐션, 헤드 0"),
        ("encoder.0.feed_forward.hidden", "encoder layer 0, feed-forward, hidden layer",
         "인코더 층 0 피드 포워드 은닉층"),
        ("decoder.0.norm_2", "decoder layer 0, normed 2", "디코더 층 0 정규화한 값 2"),
        ("encoder.position", "encoder, positional encoding", "인코더 위치 인코딩"),
        ("step.3.logits", "step 3, logits", "스텝 3 로짓"),
    )

    def test_a_figure_says_what_it_shows(self):
        for address, english, korean in sample(self.SAID, 2):
            for language, title in (("en", english), ("ko", korean)):
                with self.subTest(address=address, language=language):
                    text = self.draw(address, "--language", language)
                    self.assertEqual(text.split("\n")[0], title)
                    self.assertRegex(text, rf"(address|주소): {re.escape(address)}\n")

    def test_what_has_no_words_keeps_its_address(self):
        text = self.draw("model.encoder.layers.0.fc1.bias")
        self.assertTrue(text.startswith("model.encoder.layers.0.fc1.bias\n"))

    def test_a_page_also_says_it(self):
        for language, title, address in (("en", WORDS + ", head 0", "address"),
                                         ("ko", "인코더 층 0 셀프 어텐션, 헤드 0", "주소")):
            page = self.path(f"{language}.html")
            self.assert_done(run("page", "--source", SENTENCE, "--language", language,
                                 "-o", page))
            html = read(page).decode()
            self.assertRegex(html, r'aria-label="' + title[:-1])
            self.assertIn(f">{address}: {WEIGHTS}<", html)
            self.assertNotIn(f'aria-label="{WEIGHTS}', html)


class Reductions(Comparable):
    def check(self, word, together):
        reduced = self.numbers(f"{WEIGHTS}[head={word}]")
        single = self.numbers(WEIGHTS)
        queries = {query for _, query in single}
        self.assertEqual(len(reduced), len(queries))
        for (_, query), row in reduced.items():
            heads = [single[str(head), query] for head in range(4)]
            for key, number in enumerate(row):
                self.assertAlmostEqual(number, together([h[key] for h in heads]), delta=1e-6)
        return reduced

    def test_the_mean_of_heads(self):
        for row in self.check("mean", lambda x: sum(x) / len(x)).values():
            self.assertAlmostEqual(sum(row), 1, delta=1e-5)

    def test_the_largest_and_the_least(self):
        self.check("max", max)
        self.check("min", min)

    def test_the_title_and_the_command_name_it(self):
        text = self.draw(WEIGHTS + "[head=mean]")
        self.assertTrue(text.startswith(WORDS + ", head: mean of 4\n"), text[:90])
        self.assertIn(f"'{WEIGHTS}[head=mean]'", text.split("command:")[1])
        self.assertIn("sum\n", text, "its rows sum to 1")
        self.assertNotIn("sum\n", self.draw(WEIGHTS + "[head=max]"))

    def test_a_panel_for_each_layer(self):
        text = self.draw(WEIGHTS + "[head=mean, layer=*]")
        self.assertTrue(text.startswith("self-attention, head: mean of 4\n"))
        self.assertRegex(text, r"(?m)^encoder layer 0$")
        self.assertRegex(text, r"(?m)^encoder layer 1$")
        self.assertEqual(text, self.draw("encoder.*.self_attention.weights[head=mean]"))
        outcome = run("heat", "weights", "layer", "*", "head", "mean", "--source", SENTENCE)
        self.assertEqual(outcome.status, 0)
        self.assertIn("self_attention.weights, head: mean of 4\n", outcome.out)
        self.refuse(WEIGHTS + "[layer=x]", says=("expected a number, or * for all layers",))

    def test_two_slices_of_one_tensor_have_different_names(self):
        text = self.draw(WEIGHTS + "[head=mean]", WEIGHTS + "[head=max]")
        self.assertTrue(text.startswith(WORDS + "\n"))
        self.assertRegex(text, r"(?m)^head: mean of 4$")
        self.assertRegex(text, r"(?m)^head: largest of 4$")

    def test_masked_cells_stay_masked_and_padding_does_not_count(self):
        text = self.draw("decoder.0.self_attention.weights[head=mean]")
        self.assertRegex(text, r"(?m)^ *<start> +1\.00 ╱")
        text = self.draw(WEIGHTS + "[query=mean, head=0]", "--batch", "1",
                         source=SENTENCE + " | 친구를 만났다.")
        self.assertRegex(text, r"(?m)^mean of 7 .*╱")

    def test_a_mean_has_no_single_cell(self):
        outcome = run("why", WEIGHTS + "[head=mean, query=1, key=1]", "--source", SENTENCE)
        self.assert_says(outcome, "one cell is needed", "0 to 3")
        self.refuse("encoder.ids[source=mean]", says=("holds ids",))
        self.refuse("encoder.input[batch=mean]", says=("cannot be combined",))
        self.refuse("encoder.input[no=mean]", says=("no axis 'no'",))


class Beside(Comparable):
    def test_another_sentence(self):
        text = self.draw(WEIGHTS + "[head=mean]", "--beside", "source=" + OTHER)
        self.assertIn("beside", text.split("\n")[0])
        self.assertIn("·어제", text)
        self.assertIn("·오늘", text)
        self.assertEqual(text.count("weight or probability, always 0 to 1"), 1)
        self.assertIn("beside: source=" + OTHER, text)

    def test_the_difference_is_that_of_the_numbers(self):
        text = self.draw(WEIGHTS + "[head=0]", "--minus", "source=" + OTHER)
        here = self.numbers(WEIGHTS)["0", "나는"]
        there = self.numbers(WEIGHTS, OTHER)["0", "나는"]
        # ·어제 and ·오늘, the second tokens, have no partner: "−" of the other comes first
        row = [a - b for a, b in zip(here, there, strict=True)]
        shown = re.search(r"(?m)^ *나는 +(-?\d.*)$", text)[1].split()
        self.assertRegex("".join(shown[1:3]), "^╱+$")
        for a, b in zip(shown[:1] + shown[3:], row[:1] + row[2:], strict=True):
            self.assertAlmostEqual(float(a), b, delta=0.0051)
        self.assertRegex(text, r"(?m)^ *−·오늘 +[╱ ]+$")
        self.assertRegex(text, r"(?m)^ *\+·어제 +[╱ ]+$")
        self.assertIn("by words; + only in “나는 어제", " ".join(text.split()))
        self.assertIn("masked, or only in one run", text)
        self.assertIn("symmetric around 0", text)

    def test_single_places_that_were_chosen_are_subtracted(self):
        here = self.numbers(WEIGHTS)["0", "·어제"]
        there = self.numbers(WEIGHTS, OTHER)["0", "·오늘"]
        text = self.draw(WEIGHTS + "[head=0, query=1]", "--minus", "source=" + OTHER)
        shown = re.search(r"(?m)^ *·어제 / ·오늘 +(.*)$", text)[1].split()
        for a, b in zip(shown[:1] + shown[3:], (here[:1] + here[2:]), strict=True):
            i = here.index(b)
            self.assertAlmostEqual(float(a), b - there[i], delta=0.0051)

    def test_a_map_minus_itself_is_zero(self):
        text = self.draw(WEIGHTS + "[head=0]", "--minus", "model=ko-en")
        row = re.search(r"(?m)^ *나는 +(\d.*)$", text)[1]
        self.assertEqual(set(row.split()), {"0.00"})
        self.assertIn("ko-en minus ko-en", text)

    def test_the_current_run_stays(self):
        outcome = prompt(SENTENCE, f":draw {WEIGHTS} --minus source=\"{OTHER}\" -o a.txt",
                         ":draw encoder.ids --beside model=chatbot -o b.txt",
                         ":show decoder.ids", folder=self.folder)
        self.assert_done(outcome)
        self.assertIn("wrote b.txt", outcome.out)
        self.assertIn("·yesterday", outcome.out)

    def test_other_shapes_are_drawn_side_by_side_but_not_subtracted(self):
        text = self.draw(WEIGHTS + "[head=0]", "--beside", "source=나는 학생이다.")
        self.assertIn("학생", text)
        self.refuse(WEIGHTS, "--minus", "source=그녀가 웃었다.",
                    says=("along the axis query", "no word in common", "--beside draws both",))
        self.refuse(WEIGHTS, "--minus", "model=pytorch", says=("along the axis head", "4 here and 8 there",))

    def test_a_word_with_other_pieces_is_not_a_partner(self):
        text = self.draw("encoder.embedding[d_model=0:4]", "--minus",
                         "source=나는 어제 서울에서 친구를 만났다.")
        rows = re.findall(r"(?m)^ *([+−]?)(\S+) +((?:-?\d+\.\d+ *|╱+ *){4})$", text)
        self.assertEqual([mark + word for mark, word, _ in rows],
                         ["나는", "·어제", "−·서", "−울", "−에서", "+·부산", "+에서", "·친구",
                          "를", "·만", "났", "다", ".", "<end>"])
        for mark, word, numbers in rows:
            self.assertEqual(set(numbers.split()) if mark else set(map(float, numbers.split())),
                             {numbers.split()[0]} if mark else {0.0}, word)

    def test_steps_and_addresses(self):
        text = self.draw("step.2.decoder.0.cross_attention.weights[head=0]",
                         "--beside", "step=3")
        self.assertIn("step 2 beside step 3", text)
        text = self.draw(WEIGHTS + "[head=0]", "--minus",
                         "address=encoder.1.self_attention.weights[head=0]")
        self.assertTrue(text.startswith(f"{WEIGHTS}[head=0] minus encoder.1."))

    def test_options(self):
        text = self.draw(WEIGHTS + "[head=0]", "--beside", "option=scale_scores=false")
        self.assertIn("as it is beside scale_scores=false", text.split("\n")[0])
        other = self.draw(WEIGHTS + "[head=0]", "--option", "scale_scores=false")
        row = re.findall(r"(?m)^ *나는 +(\d.*)$", text)[1].split()
        self.assertEqual(row, re.search(r"(?m)^ *나는 +(\d.*)$", other)[1].split()[:-1])
        self.refuse(WEIGHTS, "--beside", "option=scale_score=1", says=("scale_scores",))
        self.refuse(WEIGHTS, "--beside", "option=norm", says=("NAME=VALUE",))

    def test_manual_changes_are_not_attributed_to_a_model(self):
        said = prompt(SENTENCE, f":set {WEIGHTS}[head=0, query=0, key=0] = 0.5",
                      f":draw {WEIGHTS}[head=0] --minus model=ko-en -o {self.path('no.txt')}")
        self.assertIn("this run has changes (1)", said.err)
        self.refuse("step.2.logits", "--picks", "0=300", "--beside", "option=mask_value=-100",
                    says=("you picked tokens",))

    def test_other_flags_keep_what_looks_like_an_address(self):
        text = self.draw(WEIGHTS + "[head=0]", "--title", "address=weights")
        self.assertIn("--title address=weights", text)

    def test_invalid_second_maps_are_rejected(self):
        for what, status in sample((("ko-en", 2), ("", 2), ("model=", 2), ("step=x", 2),
                                    ("model=nowhere", 1), ("source=a | b", 1), ("source= ", 1)), 3):
            self.refuse(WEIGHTS, "--beside", what, status=status)
        self.refuse(WEIGHTS, "--beside", "ko-en", says=("model=NAME",), status=2)
        self.refuse("decoding", "--minus", "step=1", says=("take addresses",))
        self.refuse("encoder.ids", "--minus", "source=" + OTHER, says=("ids",))
        self.refuse(WEIGHTS, "--minus", "step=1", "--beside", "step=1", says=("not both",), status=2)


class Trained(Comparable):
    """Snapshots of some training steps."""

    def setUp(self):
        super().setUp()
        with open(self.path("pairs.tsv"), "w") as file:
            file.write("".join(f"{a} {b}\t{b} {a}\n" for a in "abcd" for b in "fghi"))
        self.cross = "decoder.0.cross_attention.weights"
        recipe = {"preset": "paper", "model": {"d_model": 8, "d_ff": 8, "attention_heads": 2,
                                               "encoder_layers": 1, "decoder_layers": 1},
                  "tokenizer": "words", "vocabulary": 20, "data": "pairs.tsv", "batch": 8,
                  "steps": 20, "output": "made", "snapshots": [WEIGHTS, self.cross],
                  "log_every": 10, "snapshot_every": 10}
        with open(self.path("r.json"), "w") as file:
            json.dump(recipe, file)
        self.assertEqual(run("train", "r.json", folder=self.folder).status, 0)
        self.made = self.path("made")

    def ask(self, address, what, *words):
        return run("draw", address, "--model", self.made, "--minus", what, *words, "-o",
                   self.path("a.txt"), "--force")

    def test_steps_of_the_training(self):
        outcome = self.ask(WEIGHTS, "training=20", "--source", "i i")
        self.assert_says(outcome, "another sentence", "--source-ids")
        ids = outcome.err.split("--source-ids ")[1].strip()
        self.assert_done(self.ask(WEIGHTS, "training=20", "--source-ids", ids))
        text = read(self.path("a.txt")).decode()
        self.assertEqual(set(re.findall(r"-?\d\.\d\d", text.split("value,")[0])), {"0.00"},
                         "at its last step it is as the model is")
        self.assert_done(self.ask(WEIGHTS, "training=0", "--source-ids", ids))
        self.assertIn("minus step 0 of the training", read(self.path("a.txt")).decode())
        self.assert_says(self.ask(WEIGHTS, "training=7", "--source-ids", ids), "0, 10, 20")
        self.assert_says(self.ask("encoder.input", "training=0", "--source-ids", ids),
                         "did not keep encoder.input")
        self.assert_says(self.ask(self.cross, "training=0", "--source-ids", ids,
                                  "--target-ids", "1,9,9,9"), "another target")
        self.refuse(WEIGHTS, "--minus", "training=0", says=("kept nothing",))


class Bars(Comparable):
    def test_the_best_words_and_the_others_together(self):
        text = self.draw("probabilities[target=0]", "--best", "3")
        best = float(re.search(r"(?m)^ +I █+\S? ?(\d\.\d+) ◀$", text)[1])
        rest = float(re.search(r"1,597 others +\S* ?in total (\d\.\d+)", text)[1])
        self.assertAlmostEqual(best + rest, 1, delta=0.002)
        self.assertIn("after <start>", text)
        self.assertIn("--best 3", text.split("command:")[1])

    def test_all_places_and_what_came_next(self):
        text = self.draw("probabilities")
        self.assertEqual(text.count("after "), 10)
        self.assertEqual(text.count("◀"), 11, "each place, and the note")
        self.assertIn("<end> █", text)

    def test_a_target_that_was_given_is_marked_wherever_it_ranks(self):
        text = self.draw("probabilities", "--target", "I saw a friend.")
        self.assertRegex(text, r"·s +\S* ?<0\.001 ◀ rank \d+")

    def test_what_a_hand_changed_is_still_a_share(self):
        best = "probabilities[target=0, vocabulary="
        prompt(SENTENCE, f":set {best}2] = 0.5", f':set {best}"I"] = 0.5',
               f":draw probabilities[target=0] --best 1 -o {self.path('t.txt')}")
        text = read(self.path("t.txt")).decode()
        self.assertRegex(text, r"(?m)^ +I .* 0\.500 ◀")
        self.assertIn("1,598 others", text)
        self.assertNotIn("softmax", text)

    def test_logits_have_no_sum(self):
        text = self.draw("logits[target=0]")
        self.assertIn("draw the probabilities after the softmax", text)
        self.assertIn("at most", text)
        self.assertNotIn("in total", text)

    def test_labels_of_a_classifier(self):
        text = self.draw("probabilities", "--model", "classifier", source="오늘 정말 기뻐요.")
        self.assertRegex(text, r"(?m)^ *joy +█+▉? ?[01]\.\d+ ◀$")
        self.assertNotIn("others", text)

    def test_the_terminal_also_has_them(self):
        outcome = run("heat", "probabilities", "--source", SENTENCE, "--width", "60",
                      "--color", "never")
        self.assert_done(outcome)
        self.assertIn("others", outcome.out)
        self.assertLessEqual(max(len(line) for line in outcome.out.split("\n")), 60)

    def test_the_terminal_compares_as_files_do(self):
        for flags, part in sample(((("--range", "0:0.3"), "≥ 0.30"), (("--log",), "logarithmic"),
                                   (("--minus", "source=" + OTHER), "symmetric around 0"),
                                   (("--as-if",), None)), 2):
            outcome = run("heat", WEIGHTS + "[head=mean]", "--source", SENTENCE, *flags,
                          "--color", "never")
            self.assertEqual(outcome.status, 0 if part else 2, outcome.err)
            self.assertIn(part or "", outcome.out)
        outcome = run("heat", WEIGHTS, "encoder.ids", "--minus", "step=1", "--source",
                      SENTENCE)
        self.assert_says(outcome, "have different shapes")

    def test_of_any_rows(self):
        text = self.draw(WEIGHTS + "[head=0]", "--as", "bars", "--best", "2")
        self.assertIn("query 나는", text)
        self.assertIn("9 others", text)
        self.refuse(WEIGHTS, "--best", "0", says=("--best is",), status=2)
        self.refuse(WEIGHTS, "--best", "2", "--as", "grid", says=("bars",))
        self.refuse("probabilities", "--log", says=("colors of a heatmap",))

    def test_a_part_that_was_chosen_is_a_heatmap(self):
        self.assertNotIn("others", self.draw("probabilities[vocabulary=0:5]"))


if __name__ == "__main__":
    unittest.main()
