"""Random sessions on the full screen: those of random_prompt.py, with the mouse.

    PYTHONPATH=tests/terminal:tests/hazards python3 tests/hazards/random_screen.py SEED
...
"""

import os
import signal
import sys

from program import PROGRAM, write
from random_prompt import KEYS, KINDS, TEXTS, Session, play

MOUSE = ["\x1b[<%d;%d;%d%s" % (button, column, row, end) for button in (0, 2, 64, 65)
         for column, row in ((1, 1), (5, 6), (40, 3), (45, 8), (60, 20), (300, 200))
         for end in "Mm"]
PANES = b"npb+-\t hjkl[]{}wtcieu?123456789i::/i"


# A recipe that takes at most about a second, and a lesson whose second page trains with
# it.
RECIPE = """{"preset": "paper", "model": {"d_model": 16, "attention_heads": 2, "d_ff": 16,
  "encoder_layers": 1, "decoder_layers": 1, "max_length": 8}, "data": "pairs.tsv",
  "header": "no", "batch": 2, "steps": %d, "plot": "none", "samples": 0, "threads": 1,
  "output": "made"}"""
LESSON = """---
title: T
language: en
minutes: 1
needs: none
model: ko-en
files: pairs.tsv, recipe.json
---

```glassbox
> a
...
```

## Then

```glassbox
> :train recipe.json --force
...
```
"""


def write_training(folder, steps):
    """Make in a folder: lessons/01-train.md, recipe.json, and the files that they
    read."""
    os.makedirs(os.path.join(folder, "files"))
    os.makedirs(os.path.join(folder, "lessons"))
    write(os.path.join(folder, "lessons/01-train.md"), LESSON)
    for place in ("", "files"):
        write(os.path.join(folder, place, "pairs.tsv"), "a b\tb a\nb a\ta b\n" * 4)
        write(os.path.join(folder, place, "recipe.json"), RECIPE % steps)


class Person(Session):
    kinds = (*KINDS, "linux", "xterm-mono", "screen-256color", "vt52", "tmux-256color")
    keys = [*KEYS, *([bytes([c]) for c in PANES] * 2), *map(str.encode, MOUSE), b"\x1a",
            b"\x1b[5~", b"\x1b[6~", b"\x1b[Z", b"\x1bO", b"\x1b[", b"\x1b[<0;", b"\x00"]
    texts = [*TEXTS, *(text.encode() for text in (
        "i나는 친구를 만났다.\r", "i나는 어제 부산에서 친구를 만났다.\r", ":because\r", ":map\r",
        ":why\r", ":learn I\r", ":lesson 1\r", ":zero weights\r", ":screen\r", ":stages\r",
        "/cross\r", ":options color=true\r", ":model classifier\r", ":lesson\r", "e\x03",
        ":heat weights\r", ":decode\r", ":batch 2\r", "ia | b c\r", ":mask key 0\r",
        *(":train recipe.json --force\r", ":train recipe.json --resume\r",
          ":lesson lessons/01-train.md\r\r[]", ":learn I\r:learn I\r") * 2))]
    ready = (*Session.ready, b"\x1b[?2004h")  # on a screen, this as well
    beginning = (("--screen",), ())

    def start(self):
        write_training(self.folder, self.rng.choice((3, 30, 200)))
        super().start()
        if not self.arguments:
            self.send(b":screen\r")

    def act(self):
        """Sometimes send two signals, one directly after the other."""
        if self.rng.random() < 0.02:
            number = self.rng.choice((signal.SIGINT, signal.SIGINT, signal.SIGTERM))
            self.signal(number)
            self.drain(self.rng.choice((0, 0, 0.01)))
            self.signal(number)
        else:
            super().act()


if __name__ == "__main__":
    for number in sys.argv[1:]:
        print(play((Person, PROGRAM, int(number))) or f"seed {number}: in order")
