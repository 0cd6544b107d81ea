#!/usr/bin/python3
"""Recompute what the walk reports after "Here:" from traces, and run the commands after "Try:".

    python3 tests/reference/stories.py build/glassbox --sentences 200
"""

import argparse
import collections
import concurrent.futures
import csv
import itertools
import pathlib
import re
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True  # leave no __pycache__ in the source folder

import numpy

import story_attention
import story_claims
import story_decoding
import tensor_file
import tokenizer_files
from story_run import AT_THE_END, Walked, call, walk, walk_in_korean
from story_told import Told, compiled
from story_trace import Trace, label_of, shown

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ROOT / "assets/models"
FAMILIES = ROOT / "tests/reference/families"
DECODERS = [("gpt2", "gpt2"), ("llama", "stories"), ("qwen2", "qwen2")]  # and their tokenizers
FORMS = {**story_claims.FORMS, **story_attention.FORMS, **story_decoding.FORMS}

AT_ONCE = 2     # models
TOGETHER = 10   # sentences per process
BATCH_EVERY = 5  # every fifth time, two sentences form a batch
BOXES_EVERY = 7  # and every seventh walk is one of boxes
FAILURES_SHOWN = 20

OWN = ROOT / "tests/reference/sentences.tsv"
OWN_OF_PRESETS = 6  # sentences for each preset, different ones for each
TELLER = "stories"  # generates a hundred tokens, so it is used
TELLS_EVERY = 5     # less often
DEPTHS = ("numbers", "steps", "boxes")
KOREAN_EVERY = 5  # every fifth walk is also read in Korean

# Input for the models of presets, whose weights are random.
PLAIN = ["나는 간다.", "나는 어제 부산에서 친구를 만났다.", "나는 간다. | 친구를 어제 만났다."]


# Dropout adds stages. Only these are recomputed, because the others report random numbers.
DICE = {"name": "pytorch, dropping", "model": "pytorch", "kind": "weights-dropped",
        "typed": [":option attention_dropout 0.5", ":dropout on"]}

# Its first row is completely masked, so it attends to all keys. Later tokens of the trace's
# target were not there when the decoding read this row.
NOT_DECODED_FROM_TRACE = "kit-as-written"

# Besides errors, a model may print this remark on standard error:
REMARK = "This model cannot generate a target"


class Weights:
    """Weights of a model by address: from its folder or from the program."""

    def __init__(self, program, model, folder):
        self.program, self.model, self.folder = program, model, pathlib.Path(folder)
        path = MODELS / model / "model.safetensors"
        self.stored = tensor_file.read(path) if path.exists() else {}
        self.tables = {}

    def ask(self, address, ending):
        """The output of `show`; nothing for unknown tensors."""
        path = self.folder / f"asked{ending}"
        path.unlink(missing_ok=True)
        call(self.program, self.model, ["a", f":show {address} -o {path}"])
        return path if path.exists() else None

    def weight(self, name):
        if name not in self.stored:
            path = self.ask(name, ".npy")
            self.stored[name] = numpy.load(path) if path else None
        found = self.stored[name]
        return None if found is None else found.astype(numpy.float64)

    def table(self, stack):
        """The rows of the embedding and their labels."""
        if stack not in self.tables:
            name = f"model.{stack}.embed_tokens.weight"
            if self.weight(name) is None:
                name = "model.shared.weight"
            with open(self.ask(f"{name}[d_model=0:1]", ".csv"), newline="") as file:
                labels = [row[0] for row in csv.reader(file)][1:]
            labels = [re.sub(r"^'(?=[=+@-])", "", label) for label in labels]
            self.tables[stack] = self.weight(name), shown(labels)
        return self.tables[stack]


class Given:
    """All data to recompute a story."""

    def __init__(self, walked, model):
        self.trace = Trace(walked.trace, walked.row)
        self.alone = self.trace
        if walked.alone != walked.trace:
            self.alone = Trace(walked.alone, 0)
        self.model = model
        self.typed = walked.typed.split("|")[walked.row].strip()
        self.words = {}
        # A decoder-only model starts with its prompt; others start with <start>.
        self.is_prompted = "encoder.ids" not in self.trace
        self.prompt = walked.stages[0].rows if self.is_prompted else 1
        self.own = self.prompt if self.is_prompted else None

    def names(self, view):
        """The labels of the vocabulary, read once because it is large."""
        if view.lists[-1] not in self.words:
            self.words[view.lists[-1]] = view.names(-1)
        return self.words[view.lists[-1]]

    def looks(self):
        """The attention of the decoding's report: the last one, cross-attention if there is an
        encoder."""
        kind = "self" if self.is_prompted else "cross"
        layers = [name for name in self.alone.axes
                  if re.fullmatch(rf"decoder\.\d+\.{kind}_attention\.weights", name)]
        return layers[-1].rpartition(".")[0] if layers else "decoder.attention"


