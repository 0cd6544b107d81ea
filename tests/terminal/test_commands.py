"""The commands in a shell: their results and their errors."""

import json
import os
import re
import resource
import shutil
import struct
import subprocess
import unittest
import zipfile
from difflib import unified_diff

from lesson_text import LESSON
from program import (CHECKS_ALL, PATIENCE, PROGRAM, SENTENCE, ProgramTest, command_names, prompt,
                     read, run, sample, width, write)

WEIGHTS = "encoder.0.self_attention.weights"
MODELS = os.path.join(os.path.dirname(__file__), "../../assets/models")


def npy(data):
    """Header and numbers of a .npy file."""
    length = struct.unpack("<H", data[8:10])[0]
    header = eval(data[10:10 + length])  # noqa: S307 - written by the program itself
    numbers = data[10 + length:]
    kind = "f" if header["descr"] == "<f4" else "i"
    return header, struct.unpack(f"<{len(numbers) // 4}{kind}", numbers)


def npy_words(data):
    """The rows of words of a .npy file; check that the whole file was read."""
    length = struct.unpack("<H", data[8:10])[0]
    header = eval(data[10:10 + length])  # noqa: S307 - written by the program itself
    rows, size = header["shape"]
    letters = int(header["descr"].removeprefix("<U"))
    text = data[10 + length:].decode("utf-32-le")
    assert len(text) == rows * size * letters, header
    words = [text[at:at + letters].rstrip("\0") for at in range(0, len(text), letters)]
    return [words[row * size:(row + 1) * size] for row in range(rows)]


def safetensors(data):
    length = struct.unpack("<Q", data[:8])[0]
    return json.loads(data[8:8 + length]), data[8 + length:]


