"""Full disks, taken names, closed streams: the program leaves the old file or the new
one, and reports in one sentence what happened."""

import itertools
import os
import signal
import stat
import subprocess
import time
import unittest

import pexpect

from faults import LINES, FaultTest, can_fail, contents, fault_environment
from program import CHECKS_ALL, PATIENCE, PROGRAM, QUOTED, ProgramTest, read, run, sample, write

OUTPUTS = [line for line in LINES if line.files]
SINGLE = [line for line in OUTPUTS if line.files[0].startswith("out.")]
PRINTED = [line for line in LINES if not line.files]
TRACE = ["trace", "--source", "a", "--limit", "1", "-o"]


def shell(script, *arguments, folder):
    """Run `script` with the program as $0."""
    return subprocess.run(["sh", "-c", script, PROGRAM, *arguments], cwd=folder,
                          input=b"", capture_output=True, timeout=PATIENCE)


class Outputs(FaultTest):
    def setUp(self):
        super().setUp()
        self.fresh()

    def path(self, name):
        return os.path.join(self.work, name)

    def run_words(self, words):
        return run(*words, folder=self.work)

    def test_a_full_disk_is_named_and_nothing_is_left(self):
        for line in sample(SINGLE, 2):
            os.remove(self.path(line.files[0]))
            os.symlink("/dev/full", self.path(line.files[0]))
            names = sorted(os.listdir(self.work))
            outcome = self.run_words(line.words)
            self.assert_says(outcome, f"cannot write {line.files[0]}: No space left")
            self.assertEqual(sorted(os.listdir(self.work)), names)

    def test_a_name_in_use_is_kept_without_force(self):
        for line in sample(OUTPUTS, 3):
            words = [word for word in line.words if word != "--force"]
            outcome = self.run_words(words)
            self.assert_says(outcome, "--force", "already")
            self.assertEqual(contents(self.work), self.before, line.name)

    def test_standard_output_that_is_full_is_an_error(self):
        for line in sample(PRINTED, 4):
            with open("/dev/full", "w") as full:
                found = subprocess.run(
                    [PROGRAM, *line.words], cwd=self.work, input=line.text.encode(),
                    stdout=full, stderr=subprocess.PIPE, timeout=PATIENCE,
                    env={**os.environ, "XDG_STATE_HOME": self.state})
            self.assertEqual(found.returncode, 1, line.name)
            self.assertEqual(found.stderr,
                             b"glassbox: cannot write to standard output\n")

    def test_a_pipe_that_nobody_reads_ends_the_program_quietly(self):
        for line in sample(PRINTED, 4):
            reader, writer = os.pipe()
            os.close(reader)
            found = subprocess.run(
                [PROGRAM, *line.words], cwd=self.work, input=line.text.encode(),
                stdout=writer, stderr=subprocess.PIPE, timeout=PATIENCE,
                env={**os.environ, "XDG_STATE_HOME": self.state})
            os.close(writer)
            self.assertEqual(found.returncode, -signal.SIGPIPE, line.name)
            self.assertEqual(found.stderr, b"")

    def test_a_reader_of_one_line_gets_one_line(self):
        found = shell('"$0" help | head -1', folder=self.work)
        self.assertEqual(found.stdout.count(b"\n"), 1)
        self.assertEqual(found.stderr, b"")

    def test_a_link_is_replaced_and_its_target_is_kept(self):
        for first, target in enumerate(("notes.txt", "nowhere")):
            for line in sample(SINGLE[:3], 2, first):
                out = self.path(line.files[0])
                os.remove(out)
                os.symlink(target, out)
                words = [word for word in line.words if word != "--force"]
                self.assert_says(self.run_words(words), "--force")
                self.assertTrue(os.path.islink(out))
                self.assert_done(self.run_words(line.words))
                self.assertFalse(os.path.islink(out))
                self.assertEqual(read(self.path("notes.txt")), self.before["notes.txt"])
                self.assertFalse(os.path.exists(self.path("nowhere")))

    def test_permissions_of_a_file_stay(self):
        for mode in (0o600, 0o640):
            os.chmod(self.path("out.json"), mode)
            self.assert_done(self.run_words([*TRACE, "out.json", "--force"]))
            self.assertEqual(stat.S_IMODE(os.stat(self.path("out.json")).st_mode), mode)

    def test_two_that_write_one_file_leave_a_whole_one(self):
        words = [PROGRAM, *TRACE, "out.json", "--force"]
        self.assert_done(self.run_words(words[1:]))
        whole = read(self.path("out.json"))
        for _ in range(5 if CHECKS_ALL else 2):
            both = [subprocess.Popen(words, cwd=self.work, stdout=subprocess.DEVNULL)
                    for _ in range(2)]
            while any(process.poll() is None for process in both):
                self.assertEqual(read(self.path("out.json")), whole)
            self.assertEqual([process.returncode for process in both], [0, 0])
        self.assertEqual(sorted(contents(self.work)), sorted(self.before))

    @unittest.skipUnless(can_fail("disk"), "not built")
    def test_a_folder_that_may_not_be_written_is_named(self):
        line = next(line for line in LINES if line.name == "trace out.npz")
        after = self.new_contents(line)
        for error, reason in (("EACCES", "Permission denied"),
                              ("EROFS", "Read-only file system")):
            said = []
            calls = self.run_line(line, call="open").calls
            for at in range(1, calls + 1) if CHECKS_ALL else range(calls - 3, calls + 1):
                self.fresh()
                outcome = self.run_line(line, call="open", at=at, error=error)
                self.check(after, outcome)
                said.append(outcome.err)
            self.assertIn(f"glassbox: cannot write out.npz: {reason}\n", said)