def told(stage, given):
    """Compare the sentence with the first form that matches; None: none does."""
    for form, recompute in FORMS.get(stage.kind, []):
        form = form(stage.text) if callable(form) else form
        found = compiled(form).fullmatch(stage.text)
        if found:
            story = Told(form, found)
            recompute(story, stage, given)
            if stage.command and stage.command.startswith(":why") and stage.kind != "decoding":
                story.looks_at(stage.command)
            story.finish()
            return story
    return None


class Tally:
    """Results for one model."""

    def __init__(self, model):
        self.model = model
        self.sentences = self.stories = self.numbers = self.commands = 0
        self.failures = []
        self.kinds = collections.Counter()

    def fail(self, walked, stage, problem):
        self.failures.append(f"{self.model}: '{walked.typed}' ({walked.row}), "
                             f"{stage.name}: {problem}\n    {stage.text}")

    def add(self, walked, model, kind=None):
        """All its stages, or those of one kind."""
        given = Given(walked, model)
        self.sentences += 1
        for stage in walked.stages:
            if stage.kind == "decoding" and self.model == NOT_DECODED_FROM_TRACE:
                continue
            if stage.text and kind in (None, stage.kind):
                self.stories += 1
                self.kinds[stage.kind] += 1
                self.check(walked, stage, given)

    def check(self, walked, stage, given):
        story = told(stage, given)
        if story is None:
            self.fail(walked, stage, "no form has this sentence")
            return
        self.numbers += story.numbers
        head = story.said.get("head")
        if stage.head is not None and head and stage.kind in ("weights", "scores"):
            story.claim(stage.head == int(head), f"head {stage.head} is drawn")
        for problem in story.problems:
            self.fail(walked, stage, problem)

    def print(self):
        for failure in self.failures[:FAILURES_SHOWN]:
            print(failure)
        print(f"{self.model}: {self.sentences} sentences, {self.stories} stories, "
              f"{self.numbers} numbers, {self.commands} commands, "
              f"{len(self.failures)} failures", flush=True)


