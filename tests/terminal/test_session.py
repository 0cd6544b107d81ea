"""What a session keeps, and what people type first."""

import re
import unittest

from program import CHECKS_ALL, SENTENCE, ProgramTest, command_names, prompt, read, run, sample, width
from terminal import READY, RUNNING, TerminalTest

WEIGHTS = "encoder.0.self_attention.weights"


class Kept(ProgramTest):
    """A line that is rejected or only shows something loses nothing."""

    def check_kept(self, *lines, says=""):
        found = prompt(SENTENCE, "", *lines, ":next", ":stages")
        self.assertIn("\n1.1/", found.out, found.err)
        self.assertIn("> ", found.out.split("\n1.1/", 1)[1])
        self.assertIn(says, found.out + found.err)

    def test_generate_uses_the_current_sentence(self):
        self.check_kept(":generate", says="I met a friend")
        found = prompt(SENTENCE, ":generate", ":version")
        self.assert_done(found)
        self.assertIn("GPL", found.out)

    def test_generate_of_another_sentence(self):
        self.check_kept(":generate --source '나는 학교에 갔다.'", says="school")

    def test_generate_without_a_sentence_says_what_to_do(self):
        self.assertIn("type one", prompt(":generate").err)

    def test_a_refused_target(self):
        self.check_kept(":target a | b", says="give one target per source")

    def test_a_sentence_that_is_too_long(self):
        self.check_kept("나는 " * 100, says="shorten it")

    def test_an_explanation_can_still_be_followed(self):
        cell = f":why {WEIGHTS}[head=0,query=1,key=2]"
        found = prompt(SENTENCE, cell, "나는 " * 100, ":why 1")
        self.assertIn("encoder.0.self_attention.masked[head=0", found.out)
        self.assertNotIn(":why ADDRESS", found.err)


class Spelling(ProgramTest):
    """Names of stages have a -, those of tensors a _; both spellings are accepted."""

    def test_a_stage_is_gone_to_by_all_its_names(self):
        for name, stage in sample((("embedding_scaled", "encoder.embedding-scaled"),
                                   ("embedding-scaled", "encoder.embedding-scaled"),
                                   ("Embedding_Scaled", "encoder.embedding-scaled"),
                                   ("decoder.embedding_scaled", "decoder.embedding-scaled"),
                                   ("encoder.0.add_norm_1", "encoder.0.add-norm-1"),
                                   ("encoder.0.norm-1", "encoder.0.add-norm-1"),
                                   ("encoder.1.norm_1", "encoder.1.add-norm-1")), 3):
            with self.subTest(name=name):
                found = prompt(SENTENCE, f":goto {name}")
                self.assert_done(found)
                self.assertRegex(found.out, rf"\n[\d.]+/\d+ .* {stage}\n")

    def test_numbers_are_found_by_either(self):
        for name in ("embedding-scaled", "encoder.embedding-scaled"):
            found = prompt(SENTENCE, f":show {name}")
            self.assertEqual(found.status, 0, found.err)
            self.assertIn("encoder.embedding_scaled [batch 1,", found.out)


class Models(ProgramTest):
    def test_every_name_of_the_list_opens(self):
        found = prompt(":models")
        self.assert_done(found)
        names = [line.split()[0] for line in found.out.splitlines()
                 if line.startswith("  ") and line[2:3].isalpha() and "open one" not in line]
        self.assertIn("ko-en", names)
        self.assertIn("seq2seq-as-written", names)
        for name in sample(names, 5):
            with self.subTest(name=name):
                opened = prompt(f":model {name}", SENTENCE, *3 * [":next"])
                self.assertEqual(opened.status, 0, opened.err)
                self.assertEqual(len(re.findall(r"^[\d.]+/\d+  ", opened.out, re.M)), 3)
                self.assertEqual([line for line in opened.out.splitlines() if width(line) > 80], [])

    def test_a_preset_that_cannot_generate_reads_the_source_again(self):
        found = prompt(":model keras-as-written", SENTENCE, ":goto decoder.1.cross_attention.weights")
        self.assertIn(":target gives another one", found.err)
        self.assertIn("decoder.1.cross_attention", found.out)

    def test_a_name_that_is_not_there(self):
        found = prompt(":model pytroch", SENTENCE, "")
        self.assertIn("did you mean pytorch", found.err)
        self.assertIn("tokens", found.out)


