"""Run the program as a user would: shared by the test scripts."""

import functools
import os
import re
import shlex
import subprocess
import tempfile
import unicodedata
import unittest

PROGRAM = os.path.abspath(os.environ.get("GLASSBOX", "build/glassbox"))
QUOTED = shlex.quote(PROGRAM)  # for a shell, or for pexpect without arguments
SENTENCE = "나는 어제 부산에서 친구를 만났다."
# `make test` checks each promise on a sample of its cases, `make test-all` on all of them.
# tests/sample.h has the same for C programs.
CHECKS_ALL = "GLASSBOX_TEST_ALL" in os.environ


def sample(cases, every, first=0):
    """Select one of `every` cases, from the one at `first`; all of them in `make test-all`."""
    cases = list(cases)
    return cases if CHECKS_ALL else cases[first::every]


def in_test_all(test):
    """A test that only `make test-all` runs; another test checks a sample of it."""
    return unittest.skipUnless(CHECKS_ALL, "only in make test-all")(test)


DECIMAL = re.compile(r"(-?\d+\.\d+(?:e[-+]\d+)?)")


def near(found, expected):
    """Match a printed number, plus or minus one in the last digit, since processors round
    differently."""
    digits, _, power = expected.partition("e")
    unit = 10.0 ** (int(power or 0) - len(digits.partition(".")[2]))
    return abs(float(found) - float(expected)) < 1.01 * unit


def holds(text, piece):
    """Return true if the text contains the piece. The last digit of its decimals may differ by
    one."""
    parts = DECIMAL.split(piece)
    pattern = "".join(DECIMAL.pattern if i % 2 else re.escape(part)
                      for i, part in enumerate(parts))
    return any(all(map(near, match.groups(), parts[1::2]))
               for match in re.finditer(pattern, text))


class Outcome:
    """Result of a run: exit status, and both outputs as bytes and as text."""

    def __init__(self, finished):
        self.status = finished.returncode
        self.out_bytes, self.err_bytes = finished.stdout, finished.stderr
        self.out = finished.stdout.decode("utf-8", "replace")
        self.err = finished.stderr.decode("utf-8", "replace")


@functools.cache
def is_sanitized():
    """The address sanitizer replaces malloc(), reserves terabytes of addresses, and keeps freed
    memory."""
    return b"__asan_init" in read(PROGRAM)


def with_model(*arguments):
    """Add a --model option with the Korean model for prompts without one, because the default
    model depends on the language: see test_first_inputs.py."""
    starts = all(word.startswith("-") or (i and arguments[i - 1].startswith("-"))
                 for i, word in enumerate(arguments))
    is_named = {"--model", "--help", "-h", "--version"} & set(arguments)
    return arguments if is_named or not starts else (*arguments, "--model", "ko-en")


def run(*arguments, text="", folder=None, **environment):
    """Run the program with these arguments and this standard input."""
    surroundings = {**os.environ, "TERM": "dumb", **environment}
    surroundings.pop("COLORTERM", None)
    text = text if isinstance(text, bytes) else text.encode()
    finished = subprocess.run([PROGRAM, *with_model(*arguments)], input=text, capture_output=True,
                              cwd=folder, env=surroundings, timeout=PATIENCE)
    return Outcome(finished)


def prompt(*lines, **options):
    """Run the prompt with these lines as standard input, with a walk that visits every tensor."""
    return run("--depth", "numbers", text="".join(line + "\n" for line in lines), **options)


@functools.cache
def command_names():
    """The names of all commands, in the order of :help all."""
    names = re.findall(r"^  :(\S+)", run("help", "all").out, re.M)
    assert len(names) > 60, names
    return names


def width(text):
    """The width in terminal cells: two for wide East Asian characters."""
    return sum(0 if unicodedata.combining(c) else
               2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def process_stat(place):
    """The fields of the file stat in this folder of /proc, from the process state on."""
    return read(f"/proc/{place}/stat").decode().rsplit(")", 1)[1].split()


def cpu_seconds(pid):
    """The processor time used so far."""
    fields = process_stat(pid)
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def send_signals(pid, numbers):
    """Send signals one after the other: of two pending signals the process would see only one."""
    for number in numbers:
        os.kill(pid, number)
        waits = True
        while waits:
            with open(f"/proc/{pid}/status") as file:
                status = dict(line.split(":", 1) for line in file)
            waits = int(status["ShdPnd"], 16) and "Z" not in status["State"]


def lesson_key(path):
    """The key of a lesson that is not part of the program: its name and the FNV-1a hash of its
    path."""
    number = 2166136261
    for byte in os.fsencode(os.path.realpath(path)):
        number = (number ^ byte) * 16777619 % 2 ** 32
    return f"{os.path.basename(path)[:-3]}-{number:08x}"


def read(path):
    with open(path, "rb") as file:
        return file.read()


PATIENCE = 600 if is_sanitized() else 300  # seconds for one run of the program


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


class ProgramTest(unittest.TestCase):
    """A test in its own folder, which must contain only the requested files at the end."""

    maxDiff = None

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = place.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def assert_says(self, outcome, *parts, status=1):
        """Check that it failed with one sentence on standard error that contains the parts."""
        self.assertEqual(outcome.status, status, outcome.err)
        lines = outcome.err.rstrip("\n").split("\n")
        self.assertEqual(len(lines), 1, outcome.err)
        for part in parts:
            self.assertIn(part, lines[0])

    def assert_done(self, outcome):
        self.assertEqual((outcome.status, outcome.err), (0, ""))
