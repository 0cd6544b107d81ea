"""A masked language model: words are masked by typing or with :hide, and learned."""

import os
import pathlib
import re
import shutil

from program import ProgramTest, prompt, run, write

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORDS = ["[PAD]", "[UNK]", ".", "[SEP]", "[MASK]", "[CLS]", "anna", "met", "a", "friend",
         "##s", "##ed", "walk", "home", "she", "went", "한", "국", "##국", ","]


class MaskedWords(ProgramTest):
    def bert(self, family="bert", words=WORDS, options=None):
        """A folder as downloaded, with vocab.txt; the last ids have plain names."""
        folder = self.path(family)
        shutil.copytree(ROOT / "tests/reference/families" / family, folder)
        rest = [f"word{n}" for n in range(40 - len(words))]
        write(os.path.join(folder, "vocab.txt"), "\n".join(words + rest) + "\n")
        if options:
            write(os.path.join(folder, "tokenizer_config.json"), options)
        return folder

    def small(self, *options):
        """A model of ours with its own vocabulary."""
        write(self.path("texts.tsv"), "".join(
            f"{name} had a {what} .\n" for name in ("Anna", "Tom", "Mia", "Ben")
            for what in ("dog", "cat", "red ball", "blue ball")))
        write(self.path("recipe.json"), """{"preset": "bert", "data": "texts.tsv",
            "header": "no", "tokenizer": "words", "vocabulary": 30, "batch": 8,
            "epochs": 60, "learning_rate": 0.01, "warmup": 10, "schedule": "cosine",
            "model": {"encoder_layers": 1, "d_model": 16, "attention_heads": 2, "d_ff": 32,
            "max_length": 16, "dropout": 0, "attention_dropout": 0%s},
            "output": "small", "threads": 1, "samples": 2}""" % "".join(options))
        return run("train", "recipe.json", folder=self.path("."))

    def test_vocab_txt_cuts_words_and_marks_the_ends(self):
        found = run("tokens", "--model", self.bert(), "--source", "Ánna WALKED, 한국국 friends.")
        self.assert_done(found)
        shown = re.findall(r"^ +\d+  (\S+) +(\d+)", found.out, re.M)
        self.assertEqual([label for label, _ in shown],
                         ["[CLS]", "anna", "walk", "##ed", ",", "[UNK]", "friend", "##s", ".",
                          "[SEP]"])
        self.assertEqual([int(number) for _, number in shown],
                         [5, 6, 12, 11, 19, 1, 9, 10, 2, 3])

    def test_letters_stay_as_they_are_where_the_options_say_so(self):
        folder = self.bert(options='{"do_lower_case": false}')
        found = run("tokens", "--model", folder, "--source", "Anna met anna")
        self.assertEqual(re.findall(r"^ +\d+  (\S+)", found.out, re.M),
                         ["[CLS]", "[UNK]", "met", "anna", "[SEP]"])

    def test_a_word_is_left_out_in_any_of_three_ways(self):
        folder = self.bert()
        answers = [re.findall(r"^  .*confidence: .*", prompt(f":model {folder}", typed).out, re.M)
                   for typed in ("anna [MASK] a friend.", "anna <mask> a friend.",
                                 "anna _____ a friend.")]
        self.assertEqual(len(answers[0]), 1)
        self.assertEqual(answers[0], answers[1])
        self.assertEqual(answers[0], answers[2])

    def test_the_second_sentence_of_a_pair_has_another_type(self):
        found = prompt(f":model {self.bert()}", "anna met. [SEP] she went.",
                       ":show encoder.token_types")
        self.assert_done(found)
        self.assertRegex(found.out, r"\n0 +0 +0 +0 +0 +0 +1 +1 +1 +1\n")

    def test_words_are_hidden_and_shown_again(self):
        found = prompt(f":model {self.bert()}", "anna met friends.", ":hide friends",
                       ":hide met", ":tokens", ":hide", ":tokens", "Anna met a", ":hide Anna")
        self.assert_done(found)
        self.assertRegex(found.out, r'The masked word is "friend": its probability is 0\.\d+')
        self.assertRegex(found.out, r'The masked word is "##s": its probability is ')
        self.assertRegex(found.out, r'The masked word is "met": its probability is ')
        self.assertIn('source: "anna [MASK] [MASK] [MASK]."', found.out)
        self.assertIn('source: "anna met friends."', found.out)
        self.assertRegex(found.out, r'The masked word is "anna": its probability is ')

    def test_what_cannot_be_hidden_is_said(self):
        folder = self.bert()
        for line, said in ((":hide [CLS]", "is added to every sentence"),
                           (":hide home", "home"),
                           (":hide 40", "40"),
                           (":target anna met a home.", "is not masked but differs"),
                           (":target anna met.", "has 7 tokens and the whole one 5"),
                           (":learn", "no masked word to learn"),
                           (":beam 2", "this model has no decoder")):
            found = prompt(f":model {folder}", "anna met a friend.", line)
            self.assertIn(said, found.err + found.out, line)
        self.assertIn("does not predict masked words",
                      prompt("지수는 말이 많아요.", ":hide 0").err)

    def test_what_the_files_lack_is_named(self):
        cases = (([word for word in WORDS if word != "[SEP]"] + ["x"], "[SEP]"),
                 (["[PAD]", "", *WORDS[2:]], "line 2 is not a word"))
        for words, said in cases:
            folder = self.bert(words=words)
            found = prompt(f":model {folder}")
            self.assertIn(said, found.err)
            self.assertIn("vocab.txt", found.err)
            shutil.rmtree(folder)
        folder = self.bert()
        config = pathlib.Path(folder, "config.json")
        config.write_text(config.read_text().replace("BertForMaskedLM", "BertForTokenClassification"))
        self.assertRegex(prompt(f":model {folder}").err, r'"architectures".*BertForTokenClassification')

    def test_a_small_model_learns_what_is_hidden(self):
        trained = self.small()
        self.assertEqual(trained.status, 0, trained.err)
        self.assertRegex(trained.err, r"<mask>.* -> ")
        found = prompt(f":model {self.path('small')}", "Anna ___ a dog .", "Tom had a cat .",
                       ":hide had", ":hide a")
        self.assert_done(found)
        self.assertRegex(found.out, r"Anna had a dog\. +confidence: (9\d|100)%")
        self.assertRegex(found.out, r'The masked word is "a": its probability is \S+, the highest')
        measured = run("evaluate", self.path("small"), self.path("texts.tsv"), "--header", "no")
        self.assertRegex(measured.out, r"each word masked once")
        perplexity = float(re.search(r"perplexity +([\d.]+)", measured.out).group(1))
        self.assertLess(perplexity, 3)

    def test_the_same_seed_hides_the_same_words(self):
        curves = []
        for _ in range(2):
            self.small()
            curves.append(pathlib.Path(self.path("small"), "train.csv").read_text())
            shutil.rmtree(self.path("small"))
        losses = [[line.split(",")[:3] for line in curve.splitlines()] for curve in curves]
        self.assertGreater(len(losses[0]), 50)
        self.assertEqual(*losses)

    def test_one_step_of_learning_makes_the_hidden_word_more_probable(self):
        self.small()
        found = prompt(f":model {self.path('small')}", "Anna had a dog .", ":hide dog",
                       ":learn --rate 0.005", ":hide", ":hide dog")
        self.assert_done(found)
        before, after = re.findall(r'The masked word is "dog": its probability is ([\d.e-]+)', found.out)
        self.assertGreater(float(after), float(before))
        self.assertRegex(found.out, r"The loss at each masked position is")


if __name__ == "__main__":
    import unittest
    os.chdir(ROOT)
    unittest.main()