class Walk(ProgramTest):
    """No command, whether it succeeds or fails, moves the walk or discards the sentence."""

    # These go to another place, or leave.
    MOVING = {"next", "back", "goto", "target", "quit", "model", "learn"}
    ARGUMENTS = ("", "xyzzy", "xyzzy 1 2 3", "--xyzzy", "[", "[head=99]", "'", "--help",
                 "-o", "head", "head 9", "99999999999999999999", "-1")

    def names(self):
        return command_names()

    # These may add or remove stages before the current one.
    CHANGING = {"option", "preset", "dropout", "learn"}

    def check_kept(self, *lines, moves=False):
        """Run each line in one session: the walk does not move."""
        typed = [SENTENCE]
        for line in lines:
            typed += [":options depth=boxes", ":goto encoder.0.weights", line,
                      *[":goto encoder.0.weights"] * moves,
                      ":options depth=numbers", ":back", ":tokens", ":version"]
        found = prompt(*typed, folder=self.folder)
        parts = re.split(r"^GPL-3.*$", found.out, flags=re.M)
        self.assertEqual(len(parts), len(lines) + 1, found.out + found.err)
        for line, out in zip(lines, parts):
            with self.subTest(line=line):
                stop = re.search(r"\n(\d+)/.*encoder\.0\.masked", out)
                self.assertTrue(stop, out + found.err)
                if line.lstrip(":").split(" ")[0] not in self.CHANGING:
                    self.assertEqual(stop.group(1), "7")
                self.assertIn("·부산", out[stop.end():])

    def test_every_command_in_the_middle_of_a_walk(self):
        together = []  # in `make test`
        for number, name in enumerate(self.names()):
            if name in ("quit", "model", "version"):  # the last one separates the outputs
                continue
            every = len(self.ARGUMENTS)
            lines = [f":{name} {arguments}"
                     for arguments in sample(self.ARGUMENTS, every, number % every)]
            if not CHECKS_ALL and name not in self.CHANGING | self.MOVING | {"batch", "decode"}:
                together += lines
                continue
            moves = name in self.MOVING or name in ("batch", "decode")
            for some in [[line] for line in lines] if name in self.CHANGING else [lines]:
                self.check_kept(*some, moves=moves)
        if together:
            self.check_kept(*together)

    def test_every_example_in_the_middle_of_a_walk(self):
        for name in sample(self.names(), 8):
            if name in ("quit", "model", "target", "version"):
                continue
            example = prompt(f":help {name}").out.rstrip("\n").split("\n")[-1].strip()
            self.check_kept(example,
                            moves=name in self.MOVING or name in ("batch", "decode"))

    def test_what_is_refused_keeps_the_place_of_those_that_move(self):
        self.check_kept(":goto xyzzy", ":goto", ":goto 999", ":next 1", ":back 1",
                        ":target a | b", ":model xyzzy", ":model --xyzzy", ":quit now",
                        ":decode 99", ":batch 9", ":batch x", ":xyzzy", ":", ":model", ":models",
                        ":model --help", ":quit --help", ":define", ":define layer norm")


