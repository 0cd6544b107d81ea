"""Random sessions at the prompt: keys, pastes, resizes and signals, each from a seed, in
terminals of any size and kind. What must hold: the program ends when it is told to, by no
signal but one it was sent, and the terminal is as it was.

    PYTHONPATH=tests/terminal python3 tests/hazards/random_prompt.py SEED ...
"""

import fcntl
import multiprocessing
import os
import pty
import random
import select
import signal
import struct
import sys
import tempfile
import termios
import time

from program import PROGRAM

KINDS = ("xterm-256color", "vt100", "dumb", "no-such-terminal")
PASTE, PASTED = b"\x1b[200~", b"\x1b[201~"
BEGIN_PASTES, END_PASTES = b"\x1b[?2004h", b"\x1b[?2004l"
FOUND = 99  # the status that a sanitizer ends with
PATIENCE = 20  # seconds until a session that does not end counts as hanging

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
    """1 to 500, small ones as likely as large ones."""
    return min(500, int(2 ** rng.uniform(0, 9)))


def any_paste(rng):
    text = b"\n".join(rng.choice(TEXTS) for _ in range(rng.randint(1, 4)))
    return PASTE + text + rng.choice((PASTED, PASTED, b"", PASTED[:3]))


class Session:
    """One person who hits keys."""

    def __init__(self, program, seed, folder):
        self.program = program
        self.rng = random.Random(seed)
        self.folder = folder
        self.said = b""
        self.status = None
        self.allowed = {0, -signal.SIGQUIT}  # Ctrl-\ is a key; :quit and Ctrl-D are typed

    def surroundings(self):
        rng = self.rng
        found = dict(os.environ, TERM=rng.choice(KINDS), HOME=self.folder,
                     INPUTRC=os.path.join(self.folder, rng.choice(("vi", "emacs"))),
                     ASAN_OPTIONS="detect_leaks=0:handle_segv=0:handle_sigbus=0:handle_sigfpe=0"
                     f":exitcode={FOUND}:log_path={self.folder}/found",
                     UBSAN_OPTIONS=f"exitcode={FOUND}:log_path={self.folder}/found")
        for name in ("XDG_STATE_HOME", "COLUMNS", "LINES"):
            found.pop(name, None)
            if rng.random() < 0.2:
                found[name] = rng.choice(("1", "0", "-3", "2147483647", "99999999999"))
        return found

    def resize(self, rows=None, columns=None):
        size = (rows or any_size(self.rng), columns or any_size(self.rng))
        self.sizes.append(size)
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("4H", *size, 0, 0))

    def begin(self):
        self.master, self.slave = pty.openpty()
        self.sizes = []
        self.resize()
        if self.rng.random() < 0.1:
            fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("4H", 0, 0, 0, 0))
        self.before = termios.tcgetattr(self.slave)
        surroundings = self.surroundings()
        self.kind = {k: surroundings.get(k) for k in ("TERM", "INPUTRC", "COLUMNS", "LINES")}
        # A signal that comes before the program has begun must not end this script's copy.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        self.pid = os.fork()
        if self.pid == 0:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
            os.setsid()
            fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)
            for stream in range(3):
                os.dup2(self.slave, stream)
            os.closerange(3, 64)
            os.chdir(self.folder)
            os.execve(self.program, [self.program], surroundings)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        os.set_blocking(self.master, False)

    def drain(self, seconds):
        """Reads what comes, so that nobody waits for us."""
        until = time.monotonic() + seconds
        while True:
            left = until - time.monotonic()
            if not select.select([self.master], [], [], max(left, 0))[0]:
                return
            try:
                self.said += os.read(self.master, 65536)
            except OSError:
                return

    def send(self, keys):
        while keys and not self.has_ended():
            try:
                keys = keys[os.write(self.master, keys):]
            except BlockingIOError:
                pass
            self.drain(0.001)

    def has_ended(self):
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
        return self.status is not None

    def signal(self, number):
        self.allowed.add(-number)
        if not self.has_ended():
            os.kill(self.pid, number)

    def act(self):
        chance = self.rng.random()
        if chance < 0.55:
            self.send(b"".join(self.rng.choice(KEYS) for _ in range(self.rng.randint(1, 6))))
        elif chance < 0.75:
            self.send(self.rng.choice(TEXTS))
        elif chance < 0.83:
            self.send(any_paste(self.rng))
        elif chance < 0.97:
            for _ in range(self.rng.choice((1, 1, 2, 20))):
                self.resize()
                self.drain(self.rng.choice((0, 0.002)))
        else:
            self.signal(self.rng.choice((signal.SIGINT, signal.SIGWINCH, signal.SIGCONT)))
        self.drain(self.rng.choice((0, 0, 0.002, 0.01)))

    def seconds_used(self):
        with open(f"/proc/{self.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def check_rest(self):
        """Nothing is done where nothing is asked for."""
        until = time.monotonic() + PATIENCE
        used = -1
        while used != self.seconds_used():
            if time.monotonic() > until:
                return "is busy without end"
            used = self.seconds_used()
            self.drain(0.05)
            time.sleep(0.05)
        return None

    def end(self):
        """Ends it, and returns what is wrong, or None."""
        how = self.rng.choice(ENDS)
        if self.rng.random() < 0.15 and not self.has_ended():
            problem = self.check_rest()
            if problem:
                return problem
        if how == "hang up":
            self.allowed |= {-signal.SIGHUP, 1}  # what it still had to say cannot be written
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
        for name in os.listdir(self.folder):
            if name.startswith("found"):
                with open(os.path.join(self.folder, name), errors="replace") as file:
                    return file.read()
        if self.status == -signal.SIGINT and b"> " not in self.said:
            return None  # before the first prompt it ends like any program
        if self.status not in self.allowed:
            return f"ended with {self.status}, not one of {sorted(self.allowed)}"
        if self.master is None:
            return None
        if termios.tcgetattr(self.slave) != self.before:
            return f"ended with {self.status} and left the terminal's settings"
        if self.said.rfind(BEGIN_PASTES) > self.said.rfind(END_PASTES):
            return f"ended with {self.status} and left pastes in brackets"
        return None

    def close(self):
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        if self.master is not None:
            os.close(self.master)
            os.close(self.slave)

    def play(self):
        self.begin()
        # Sometimes the first keys come before there is a prompt.
        if self.rng.random() < 0.8:
            until = time.monotonic() + PATIENCE
            while b"> " not in self.said and time.monotonic() < until:
                self.drain(0.01)
        for _ in range(self.rng.randint(5, 40)):
            if self.has_ended():
                break
            self.act()
        problem = self.end()
        self.close()
        return problem


def play(job):
    """What was wrong with the session of a seed in a program, or None."""
    program, seed = job
    with tempfile.TemporaryDirectory() as folder:
        for mode in ("vi", "emacs"):
            with open(os.path.join(folder, mode), "w") as file:
                file.write(f"set editing-mode {mode}\n")
        session = Session(program, seed, folder)
        problem = session.play()
        return problem and f"seed {seed}: {problem} ({session.kind}, {session.sizes[-1]})"


def play_all(seeds, program=PROGRAM):
    """What was wrong with any of them; two are played at a time."""
    jobs = [(program, seed) for seed in seeds]
    with multiprocessing.Pool(2) as pool:
        return [problem for problem in pool.imap_unordered(play, jobs) if problem]


if __name__ == "__main__":
    for number in sys.argv[1:]:
        print(play((PROGRAM, int(number))) or f"seed {number}: in order")
