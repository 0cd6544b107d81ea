"""A folder of another family with its tokenizer.json: tokens of typed text, and how they are
made."""

import os
import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/reference"))

import tokenizer_files  # noqa: E402
from program import ProgramTest, prompt, read, run  # noqa: E402


class Named(ProgramTest):
    def test_every_family_is_named_where_users_look(self):
        table = (ROOT / "src/store/family.c").read_text().partition("families[] = {")[2]
        names = re.findall(r'\.name = "([^"]+)"', table)
        self.assertGreater(len(names), 5)
        for text in run("help", "families").out, (ROOT / "README.md").read_text():
            for name in names:
                self.assertIn(name, text)


class Families(ProgramTest):
    def made(self, family, tokenizer):
        folder = self.path(family)
        shutil.copytree(ROOT / "tests/reference/families" / family, folder)
        pathlib.Path(folder, "tokenizer.json").write_text(tokenizer_files.small(tokenizer))
        return folder

    def test_a_prompt_is_cut_as_tokenizer_json_says(self):
        folder = self.made("llama", "stories")
        found = prompt(f":model {folder}", "ab a", "", ":merges")
        self.assert_done(found)
        self.assertIn('prompt: "ab a"', found.out)
        for row in (r"0  <s>  +1  \(no bytes\)", r"1  ·a +9  0-1", r"2  b +5  1-2",
                    r"3  ·a +9  2-4"):
            self.assertRegex(found.out, row)
        self.assertIn("Here: 2 words became 3 tokens, and <s>", found.out)
        self.assertIn("letters     · | a | b | · | a", found.out)
        self.assertIn("· + a:", found.out)

    def test_what_the_tokenizer_asks_for_is_put_around_a_prompt_and_no_more(self):
        """Without a template, the start id of the config counts."""
        with_start = prompt(f":model {self.made('llama', 'stories')}", "a", ":tokens")
        without = prompt(f":model {self.made('llama-with-biases', 'smollm2')}", "a", ":tokens")
        self.assertIn("<s>", with_start.out)
        self.assertNotIn("<s>", without.out.split(":quit")[-1])

    def test_a_bar_within_a_token_ends_no_sentence_and_a_batch_needs_padding(self):
        folder = self.made("gpt2", "gpt2")
        found = prompt(f":model {folder}", "ab<|endoftext|>a", ":tokens", "ab | a")
        self.assertRegex(found.out, r"<\|endoftext\|> +\d+  2-15")
        self.assertIn("this model cannot pad a batch (no pad_id)", found.err)

    def test_ids_beyond_the_vocabulary_have_a_name(self):
        folder = self.made("llama", "stories")
        found = run("tokens", "--model", folder, "--source-ids", "5,39")
        self.assert_done(found)
        self.assertRegex(found.out, r"<unused 39> +39")

    def test_a_new_model_takes_the_tokenizer_along(self):
        folder = self.made("qwen2", "qwen2")
        text = read(os.path.join(folder, "tokenizer.json"))
        found = run("new", "--preset", "paper", "--d-model", "16", "--d-ff", "16",
                    "--attention-heads", "2", "--encoder-layers", "0", "--tokenizer", folder, "-o", self.path("saved"))
        self.assert_done(found)
        self.assertEqual(read(self.path("saved/tokenizer.json")), text)
        self.assertFalse(os.path.exists(self.path("saved/vocab.json")))
        one, other = (run("tokens", "--model", place, "--source", "ab d").out
                      for place in (folder, self.path("saved")))
        self.assertEqual(one.split("\n")[2:5], other.split("\n")[2:5])


if __name__ == "__main__":
    import unittest
    os.chdir(ROOT)
    unittest.main()
