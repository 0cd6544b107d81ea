"""glassbox evaluate: compare each figure with one computed here from the results of `trace` and
`generate` for the same sentences. BLEU and the alignments are implemented again from their
definitions."""

import collections
import json
import math
import os
import re
import shutil
import subprocess
import tempfile
import unittest

from program import PATIENCE, PROGRAM, ProgramTest, read, run, write

END = 2  # the id of <end>

# Source, target, and for each target word the source words that it translates, joined by +.
# "don't" is one word for the alignment and three for the tokenizer.
PAIRS = [
    ("나는 친구를 만났다.", "I met a friend.", "0 2 -1 1 3"),
    ("나는 학교에 간다.", "I go to school.", "0+2 2 -1 0+1+2 3"),
    ("나는 책을 읽는다.", "I read a book.", "0 2 -1 1 3"),
    ("너는 안 가니?", "don't you go?", "1 0 2 3"),
    ("친구는 책을 산다.", "A friend buys a book.", "-1 0 2 -1 1 3"),
    ("너는 학교에 가니?", "Do you go to school?", "-1 0 2 -1 1 3"),
]
# Half of them as learned; the others expect something else, with an unknown word.
ASKED = PAIRS[:3] + [
    ("너는 안 가니?", "don't you read a book?", "1 0 2 -1 -1 3"),
    ("친구는 책을 산다.", "A friend reads a book.", "-1 0 2 -1 1 3"),
    ("나는 책을 간다.", "I met a friend.", "0 2 -1 -1 3"),
]
MOODS = [("나는 친구를 만났다.", "good"), ("너는 안 가니?", "bad"),
         ("나는 책을 읽는다.", "good"), ("나는 학교에 간다.", "so so"),
         ("너는 학교에 가니?", "bad")]


def bleu_words(text):
    """Tokenization 13a, without the entities."""
    text = re.sub(r"([!-&(-+/:-@\[-`{-~])", r" \1 ", f" {text} ")
    text = re.sub(r"([^0-9])([.,])", r"\1 \2 ", text)
    text = re.sub(r"([.,])([^0-9])", r" \1 \2", text)
    return re.sub(r"([0-9])(-)", r"\1 \2 ", text).split()


def bleu(pairs):
    """BLEU of a list of (found, expected), from 0 to 100, with smoothing "exp"."""
    right, runs = collections.Counter(), collections.Counter()
    lengths = [0, 0]
    for texts in pairs:
        words = [bleu_words(text) for text in texts]
        lengths = [a + len(b) for a, b in zip(lengths, words)]
        for n in (1, 2, 3, 4):
            said, wanted = (collections.Counter(zip(*(side[i:] for i in range(n))))
                            for side in words)
            right[n] += sum((said & wanted).values())
            runs[n] += sum(said.values())
    if not right[1] or 0 in runs.values():
        return 0
    share, halved = 0, 1
    for n in (1, 2, 3, 4):
        halved = halved if right[n] else halved / 2
        share += math.log((right[n] or halved) / runs[n]) / 4
    return 100 * min(1, math.exp(1 - lengths[1] / lengths[0])) * math.exp(share)


def pieces(text):
    """Tokens as made by the tokenizer: words, and each punctuation mark."""
    return re.findall(r"[^\W_]+|\S", text)


def words_of_pieces(text):
    """For each piece, the index of its word in the alignment."""
    words = re.findall(r"[.,?!]|[^ .,?!]+", text)
    return [number for number, word in enumerate(words) for _ in pieces(word)]


def points_right(pair, rows):
    """How many target words attend most to the correct source word; `rows` are the weights of one
    head."""
    source, target = words_of_pieces(pair[0]), words_of_pieces(pair[1])
    right = 0
    for word, wanted in enumerate(pair[2].split()):
        if wanted == "-1":
            continue
        sums = collections.Counter()
        for row, owner in zip(rows, target):
            for weight, asked in zip(row, source + ["end"]):
                if owner == word:
                    sums[asked] += weight
        right += str(max(sums, key=sums.get)) in wanted.split("+")
    return right


def loss_and_right(rows, wanted):
    """The sum of -log p of the labels, and how many labels have the largest logit."""
    loss = right = 0
    for row, word in zip(rows, wanted):
        loss += math.log(sum(math.exp(x - max(row)) for x in row)) + max(row) - row[word]
        right += row.index(max(row)) == word
    return loss, right


