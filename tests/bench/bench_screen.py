"""How long the full screen takes to answer a key: from writing the key to the last byte
of the next picture. Usage: bench_screen.py PROGRAM

The processor time is shown next to it, since other programs on the machine increase the
elapsed time. A number above its goal is followed by *."""

import fcntl
import math
import os
import pty
import select
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time

PROGRAM = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "build/glassbox")
SENTENCE = "나는 어제 부산에서 친구를 만났다."
HEADS = "encoder.0.self_attention.weights"
WEIGHT = "model.encoder.layers.0.self_attn.q_proj.weight"
SIZES = ((40, 120), (60, 200))
PRESSES = 1 if os.environ.get("SMOKE") else 50
QUIET = 0.03  # seconds without a byte and almost without work: the picture is complete
WORK = 0.003  # seconds of work within QUIET that count as waiting, not answering
LIMIT = 60    # seconds to wait for an answer

RIGHT, LEFT, DOWN, UP = "\x1bOC", "\x1bOD", "\x1bOB", "\x1bOA"
PAGE_DOWN, END, HOME = "\x1b[6~", "\x1bOF", "\x1bOH"


class Screen:
    """The program in a terminal of this size."""

    def __init__(self, size, folder, *arguments):
        environment = dict(os.environ, TERM="xterm-256color", LC_ALL="C.UTF-8", HOME=folder)
        for name in ("COLORTERM", "NO_COLOR", "COLUMNS", "LINES", "LANGUAGE"):
            environment.pop(name, None)
        self.bytes = 0
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
            os.chdir(folder)
            os.execve(PROGRAM, [PROGRAM, "--screen", *arguments], environment)
        select.select([self.terminal], [], [], LIMIT)
        self.press("")

    def worked(self):
        """Processor seconds of all threads together."""
        tasks = f"/proc/{self.process}/task"
        total = 0
        for task in os.listdir(tasks):
            with open(f"{tasks}/{task}/schedstat") as file:
                total += int(file.read().split()[0])
        return total / 1e9

    def press(self, keys):
        """Seconds until the last byte of the answer, and processor seconds for it."""
        worked = before = self.worked()
        begin = last = watched = time.perf_counter()
        os.write(self.terminal, keys.encode())
        while True:
            if select.select([self.terminal], [], [], QUIET)[0]:
                self.bytes += len(os.read(self.terminal, 1 << 16))
                last = time.perf_counter()
                continue
            now, work = time.perf_counter(), self.worked()
            if work - worked < WORK and now - watched >= QUIET:
                return last - begin, work - before
            if now - begin > LIMIT:
                sys.exit(f"no end of the answer to {keys!r} within {LIMIT} s")
            worked, watched = work, now

    def idle(self, seconds):
        """Fraction of the time that it works while idle."""
        before = self.worked()
        time.sleep(seconds)
        return (self.worked() - before) / seconds

    def leave(self):
        os.kill(self.process, signal.SIGTERM)
        try:
            while os.read(self.terminal, 1 << 16):
                pass
        except OSError:
            pass  # the terminal is gone
        os.waitpid(self.process, 0)
        os.close(self.terminal)


def measure(screen, name, keys, goals, presses=PRESSES):
    """Print a line of the table: press `keys` in turn; the goals are for the median and
    the maximum."""
    before = screen.bytes
    found = [screen.press(keys[p % len(keys)]) for p in range(presses)]
    sent = (screen.bytes - before) / presses
    wall = [1000 * seconds for seconds, work in found]
    work = [1000 * work for seconds, work in found]
    median, worst = statistics.median(wall), max(wall)
    marks = ["*" if value > goal else " " for value, goal in zip((median, worst), goals)]
    print(f"  {name:36} {median:7.1f}{marks[0]} {worst:7.1f}{marks[1]}"
          f" {statistics.median(work):7.1f} {max(work):7.1f} {sent:8.0f}", flush=True)


def walk(steps):
    """Keys that go forward `steps` stops, and back again."""
    return ["n"] * steps + ["p"] * steps


def measure_arrows(screen, cell, goals):
    """Go to cells around this one, showing the explanation of each."""
    screen.press(f":why {cell}\r")
    name = cell.split("[")[0].split(".")[-1]
    measure(screen, f"arrows, explained: {name}", [RIGHT, DOWN, RIGHT, UP, LEFT, LEFT], goals)


def measure_run(screen, sentence, goals):
    """Measure the usual requests for a run of this sentence."""
    shorter = sentence.rsplit(" ", 1)[0]
    measure(screen, "the sentence, pasted and run",
            [f"i{sentence}\r", f"i{shorter}\r"], (math.inf, math.inf), presses=5)
    measure(screen, "n and p: the path", walk(15), goals)
    screen.press("+")
    measure(screen, "n and p: steps", walk(25), goals)
    screen.press("+")
    measure(screen, "n and p: numbers", walk(25), goals)
    for cell in ("logits[0, 0, 0]", "probabilities[0, 0, 0]", f"{HEADS}[0, 0, 0, 0]"):
        measure_arrows(screen, cell, goals)
    measure(screen, "], explained", ["]"], goals)
    measure(screen, "t, explained", ["t"], goals)
    measure(screen, "c, explained", ["c"], goals)
    measure(screen, "a mask, and u", [":mask encoder.0 head 2\r", "u"], goals)


def measure_wide(screen, name, cell, goals):
    """A matrix that is much larger than the screen."""
    screen.press(f":why {cell}\r")
    for what, keys in (("right", [RIGHT]), ("down", [DOWN]), ("page down", [PAGE_DOWN]),
                       ("end and home", [END, HOME])):
        measure(screen, f"{name}: {what}", keys, goals)


def measure_idle(screen):
    print(f"  idle for 5 s: {100 * screen.idle(5):.2f} % of a processor", flush=True)


def ids(count):
    return " ".join(str(5 + 7 * t) for t in range(count))


def main():
    print("screen: ms from a key to the last byte of the picture, ms of work for it, and "
          "bytes\n"
          f"  {'':36} {'median':>7}  {'worst':>7}  {'median':>7} {'worst':>7} {'bytes':>8}")
    with tempfile.TemporaryDirectory() as folder:
        base = os.path.join(folder, "base")
        subprocess.run([PROGRAM, "new", "--preset", "paper", "-o", base], check=True,
                       stdout=subprocess.DEVNULL)
        for size in SIZES:
            where = f"{size[1]} x {size[0]}"
            print(f"ko-en, {where}")
            screen = Screen(size, folder, "--model", "ko-en")
            measure_run(screen, SENTENCE, (5, 30))
            measure_idle(screen)
            screen.leave()
            print(f"stories, {where}")
            screen = Screen(size, folder, "--model", "stories")
            measure_run(screen, "Lily had a red ball.", (5, 30))
            screen.leave()
            print(f"the paper's base model, 64 tokens, {where}")
            screen = Screen(size, folder, "--model", base)
            measure_run(screen, ids(64), (100, 100))
            measure_wide(screen, "512 x 512 weights", f"{WEIGHT}[0, 0]", (16, 16))
            screen.press(f"i{ids(512)}\r")
            screen.press("n")
            measure_wide(screen, "512 x 512 attention", f"{HEADS}[0, 0, 0, 0]", (16, 16))
            measure(screen, "512 x 512 attention: ]", ["]"], (16, 16))
            measure_idle(screen)
            screen.leave()


if __name__ == "__main__":
    main()