class Results(ProgramTest):
    def test_a_walk_from_start_to_end_shows_every_stage(self):
        outcome = prompt(SENTENCE, *[""] * 40, ":stages")
        self.assert_done(outcome)
        for title in ("Tokens", "Embedding", "Positional encoding", "Q, K, V", "Scores",
                      "Softmax", "Add & norm", "Feed-forward"):
            self.assertIn(title, outcome.out)
        self.assertIn("decoder.1.cross_attention.weights", outcome.out)

    def test_walking_past_the_end_says_so(self):
        count = int(re.search(r"\n1/(\d+)", run(text="hello\n\n").out).group(1))
        outcome = run(text="hello\n" + (count + 1) * "\n")
        self.assert_says(outcome, "last stage")

    def test_rows_of_weights_sum_to_one(self):
        path = self.path("run.npz")
        self.assert_done(run("trace", "--source", SENTENCE, "--limit", "3", "-o", path))
        with zipfile.ZipFile(path) as archive:
            self.assertIsNone(archive.testzip())
            header, numbers = npy(archive.read(WEIGHTS + ".npy"))
        keys = header["shape"][-1]
        for start in range(0, len(numbers), keys):
            self.assertAlmostEqual(sum(numbers[start:start + keys]), 1, places=5)

    def test_all_formats_of_a_trace_hold_the_same(self):
        for name in ("run.safetensors", "run.npz", "run.json"):
            self.assert_done(run("trace", "--source", "good morning", "--target",
                                 "good", "-o", self.path(name)))
        header, data = safetensors(read(self.path("run.safetensors")))
        notes = header.pop("__metadata__")
        self.assertEqual(notes["sentence"], "good morning")
        tensors = json.loads(read(self.path("run.json")))["tensors"]
        archive = zipfile.ZipFile(self.path("run.npz"))
        self.assertEqual(set(header), set(tensors))
        self.assertLessEqual({name + ".npy" for name in header}, set(archive.namelist()))
        begin, end = header["encoder.input"]["data_offsets"]
        numbers = struct.unpack(f"<{(end - begin) // 4}f", data[begin:end])
        self.assertEqual(npy(archive.read("encoder.input.npy"))[1], numbers)
        flat = [x for row in tensors["encoder.input"]["data"][0] for x in row]
        for a, b in zip(flat, numbers):
            self.assertAlmostEqual(a, b, places=6)

    def words_of(self, name):
        """Words, axes and labels of a trace in any format."""
        data = read(self.path(name))
        if name.endswith(".json"):
            trace = json.loads(data)
            tensors = trace["tensors"].items()
            return (trace["words"], {key: tensor["axes"] for key, tensor in tensors},
                    {key: tensor["labels"] for key, tensor in tensors})
        if name.endswith(".safetensors"):
            notes = safetensors(data)[0]["__metadata__"]
            return tuple(json.loads(notes[key]) for key in ("words", "axes", "labels"))
        with zipfile.ZipFile(self.path(name)) as archive:
            words = {member[6:-4]: npy_words(archive.read(member))
                     for member in archive.namelist() if member.startswith("words.")}
            axes = json.loads(archive.read("axes.json"))
        return words, axes["axes"], axes["labels"]

    def test_a_trace_holds_the_words_of_its_axes(self):
        for ending in ("json", "safetensors", "npz"):
            with self.subTest(ending=ending):
                name = f"run.{ending}"
                self.assert_done(run("trace", "--source", "나는 갔다. | 나는 어제 갔다.",
                                     "--target", "I | I slept", "-o", self.path(name)))
                words, axes, labels = self.words_of(name)
                self.assertEqual(words["source"][1][:2], ["나는", "·어제"])
                self.assertEqual(words["source"][0][-1], "<pad>")
                self.assertEqual(words["target"][1][:2], ["<start>", "I"])
                cross = "decoder.0.cross_attention.weights"
                self.assertEqual(axes[cross], ["batch", "head", "query", "key"])
                self.assertEqual(labels[cross], {"query": "target", "key": "source"})
                self.assertEqual(labels["encoder.position"], {})
                self.assertEqual(labels["logits"],
                                 {"target": "target", "vocabulary": "vocabulary"})
                self.assertEqual(set(words), {"source", "target", "vocabulary"})
                vocabulary = json.loads(read(MODELS + "/ko-en/vocab.json"))
                self.assertEqual(len(words["vocabulary"]), 1)
                self.assertEqual(words["vocabulary"][0][vocabulary["<pad>"]], "<pad>")

    def test_words_of_other_models(self):
        """A classifier's labels and an LSTM's gates are also words of axes."""
        for model, name, word in (("classifier", "label", "기쁨"),
                                  ("seq2seq-ko-en", "source", "<end>")):
            self.assert_done(run("trace", "--model", model, "--source", "갔다.",
                                 "-o", self.path(f"{model}.npz")))
            words, _, labels = self.words_of(f"{model}.npz")
            self.assertIn(word, words[name][0])
            for used in labels.values():
                self.assertLessEqual(set(used.values()), set(words))

    def test_a_slice_as_csv_has_labels(self):
        path = self.path("slice.csv")
        self.assert_done(run("show", WEIGHTS + "[head=1]", "--source", "a, b",
                             "--limit", "1", "-o", path))
        lines = read(path).decode().split("\r\n")
        self.assertTrue(lines[0].startswith("batch,head,query,"), lines[0])
        self.assertIn('","', lines[0])
        self.assertEqual(lines[1].split(",")[:3], ["0", "1", "a"])

    def test_same_seed_same_bytes_other_seed_other_bytes(self):
        small = ["new", "--preset", "paper", "--d-model", "8", "--d-ff", "8",
                 "--attention-heads", "2", "--source-vocabulary", "9",
                 "--target-vocabulary", "9"]
        for name, seed in (("a", "5"), ("b", "5"), ("c", "6")):
            self.assert_done(run(*small, "--seed", seed, "-o", self.path(name)))
        a, b, c = (read(self.path(f"{name}/model.safetensors"))
                   for name in "abc")
        self.assertEqual(a, b)
        self.assertNotEqual(a, c)

    def test_ids_run_a_model_without_tokenizer(self):
        model = self.path("ids")
        self.assert_done(run("new", "--preset", "kit", "--d-model", "8", "--d-ff", "8",
                             "--attention-heads", "2", "--source-vocabulary", "9",
                             "--target-vocabulary", "9", "-o", model))
        outcome = run("generate", "--model", model, "--source-ids", "5,6,2",
                      "--limit", "4")
        self.assert_done(outcome)
        self.assertRegex(outcome.out, r"^\d+(,\d+){0,3}\n$")
        self.assert_says(run("generate", "--model", model, "--source", "hello"), "id")

    def test_generate_reads_lines(self):
        outcome = run("generate", "--limit", "3", text="one\ntwo\nthree\n")
        self.assert_done(outcome)
        self.assertEqual(outcome.out.count("\n"), 3)

    def test_why_adds_up(self):
        cell = WEIGHTS + "[head=0, query=0, key=1]"
        outcome = run("why", cell, "--source", "good morning", "--limit", "1")
        self.assert_done(outcome)
        value = float(re.search(r"\] = (\S+)\n", outcome.out).group(1))
        combined = float(re.search(r"/ Σ\s+=\s+(\S+)", outcome.out).group(1))
        self.assertAlmostEqual(value, combined, places=5)

    def test_why_adds_up_with_the_terms_that_are_not_shown(self):
        cell = "encoder.0.self_attention.query_projection[token=0, d_model=5]"
        shown = run("why", cell, "--source", "good morning").out
        numbers = re.findall(r"=  +(-?[\d.]+(?:e-?\d+)?)", shown)
        *terms, rest, total = map(float, numbers)
        self.assertRegex(shown, r"\d+ more, together  = +" + re.escape(numbers[-2]))
        self.assertEqual(len(terms), 12)
        self.assertAlmostEqual(sum(terms) + rest, total, places=4)

    def test_why_follows_a_term_back_to_a_weight(self):
        lines = ["good morning", ":why encoder.0.self_attention.scores"
                 "[head=0, query=0, key=1]", ":why 1", ":why 1"]
        projection = prompt(*lines).out.split("query_projection[")[-1]
        product = re.search(r"^ +(\d+)  .* × ", projection, re.M).group(1)
        outcome = prompt(*lines, f":why {product}b")
        self.assert_done(outcome)
        self.assertIn("a weight of the model", outcome.out)

    def test_flags_may_precede_the_command(self):
        for before, command, behind in ((("--language", "ko"), "lesson", ()),
                                        (("--language=ko", "--model", "chatbot"), "model", ()),
                                        (("--model", "show"), "show", ("x", "--source", "a"))):
            found, usual = run(*before, command, *behind), run(command, *behind, *before)
            self.assertEqual((found.status, found.out, found.err),
                             (usual.status, usual.out, usual.err))
        for alone in ("--version", "--help", "-h"):
            self.assertEqual(run(alone, "lesson").out, run(alone).out)
        for flags in (("--model", "ko-en"), ("--model=ko-en", "--width", "60")):
            self.assert_says(run(*flags, "shwo"), "did you mean show?", status=2)
        self.assert_says(run("--source", "a", "b"), "no option --source", status=2)
        self.assert_says(run("--screen", "--language", "lesson"), "--language is 'lesson'", status=2)

    def test_help_examples_run_as_printed(self):
        for name in sample(command_names(), 6):
            example = prompt(f":help {name}").out.rstrip("\n").split("\n")[-1].strip()
            self.assertTrue(example.startswith(f":{name}"), example)
            write(self.path("notes.txt"), "good morning, good day\n" * 5)
            write(self.path("lines.txt"), "# what it reads\n:tokens\n")
            write(self.path("pairs.tsv"), "좋은 아침\tgood morning\n좋은 날\tgood day\n")
            for grammar in ("classifier.json", "moods.json"):
                write(self.path(grammar), read(f"assets/grammar/{grammar}").decode())
            write(self.path("lesson.md"), LESSON)
            in_lesson = name in ("hint", "answer", "skip", "where", "stop")
            # A masked language model needs a masked word.
            lines = ([":lesson lesson.md", "", example] if in_lesson else
                     [":model bert", "a friend", example]
                     if name == "hide" else [SENTENCE, "", example])
            outcome = prompt(*lines, folder=self.folder, XDG_STATE_HOME=self.folder,
                             XDG_DATA_HOME=self.folder)
            self.assertEqual((outcome.status, outcome.err), (0, ""), example)
            shutil.rmtree(self.path("glassbox"), ignore_errors=True)

    def test_data_in_tokens_of_a_model_keeps_the_current_model(self):
        write(self.path("pairs.tsv"), "good morning\t좋은 아침\n")
        data = f":data {self.path('pairs.tsv')} --model en-ko"
        outcome = prompt(SENTENCE, data, ":model", ":show encoder.ids")
        self.assert_done(outcome)
        self.assertIn("unknown 0.00%", outcome.out)
        self.assertIn("models/ko-en: encoder-decoder", outcome.out)

    def test_the_manual_has_a_heading_for_each_group(self):
        manual = run("help", "--man").out
        headings = re.findall(r"^\.SH (.*)", manual, re.M)
        self.assertEqual(len(headings), len(set(headings)), headings)
        groups = re.findall(r"\n\n(\w.*)\n  :", prompt(":help all").out)
        self.assertEqual([name for name in headings if name in groups], groups)

    def test_plain_output_has_no_escapes(self):
        outcome = prompt(SENTENCE, "", "", "", ":heat " + WEIGHTS)
        self.assertNotIn(b"\x1b", outcome.out_bytes)


