"""Runs in which the n-th call of a function fails (tests/hazards/faults_*.c), for a
command line of every subcommand."""

import collections
import errno
import functools
import json
import os
import re
import shutil
import tempfile

from program import PROGRAM, ProgramTest, is_sanitized, read, run, write

BUILD = os.path.dirname(PROGRAM)
WEIGHTS = "encoder.0.self_attention.weights"
SMALL = ["--d-model", "8", "--d-ff", "8", "--attention-heads", "2", "--encoder-layers",
         "1", "--decoder-layers", "1", "--max-length", "16"]
RECIPE = """{
  "preset": "%s", "model": {"d_model": 8, "attention_heads": 2, "d_ff": 8,
  "encoder_layers": 1, "decoder_layers": %d, "max_length": 16},
  "data": "%s", "validation": "%s", "label": "2", "batch": 10, "steps": 4,
  "save_every": 2, "validate_every": 2, "threads": 1, "plot": "none", "samples": 1,
  "snapshots": ["%s"], "output": "%s"
}"""
LESSON = """---
title: Small
language: en
minutes: 1
needs: none
model: small
---

```glassbox
> a b
...
```

```question
ask: Which?
right: this
wrong: that
hint: This.
why: So.
```

```question
ask: How many?
number: = count head encoder.0.self_attention.weights
hint: Two.
why: So.
```
"""
CALLS = ("open", "write", "fsync", "close", "rename", "mkdir")
PICTURE_ENDS = (b"IEND\xaeB`\x82", b"</svg>\n", b"%%EOF\n")
RUN = ["--model", "small", "--source", "a b", "--target", "f g"]
LIBRARIES = os.path.join(BUILD, "tests/hazards")


def preloaded(name):
    """Return the environment that preloads a library of tests/hazards, followed by the
    one that changes the last bits, if requested. LD_PRELOAD cannot contain paths with
    spaces."""
    names = [f"faults_{name}.so", os.environ.get("LD_PRELOAD", "")]
    folders = [LIBRARIES, os.environ.get("LD_LIBRARY_PATH", "")]
    return {"LD_PRELOAD": " ".join(filter(None, names)),
            "LD_LIBRARY_PATH": ":".join(filter(None, folders))}


def fault_environment(counter, library="disk", call=None, at=0, forever=False,
                      error="ENOSPC"):
    """Return the environment that makes call number `at` fail; the number of calls is
    written to the file `counter`."""
    write(counter, "\0" * 4)
    fault = {**preloaded(library), "FAULT_COUNT": counter, "FAULT_AT": str(at),
             "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "")
                             + ":verify_asan_link_order=0:detect_leaks=0"}
    if call:
        fault["FAULT_CALL"] = call
    if forever:
        fault["FAULT_FOREVER"] = "1"
    if error:
        fault["FAULT_ERROR"] = str(getattr(errno, error))
    return fault


def can_fail(library):
    if not os.path.exists(f"{LIBRARIES}/faults_{library}.so"):
        return False
    return library == "disk" or not is_sanitized()


class Line:
    """A command line, the files it writes, and the input of the prompt, if it starts
    the prompt."""

    def __init__(self, *words, files=(), text=""):
        self.words, self.files, self.text = words, files, text
        self.name = " ".join(words[:1] + tuple(files[:1]))


def writing(*words, files):
    return Line(*words, "-o", files[0].split("/")[0], "--force", files=files)


PROMPT = "".join(line + "\n" for line in (
    ":lesson lesson.md", "", "no", ":hint", ":where", ":answer", "", ":skip",
    ":lesson lesson.md", ":stop",
    "a b", "", ":back", ":more", ":less", ":goto 3", ":target f g", ":next", "a | b c", ":batch 1",
    ":pick 0 2", ":branches", ":branches 0", ":stages", ":decode", ":because", ":why 1", ":up",
    ":why", ":keep one", "a b", ":mask key 0", ":changes", ":undo", ":redo", ":compare", ":reset",
    ":options digits=4", ":screen", ":option norm pre", ":learn f g", "",
    ":learn undo", ":option reset", ":version", ":quit"))
MODEL = ("made/vocab.json", "made/model.safetensors", "made/config.json")

