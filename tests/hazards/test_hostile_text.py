"""Text that would move, color, reverse or hide other text is never printed unescaped,
wherever it comes from: names of files and folders, words, labels, columns, errors."""

import json
import os
import re
import shutil
import unicodedata
import unittest

from program import ProgramTest, prompt, read, run, write

# Escape sequences, a bell, C1 in UTF-8, bidirectional controls, zero width, delete.
HOSTILE = "x\x1b[31m\x07\x9b2J\u202e\u2066\u200b\ufeff\x7fy"
SAFE = "x<1B>[31m<07><U+009B>2J<U+202E><U+2066><U+200B><U+FEFF><7F>y"
SIZES = ["--d-model", "8", "--attention-heads", "2", "--d-ff", "8",
         "--encoder-layers", "1"]


def forbidden(text):
    """Return the code points of `text` that no terminal should get, except line
    ends."""
    return {hex(ord(c)) for c in text
            if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp", "Cs")}


class HostileText(ProgramTest):
    def assert_safe(self, outcome, part=SAFE):
        """Check that nothing forbidden was written, and that `part` was."""
        for stream in (outcome.out_bytes, outcome.err_bytes):
            self.assertEqual(forbidden(stream.decode()), set(), outcome.out + outcome.err)
        self.assertIn(part, outcome.out + outcome.err)

    def vocabulary(self, *words):
        folder = self.path("words")
        os.mkdir(folder)
        every = ["<pad>", "<start>", "<end>", "<unk>", *words]
        with open(os.path.join(folder, "vocab.json"), "w") as file:
            json.dump({word: i for i, word in enumerate(every)}, file)
        return folder

    def model(self, name, *options, preset="paper"):
        folder = self.path(name)
        outcome = run("new", "--preset", preset, *SIZES,
                      "--decoder-layers", "0" if preset == "classifier" else "1",
                      *options, "-o", folder)
        self.assertEqual(outcome.status, 0, outcome.err)
        return folder, outcome

    def classifier(self):
        words = self.vocabulary("a", "b")
        folder, _ = self.model("model", "--tokenizer", words, "--labels",
                               HOSTILE + ",good", preset="classifier")
        return folder

    def test_typed_text(self):
        self.assert_safe(prompt(HOSTILE, "", ":tokens", ":batch", ":stages"))

    def test_commands_that_are_not_there(self):
        for line in (f":{HOSTILE}", f":goto {HOSTILE}", f":help {HOSTILE}",
                     f":options {HOSTILE}=1", f":options width={HOSTILE}",
                     f":show {HOSTILE}", f":heat --{HOSTILE}", f":model {HOSTILE}",
                     f":merges {HOSTILE}", f":draw {HOSTILE} -o x.png"):
            with self.subTest(line=line):
                self.assert_safe(prompt("a", line), "<1B>")

    def test_malformed_bytes(self):
        outcome = run(text=b":no\xff\xfe\xe2\x82\n", folder=self.folder)
        self.assert_safe(outcome, "<FF FE E2 82>")

    def test_a_model_folder(self):
        folder, outcome = self.model(HOSTILE)
        self.assert_safe(outcome)
        self.assert_safe(run("--model", folder))
        self.assert_safe(run("model", "--model", folder))
        os.remove(os.path.join(folder, "model.safetensors"))
        self.assert_safe(run("--model", folder))
        for file in os.listdir("assets/models/passive"):
            shutil.copy("assets/models/passive/" + file, folder)
        os.remove(os.path.join(folder, "words.txt"))
        os.mkdir(os.path.join(folder, "words.txt"))
        self.assert_safe(run("--model", folder, text="a\n"), f"{SAFE}/words.txt: it is a folder")

    def test_names_of_outputs(self):
        trace = ["--source", "안녕", "-o"]
        for arguments in (["draw", "encoder.0.self_attention.weights", *trace],
                          ["show", "encoder.0.self_attention.weights", *trace],
                          ["trace", *trace], ["page", *trace]):
            ending = {"draw": ".txt", "show": ".csv", "trace": ".json",
                      "page": ".html"}[arguments[0]]
            name = self.path(HOSTILE + ending)
            with self.subTest(command=arguments[0]):
                self.assert_safe(run(*arguments, name))
                self.assert_safe(run(*arguments, name))  # it exists: an error

    def test_a_figure(self):
        for name, *words in (["f.svg", "draw", "encoder.0.self_attention.weights[head=0]"],
                             ["f.txt", "draw", "encoder.0.self_attention.weights[head=0]"],
                             ["f.html", "page", "--depth", "numbers"]):
            path = self.path(name)
            outcome = run(*words, "--source", HOSTILE, "-o", path)
            self.assertEqual(outcome.status, 0, outcome.err)
            text = read(path).decode()
            self.assertEqual(forbidden(text), set())
            self.assertIn("<1B>", text.replace("&lt;", "<").replace("&gt;", ">"))

    def test_a_picture_keeps_its_sentence_safe(self):
        path = self.path("f.png")
        run("draw", "encoder.0.self_attention.weights[head=0]", "--source", HOSTILE, "-o",
            path)
        facts = re.search(rb"iTXtsentence\0+([^\0]*)", read(path))
        self.assertTrue(facts[1].startswith(SAFE.encode()), facts[1])

    def test_words_of_a_vocabulary(self):
        words = self.vocabulary("a", HOSTILE)
        folder, _ = self.model("model", "--tokenizer", words)
        outcome = run("--model", folder,
                      text="a\n:target a\n:show logits\n:decode 0\n:decode\n"
                           ":why logits[target=0, vocabulary=5]\n")
        self.assert_safe(outcome)
        outcome = run("show", "logits", "--model", folder, "--source", "a", "--target",
                      "a", "-o", self.path("logits.csv"))
        self.assertEqual(outcome.status, 0, outcome.err)
        self.assertEqual(forbidden(read(self.path("logits.csv")).decode()
                                   .replace("\r\n", "\n")), set())

    def test_what_is_generated(self):
        words = self.vocabulary(HOSTILE)
        folder, _ = self.model("model", "--tokenizer", words)
        for seed in range(2, 40):
            outcome = run("generate", "--model", folder, "--source", "a", "--limit", "3")
            if "<1B>" in outcome.out:
                break
            self.model("model", "--tokenizer", words, "--force", "--seed", str(seed))
        self.assert_safe(outcome)

    def test_labels(self):
        folder = self.classifier()
        outcome = run("--model", folder,
                      text="a b\n:show logits\n:heat logits\n:goto logits\n"
                           ":why logits[label=0]\n:show probabilities\n:model\n")
        self.assert_safe(outcome)
        path = self.path("logits.csv")
        run("show", "logits", "--model", folder, "--source", "a", "-o", path)
        self.assertEqual(forbidden(read(path).decode().replace("\r\n", "\n")), set())
        write(self.path("data.tsv"), f"text\tlabel\na\t{HOSTILE}\nb\tgood\n")
        self.assert_safe(run("evaluate", folder, self.path("data.tsv"), "--width", "200"))
        self.assert_safe(run("evaluate", folder, self.path("data.tsv"), "--json"),
                         "confusion")

    def test_a_corpus(self):
        path = self.path(HOSTILE + ".tsv")
        write(path, f"{HOSTILE}\tb\nalone\n{HOSTILE} c\td\n")
        self.assert_safe(run("data", path))
        self.assert_safe(run("data", path, "--from", HOSTILE))
        self.assert_safe(run("data", self.path(HOSTILE)))
        self.assert_safe(run("learn-words", path, "-o", self.path(HOSTILE)))
        self.assert_safe(run("learn-bpe", path, "-o", self.path(HOSTILE) + "2"))

    def test_a_recipe(self):
        write(self.path("p.tsv"), f"{HOSTILE}\tb\nalone\nc\td\n")
        recipe = {"preset": "paper", "data": self.path("p.tsv"), "steps": 2,
                  "threads": 1, "plot": "none", "output": self.path(HOSTILE),
                  "model": {"d_model": 8, "attention_heads": 2, "d_ff": 8,
                            "encoder_layers": 1, "decoder_layers": 1}}
        path = self.path("r.json")
        write(path, json.dumps(recipe))
        self.assert_safe(run("train", path))
        self.assert_safe(run("train", path))  # a file exists already: an error
        for key in ("preset", "data", "schedule", "output", HOSTILE):
            write(path, json.dumps({**recipe, key: HOSTILE}))
            with self.subTest(key=key):
                self.assert_safe(run("train", path, "--force"),
                                 SAFE if key in ("data", "output", HOSTILE) else key)

    def test_files_that_are_not_json(self):
        name = self.path(HOSTILE + ".json")
        write(name, "{" + HOSTILE)
        self.assert_safe(run("train", name))
        self.assert_safe(run("grammar", name, "-o", self.path("g")))


if __name__ == "__main__":
    unittest.main()