class EvaluateTest(ProgramTest):
    trained = None  # the folder of learned(), which is made once

    def table(self, rows, name="data.tsv"):
        path = self.path(name)
        write(path, "".join("\t".join(row) + "\n" for row in rows))
        return path

    def words(self):
        """A folder with a vocabulary of all words."""
        write(self.path("text.txt"), "".join(f"{s}\n{t}\n" for s, t, _ in PAIRS))
        self.assert_done(run("learn-words", self.path("text.txt"), "-o",
                             self.path("words"), "--force"))
        return self.path("words")

    def new(self, name, *options):
        self.assert_done(run("new", "--tokenizer", self.words(), "-o", self.path(name),
                             "--seed", "5", *options))
        return self.path(name)

    def learned(self):
        """A small Transformer that has memorized PAIRS."""
        if EvaluateTest.trained:
            shutil.copytree(EvaluateTest.trained.name, self.path("learned"))
            return self.path("learned")
        recipe = {"preset": "paper", "tokenizer": self.words(), "plot": "none",
                  "model": {"d_model": 32, "attention_heads": 2, "d_ff": 32,
                            "encoder_layers": 1, "decoder_layers": 2, "dropout": 0,
                            "max_length": 24},
                  "data": self.table(PAIRS), "source": 1, "target": 2, "header": "no",
                  "steps": 120, "batch": 6, "schedule": "constant",
                  "learning_rate": 0.003, "output": self.path("learned")}
        write(self.path("recipe.json"), json.dumps(recipe))
        outcome = run("train", self.path("recipe.json"))
        self.assertEqual(outcome.status, 0, outcome.err)
        EvaluateTest.trained = tempfile.TemporaryDirectory()
        shutil.copytree(self.path("learned"), EvaluateTest.trained.name, dirs_exist_ok=True)
        return self.path("learned")

    def trace(self, model, source, target=None):
        """The tensors of a run."""
        path = self.path("trace.json")
        given = ["--target", target] if target else []
        self.assert_done(run("trace", "--model", model, "--source", source, *given,
                             "-o", path, "--force"))
        tensors = json.loads(read(path))["tensors"]
        return {name: tensor["data"] for name, tensor in tensors.items()}

    def figures(self, *arguments):
        outcome = run("evaluate", *arguments, "--json")
        self.assert_done(outcome)
        return json.loads(outcome.out)

    def expected(self, model, rows):
        """Loss, perplexity and token accuracy, by teacher forcing."""
        loss = right = tokens = 0
        for source, target, *_ in rows:
            tensors = self.trace(model, source, target)
            wanted = [int(i) for i in tensors["decoder.ids"][0][1:]] + [END]
            more = loss_and_right(tensors["logits"][0], wanted)
            loss, right = loss + more[0], right + more[1]
            tokens += len(wanted)
        return loss / tokens, math.exp(loss / tokens), right / tokens

    def said(self, model, rows):
        outcome = run("generate", "--model", model,
                      text="".join(row[0] + "\n" for row in rows))
        self.assert_done(outcome)
        return outcome.out.rstrip("\n").split("\n")