class Help(ProgramTest):
    """What a newcomer sees, and that everything else can be found from there."""

    LANGUAGES = ("en", "ko")
    TOPICS = ("addresses", "folders", "families", "systems", "figures", "flags")

    def lines(self, *words, language="en"):
        found = run("help", *words, "--language", language)
        self.assert_done(found)
        return found.out.splitlines()

    def groups(self, language):
        """The groups, as listed at the end of the first help."""
        said = " ".join("\n".join(self.lines(language=language)).split())
        return said.rsplit(": ", 1)[1].rstrip(".").split(", ")

    def test_the_first_help_is_a_dozen_commands_on_one_screen(self):
        for language in self.LANGUAGES:
            lines = self.lines(language=language)
            self.assertLessEqual(len(lines), 22)
            first = re.findall(r"^  .*:([\w-]+) {2,}\S", "\n".join(lines), re.M)
            self.assertIn(len(first), range(10, 16))
            self.assertEqual(set(first) - set(command_names()), set())

    def test_what_is_written_is_a_file_or_a_folder(self):
        for name in ("new", "learn-bpe", "learn-words", "grammar"):
            self.assertIn("  -o, --output DIR         the folder to write", self.lines(name))
        self.assertIn("  -o, --output FILE        the file to write", self.lines("trace"))

    def test_no_help_is_cut_off_or_too_wide(self):
        ways = ["", " all", *[f" {word}" for word in (*self.TOPICS, *command_names())]]
        ways.remove(" figures")  # lines to copy as they are
        for language in self.LANGUAGES:
            found = run("--language", language, text="".join(f":help{way}\n" for way in ways))
            self.assert_done(found)
            self.assertNotIn("…", found.out)
            # The last line of a command, its example, is not one either.
            lines = re.sub(r"\n\n(Example|보기)\n.*", "", found.out).splitlines()
            self.assertGreater(len(lines), 500)
            self.assertEqual([line for line in lines if width(line) > 80], [])

    def test_every_command_is_in_one_group(self):
        for language in self.LANGUAGES:
            groups = self.groups(language)
            found = run("--language", language,
                        text=":version\n".join(f":help {name}\n" for name in groups))
            self.assert_done(found)
            lists = [part.lstrip("\n").split("\n\n")[0] for part in
                     re.split(r"^GPL.*\n", found.out.split(":quit\n")[1], flags=re.M)]
            self.assertEqual(re.findall(r"^  :(\S+)", "\n".join(lists), re.M), command_names())

    def test_the_name_of_a_group_and_a_command_shows_both(self):
        self.assertIn("models", command_names())
        lines = self.lines("models")
        self.assertTrue(any(line.startswith("  :learn-words") for line in lines))
        self.assertIn(":models", lines)

    def test_the_reference_is_up_to_date(self):
        differs = unified_diff(read("lessons/REFERENCE.md").decode().splitlines(),
                               self.lines("--markdown"), lineterm="", n=0)
        self.assertEqual(list(differs), [], "make record writes it again")

    def test_topics_are_those_that_help_names(self):
        named = re.search(r"Topics: (.*?)\.", " ".join(self.lines("help"))).group(1)
        self.assertEqual(tuple(re.split(r",\s+", named)), self.TOPICS)

    def test_new_shows_ten_options_and_where_the_others_are(self):
        shown = "\n".join(self.lines("new"))
        main = shown.split("The main options of a model\n")[1].split("\n\n")
        self.assertEqual(len(re.findall(r"^  --", main[0], re.M)), 10)
        self.assertIn(":new --options", main[1])
        self.assertIn(":models", main[1])
        options = re.findall(r"^  --([\w-]+)", run("new", "--options").out, re.M)
        keys = re.findall(r"\n    KEY\((\w+)", read("src/store/config.c").decode())
        self.assertEqual([name.replace("-", "_") for name in options], keys)