# At least one line for each subcommand.
LINES = [
    writing("show", WEIGHTS, *RUN, files=["out.csv"]),
    writing("show", WEIGHTS, *RUN, files=["out.npy"]),
    Line("heat", WEIGHTS, *RUN),
    Line("why", WEIGHTS + "[head=0, query=0, key=1]", *RUN),
    Line("because", WEIGHTS + "[head=0, query=0, key=1]", *RUN),
    Line("code", "softmax", *RUN),
    writing("lens", "gradient", *RUN, files=["out.svg"]),
    Line("set", "encoder.0.norm_1[source=0]", "=", "1", *RUN),
    Line("zero", "encoder.0.norm_1[source=0]", *RUN),
    Line("mask", "key", "0", *RUN),
    Line("no", "position", *RUN),
    Line("swap", "0", "1", *RUN),
    Line("patch", "encoder.0.norm_1[source=0]", "from", "b a", *RUN),
    Line("edit", "model.encoder.layers.0.fc1.bias[0]", "=", "1", *RUN),
    Line("tokens", *RUN),
    Line("stages", *RUN),
    Line("follow", "[head=0]", *RUN),
    Line("map", *RUN),
    Line("decode", "--model", "small", "--source", "a b", "--limit", "2"),
    Line("beam", "2", "--model", "small", "--source", "a b", "--limit", "3"),
    writing("beam", "2", "--model", "small", "--source", "a b", "--limit", "3", files=["out.png"]),
    Line("sample", "--model", "small", "--source", "a b", "--limit", "2", "--count", "2"),
    Line("pick", "0", "2", "--model", "small", "--source", "a b", "--limit", "2"),
    Line("force", "f g", "--model", "small", "--source", "a b", "--limit", "2"),
    Line("heat", "decoding", "--model", "small", "--source", "a b", "--limit", "2"),
    Line("merges", "--model", "pairs", "--source", "a b", "--limit", "1"),
    Line("lesson"),
    Line("lesson", "check", "lesson.md"),
    Line("toy", "query=1,2", "keys=3,4|5,6", "values=7|8"),
    writing("draw", WEIGHTS, *RUN, files=["out.png"]),
    writing("draw", WEIGHTS, *RUN, files=["out.svg"]),
    writing("draw", WEIGHTS, *RUN, files=["out.pdf"]),
    writing("draw", WEIGHTS, *RUN, files=["out.txt"]),
    writing("draw", "map", *RUN, files=["out.svg"]),
    writing("draw", WEIGHTS, *RUN, files=["out.tex"]),
    writing("draw", "position", files=["out.apng"]),
    writing("page", *RUN, files=["out.html"]),
    writing("trace", *RUN, files=["out.safetensors"]),
    writing("trace", *RUN, files=["out.npz"]),
    writing("trace", *RUN, files=["out.json"]),
    Line("generate", "--model", "small", "--limit", "2", text="a b\nb c\n"),
    Line("model", "small"),
    Line("option", "norm", "pre", *RUN),
    Line("preset", "prenorm", *RUN),
    Line("dropout", "on", *RUN),
    Line("learn", *RUN),
    Line("window", "0:1", *RUN),
    Line("only", "0", *RUN),
    Line("models"),
    writing("new", *SMALL, "--seed", "2", "--tokenizer", "small", files=MODEL),
    writing("learn-bpe", "notes.txt", "--words", "270",
            files=["said/vocab.json", "said/merges.txt"]),
    writing("learn-words", "notes.txt", files=["said/vocab.json"]),
    Line("data", "pairs.tsv"),
    Line("evaluate", "small", "pairs.tsv", "--json"),
    writing("evaluate", "moods", "labels.tsv", files=["out.png"]),
    writing("grammar", "classifier.json",
            files=["said/training.tsv", "said/validation.tsv", "said/test.tsv"]),
    Line("define", "softmax"),
    Line("help"),
    Line("help", "--man"),
    Line("help", "--completion", "bash"),
    Line("version"),
    Line("read", "lines.txt"),
    Line("train", "--keys"),
    Line("--model", "hidden", text="a b\n:hide 0\n:learn\n:hide\n:quit\n"),
    Line("--model", "small", text=PROMPT),
]


def make_inputs(folder):
    """Make the files that the lines read, and old versions of those that they write."""
    def done(*words):
        outcome = run(*words, folder=folder)
        assert outcome.status == 0, outcome.err

    def put(name, text):
        write(os.path.join(folder, name), text)

    put("pairs.tsv", "".join(f"{a} {b}\t{b} {a}\n" for a in "abcd" for b in "fghi"))
    put("labels.tsv", "a b\tgood\nc d\tbad\n" * 3)
    put("lesson.md", LESSON)
    put("notes.txt", "good morning, good day\n" * 5)
    put("pairs.json", RECIPE % ("paper", 1, "pairs.tsv", "pairs.tsv",
                                "decoder.0.cross_attention.weights", "small"))
    put("moods.recipe", RECIPE % ("classifier", 0, "labels.tsv", "labels.tsv", WEIGHTS,
                                  "moods"))
    grammar = json.loads(read("assets/grammar/classifier.json"))
    grammar.update(word_at_least=1,
                   sentences={"training": 40, "validation": 5, "test": 5})
    put("lines.txt", "# a note\n:model small\na b\n:tokens\n")
    put("classifier.json", json.dumps(grammar))
    shutil.copy("assets/grammar/moods.json", folder)
    done("train", "pairs.json")
    done("train", "moods.recipe")
    done("learn-bpe", "notes.txt", "--words", "270", "-o", "learned")
    done("new", *SMALL, "--tokenizer", "learned", "-o", "pairs")
    done("new", *SMALL, "--tokenizer", "small", "-o", "made")
    hidden = [word if SMALL[w - 1] != "--decoder-layers" else "0"
              for w, word in enumerate(SMALL)]
    done("new", "--preset", "bert", *hidden, "--tokenizer", "small", "-o", "hidden")
    os.mkdir(os.path.join(folder, "said"))
    for line in LINES:
        for file in line.files:
            if not file.startswith("made/"):
                put(file, "old\n")