class Figures(EvaluateTest):
    def check_target_figures(self, model, rows):
        found = self.figures(model, self.table(rows))
        loss, perplexity, accuracy = self.expected(model, rows)
        self.assertEqual((found["pairs"], found["left_out"]), (len(rows), 0))
        self.assertAlmostEqual(found["loss"], loss, places=5)
        self.assertAlmostEqual(found["perplexity"] / perplexity, 1, places=5)
        self.assertAlmostEqual(found["token_accuracy"], accuracy, places=7)
        said = self.said(model, rows)
        self.assertAlmostEqual(
            found["bleu"], bleu(list(zip(said, (row[1] for row in rows)))), places=5)
        return found, said

    def check_alignment(self, model, rows, found, addresses):
        content = sum(n != "-1" for row in rows for n in row[2].split())
        self.assertEqual(found["words"], content)
        heads, means = collections.Counter(), collections.Counter()
        for row in rows:
            tensors = self.trace(model, row[0], row[1])
            for address in addresses:
                weights = tensors[address][0]
                has_heads = isinstance(weights[0][0], list)
                every = weights if has_heads else [weights]
                for h, rows_of_head in enumerate(every):
                    name = f"{address}[head={h}]" if has_heads else address
                    heads[name] += points_right(row, rows_of_head) / content
                mean = [[sum(cells) for cells in zip(*queries)] for queries in zip(*every)]
                means[address] += points_right(row, mean) / content
        for wanted, name in ((heads, "heads"), (means, "means")):
            self.assertEqual(set(found[name]), set(wanted))
            for address in wanted:
                self.assertAlmostEqual(found[name][address], wanted[address], places=7)
        self.assertEqual(found["best_share"], max(found["heads"].values()))
        self.assertEqual(found["heads"][found["best_head"]], found["best_share"])
        self.assertEqual(found["mean_share"], max(found["means"].values()))
        self.assertEqual(found["means"][found["mean_layer"]], found["mean_share"])

    def test_a_transformer_has_the_figures_of_trace_and_generate(self):
        model = self.learned()
        found, said = self.check_target_figures(model, ASKED)
        exact = sum(text == row[1] for text, row in zip(said, ASKED))
        self.assertTrue(0 < exact < len(ASKED), said)
        self.assertAlmostEqual(found["exact_match"], exact / len(ASKED), places=7)
        self.check_alignment(model, ASKED, found["alignment"],
                             ["decoder.0.cross_attention.weights",
                              "decoder.1.cross_attention.weights"])
        self.assertEqual(self.figures(model, self.table(PAIRS))["exact_match"], 1)

    def test_a_recurrent_model_has_the_figures_of_trace_and_generate(self):
        model = self.new("recurrent", "--preset", "seq2seq", "--d-model", "12",
                         "--hidden-size", "16", "--max-length", "24")
        found, _ = self.check_target_figures(model, ASKED)
        self.check_alignment(model, ASKED, found["alignment"],
                             ["decoder.attention.weights"])

    def test_a_classifier_has_the_figures_of_its_logits(self):
        model = self.new("moods", "--preset", "classifier", "--d-model", "16",
                         "--attention-heads", "2", "--d-ff", "16",
                         "--labels", "good,bad,so so")
        labels = ["good", "bad", "so so"]
        counts = [[0] * 3 for _ in labels]
        loss = 0
        for source, label in MOODS:
            logits = self.trace(model, source)["logits"][0]
            counts[labels.index(label)][logits.index(max(logits))] += 1
            loss += loss_and_right([logits], [labels.index(label)])[0] / len(MOODS)
        picture = self.path("confusion.png")
        found = self.figures(model, self.table(MOODS), "-o", picture)
        right = sum(counts[l][l] for l in range(3))
        self.assertEqual(found["confusion"], {"labels": labels, "counts": counts})
        self.assertAlmostEqual(found["accuracy"], right / len(MOODS), places=7)
        self.assertAlmostEqual(found["loss"], loss, places=5)
        self.assertTrue(read(picture).startswith(b"\x89PNG"))
        table = run("evaluate", model, self.table(MOODS)).out
        for label, row in zip(labels, counts):
            self.assertRegex(table, rf"(?m)^{label} +{' +'.join(map(str, row))}$")

    def test_one_thread_gives_the_same_bytes(self):
        model, data = self.learned(), self.table(ASKED)
        alone = subprocess.run(
            [PROGRAM, "evaluate", model, data, "--json"], capture_output=True, timeout=PATIENCE,
            preexec_fn=lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}))
        self.assertEqual(alone.stdout, run("evaluate", model, data, "--json").out_bytes)


