"""The full screen in tmux: type keys, read the screen."""

import itertools
import os
import shlex
import subprocess
import time

from program import PATIENCE, QUOTED, process_stat, with_model


class Tmux:
    """A separate terminal with this number of columns and rows."""

    numbers = itertools.count()  # another server each time: the last one may still be ending

    def __init__(self, name, size, folder, command, **surroundings):
        self.name = f"glassbox-{os.getpid()}-{next(Tmux.numbers)}-{name}"
        columns, rows = size
        shown = " ".join(f"{key}={value}" for key, value in surroundings.items())
        command = shlex.join(with_model(*shlex.split(command)))
        self.call("-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y",
                  str(rows), "-c", folder,
                  f"exec env HOME={folder} LC_ALL=C.UTF-8 {shown} {QUOTED} {command}")

    def call(self, *words):
        return subprocess.run(["tmux", "-L", self.name, *words], check=True, timeout=PATIENCE,
                              capture_output=True).stdout.decode()

    def type(self, *keys):
        """Type keys by tmux's names (Enter, Tab), and everything else literally."""
        for key in keys:
            named = key in ("Enter", "Tab", "Escape", "Space", "BSpace", "End", "Home", "Up",
                            "Down", "Left", "Right", "PageDown", "PageUp", "BTab")
            self.call("send-keys", *([] if named else ["-l"]), key)

    def press_bytes(self, data):
        self.call("send-keys", "-H", *(f"{byte:02x}" for byte in data))

    def click(self, row, column):
        place = bytes([33 + column, 33 + row])
        self.press_bytes(b"\x1b[M " + place + b"\x1b[M#" + place)  # and release it

    def resize(self, columns, rows):
        self.call("resize-window", "-x", str(columns), "-y", str(rows))

    def capture(self, *options):
        return self.call("capture-pane", "-p", *options)

    def wait(self, found):
        """Return the screen once found(it) is true, or at the timeout."""
        until = time.monotonic() + PATIENCE
        while True:
            seen = self.capture()
            if found(seen) or time.monotonic() > until:
                return seen
            time.sleep(0.02)

    def process(self):
        """The program's process, or "" if it has ended."""
        return subprocess.run(["tmux", "-L", self.name, "display", "-p", "#{pane_pid}"],
                              capture_output=True, timeout=PATIENCE).stdout.decode().strip()

    def waits(self):
        """Return true if every thread of the program sleeps. Threads may end meanwhile."""
        pid = self.process()
        try:
            return all(process_stat(f"{pid}/task/{thread}")[0] == "S"
                       for thread in os.listdir(f"/proc/{pid}/task"))
        except (FileNotFoundError, ProcessLookupError):
            return False

    def settle(self):
        """Return the screen when the program waits for keys and nothing changes."""
        before, seen = None, self.capture()
        while seen != before or not self.waits():
            time.sleep(0.2)
            before, seen = seen, self.capture()
        return seen

    def close(self):
        pane = self.process()
        subprocess.run(["tmux", "-L", self.name, "kill-server"], capture_output=True,
                       timeout=PATIENCE)
        until = time.monotonic() + PATIENCE  # it may still save its history
        while pane and os.path.exists(f"/proc/{pane}") and time.monotonic() < until:
            time.sleep(0.01)
