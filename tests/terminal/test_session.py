"""What a session keeps, and what people type first."""

import unittest

from program import ProgramTest, SENTENCE, prompt
from terminal import READY, RUNNING, TerminalTest

WEIGHTS = "encoder.0.self_attention.weights"


class Kept(ProgramTest):
    """A line that was refused or asks for something else loses nothing."""

    def check_kept(self, *lines, says=""):
        found = prompt(SENTENCE, *lines, ":next", ":stages")
        self.assertIn("2/", found.out, found.err)
        self.assertIn("> ", found.out.split("2/", 1)[1])
        self.assertIn(says, found.out + found.err)

    def test_generate_speaks_of_the_sentence_at_hand(self):
        self.check_kept(":generate", says="I met a friend")
        found = prompt(SENTENCE, ":generate", ":version")
        self.assert_done(found)
        self.assertIn("GPL", found.out)

    def test_generate_of_another_sentence(self):
        self.check_kept(":generate --source '나는 학교에 갔다.'", says="school")

    def test_generate_without_a_sentence_says_what_to_do(self):
        self.assertIn("type one", prompt(":generate").err)

    def test_a_refused_target(self):
        self.check_kept(":target a | b", says="give as many")

    def test_a_sentence_that_is_too_long(self):
        self.check_kept("나는 " * 100, says="shorten it")

    def test_an_explanation_can_still_be_followed(self):
        cell = f":why {WEIGHTS}[head=0,query=1,key=2]"
        found = prompt(SENTENCE, cell, "나는 " * 100, ":why 1")
        self.assertIn("encoder.0.self_attention.masked[head=0", found.out)
        self.assertNotIn(":why ADDRESS", found.err)


class Models(ProgramTest):
    def test_every_name_of_the_list_opens(self):
        found = prompt(":models")
        self.assert_done(found)
        names = [line.split()[0] for line in found.out.splitlines()
                 if line.startswith("  ") and line[2:3].isalpha() and "open one" not in line]
        self.assertIn("ko-en", names)
        self.assertIn("seq2seq-as-written", names)
        for name in names:
            with self.subTest(name=name):
                opened = prompt(f":model {name}", SENTENCE, ":next", ":next")
                self.assertEqual(opened.status, 0, opened.err)
                self.assertIn("\n3/", opened.out)

    def test_a_preset_that_cannot_generate_reads_the_source_again(self):
        found = prompt(":model keras-as-written", SENTENCE, ":goto decoder.1.cross_attention.weights")
        self.assertIn(":target gives it another", found.err)
        self.assertIn("decoder.1.cross_attention", found.out)

    def test_a_name_that_is_not_there(self):
        found = prompt(":model pytroch", SENTENCE)
        self.assertIn("did you mean pytorch", found.err)
        self.assertIn("tokens", found.out)


class Typed(ProgramTest):
    def test_bare_words_are_commands(self):
        for line in ("next", ":n"):
            self.assertIn("2/", prompt(SENTENCE, line).out)
        for line in ("quit", "exit", ":q"):
            self.assertNotIn("GPL", prompt(line, ":version").out)
        for line in ("help", ":h"):
            self.assertIn("Walking through", prompt(line).out)
        self.assertIn("1/", prompt(SENTENCE, "next", "back").out.split("2/")[1])
        self.assertIn('"help"', prompt("\\help").out)

    def test_comments_are_no_sentences(self):
        found = prompt(SENTENCE, "# what comes next?", "next")
        self.assert_done(found)
        self.assertIn("2/", found.out)
        self.assertIn('"#"', prompt("\\#").out)

    def test_the_space_before_a_word_need_not_be_typed(self):
        lines = [f":why {WEIGHTS}[head=0, query={label}, key=2]"
                 for label in ("부산", "·부산", "2")]
        outs = [prompt(SENTENCE, line) for line in lines]
        self.assert_done(outs[0])
        self.assertEqual(outs[0].out, outs[1].out)
        self.assertEqual(outs[0].out, outs[2].out)

    def test_a_line_that_leads_nowhere_says_so(self):
        found = prompt(SENTENCE, ":why encoder.position[source=1, d_model=2]", ":why 1")
        self.assertIn("line 1 of the explanation leads no further", found.err)

    def test_merges_of_a_word_need_no_sentence(self):
        found = prompt(":merges 부산에서")
        self.assert_done(found)
        self.assertIn("·부산 | 에서", found.out)
        self.assertIn("no space to be joined with", found.out)


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

    def test_models_are_completed(self):
        child = self.start()
        child.send(":model chat\t\n")
        child.expect_exact("assets/models/chatbot")

    def test_what_is_long_breaks_at_spaces(self):
        child = self.start(columns=72, rows=100)
        self.ask(child, SENTENCE)
        for line, lines in ((f":why {WEIGHTS}[head=0,query=1,key=2]", slice(0, 3)),
                            (":model", slice(1, None)), (":merges", slice(0, None))):
            shown = self.ask(child, line).split(RUNNING, 1)[1].strip().split("\r\n")
            self.assertLessEqual(max(map(len, shown[lines])), 72, line)


if __name__ == "__main__":
    unittest.main()
