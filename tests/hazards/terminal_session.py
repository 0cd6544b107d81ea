"""The program in a pseudo-terminal, seen from the terminal's side: its output, how it
ended, and whether the terminal is restored."""

import fcntl
import os
import pty
import resource
import select
import signal
import struct
import termios
import time

from program import PATIENCE, cpu_seconds, with_model

FOUND = 99     # exit status of a sanitizer
# Modes that a program may start by escapes, and how to end them: bracketed paste, the
# alternate screen, two kinds of mouse reports, other arrow keys, no cursor.
MODES = {b"\x1b[?2004h": b"\x1b[?2004l", b"\x1b[?1049h": b"\x1b[?1049l",
         b"\x1b[?1006;1000h": b"\x1b[?1006;1000l|\x1b[?1000l",
         b"\x1b[?1h": b"\x1b[?1l", b"\x1b[?25l": b"\x1b[?25h|\x1b[?12l\x1b[?25h"}


def last(said, choices):
    return max(said.rfind(choice) for choice in choices.split(b"|"))


class TerminalSession:
    def __init__(self, program, folder, *arguments, **changed):
        self.program, self.folder, self.arguments = program, folder, arguments
        if os.path.basename(program) == "glassbox":
            self.arguments = with_model(*arguments)
        self.changed = changed  # of the environment; None removes a variable
        self.said = b""
        self.status = None

    def surroundings(self):
        found = dict(os.environ, TERM="xterm-256color", HOME=self.folder, LC_ALL="C.UTF-8",
                     INPUTRC="/dev/null",
                     ASAN_OPTIONS="detect_leaks=0:handle_segv=0:handle_sigbus=0:handle_sigfpe=0"
                     f":handle_abort=0:exitcode={FOUND}:log_path={self.folder}/found",
                     UBSAN_OPTIONS=f"exitcode={FOUND}:log_path={self.folder}/found")
        for name in ("XDG_STATE_HOME", "XDG_DATA_HOME", "COLORTERM", "NO_COLOR", "COLUMNS",
                     "LINES"):
            found.pop(name, None)
        found.update(self.changed)
        return {name: value for name, value in found.items() if value is not None}

    def set_size(self, rows, columns):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("4H", rows, columns, 0, 0))

    def keep_what_is_written(self):
        """By default Ctrl-C makes the terminal driver discard output that was not read
        yet: the last output of the program could then be missing here."""
        settings = termios.tcgetattr(self.slave)
        settings[3] |= termios.NOFLSH
        termios.tcsetattr(self.slave, termios.TCSANOW, settings)

    def begin(self, rows=30, columns=100, forgets=True):
        self.master, self.slave = pty.openpty()
        self.set_size(rows, columns)
        self.forgets = forgets
        if not forgets:
            self.keep_what_is_written()
        self.before = termios.tcgetattr(self.slave)
        surroundings = self.surroundings()
        # A signal that comes before the program has started must not end the fork of
        # this script.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        self.pid = os.fork()
        if self.pid == 0:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            os.setsid()
            fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)
            for stream in range(3):
                os.dup2(self.slave, stream)
            os.closerange(3, 64)
            os.chdir(self.folder)
            os.execve(self.program, [self.program, *self.arguments], surroundings)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        os.set_blocking(self.master, False)
        return self

    def drain(self, seconds):
        """Read output, so that the program does not block."""
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

    def wait_for(self, text, since=0):
        """Wait until this was written; return where it ends."""
        until = time.monotonic() + PATIENCE
        while self.said.find(text, since) < 0:
            if time.monotonic() > until or self.has_ended():
                raise AssertionError(f"no {text!r} in {self.said[since:][-2000:]!r}")
            self.drain(0.01)
        return self.said.find(text, since) + len(text)

    def wait_until(self, is_so):
        until = time.monotonic() + PATIENCE
        while not is_so():
            if time.monotonic() > until or self.has_ended():
                raise AssertionError(f"it never came: {self.said[-2000:]!r}")
            self.drain(0.01)

    def ask(self, keys, text):
        """Type, and wait for the reaction."""
        before = len(self.said)
        self.send(keys)
        self.wait_for(text, before)

    def has_ended(self):
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
        return self.status is not None

    def wait(self):
        """Return its status, like subprocess; None if it does not end."""
        until = time.monotonic() + PATIENCE
        while not self.has_ended() and time.monotonic() < until:
            self.drain(0.005)
        self.drain(0)
        return self.status

    def signal(self, number):
        if not self.has_ended():
            os.kill(self.pid, number)

    def seconds_used(self):
        return cpu_seconds(self.pid)

    def check_rest(self):
        """Check that the program uses no processor time while it is idle."""
        until = time.monotonic() + PATIENCE
        used = -1
        while used != self.seconds_used():
            if time.monotonic() > until:
                return "is busy without end"
            used = self.seconds_used()
            self.drain(0.05)
            time.sleep(0.05)
        return None

    def finding(self):
        """Return the report of a sanitizer, or None."""
        for name in os.listdir(self.folder):
            if name.startswith("found"):
                with open(os.path.join(self.folder, name), errors="replace") as file:
                    return file.read()
        return None

    def left_settings(self):
        if termios.tcgetattr(self.slave) != self.before:
            return f"ended with {self.status} and left the terminal's settings"
        return None

    def left_behind(self):
        """Return what was not restored, or None."""
        if self.left_settings():
            return self.left_settings()
        for begin, ends in MODES.items():
            if self.said.rfind(begin) > last(self.said, ends):
                return f"ended with {self.status} and left {begin!r}"
        return None

    def close(self):
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        if self.master is not None:
            os.close(self.master)
            os.close(self.slave)
