"""Random sessions on the full screen: those of random_prompt.py, with the mouse.

    PYTHONPATH=tests/terminal:tests/hazards python3 tests/hazards/random_screen.py SEED ...
"""

import sys

from program import PROGRAM
from random_prompt import KEYS, KINDS, TEXTS, Session, play

MOUSE = ["\x1b[<%d;%d;%d%s" % (button, column, row, end) for button in (0, 2, 64, 65)
         for column, row in ((1, 1), (5, 6), (40, 3), (45, 8), (60, 20), (300, 200))
         for end in "Mm"]
PANES = b"npb+-\t hjkl[]{}wtcieu?123456789i::/i"


class Person(Session):
    kinds = (*KINDS, "linux", "xterm-mono", "screen-256color", "vt52", "tmux-256color")
    keys = [*KEYS, *([bytes([c]) for c in PANES] * 2), *map(str.encode, MOUSE), b"\x1a",
            b"\x1b[5~", b"\x1b[6~", b"\x1b[Z", b"\x1bO", b"\x1b[", b"\x1b[<0;", b"\x00"]
    texts = [*TEXTS, *(text.encode() for text in (
        "i나는 친구를 만났다.\r", "i나는 어제 부산에서 친구를 만났다.\r", ":because\r", ":map\r",
        ":why\r", ":learn I\r", ":lesson 1\r", ":zero weights\r", ":screen\r", ":stages\r",
        "/cross\r", ":options color=true\r", ":model classifier\r", ":lesson\r", "e\x03",
        ":heat weights\r", ":decode\r", ":batch 2\r", "ia | b c\r", ":mask key 0\r"))]
    ready = (*Session.ready, b"\x1b[?2004h")  # on a screen, too
    beginning = (("--screen",), ())

    def start(self):
        super().start()
        if not self.arguments:
            self.send(b":screen\r")


if __name__ == "__main__":
    for number in sys.argv[1:]:
        print(play((Person, PROGRAM, int(number))) or f"seed {number}: in order")