def contents(folder):
    """Return name -> bytes of all files in the folder."""
    return {os.path.relpath(os.path.join(place, name), folder):
            read(os.path.join(place, name))
            for place, _, names in os.walk(folder) for name in names}


# What a line prints and writes if nothing fails.
After = collections.namedtuple("After", "out files")


def new_folder():
    """In memory if possible, because fsync() takes no time there."""
    shared = "/dev/shm"
    return tempfile.TemporaryDirectory(dir=shared if os.access(shared, os.W_OK) else None)


@functools.cache
def made_inputs():
    """Return the folder of the inputs, which all tests of a script share."""
    place = new_folder()
    make_inputs(place.name)
    return place


class FaultTest(ProgramTest):
    """Each run has a fresh copy of the inputs."""

    @classmethod
    def setUpClass(cls):
        cls.place = new_folder()
        cls.inputs = made_inputs().name
        cls.work = os.path.join(cls.place.name, "work")
        cls.state = os.path.join(cls.place.name, "state")
        cls.counter = os.path.join(cls.place.name, "count")
        cls.before = contents(cls.inputs)

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def fresh(self):
        shutil.rmtree(self.work, ignore_errors=True)
        shutil.rmtree(self.state, ignore_errors=True)
        os.mkdir(self.state)
        shutil.copytree(self.inputs, self.work)

    def run_line(self, line, library="disk", call=None, at=0, forever=False,
                 error="ENOSPC"):
        """Run the line in the current folder with a fault; the outcome includes the
        number of calls."""
        fault = fault_environment(self.counter, library, call, at, forever, error)
        outcome = run(*line.words, text=line.text, folder=self.work,
                      XDG_STATE_HOME=self.state, XDG_DATA_HOME=self.state, **fault)
        outcome.calls = int.from_bytes(read(self.counter), "little")
        outcome.prompt = line.words[0] == "--model"  # it reads lines, one after the other
        return outcome

    def new_contents(self, line):
        self.fresh()
        outcome = run(*line.words, text=line.text, folder=self.work,
                      XDG_STATE_HOME=self.state, XDG_DATA_HOME=self.state)
        self.assertEqual(outcome.status, 0, outcome.err)
        return After(outcome.out, contents(self.work))

    def check_files(self, after, outcome):
        """Check that each file is the old or the new one, and that there are no others;
        all are new if nothing failed. A picture may lack a font that could not be
        read."""
        found = contents(self.work)
        self.assertEqual(sorted(found), sorted(self.before))
        for name, content in found.items():
            if outcome.status == 0 and (content.endswith(PICTURE_ENDS) or
                                        name.endswith((".tex", ".html"))):
                continue  # letters have the widths of the font that was found
            if outcome.status == 0:
                self.assertEqual(content, after.files[name], name)
            else:
                self.assertIn(content, (self.before[name], after.files[name]), name)

    def check(self, after, outcome):
        self.assertIn(outcome.status, (0, 1), outcome.err)
        # In a lesson a line that fails shows how, and the lesson continues.
        if outcome.status == 0 and not (outcome.prompt and outcome.err):
            self.assertEqual(outcome.out, after.out)
        else:
            # Fontconfig prints a message itself if it cannot read its configuration.
            said = re.sub(r"^Fontconfig .*\n", "", outcome.err, flags=re.M)
            if outcome.prompt:  # It continues: only its first sentence names the fault.
                self.assertRegex(said, r"^[^\n]+: [^\n]+\n([^\n]+\n)*$")
                self.assertRegex(said.split("\n")[0], "cannot|out of memory|error")
            else:
                # A missing optional file, such as words.txt, is reported before the
                # error.
                self.assertRegex(said, r"^(  cannot read [^\n]+/words\.txt: [^\n]+\n)?"
                                       r"glassbox: [^\n]+\n$")
        self.check_files(after, outcome)


class TrainingTest(FaultTest):
    """A model in the folder "deep", trained for four steps with a save every two
    steps."""

    def write_recipe(self, preset="paper", data="pairs.tsv", decoder=1,
                     seen="decoder.0.cross_attention.weights"):
        self.fresh()
        write(os.path.join(self.work, "deep.json"),
              RECIPE % (preset, decoder, data, data, seen, "deep"))

    def train(self, *more, **fault):
        return self.run_line(Line("train", "deep.json", *more), **fault)

    def made(self):
        """Return the files of the model, and the part of the curve that does not depend
        on time."""
        found = {name: content for name, content in contents(self.work).items()
                 if name.startswith("deep/")}
        rows = found.pop("deep/train.csv").decode().split("\n")
        found["losses"] = [row.split(",")[:3] for row in rows]
        return found