class Short(ProgramTest):
    """Omitted parts of an address come from the current stop."""

    def check_same(self, stage, short, full):
        """The last line prints the same as with the full address."""
        found = prompt(SENTENCE, *[line for asked in (short, full) for line in (
            f":goto {stage}", ":version", asked, ":version")])
        one, other = found.out.split("GPL-3.0")[1::2]
        with self.subTest(stage=stage, short=short):
            self.assertEqual(found.status, 0, found.err)
            self.assertEqual(one, other)
        return found.err

    def test_no_address_is_this_stage(self):
        self.check_same("encoder.1.weights", ":heat",
                        ":heat encoder.1.self_attention.weights")
        self.check_same("decoder.1.cross_attention.scores", ":show",
                        ":show decoder.1.cross_attention.scores")
        self.check_same("step.2", ":show", ":show step.2.decoder.1.cross_attention.weights "
                        "step.2.probabilities")
        self.check_same("tokens", ":show", ":show encoder.ids")

    def test_a_stage_of_several_tensors_shows_each(self):
        found = prompt(SENTENCE, ":goto encoder.0.heads", ":show")
        for name in ("query", "key", "value"):
            self.assertIn(f"encoder.0.self_attention.{name} [", found.out)
        found = prompt(SENTENCE, ":goto encoder.0.heads", ":draw -o heads.txt",
                       folder=self.folder)
        self.assertIn("wrote heads.txt", found.out)
        self.assertIn("encoder.0.self_attention.key", read(self.path("heads.txt")).decode())

    def test_the_nearest_is_taken_and_said(self):
        for stage, short, full, why in sample((
                       ("encoder.1.weights", "weights", "encoder.1.self_attention.weights",
                        "the tensor of this stage"),
                       ("encoder.1.scores", "weights", "encoder.1.self_attention.weights",
                        "the tensor of this box"),
                       ("decoder.0.cross_attention.scores", "weights",
                        "decoder.0.cross_attention.weights", "the tensor of this box"),
                       ("decoder.0.scores", "norm_2", "decoder.0.norm_2", "the tensor of this layer"),
                       ("encoder.0.scores", "feed_forward.activated",
                        "encoder.0.feed_forward.activated", "the tensor of this layer"),
                       ("encoder.position", "scores", "encoder.0.self_attention.scores",
                        "the next one"),
                       ("encoder.0.scores", "cross_attention.scores",
                        "decoder.0.cross_attention.scores", "the next one in the walk")), 3):
            said = self.check_same(stage, f":show {short}", f":show {full}")
            self.assertIn(f"{short}: {full}, {why}", said)

    def test_what_is_unique_needs_no_note(self):
        for short, full in (("encoder.input", "encoder.input"), ("padding", "mask.padding")):
            self.assertEqual(self.check_same("encoder.0.scores", f":show {short}",
                                             f":show {full}"), "")

    def test_the_name_of_a_stage_is_its_only_tensor(self):
        for line in (":show %s[head=2]", ":why %s[head=2, query=1, key=0]", ":heat %s head 2"):
            self.assertEqual(self.check_same("tokens", line % "decoder.0.weights",
                                             line % "decoder.0.self_attention.weights"), "")
        self.assert_says(prompt(SENTENCE, ":show encoder.0.heads"), "no address 'encoder.0.heads'")

    def test_labels_that_need_quotes(self):
        """As help addresses writes them, also for a shell, and what a message says otherwise."""
        sentence = "나는 어제 부산에서, 친구를, 만났다."
        forms = re.findall(r"^  \[key=(\"\S+)\] ", run("help", "addresses").out, re.M)
        self.assertEqual(forms, ['"2"', '","#2', '"\\""'])
        for word in (forms[1], ",#2"):
            found = run("mask", "key", word, "--source", sentence)
            self.assertIn('key=","#2]', found.out, found.err)
        for written in (forms[1], '",#2"'):
            found = prompt(sentence, f":why {WEIGHTS}[head=0, query=0, key={written}]")
            self.assertIn('key=","#2] = ', found.out, found.err)
        for written in (",#2", '","2', '",#2'):
            found = prompt(sentence, f":show {WEIGHTS}[query={written}]")
            self.assertIn(forms[2], found.err)

    def test_words_choose_head_and_layer(self):
        here = "encoder.0.weights"
        address = "encoder.%d.self_attention.weights%s"
        for short, full in sample(((":heat head 2", address % (0, "[head=2]")),
                                   (":heat weights head 2", address % (0, "[head=2]")),
                                   (":heat layer 1", address % (1, "")),
                                   (":heat weights layer 1", address % (1, "")),
                                   (":heat head 3 layer 1", address % (1, "[head=3]")),
                                   (":heat [query=친구, head=0]", address % (0, "[query=·친구, head=0]")),
                                   (":heat weights[query=친구] head 1",
                                    address % (0, "[query=친구, head=1]"))), 3):
            self.check_same(here, short, f":heat {full}")
        self.check_same(here, ":why weights[head=0, query=친구, key=2]",
                        ":why " + address % (0, "[head=0, query=친구, key=2]"))

    def test_what_does_not_fit_is_refused_in_one_sentence(self):
        for stage, line, says in sample((
                       ("encoder.0.weights", ":heat head", "'head' needs a number"),
                       ("encoder.0.weights", ":heat head 1x", "'1x' is not a number"),
                       ("encoder.0.weights", ":heat head 9", "head=9"),
                       ("encoder.0.weights", ":heat layer 9", "there is no encoder.9"),
                       ("encoder.input", ":heat layer 1", "encoder.input is in no layer"),
                       ("encoder.input", ":heat head 1", "no axis 'head'"),
                       ("encoder.input", ":heat xyzzy", "no address 'xyzzy'")), 2):
            found = prompt(SENTENCE, f":goto {stage}", line)
            self.assert_says(found, says)

    def test_in_a_shell_it_is_the_first(self):
        found = run("show", "weights", "head", "1", "--source", "a b")
        self.assertEqual(found.status, 0, found.err)
        self.assertIn("weights: encoder.0.self_attention.weights, the first", found.err)
        self.assertIn("encoder.0.self_attention.weights [", found.out)
        self.assert_says(run("heat", "--source", "a b"), "no stage is shown, so write an address first")

    def test_a_figure_says_the_whole_address(self):
        prompt(SENTENCE, ":goto encoder.0.weights", ":draw head 1 -o a.svg", folder=self.folder)
        self.assertIn("glassbox draw &apos;encoder.0.self_attention.weights[head=1]&apos;",
                      read(self.path("a.svg")).decode().replace("'", "&apos;")
                      .replace("&#39;", "&apos;"))