class Large(ProgramTest):
    """The cost of looking at a run with many tokens, besides the run itself."""

    def seconds(self, *words):
        """Of processor time, independent of the machine's load."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        outcome = run(*words)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertEqual(outcome.status, 0, outcome.err)
        return after.ru_utime - before.ru_utime

    def make(self, *options):
        """A model that splits words into bytes, three for each Hangul letter."""
        write(self.path("notes.txt"), "good day\n")
        pairs, model = self.path("pairs"), self.path("model")
        self.assertEqual(run("learn-bpe", self.path("notes.txt"), "-o", pairs).status, 0)
        self.assertEqual(run("new", *options, "--d-model", "2", "--max-length", "65536",
                             "--tokenizer", pairs, "-o", model).status, 0)
        return model

    def test_letters_that_fall_apart_are_listed_at_once(self):
        model = self.make("--preset", "seq2seq", "--hidden-size", "2")
        sentence = ["--model", model, "--source", "뷁" * (4000 if CHECKS_ALL else 1000), "--target", "a"]
        ran = self.seconds("show", "encoder.ids", *sentence)
        self.assertLess(self.seconds("tokens", *sentence), 1.3 * ran + 0.3)

    def test_of_a_wide_table_only_visible_columns_are_computed(self):
        model = self.make("--preset", "minimal", "--attention-heads", "1")
        sentence = ["--model", model, "--source", "뷁" * 500]
        ran = self.seconds("show", "encoder.ids", *sentence)
        shown = self.seconds("show", "encoder.0.self_attention.weights", *sentence)
        self.assertLess(shown, 1.3 * ran + 0.3)

    def test_a_drawing_in_letters_that_is_too_large_is_refused_at_once(self):
        model = self.make("--preset", "minimal", "--attention-heads", "1")
        sentence = ["--model", model, "--source", "뷁" * 1000]
        ran = self.seconds("show", "encoder.ids", *sentence)
        begun = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        outcome = run("draw", "encoder.0.self_attention.weights", *sentence, "-o",
                      self.path("large.txt"))
        ended = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        self.assert_says(outcome, "characters or more, but the limit is 4000000")
        self.assertLess(ended - begun, 1.3 * ran + 0.3)


class Installed(ProgramTest):
    def test_its_own_models_come_before_other_folders(self):
        place = self.path("usr/local")
        os.makedirs(place + "/bin")
        shutil.copy(PROGRAM, place + "/bin")
        own = place + "/share/glassbox/models"
        for models in (own, place + "/assets/models", self.path("usr/assets/models")):
            shutil.copytree("assets/models/ko-en", models + "/ko-en")
        found = subprocess.run([place + "/bin/glassbox", "model"], text=True,
                               capture_output=True, timeout=PATIENCE)
        self.assertIn(f"{os.path.realpath(own)}/ko-en: ", found.stdout)


class Refusals(ProgramTest):
    def test_a_misfit_is_reported_with_its_place(self):
        notes, model = self.path("notes"), self.path("model")
        write(notes, "good day\n")
        self.assert_says(run("learn-bpe", notes, "--words", "100", "-o", model), notes,
                         "--words 100: a vocabulary of byte pairs needs at least 260")
        shutil.copytree("assets/models/ko-en", model)
        config = read(model + "/config.json").decode()
        wrong = re.sub(r'("source_vocabulary": )\d+', r"\g<1>7", config)
        write(model + "/config.json", wrong)
        self.assert_says(run("model", model), model, "the source tokenizer has",
                         "but source_vocabulary in config.json is 7")

    def test_nothing_is_learned_from_nothing(self):
        write(self.path("blank"), "\u3000\u00a0\n \t\n")
        for command in ("learn-words", "learn-bpe"):
            for text in ("/dev/null", self.path("blank")):
                self.assert_says(run(command, text, "-o", self.path("said")), text,
                                 "is empty, so there is nothing to learn from")
        self.assertFalse(os.path.exists(self.path("said")))

    def test_an_unknown_command_suggests_the_nearest(self):
        self.assert_says(run("drwa"), "'drwa'", "draw", status=2)
        self.assert_says(prompt(":heta x"), "'heta'", "heat")

    def test_generate_takes_no_target(self):
        for flag in ("--target", "--target-ids"):
            self.assert_says(run("generate", "--source", "a", flag, "1"),
                             f"generate has no option {flag}", status=2)

    def test_wrong_usage_has_status_2(self):
        outcome = run("learn-bpe")
        self.assertEqual((outcome.status, outcome.err.splitlines()),
                         (2, ["glassbox: usage: learn-bpe TEXT",
                              "  for example: :learn-bpe notes.txt --words 1000 -o pairs"]))
        self.assert_says(run("draw", "x", "--sorce", "a"), "--sorce", "source", status=2)
        self.assert_says(run("draw", "x", "--source"), "--source needs a value", status=2)
        self.assert_says(run("quit"), "prompt", status=2)

    def test_an_option_out_of_its_range_is_wrong_usage_in_every_command(self):
        show = ["show", "encoder.input", "--source", "a"]
        for words in ([*show, "--limit", "0"], [*show, "--width", "0"],
                      [*show, "--color", "red"], [*show, "--batch", "x"],
                      ["generate", "--source", "a", "--limit", "0"],
                      ["data", "assets/models/ko-en/held-out.tsv", "--examples", "-1"],
                      ["new", "--seed", "x", "-o", self.path("never")]):
            flag, value = next(pair for pair in zip(words[1:], words[2:])
                               if pair[0] in ("--limit", "--width", "--color", "--batch",
                                              "--examples", "--seed"))
            self.assert_says(run(*words), f"{flag} is '{value}'; expected", status=2)

    def test_an_unknown_address_suggests_the_nearest(self):
        self.assert_says(run("why", "encoder.0.self_attention.wieghts[head=0]",
                             "--source", "a"), WEIGHTS)

    def test_an_operation_suggests_what_it_made(self):
        self.assert_says(run("show", "softmax", "--source", "a"), "no address 'softmax'",
                         WEIGHTS)

    def test_cells_out_of_range_say_the_range(self):
        for cell, part in (("head=9,query=0,key=0", "0 to 3"),
                           ("head=0,query=없다,key=0", "없다"),
                           ("haed=0", "haed"), ("head=0", "query"),
                           ("head=0,query=0,key=0,key=1", "twice"),
                           ("head=-1,query=0,key=0", "-1")):
            self.assert_says(run("why", f"{WEIGHTS}[{cell}]", "--source", "a"), part)
        self.assert_says(run("why", WEIGHTS + "[head=0", "--source", "a"), "[head=0")

    def test_the_error_for_a_long_sentence_names_the_limit(self):
        self.assert_says(run("generate", "--source", "x " * 200), "at most 64")
        self.assert_says(prompt("가" * 30000), "bytes")

    def test_a_bar_separates_sentences_unless_it_is_escaped(self):
        self.assertIn('source: "가 | 나"', run("tokens", "--source", r"가 \| 나").out)
        parted = run("show", "encoder.ids", "--source", "가|나")
        self.assertIn("encoder.ids [batch 2, ", parted.out)

    def test_an_empty_sentence_is_refused(self):
        self.assert_says(run("generate", "--source", ""), "empty")
        self.assert_says(prompt("a | | b"), "empty")

    def test_a_missing_or_broken_model_is_named(self):
        self.assert_says(run("trace", "--model", "/no/such", "--source", "a", "-o",
                             self.path("x.json")), "/no/such/config.json")
        os.mkdir(self.path("broken"))
        write(self.path("broken/config.json"), "{")
        self.assert_says(run("model", self.path("broken")), "config.json:1")

    def test_a_broken_config_names_the_key(self):
        folder = self.path("model")
        new = ["new", "--d-model", "8", "--d-ff", "8", "--attention-heads", "2",
               "--source-vocabulary", "9", "--target-vocabulary", "9", "-o", folder]
        self.assert_done(run(*new))
        config = json.loads(read(folder + "/config.json"))
        for key, value, part in (("d_model", 7, "d_model"), ("norm", "after", "norm"),
                                 ("heads", 2, '"heads"'), ("dropout", 2, "dropout"),
                                 ("attention_heads", 3, "attention_heads"),
                                 ("d_model", "8", "d_model"), ("pad_id", 1, "pad_id"),
                                 ("as_written", ["x"], "as_written"),
                                 ("mask_value", "inf", "mask_value")):
            write(folder + "/config.json", json.dumps({**config, key: value}))
            self.assert_says(run("model", folder), "config.json", part)

    def test_every_option_of_a_model_can_be_given_at_once(self):
        self.assert_done(run("new", "--d-model", "8", "--d-ff", "8", "-o",
                             self.path("first")))
        config = json.loads(read(self.path("first/config.json")))
        words = ["new", "--preset", "paper", "--seed", "2", "-o", self.path("second")]
        for key, value in config.items():
            text = ",".join(value) if isinstance(value, list) else str(value)
            if key != "preset":
                words += ["--" + key.replace("_", "-"), text.lower()]
        self.assertGreater(len(words), 80)
        self.assert_done(run(*words))
        self.assertEqual(json.loads(read(self.path("second/config.json"))), config)

    def test_an_odd_d_model_with_waves_is_refused(self):
        self.assert_says(run("new", "--d-model", "7", "--attention-heads", "1", "-o",
                             self.path("m")), "d_model is 7", "even")
        self.assert_done(run("new", "--d-model", "7", "--attention-heads", "1",
                             "--d-ff", "4", "--position", "learned", "-o",
                             self.path("m")))

    def test_files_are_not_overwritten_without_force(self):
        path = self.path("a.png")
        draw = ["draw", WEIGHTS, "--source", "a b", "--limit", "2", "-o", path]
        self.assert_done(run(*draw))
        before = read(path)
        self.assert_says(run(*draw), "already exists", "--force")
        self.assertEqual(read(path), before)
        self.assert_done(run(*draw, "--force"))

    def test_unwritable_outputs_leave_nothing(self):
        for name in ("no/such/a.png", "no/such/a.json"):
            command = "draw" if name.endswith("png") else "trace"
            words = [command] + ([WEIGHTS] if command == "draw" else [])
            self.assert_says(run(*words, "--source", "a", "-o", self.path(name)),
                             "cannot write")
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_full_disk_is_an_error(self):
        for words in (["draw", WEIGHTS], ["trace"]):
            for ending in (".svg", ".png", ".pdf", ".json", ".npz"):
                if words[0] == "draw" and ending in (".json", ".npz"):
                    continue
                if words[0] == "trace" and ending in (".svg", ".png", ".pdf"):
                    continue
                link = self.path("full" + ending)
                os.symlink("/dev/full", link)
                if ending in sample((".svg", ".npz", ".png", ".json", ".pdf"), 3):
                    self.assert_says(run(*words, "--source", "a", "--limit", "1", "-o", link),
                                     "cannot write", "No space left")

    def test_standard_output_that_is_full_is_an_error(self):
        with open("/dev/full", "w") as full:
            finished = subprocess.run([PROGRAM, "help"], stdout=full,
                                      stderr=subprocess.PIPE)
        self.assertEqual(finished.returncode, 1)
        self.assertIn(b"standard output", finished.stderr)

    def test_endings_may_be_capitals(self):
        for words in sample((["trace"], ["show", WEIGHTS], ["draw", WEIGHTS]), 2):
            name = self.path({"trace": "A.NPZ", "show": "A.CSV", "draw": "A.TXT"}[words[0]])
            self.assert_done(run(*words, "--source", "a", "--limit", "1", "-o", name))
            self.assertTrue(os.path.exists(name))

    def test_choices_are_listed(self):
        for flag, names in (("--as", "heatmap, grid, curves"),
                            ("--color", "auto, never, 256 or true")):
            self.assert_says(run("draw", WEIGHTS, "--source", "a", flag, "x"),
                             f"{flag} is 'x'; expected {names}", status=2)

    def test_unknown_endings_list_the_known(self):
        self.assert_says(run("draw", WEIGHTS, "--source", "a", "-o", self.path("a.gif")),
                         ".png", ".svg", ".pdf")
        self.assert_says(run("trace", "--source", "a", "-o", self.path("a.txt")),
                         ".safetensors", ".npz", ".json")
        self.assertEqual(os.listdir(self.folder), [])

    def test_escapes_of_others_never_reach_the_terminal(self):
        hostile = "\x1b[31mred\x07 \u202eabc\u200b"
        for outcome in (prompt(hostile, ":tokens", ":why " + hostile),
                        run("draw", hostile, "--source", hostile),
                        run("model", hostile), run(hostile)):
            for text in (outcome.out, outcome.err):
                self.assertIsNone(re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u200b]",
                                            text), text)

    def test_malformed_text_is_read(self):
        outcome = run(text=b"ab\xff\xfecd\n:tokens\n")
        self.assert_done(outcome)
        self.assertIn("2 parts were not UTF-8", outcome.out)
        self.assert_done(run(text=b"a\0b\n"))

    def test_decomposed_hangul_gives_the_same_tokens(self):
        import unicodedata
        typed = unicodedata.normalize("NFD", SENTENCE)
        together, apart = prompt(SENTENCE, ""), prompt(typed, "")
        self.assertIn("decomposed", apart.out)
        rows = r"^ +\d+  .*$"
        self.assertEqual(re.findall(rows, together.out, re.M),
                         re.findall(rows, apart.out, re.M))


if __name__ == "__main__":
    unittest.main()