class Files(EvaluateTest):
    def setUp(self):
        super().setUp()
        self.model = self.new("model", "--preset", "paper", "--d-model", "8",
                              "--attention-heads", "2", "--d-ff", "8",
                              "--encoder-layers", "1", "--decoder-layers", "2",
                              "--max-length", "10")

    def test_the_table_says_what_json_says(self):
        data = self.table(ASKED)
        found, table = self.figures(self.model, data), run("evaluate", self.model, data)
        self.assert_done(table)
        for line in (f"loss {found['loss']:.4f} -ln p, the mean of {found['tokens']}", f"pairs {found['pairs']}",
                     f"token accuracy {100 * found['token_accuracy']:.2f}%",
                     f"BLEU {found['bleu']:.2f}", "exact match 0.00% 0 of 6",
                     f"alignment {100 * found['alignment']['best_share']:.2f}% "
                     f"{found['alignment']['best_head']}"):
            self.assertIn(line, re.sub(r" +", " ", table.out))

    def test_without_data_the_held_out_file_of_the_model_is_taken(self):
        self.assert_says(run("evaluate", self.model), "held-out.tsv", self.model)
        data = self.table(ASKED, "model/held-out.tsv")
        self.assertEqual(self.figures(self.model), self.figures(self.model, data))

    def test_columns_are_found_by_name_and_number(self):
        wanted = self.figures(self.model, self.table(ASKED))
        named = [("source", "target", "alignment")] + ASKED
        self.assertEqual(self.figures(self.model, self.table(named, "named.tsv")), wanted)
        turned = [("to what", "x", "y")] + [(a, t, s) for s, t, a in ASKED]
        self.assertEqual(self.figures(self.model, self.table(turned, "turned.tsv"),
                                      "--from", "y", "--to", "x", "--alignment",
                                      "to what"), wanted)
        csv = self.path("data.csv")
        write(csv, "".join(f'"{s}","{t}",{a}\n' for s, t, a in ASKED))
        self.assertEqual(self.figures(self.model, csv), wanted)

    def test_alignments_can_be_missing_or_unused(self):
        data = self.table(ASKED)
        without = self.figures(self.model, data, "--alignment", "")
        self.assertNotIn("alignment", without)
        others = self.table([(s, t, "0") for s, t, _ in ASKED], "others.tsv")
        self.assertEqual(self.figures(self.model, others), without)

    def test_rows_that_are_left_out_are_counted(self):
        long = ("나는 " * 12, "I go.", "0 1 2")
        data = self.table(ASKED + [long, ("나는",)])
        outcome = run("evaluate", self.model, data, "--json", "--alignment", "")
        self.assertEqual(outcome.status, 0)
        found = json.loads(outcome.out)
        self.assertEqual((found["pairs"], found["left_out"]), (6, 2))
        self.assertIn("data.tsv:7: longer", outcome.err)
        self.assertIn("data.tsv:8: ", outcome.err)

    def test_what_cannot_be_done_is_one_sentence(self):
        data = self.table(ASKED)
        cases = [
            ((self.model, self.path("nothing.tsv")), ["nothing.tsv"]),
            ((self.model, self.table([("나는",)], "one.tsv")), ["one.tsv", "column"]),
            ((self.model, data, "--to", "9"), ["column 9"]),
            ((self.model, data, "--alignment", "9"), ["column 9"]),
            ((self.model, data, "-o", self.path("x.png")), ["classifier"]),
            ((self.path("no-model"), data), ["no-model"]),
        ]
        for arguments, parts in cases:
            self.assert_says(run("evaluate", *arguments), *parts)
        usage = run("evaluate")
        self.assertEqual(usage.status, 2)
        self.assertRegex(usage.err, r"\Aglassbox: usage: evaluate .*\n  for example: .*\n\Z")
        self.assert_says(run("evaluate", self.model, data, "--header", "perhaps"),
                         "perhaps", status=2)

    def test_an_alignment_that_does_not_fit_is_named(self):
        words = len(re.findall(r"[^ .,?!]+|[.,?!]", ASKED[2][0]))
        for wrong, part in (("0 2 -1 1", "4 numbers"), ("0 2 -1 9 3", "has 9"),
                            (f"0 2 -1 {words} 3", f"has {words}"),
                            ("0 2 x 1 3", "whole numbers"), ("0 2 -2 1 3", "has -2"),
                            ("0 2 1+ 1 3", "whole numbers"), ("0 2 -1+1 1 3", "2+3"),
                            ("0 2 1+9 1 3", "has 9")):
            rows = ASKED[:2] + [(*ASKED[2][:2], wrong)]
            self.assert_says(run("evaluate", self.model, self.table(rows)),
                             "data.tsv:3", part)

    def test_models_that_cannot_answer_say_so(self):
        data = self.table(ASKED)
        bare = self.path("bare")
        self.assert_done(run("new", "--preset", "prenorm", "--d-model", "8",
                             "--attention-heads", "2", "-o", bare))
        self.assert_says(run("evaluate", bare, data), "no tokenizer")
        encoder = self.new("encoder", "--preset", "paper", "--decoder-layers", "0",
                           "--d-model", "8", "--attention-heads", "2")
        self.assert_says(run("evaluate", encoder, data), "neither")
        moods = self.new("moods", "--preset", "classifier", "--labels", "good,bad")
        self.assert_says(run("evaluate", moods, self.table(MOODS)), "data.tsv:4", "so so")


if __name__ == "__main__":
    unittest.main()