def held_out(model, count):
    """Sentences spread over the file, the same in each call."""
    lines = (MODELS / model / "held-out.tsv").read_text().splitlines()
    texts = [line.split("\t")[0] for line in lines]
    if model == TELLER:
        texts = [" ".join(text.split()[:len(text.split()) // 2]) for text in texts]
    return [texts[i * len(texts) // count] for i in range(count)]


def own_sentences(model):
    """Pairs of a kind and a sentence, in the language of a model; a few for a preset."""
    lines = [line.split("\t") for line in OWN.read_text().splitlines()]
    mine = [(kind, text) for kind, language, text in lines
            if language == ("en" if model in ("en-ko", "passive", TELLER) else "ko")]
    if model == TELLER:
        return mine[::TELLS_EVERY]
    if (MODELS / model).is_dir():
        return mine
    first = sum(map(ord, model))
    return [mine[(first + i * (len(mine) // OWN_OF_PRESETS)) % len(mine)]
            for i in range(OWN_OF_PRESETS)]


def own_to_walk(model, folder):
    """Each sentence at one of the depths; in a batch, the sentences take turns."""
    return [Walked(typed, i % (typed.count("|") + 1), DEPTHS[i % len(DEPTHS)], folder, i)
            for i, (_, typed) in enumerate(own_sentences(model))]


def to_walk(sentences, folder):
    """Each sentence with a depth; some with the next one as a batch, of which either is reported.
    """
    walked = []
    for i, typed in enumerate(sentences):
        row = 0
        if i % BATCH_EVERY == 1 and "|" not in typed:
            typed = f"{typed} | {sentences[i - 1]}"
            row = i // BATCH_EVERY % 2
        depth = "boxes" if i % BOXES_EVERY == 2 else "numbers"
        walked.append(Walked(typed, row, depth, folder, i))
    return walked


def problems_of(said):
    """Standard error, without the line at the end of the walk."""
    return [line for line in said.splitlines()
            if AT_THE_END not in line and REMARK not in line]


def recompute(program, model, count):
    """`count` sentences for a model of the program, a few for a preset."""
    sentences = held_out(model, count) if (MODELS / model).is_dir() else PLAIN
    with tempfile.TemporaryDirectory() as folder:
        return recompute_all(program, model, to_walk(sentences, folder), folder)


def recompute_own(program, model, every=1):
    """One in `every` of this project's sentences, some also in Korean."""
    with tempfile.TemporaryDirectory() as folder:
        walked = own_to_walk(model, folder)[::every]
        tally = recompute_all(program, model, walked, folder)
        for one in walked[::KOREAN_EVERY]:
            compare_korean(one, walk_in_korean(program, model, one), tally)
        return tally


def said_in(text, quote):
    """The quoted tokens (labels by their original names) and the numbers of a sentence, in any
    order."""
    tokens = map(label_of, re.findall(f"{quote}([^{quote}]*){quote}", text))
    bare = re.sub(f"{quote}[^{quote}]*{quote}", "", text)
    return sorted(tokens), sorted(re.findall(r"\d+(?:\.\d+)?", bare))


def compare_korean(walked, korean, tally):
    """The Korean sentence has the same tokens, numbers and command."""
    for stage in walked.stages:
        if not stage.text or stage.kind == "step-of-decoding":
            continue
        other = korean.get(stage.name)
        tally.kinds["in Korean"] += 1
        if other is None or not other.text:
            tally.fail(walked, stage, "nothing is said in Korean")
        elif stage.command != other.command:
            tally.fail(walked, stage, f"in Korean to try is {other.command}")
        # A token with a quote in it cannot be separated from the surrounding quotes.
        elif "'" not in stage.text and '"' not in walked.typed and '""' not in stage.text and \
                said_in(stage.text, '"') != said_in(other.text, "'"):
            tally.fail(walked, stage, f"in Korean: {other.text}")


def recompute_all(program, model, walked, folder):
    tally = Tally(model)
    weights = Weights(program, model, folder)
    for first in range(0, len(walked), TOGETHER):
        some = walked[first:first + TOGETHER]
        for problem in problems_of(walk(program, model, some)):
            tally.failures.append(f"{model}: on standard error: {problem}")
        for one in some:
            tally.add(one, weights)
            for path in {one.trace, one.alone}:
                pathlib.Path(path).unlink()
    try_commands(program, model, walked[:TOGETHER], tally)
    return tally


def try_commands(program, model, walked, tally):
    """The suggested command runs as printed at the prompt of the same sentence."""
    lines = []
    for one in walked:
        commands = [line for stage in one.stages if stage.command
                    for line in (f":goto {stage.name}", stage.command)]
        tally.commands += len(commands) // 2
        lines += [one.typed, *([f":batch {one.row}"] if one.row else []), *commands]
    _, problems = call(program, model, lines)
    for problem in problems_of(problems):
        tally.failures.append(f"{model}: a command to try says: {problem}")


def recompute_dropped(program, count):
    """The stages of a preset with dropout."""
    tally = Tally(DICE["name"])
    with tempfile.TemporaryDirectory() as folder:
        walked = [Walked(typed, 0, "numbers", folder, i, DICE["typed"])
                  for i, typed in enumerate(PLAIN[:count])]
        walk(program, DICE["model"], walked)
        for one in walked:
            tally.add(one, None, DICE["kind"])
    return tally


def recompute_family(program, family, tokenizer, every=1):
    """A decoder-only model, in a folder as downloaded; its labels are those of a small tokenizer
    that splits each sentence differently."""
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder, family)
        shutil.copytree(FAMILIES / family, model)
        (model / "tokenizer.json").write_text(tokenizer_files.small(tokenizer))
        walked = [Walked(typed, 0, depth, folder, f"{i}-{depth}")
                  for i, typed in enumerate(("ab a", "a", "abcd e a b ab ab"))
                  for depth in DEPTHS][::every]
        tally = recompute_all(program, str(model), walked, folder)
        tally.model = family
        for one in walked[::2]:
            compare_korean(one, walk_in_korean(program, str(model), one), tally)
        return tally


def told_kinds():
    """The stages that have a function in src/walk/here.c."""
    source = (ROOT / "src/walk/here.c").read_text()
    return [*re.findall(r'\{"([a-z0-9-]+)", tell_\w+\}', source), "decoding"]


def presets():
    """The names of the presets in the source."""
    source = (ROOT / "src/store/presets.c").read_text()
    return re.findall(r'\.name = "([a-z0-9-]+)"', source)


def command_line():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("program")
    parser.add_argument("--sentences", type=int, default=200, help="of each model")
    parser.add_argument("--own", action="store_true",
                        help="sentences.tsv in the place of held-out ones")
    parser.add_argument("--every", type=int, default=1,
                        help="of these sentences and of the presets take one in so many")
    return parser


def main():
    arguments = command_line().parse_args()
    program = str(pathlib.Path(arguments.program).resolve())
    kinds = collections.Counter()
    failures = 0
    models = sorted(path.name for path in MODELS.iterdir() if path.is_dir())
    others = [name for name in presets() if name not in models]
    others = others[len(others) // 2 if arguments.every > 1 else 0::arguments.every]
    with concurrent.futures.ProcessPoolExecutor(AT_ONCE) as pool:
        if arguments.own:
            tallies = pool.map(recompute_own, itertools.repeat(program), models + others,
                               itertools.repeat(arguments.every))
        else:
            tallies = pool.map(recompute, itertools.repeat(program), models + others,
                               itertools.repeat(arguments.sentences))
        families = pool.map(recompute_family, itertools.repeat(program),
                            *zip(*DECODERS[::arguments.every]),
                            itertools.repeat(min(arguments.every, 4)))  # a diagonal of nine
        dropped = recompute_dropped(program, 2 if arguments.every == 1 else 1)
        for tally in itertools.chain(tallies, families, [dropped]):
            tally.print()
            kinds += tally.kinds
            failures += len(tally.failures)
    for kind in told_kinds():
        if not kinds[kind] and arguments.every == 1:
            print(f"never told: {kind}")
            failures += 1
    print("stories by stage: " + ", ".join(f"{kind} {kinds[kind]}" for kind in sorted(kinds)))
    return failures


if __name__ == "__main__":
    try:
        sys.exit(1 if main() else 0)
    except (ValueError, OSError) as problem:
        sys.exit(f"stories.py: {problem}")
