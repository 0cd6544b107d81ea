"""One sentence of a trace: its numbers without the padding, and the labels of its axes."""

import json
import pathlib

import numpy

MODELS = pathlib.Path(__file__).resolve().parents[2] / "assets/models"
SPACE = "·"  # the tokenizer's symbol for the space before a word
MARKS = ".,?!"


def bare(label):
    """The label as used in a sentence. A single space stays, and so does the second one, ·#2."""
    word = label.removeprefix(SPACE)
    return label if word == "" or word.startswith("#") else word


def is_mark(label):
    """True for <end> and similar tokens, bytes, and punctuation at the end: no sentence is about
    them."""
    return bare(label).startswith("<") or (bare(label) != "" and bare(label) in MARKS)


def shown(labels):
    """The printed labels: the second 나는 is 나는#2."""
    seen = {}
    names = []
    for label in labels:
        seen[label] = seen.get(label, 0) + 1
        names.append(label if seen[label] == 1 else f"{label}#{seen[label]}")
    return names


def names_of_labels():
    """Display names of the labels of the program's classifiers."""
    names = {}
    for path in MODELS.glob("*/about.json"):
        for label, called in json.loads(path.read_text()).get("labels", {}).items():
            names.setdefault(label, set()).update(called.values())
    return names


LABELS = names_of_labels()


def label_of(name):
    """The label with that display name, or the name itself."""
    return next((label for label, names in LABELS.items() if name in names), name)


def is_called(name, told):
    return told in (name, bare(name)) or told in LABELS.get(name, ())


class View:
    """The part of a tensor that belongs to one sentence: `x` and, by axis, `labels`; axes without
    labels are numbered."""

    def __init__(self, x, labels, lists):
        self.x, self.labels, self.lists = x, labels, lists

    def names(self, axis):
        return shown(self.labels[axis])

    def meaning(self, axis):
        """Which of the tokens are not marks."""
        return numpy.array([not is_mark(label) for label in self.labels[axis]], bool)


class Trace:
    """A .npz written by :trace, for sentence `row` of its batch."""

    def __init__(self, path, row):
        with numpy.load(path) as stored:
            self.arrays = {name: stored[name] for name in stored.files}
        described = json.loads(bytes(self.arrays.pop("axes.json")))
        self.axes, self.lists = described["axes"], described["labels"]
        self.row = row
        self.views = {}

    def __contains__(self, name):
        return name in self.axes

    def words(self, name):
        rows = self.arrays[f"words.{name}"]
        return [str(word) for word in rows[self.row if len(rows) > 1 else 0]]

    def view(self, name, padded=False):
        """Without the batch axis and without padding."""
        if (name, padded) not in self.views:
            self.views[name, padded] = self.read(name, padded)
        return self.views[name, padded]

    def read(self, name, padded):
        x = self.arrays[name].astype(numpy.float64)
        axes = list(self.axes[name])
        if axes[0] == "batch":
            x = x[self.row if len(x) > 1 else 0]
            axes = axes[1:]
        labels, lists = [], []
        for a, axis in enumerate(axes):
            listed = self.lists.get(name, {}).get(axis)
            words = self.words(listed) if listed else [str(i) for i in range(x.shape[a])]
            if "<pad>" in words and axis not in ("vocabulary", "label") and not padded:
                words = words[:words.index("<pad>")]
                x = x.take(range(len(words)), axis=a)
            labels.append(words)
            lists.append(listed)
        return View(x, labels, lists)

    def tokens(self, stack):
        """The number of tokens of the sentence on that side."""
        return len(self.view(f"{stack}.ids").labels[0])
