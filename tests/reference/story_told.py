"""Compare a reported sentence with the expected forms, and collect the failures."""

import re

import numpy

from story_trace import is_called

TIE = 1e-5       # closer values count as ties
ROUNDING = 1e-4  # in addition to half a unit of the last printed digit

# The placeholders of a form: {name} a token, {name:d} a count, {name:f} a number, {name:r} the
# description of a role, {name:a} the excluded tokens.
PIECES = {"": r".+?", "d": r"\d+", "f": r"-?\d+\.\d+", "p": r"\d+", "r": r"(?:the|an?|what) [a-z ,()]+",
          "n": r"may not", "a": r"apart from punctuation(?: and tokens in < >|, tokens "
                               r"in < > and each token itself)"}


def compiled(form):
    """A form as a regular expression with named groups."""
    pattern = ""
    for text, name, kind in re.findall(r"([^{]*)(?:\{(\w+):?(\w?)\})?", form):
        pattern += re.escape(text)
        if name:
            pattern += f"(?P<{name}>{PIECES[kind]})"
    return re.compile(pattern)


def kinds_of(form):
    return dict(re.findall(r"\{(\w+):?(\w?)\}", form))


# By the axis of a cell, the placeholders of a form for its index.
SPOKEN = {"head": ["head"], "query": ["query", "token"], "key": ["key"],
          "source": ["token"], "target": ["token"], "vocabulary": ["first"],
          "label": ["first"]}


def cell_of(command):
    """The label or index, by axis, in a command that shows a cell."""
    items = re.findall(r'(\w+)=("(?:[^"\\]|\\.)*"(?:#\d+)?|[^,\]]*)', command)
    return {axis: re.sub(r'^"(.*)"', lambda quoted: re.sub(r"\\(.)", r"\1",
                                                          quoted.group(1)), value)
            for axis, value in items}


class Told:
    """The values in a sentence, by the names in its form; each number must be compared."""

    def __init__(self, form, found):
        self.kinds, self.said = kinds_of(form), found.groupdict()
        self.left = {name for name, kind in self.kinds.items() if kind}
        self.problems, self.numbers = [], 0

    def __getitem__(self, name):
        return self.said[name]

    def claim(self, holds, sentence):
        if not holds:
            self.problems.append(sentence)

    def count(self, name):
        """A number that identifies something, such as a head."""
        self.left.discard(name)
        return int(self.said[name])

    def number(self, name, value):
        said = self.said[name]
        digits = len(said.partition(".")[2])
        kind = self.kinds[name]
        room = 0.5 * 10 ** -digits + ROUNDING if kind in "fp" else 0
        self.left.discard(name)
        self.numbers += 1
        self.claim(abs(float(said) - value) <= room, f"{name} {said}: it is {value:.6f}")

    def called(self, name, names):
        """All indices with that label."""
        found = [i for i, other in enumerate(names) if is_called(other, self.said[name])]
        self.claim(found, f"{name}: there is no '{self.said[name]}'")
        return found

    def looks_at(self, command):
        """The suggested command must show the reported cell."""
        cell = cell_of(command)
        for axis, names in SPOKEN.items():
            said = [self.said[name] for name in names if name in self.said]
            if axis in cell and said:
                self.claim(is_called(cell[axis], said[0]), f"to try is {axis} {cell[axis]}")

    def finish(self):
        for name in sorted(self.left):
            self.claim(False, f"{name} {self.said[name]} was not recomputed")


def cosine(a, b):
    size = numpy.sqrt((a * a).sum(-1) * (b * b).sum(-1))
    return (a * b).sum(-1) / numpy.where(size > 0, size, 1)


def best_of(told, name, names, values, allowed, claim):
    """The reported index, which must have the largest of the allowed values."""
    found = [i for i in told.called(name, names) if allowed[i]]
    if not found:
        told.claim(False, f"{name}: '{told[name]}' is none that is spoken of")
        return int(numpy.argmax(values))
    index = max(found, key=lambda i: values[i])
    most = max(value for value, allows in zip(values, allowed) if allows)
    told.claim(values[index] >= most - TIE,
               f"{claim} is not {told[name]}: {values[index]:.6f}, most is {most:.6f}")
    return index