class Typed(ProgramTest):
    def test_a_bare_name_of_a_command_is_pointed_out(self):
        for word in ("stages", "models", "heat"):
            self.assertIn(f"the command is :{word}", prompt(word).out)
        self.assertNotIn("the command is", prompt(SENTENCE).out)

    def test_help_may_be_a_flag(self):
        for name in ("draw", "next", "help", "learn-bpe"):
            found = run(name, "--help")
            self.assert_done(found)
            self.assertEqual(found.out, run("help", name).out)
        self.assertEqual(prompt(":draw -h").out, prompt(":help draw").out)
        for line in ("?", ":?", "help", "도움말", ":도움말"):
            self.assertEqual(prompt(line).out, prompt(":help").out, line)

    def test_heads_are_side_by_side_if_they_fit(self):
        for width, heads in ((80, 2), (140, 4), (200, 4)):
            found = run("heat", WEIGHTS, "--source", SENTENCE, "--width", str(width))
            first = next(line for line in found.out.split("\n") if "head 0" in line)
            self.assertEqual(first.count("head "), heads, width)

    def test_an_idea_may_follow_a_place(self):
        self.assertIn("decoder.1.weights", prompt(SENTENCE, ":goto decoder.1.softmax").out)
        self.assertIn("no stage 'xyzzy.softmax'", prompt(SENTENCE, ":goto xyzzy.softmax").err)

    def test_a_korean_keyboard_finds_its_commands(self):
        self.assertEqual(prompt(":도움말").out, prompt(":help").out)
        self.assertEqual(prompt(SENTENCE, "＋").out, prompt(SENTENCE, "+").out)
        self.assertEqual(prompt(SENTENCE, "종료").out, prompt(SENTENCE, ":quit").out)
        self.assertIn("did you mean help", prompt(":ㅗ디ㅔ").err)
        self.assertIn("did you mean version", prompt(":ㅍㄷㄱ냐ㅐㅜ").err)

    def test_a_mistyped_short_address_is_offered(self):
        self.assertIn("did you mean weights", prompt(SENTENCE, ":heat weigths").err)
        self.assertIn("for example encoder.0.self_attention.",
                      prompt(SENTENCE, ":heat self_attention").err)
        self.assertIn("encoder.0.norm_1", prompt(SENTENCE, ":heat Norm-1").out)

    def test_goto_again_visits_each_stage_of_an_idea(self):
        out = prompt(SENTENCE, ":goto decoder.0.weights", *[":goto softmax"] * 6).out
        stages = re.findall(r"^ *([0-9.]+)/\d+  Softmax", out, re.M)
        self.assertEqual(stages[6:], stages[:1], stages)
        self.assertEqual(len(set(stages)), 6, stages)

    def test_goto_offers_what_is_near(self):
        self.assertIn("did you mean softmax?", prompt(SENTENCE, ":goto sofmax").err)
        self.assertIn(":stages lists them", prompt(SENTENCE, ":goto xyzzy").err)
        self.assertIn("no stage of this walk shows 'lstm'",
                      prompt(SENTENCE, ":goto lstm").err)

    def test_terms_are_defined(self):
        self.assertEqual(prompt(":define softmax").out, prompt(":define 소프트맥스").out)
        self.assertIn("did you mean softmax?", prompt(":define sofmax").err)
        found = prompt(SENTENCE, ":define layer norm")
        self.assertIn(":goto norm", found.out)
        self.assertIn("cross-attention", prompt(":define").out)

    def test_bare_words_are_commands(self):
        for line in ("next", ":n"):
            self.assertIn("\n1.1/", prompt(SENTENCE, "", line).out)
        for line in ("quit", "exit", ":q"):
            self.assertNotIn("GPL", prompt(line, ":version").out)
        for line in ("help", ":h"):
            self.assertIn(":help COMMAND", prompt(line).out)
        self.assertIn("\n1/", prompt(SENTENCE, "", "next", "back").out.split("\n1.1/")[1])
        self.assertIn('"help"', prompt("\\help", "").out)

    def test_comments_are_not_sentences(self):
        found = prompt(SENTENCE, "", "# what comes next?", "next")
        self.assert_done(found)
        self.assertIn("\n1.1/", found.out)
        self.assertIn('"#"', prompt("\\#", "").out)

    def test_the_space_before_a_word_need_not_be_typed(self):
        lines = [f":why {WEIGHTS}[head=0, query={label}, key=2]"
                 for label in ("부산", "·부산", "2")]
        outs = [prompt(SENTENCE, line) for line in lines]
        self.assert_done(outs[0])
        self.assertEqual(outs[0].out, outs[1].out)
        self.assertEqual(outs[0].out, outs[2].out)

    def test_a_line_that_leads_nowhere_says_so(self):
        found = prompt(SENTENCE, ":why encoder.position[source=1, d_model=2]", ":why 1")
        self.assertIn("line 1 of the explanation has no address", found.err)

    def test_merges_of_a_word_need_no_sentence(self):
        found = prompt(":merges 부산에서")
        self.assert_done(found)
        self.assertIn("·부산 | 에서", found.out)
        self.assertIn("no space to merge with", found.out)


    def test_a_mask_is_shown_as_0_and_1(self):
        found = prompt("나는. | 나는 학교에 갔다.", ":show encoder.padding_mask")
        self.assert_done(found)
        self.assertRegex(found.out.split("padding_mask")[-1], r"\n0 +0 .*1\b")
        self.assertNotIn("0.000", found.out.split("padding_mask")[-1])