class Streams(FaultTest):
    def test_no_file_becomes_a_stream_that_was_closed(self):
        line = next(line for line in LINES if line.name == "trace out.json")
        after = self.new_contents(line).files
        for count in (1, 2, 3):
            for closed in itertools.combinations(("<&-", ">&-", "2>&-"), count):
                self.fresh()
                found = shell(f'"$0" "$@" {" ".join(closed)}', *line.words,
                              folder=self.work)
                self.assertEqual(found.returncode, int(">&-" in closed), closed)
                self.assertEqual(contents(self.work), after, closed)

    def test_a_stream_that_was_closed_stays_occupied(self):
        process = subprocess.Popen(["sh", "-c", 'exec "$0" generate >&- 2>&-', PROGRAM],
                                   stdin=subprocess.PIPE)
        self.addCleanup(process.communicate)

        def opened():
            place = f"/proc/{process.pid}"
            found = []
            for name in ("exe", "fd/1", "fd/2"):
                try:
                    found.append(os.readlink(f"{place}/{name}"))
                except FileNotFoundError:  # the shell is closing its streams
                    pass
            return found

        end = time.monotonic() + PATIENCE
        while opened() != [PROGRAM, "/dev/null", "/dev/null"]:
            self.assertLess(time.monotonic(), end, opened())
            time.sleep(0.01)

    def test_a_training_without_streams_makes_the_same_model(self):
        self.fresh()
        found = shell('"$0" train pairs.json --force <&- >&- 2>&-', folder=self.work)
        self.assertEqual(found.returncode, 1)
        found = contents(self.work)
        self.assertEqual(sorted(found), sorted(self.before))
        for name in found:
            if not name.endswith("train.csv"):
                self.assertEqual(found[name], self.before[name], name)

    def test_input_that_cannot_be_read_is_named(self):
        for words in ([], ["generate"]):
            for source, reason in (("<&-", "Bad file descriptor"),
                                   ("< .", "Is a directory")):
                found = shell(f'"$0" "$@" {source}', *words, folder=self.inputs)
                self.assertEqual(found.returncode, 1)
                self.assertEqual(found.stderr.decode(), "glassbox: cannot read standard "
                                                        f"input: {reason}\n")

    def test_a_pipe_that_closes_in_a_session_ends_it(self):
        process = subprocess.Popen([PROGRAM], bufsize=0, stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdin.write(b"a b\n\n")
        self.assertIn(b"glassbox", process.stdout.readline())
        process.stdout.close()
        with self.assertRaises(BrokenPipeError):
            while True:
                process.stdin.write(b":help\n" * 1000)
        self.assertEqual(process.wait(30), -signal.SIGPIPE)
        self.assertEqual(process.stderr.read(), b"")
        process.stderr.close()
        process.stdin.close()


class Names(ProgramTest):
    def trace(self, name, status=0, *says):
        outcome = run(*TRACE, name, folder=self.folder)
        if status:
            self.assert_says(outcome, *says)
        else:
            self.assert_done(outcome)
        return outcome

    def test_a_name_may_have_255_bytes(self):
        for name in ("a" * 250 + ".json", "가" * 83 + ".json", "\x81" * 122 + ".json"):
            name = name if len(name.encode()) < 256 else name[:100] + ".json"
            self.trace(name)
            self.assertEqual(os.listdir(self.folder), [name])
            os.remove(self.path(name))
        self.trace("a" * 251 + ".json", 1, "File name too long")
        self.trace("a/" * 2045 + ".json", 1, "cannot write", "bytes")
        self.assertEqual(os.listdir(self.folder), [])

    def test_any_name_is_written_as_it_is_and_printed_safely(self):
        for name in ("한글 이름.json", "\x1b[31mred\n.json", "\u202eabc.json", "-.json"):
            outcome = self.trace(name)
            self.assertEqual(os.listdir(self.folder), [name])
            for letter in "\x1b\u202e":
                self.assertNotIn(letter, outcome.out)
            self.assertEqual(outcome.out.count("\n"), 1, outcome.out)
            outcome = self.trace(name, 1, "already exists")
            self.assertNotIn("\x1b", outcome.err)
            os.remove(self.path(name))

    def test_an_obstacle_is_named(self):
        os.mkdir(self.path("folder.json"))
        write(self.path("file"), "")
        os.symlink("round.json", self.path("round.json"))
        names = sorted(os.listdir(self.folder))
        for name, reason in (("folder.json", "it is a folder"),
                             ("file/a.json", "Not a directory"),
                             ("round.json", "Too many levels of symbolic links"),
                             ("nowhere/a.json", "No such file or directory")):
            self.trace(name, 1, f"cannot write {name}: {reason}")
        new = ["new", "--d-model", "8", "--d-ff", "8", "--attention-heads", "2", "-o"]
        for name in ("file", "file/model"):
            self.assert_says(run(*new, name, folder=self.folder),
                             "cannot create the folder", "a file with that name exists"
                             if name == "file" else "file")
        self.assertEqual(sorted(os.listdir(self.folder)), names)

    def test_an_unreadable_file_is_named(self):
        os.symlink("round", self.path("round"))
        write(self.path("file"), "")
        for words, reason in ((["data", "round"], "Too many levels of symbolic links"),
                              (["data", "."], "it is a folder, not a file"),
                              (["train", "."], "it is a folder, not a file"),
                              (["model", "./round"], "Too many levels")):
            self.assert_says(run(*words, folder=self.folder), "cannot read", reason)
        self.assert_says(run("model", "./file", folder=self.folder),
                         "./file is a file; a model is opened by its folder", "safetensors")


class History(ProgramTest):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("glassbox"))
        self.history = self.path("glassbox/history")

    def type(self, *lines, **fault):
        environment = dict(os.environ, XDG_STATE_HOME=self.folder, TERM="dumb", **fault)
        child = pexpect.spawn(QUOTED, dimensions=(24, 120), timeout=PATIENCE, encoding="utf-8",
                              env=environment)
        child.expect("> ")
        for line in lines:
            child.sendline(line)
        child.expect(pexpect.EOF)
        child.close()
        self.assertEqual(child.exitstatus, 0)
        return child.before

    def test_it_is_saved_and_private(self):
        self.type(":version", ":quit")
        self.assertEqual(read(self.history), b":version\n:quit\n")
        self.assertEqual(stat.S_IMODE(os.stat(self.history).st_mode), 0o600)
        self.type(":help", ":quit")
        self.assertEqual(read(self.history), b":version\n:quit\n:help\n:quit\n")

    @unittest.skipUnless(can_fail("disk"), "not built")
    def test_a_full_disk_costs_no_line_that_was_kept(self):
        """A line is appended; and a file of more than 1,000 lines is rewritten at the
        end."""
        long = "".join(f"kept {i}\n" for i in range(1001))
        for before, calls in (("kept\n", ("write",)),
                              (long, ("write", "fsync", "close", "rename"))):
            for call in calls:
                write(self.history, before)
                fault = fault_environment(self.path("count"), call=call, at=1)
                said = self.type(":version", ":quit", **fault)
                self.assertIn("the history cannot be kept: cannot write", said, call)
                self.assertIn("No space left on device", said)
                self.assertTrue(read(self.history).startswith(before.encode()), call)
                self.assertEqual(os.listdir(self.path("glassbox")), ["history"])

    def test_lines_of_other_sessions_stay(self):
        """Two concurrent sessions, and one that is killed."""
        environment = dict(os.environ, XDG_STATE_HOME=self.folder, TERM="dumb")
        first, second, third = (
            pexpect.spawn(QUOTED, dimensions=(24, 120), timeout=PATIENCE, encoding="utf-8",
                          env=environment) for _ in range(3))
        for child, lines in ((first, [":options digits=3"]), (second, [":version"]),
                             (third, [":options digits=4", ":options digits=5"])):
            child.expect("> ")
            for line in lines:
                child.sendline(line)
                child.expect("> ")
        third.kill(signal.SIGKILL)
        for child in (second, first):
            child.sendline(":quit")
            child.expect(pexpect.EOF)
            child.close()
        self.assertEqual(read(self.history).decode().splitlines(),
                         [":options digits=3", ":version", ":options digits=4", ":options digits=5", ":quit",
                          ":quit"])

    def test_a_file_that_is_too_large_or_unreadable_is_never_replaced(self):
        with open(self.history, "wb") as file:
            file.truncate((64 << 20) + 1)
        said = self.type(":version", ":quit")
        self.assertIn("the history cannot be kept: ", said)
        self.assertIn("67108864", said)
        self.assertEqual(os.path.getsize(self.history), (64 << 20) + 1)

    def test_the_last_thousand_are_kept(self):
        write(self.history, "".join(f"kept {i}\n" for i in range(1500)))
        self.type(":version", ":quit")
        lines = read(self.history).decode().split("\n")
        self.assertEqual(lines[0], "kept 502")
        self.assertEqual(lines[-3:], [":version", ":quit", ""])

    def test_a_folder_in_its_place_is_named(self):
        os.mkdir(self.history)
        self.assertIn("it is a folder", self.type(":quit"))


if __name__ == "__main__":
    unittest.main()
