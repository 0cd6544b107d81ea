"""The program in a pseudo-terminal: shared by the tests of the prompt."""

import os
import shlex

import pexpect

from program import PATIENCE, PROGRAM, ProgramTest, with_model

READY = "\x1b[?2004h> "  # readline asks for bracketed paste, then shows the prompt
RUNNING = "\x1b[?2004l"  # readline restores the terminal before a line runs


class TerminalTest(ProgramTest):
    def surroundings(self, **changed):
        """The environment, with a temporary home folder; None removes a variable."""
        found = dict(os.environ, TERM="xterm-256color", HOME=self.folder,
                     LC_ALL="C.UTF-8", INPUTRC="/dev/null")
        for name in ("XDG_STATE_HOME", "COLORTERM", "NO_COLOR", "COLUMNS", "LINES"):
            found.pop(name, None)
        found.update(changed)
        return {name: value for name, value in found.items() if value is not None}

    def spawn(self, *arguments, program=PROGRAM, names_model=True, rows=24, columns=80,
              **changed):
        if program == PROGRAM and names_model:
            arguments = with_model(*arguments)
        # Without arguments, pexpect splits the command like a shell.
        command = program if arguments else shlex.quote(program)
        child = pexpect.spawn(command, list(arguments), env=self.surroundings(**changed),
                              encoding="utf-8", codec_errors="replace", timeout=PATIENCE,
                              dimensions=(rows, columns), cwd=self.folder,
                              searchwindowsize=4096)
        child.delaybeforesend = None
        self.addCleanup(self.put_away, child)
        return child

    def put_away(self, child):
        """Kill the program, and wait until a busy machine has done so."""
        try:
            child.close(force=True)
        except pexpect.ExceptionPexpect:
            child.wait()

    def start(self, *arguments, **changed):
        """Start the program and wait for its first prompt."""
        child = self.spawn(*arguments, **changed)
        child.expect_exact(READY)
        return child

    def ask(self, child, line):
        """Return the output of the line, with its echo."""
        child.sendline(line)
        child.expect_exact(READY)
        return child.before

    def end(self, child, status=0):
        child.expect(pexpect.EOF)
        child.close()
        self.assertEqual((child.exitstatus, child.signalstatus), (status, None))

    def history(self):
        path = os.path.join(self.folder, ".local/state/glassbox/history")
        if not os.path.exists(path):
            return []
        with open(path) as file:
            return file.read().splitlines()