class Completion(TerminalTest):
    def test_a_bracket_follows_an_address(self):
        child = self.start()
        self.ask(child, SENTENCE)
        child.send(":heat encoder.0.self_attention.wei\t[head=0]\n")
        child.expect_exact("weights")
        child.expect_exact(READY)
        self.assertNotIn("usage", child.before)

    def test_axes_and_labels_are_completed(self):
        child = self.start(columns=120)
        self.ask(child, SENTENCE)
        child.send(f":why {WEIGHTS}[he\t1, qu\t만\t, key=·친\t]\n")
        child.expect_exact("[head=1, query=·만, key=·친구] = ")
        child.expect_exact(READY)

    def test_addresses_are_typed_by_tab(self):
        child = self.start(columns=120, rows=60)
        self.ask(child, SENTENCE)
        self.ask(child, ":goto encoder.0.weights")
        for typed, shown in ((":show e\t0\ts\tweig\t[he\t1\tqu\t만\t\tkey=2\t\n",
                              "weights [batch 1, head 4, query 11, key 11], head 1"),
                             (":heat wei\ts he\t2\n", "self_attention.weights, head 2"),
                             (":goto sof\t\n", "decoder.0.weights"),
                             (":define residual c\t\n", "residual connection")):
            child.send(typed)
            child.expect_exact(shown)
            child.expect_exact(READY)

    def test_models_are_completed(self):
        child = self.start()
        child.send(":model chat\t\n")
        child.expect_exact("chatbot: answers short Korean questions")

    def test_what_is_refused_breaks_at_spaces(self):
        child = self.start(columns=50)
        self.ask(child, SENTENCE)
        for line in (f":show {WEIGHTS}[head=0,query=xyzzy]", f":draw {WEIGHTS} -o x.xyz", ":decode x"):
            shown = self.ask(child, line).split(RUNNING, 1)[1].strip().split("\r\n")
            self.assertGreater(len(shown), 1, line)
            self.assertLessEqual(max(map(len, shown)), 50, line)
            self.assertFalse(any(part.startswith(" ") for part in shown), line)

    def test_what_is_long_breaks_at_spaces(self):
        child = self.start(columns=72, rows=200)
        self.ask(child, SENTENCE)
        for line, lines in ((f":why {WEIGHTS}[head=0,query=1,key=2]", slice(0, 3)),
                            (":model", slice(1, None)), (":merges", slice(0, None))):
            shown = self.ask(child, line).split(RUNNING, 1)[1].strip().split("\r\n")
            self.assertLessEqual(max(map(len, shown[lines])), 72, line)


if __name__ == "__main__":
    unittest.main()
