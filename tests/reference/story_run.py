"""Walks of the program: its reports about a sentence, and the trace."""

import os
import re
import subprocess

STAGES_MOST = 400  # number of Enter keys; after the last stage, the program says so
AT_THE_END = "that was the last stage"

HEADING = re.compile(r"^([\d.]+)/(\d+)  (.*\S)  +(\S+)$")
KOREAN = ("이 문장에서", "해 보세요")  # Korean for Here and Try
BEGINS = re.compile(rf"^  (Here|Try|{'|'.join(KOREAN)}): (.*)$")
SHOWN_HEAD = re.compile(r"^  head (\d+) (?:\(of heads 0 to \d+\); all of them|of 0 to \d+.*; all): ")
TOKEN_ROW = re.compile(r"^ +\d+  \S.* \d+  (\d+-\d+ |\(no bytes\))")


def call(program, model, lines, depth="numbers", language="en"):
    """Standard output and error of the prompt with these lines. Prose is wrapped at about 80
    columns at any width; only tables are wider."""
    surroundings = {**os.environ, "TERM": "dumb", "LC_ALL": "C.UTF-8", "LANGUAGE": ""}
    finished = subprocess.run(
        [program, "--model", model, "--depth", depth, "--width", "200",
         "--language", language],
        input="".join(line + "\n" for line in lines).encode(), capture_output=True,
        env=surroundings, check=False)
    if finished.returncode not in (0, 1):  # 1: a line failed
        raise ValueError(f"{model}: status {finished.returncode}, "
                         f"{finished.stderr.decode()[-300:]}")
    return finished.stdout.decode(), finished.stderr.decode()


class Stage:
    """A stop of the walk: its name, the text after Here, and the command after Try."""

    def __init__(self, number, count, name):
        self.number, self.count, self.name = number, count, name
        self.kind = "step-of-decoding" if re.fullmatch(r"step\.\d+", name) \
            else name.rpartition(".")[2]
        self.place = name.rpartition(".")[0]
        self.text = self.command = self.head = None
        self.rows = 0  # of the table of tokens

    def read(self, lines):
        """The text is wrapped at spaces; a blank line ends it."""
        parts = {"Here": [], "Try": [], **{word: [] for word in KOREAN}}
        part = None
        for line in lines:
            self.rows += self.kind == "tokens" and bool(TOKEN_ROW.match(line))
            found = SHOWN_HEAD.match(line)
            if found:
                self.head = int(found.group(1))
            begins = BEGINS.match(line)
            if begins:
                part = parts[begins.group(1)]
                part.append(begins.group(2).strip())
            elif line.strip() and part is not None:
                part.append(line.strip())
            else:
                part = None
        self.text = " ".join(parts["Here"] + parts[KOREAN[0]]) or None
        self.command = " ".join(parts["Try"] + parts[KOREAN[1]]) or None


def stages_of(text):
    """The stages in the output; if the walk started again, those of the last walk."""
    stages = {}
    lines = text.split("\n")
    starts = [i for i, line in enumerate(lines) if HEADING.match(line)]
    for start, end in zip(starts, starts[1:] + [len(lines)]):
        number, count, _, name = HEADING.match(lines[start]).groups()
        stage = Stage(tuple(map(int, number.split("."))), int(count), name)
        stage.read(lines[start + 1:end])
        stages[stage.number] = stage
    return [stages[number] for number in sorted(stages)]


def follows(number, after):
    """8 and 8.1, 8.1 and 8.2, 8.2 and 9."""
    part = number[1] if len(number) > 1 else 0
    return after in ((number[0], part + 1), (number[0] + 1,))


class Walked:
    """A walk through a sentence: its stages, and the traces of the run and of the sentence
    without its batch, which the decoding reads. `then` is typed after the sentence."""

    def __init__(self, typed, row, depth, folder, number, then=()):
        self.typed, self.row, self.depth, self.then = typed, row, depth, then
        self.trace = f"{folder}/{number}.npz"
        self.alone = self.trace if "|" not in typed else f"{folder}/{number}-alone.npz"
        self.stages = []

    def lines(self):
        """The lines to type; "wrote" ends the output of the walk."""
        lines = [f":options depth={self.depth}", self.typed]
        if self.then:
            lines += [*self.then, ":goto 1"]
        if self.row:
            lines += [f":batch {self.row}", ":goto 1"]
        lines += [""] * STAGES_MOST + [f":trace -o {self.trace} --force"]
        if self.alone != self.trace:
            only = self.typed.split("|")[self.row].strip()
            lines += [only, f":trace -o {self.alone} --force"]
        return lines

    def read(self, printed):
        """Read the stages from the output; return the rest."""
        mine, wrote, rest = printed.partition(f"wrote {self.trace}")
        if not wrote:
            raise ValueError(f"'{self.typed}': no trace was written")
        self.stages = stages_of(mine)
        numbers = [stage.number for stage in self.stages]
        ends = self.depth == "boxes" or bool(numbers) and numbers[-1][0] == self.stages[0].count
        if not numbers or numbers[0] != (1,) or not ends or \
                self.depth == "numbers" and not all(map(follows, numbers, numbers[1:])):
            raise ValueError(f"'{self.typed}': not every stage was printed")
        return rest


def walk_in_korean(program, model, one):
    """The stages of the same walk in Korean, by name."""
    lines = [line for line in one.lines() if not line.startswith(":trace")]
    printed, _ = call(program, model, lines[:-1] if one.alone != one.trace else lines,
                      language="ko")
    return {stage.name: stage for stage in stages_of(printed)}


def walk(program, model, walked):
    """Run all of them in one process; return its standard error."""
    printed, problems = call(program, model,
                             [line for one in walked for line in one.lines()])
    for one in walked:
        printed = one.read(printed)
    return problems
