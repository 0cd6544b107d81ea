"""Random sessions at the prompt: keys, pastes, resizes and signals, each from a seed,
in terminals of any size and kind. Invariants: the program ends when it should, only by
a signal that was sent to it, and the terminal is restored.

    PYTHONPATH=tests/terminal python3 tests/hazards/random_prompt.py SEED ...
"""

import multiprocessing
import os
import random
import signal
import sys
import tempfile
import time

from program import PATIENCE, PROGRAM
from terminal_session import TerminalSession

KINDS = ("xterm-256color", "vt100", "dumb", "no-such-terminal")
PASTE, PASTED = b"\x1b[200~", b"\x1b[201~"

TEXTS = [text.encode() for text in (
    "나는 어제 부산에서 친구를 만났다.", "a b", "x", " ", "漢字", "e\u0301", "\U0001F468\u200D"
    "\U0001F469", "\u202e\u200b", "\u009b31m", "a" * 300, "가" * 90, ":help", ":version",
    ":show enc", ":stages", ":define ", ":heat weights head 1", ":heat encoder.0.self_attention.weights[head=", ":model ", ":", "[", "\"",
    "# a comment", ":why 1", ":goto ", "|", "\\", ":options width=20")]
KEYS = [bytes([c]) for c in range(1, 27) if c not in (4, 26)] + [b"\x1b"] * 3 + [
    b"\r"] * 4 + [b"\t"] * 3 + [b"\x03"] * 2 + [b"\x7f", b"\x1f", b"\xff", b"\xed\x95"] + [
    b"\x1b[A", b"\x1b[B", b"\x1b[C", b"\x1b[D", b"\x1b[H", b"\x1b[F", b"\x1b[3~",
    b"\x1bb", b"\x1bd", b"\x1bf", b"\x1by", b"\x1b.", b"\x1b5", b"\x1b-", b"\x1b?", b"\x1b*",
    b"\x1b#", b"\x1b\x12", b"\x1bp", b"\x18\x18", b"\x18(", b"\x18)", b"\x18e"] + [
    bytes([c]) for c in b"/?nNfFtT;,cwdybpPuUiIaArRvGjkhl0$^%~.xXsS@#*|\\=3"]
ENDS = ("quit", "quit", "quit", signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT,
        signal.SIGSEGV, signal.SIGABRT, signal.SIGFPE, signal.SIGBUS, "hang up")


def any_size(rng):
    """1 to 500, small numbers as likely as large ones."""
    return min(500, int(2 ** rng.uniform(0, 9)))


def any_paste(rng):
    text = b"\n".join(rng.choice(TEXTS) for _ in range(rng.randint(1, 4)))
    return PASTE + text + rng.choice((PASTED, PASTED, b"", PASTED[:3]))


class Session(TerminalSession):
    """A person who presses keys."""

    kinds, keys, texts = KINDS, KEYS, TEXTS
    ready = (b"> ",)  # one of these is displayed when keys are read
    beginning = ()  # program arguments, one of these

    def __init__(self, program, seed, folder):
        self.seed = seed
        self.rng = random.Random(seed)
        super().__init__(program, folder,
                         *(self.rng.choice(self.beginning) if self.beginning else ()))
        self.allowed = {0, -signal.SIGQUIT}  # Ctrl-\ is a key; :quit and Ctrl-D are typed

    def surroundings(self):
        rng = self.rng
        self.changed = {"TERM": rng.choice(self.kinds),
                        "INPUTRC": os.path.join(self.folder, rng.choice(("vi", "emacs")))}
        for name in ("COLUMNS", "LINES"):
            if rng.random() < 0.2:
                self.changed[name] = rng.choice(("1", "0", "-3", "2147483647", "99999999999"))
        return super().surroundings()

    def resize(self):
        self.size = (any_size(self.rng), any_size(self.rng))
        self.set_size(*self.size)

    def start(self):
        self.size = (0, 0) if self.rng.random() < 0.1 else (any_size(self.rng), any_size(self.rng))
        self.begin(*self.size, self.seed % 4 == 0)
        # Sometimes type the first keys before the prompt appears.
        if self.rng.random() < 0.8:
            self.wait_until_ready()

    def is_ready(self):
        return any(text in self.said for text in self.ready)

    def wait_until_ready(self):
        until = time.monotonic() + PATIENCE
        while not self.is_ready() and time.monotonic() < until:
            self.drain(0.01)

    def signal(self, number):
        if self.has_ended():  # ended by a signal that was not sent
            return
        self.allowed.add(-number)
        super().signal(number)

    def act(self):
        chance = self.rng.random()
        if chance < 0.55:
            self.send(b"".join(self.rng.choice(self.keys) for _ in range(self.rng.randint(1, 6))))
        elif chance < 0.75:
            self.send(self.rng.choice(self.texts))
        elif chance < 0.83:
            self.send(any_paste(self.rng))
        elif chance < 0.97:
            for _ in range(self.rng.choice((1, 1, 2, 20))):
                self.resize()
                self.drain(self.rng.choice((0, 0.002)))
        else:
            self.signal(self.rng.choice((signal.SIGINT, signal.SIGWINCH, signal.SIGCONT)))
        self.drain(self.rng.choice((0, 0, 0.002, 0.01)))

    def end(self):
        """End it, and return what is wrong, or None."""
        how = self.rng.choice(ENDS)
        if self.rng.random() < 0.15 and not self.has_ended():
            problem = self.check_rest()
            if problem:
                return problem
        if how == "hang up":
            self.allowed |= {-signal.SIGHUP, 1}  # the rest of its output cannot be written
            os.close(self.slave)
            os.close(self.master)
            self.master = None
        elif how != "quit":
            self.signal(how)
        until = time.monotonic() + PATIENCE
        while not self.has_ended():
            if time.monotonic() > until:
                return f"does not end by {how}"
            if self.master is None:
                time.sleep(0.005)
                continue
            if how == "quit":
                self.send(b"\x03")
                self.drain(0.01)
                self.send(b":quit\r")
            self.drain(0.02)
        return self.judge()

    def judge(self):
        if self.master is not None:
            self.drain(0)
        if self.finding():
            return self.finding()
        if self.status == -signal.SIGINT and not self.is_ready():
            return None  # before the first prompt it ends like any program
        if self.status not in self.allowed:
            return f"ended with {self.status}, not one of {sorted(self.allowed)}"
        if self.master is None:
            return None
        return self.left_settings() if self.forgets else self.left_behind()

    def play(self):
        self.start()
        for _ in range(self.rng.randint(5, 40)):
            if self.has_ended():
                break
            self.act()
        problem = self.end()
        self.close()
        return problem


def play(job):
    """Play a session and return what was wrong, or None."""
    person, program, seed = job
    with tempfile.TemporaryDirectory() as folder:
        for mode in ("vi", "emacs"):
            with open(os.path.join(folder, mode), "w") as file:
                file.write(f"set editing-mode {mode}\n")
        session = person(program, seed, folder)
        problem = session.play()
        return problem and f"seed {seed}: {problem} ({session.changed}, {session.size})"


def play_all(seeds, program=PROGRAM, person=Session):
    """Play sessions, two at a time, and return what was wrong in any of them."""
    jobs = [(person, program, seed) for seed in seeds]
    with multiprocessing.Pool(2) as pool:
        return [problem for problem in pool.imap_unordered(play, jobs) if problem]


if __name__ == "__main__":
    for number in sys.argv[1:]:
        print(play((Session, PROGRAM, int(number))) or f"seed {number}: in order")
