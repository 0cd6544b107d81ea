#!/usr/bin/python3
"""kill -9 at random moments of a training that saves after each step: the last save
must load, continue with the losses of an undisturbed training, and leave no partial
file. The same for two windows in one lesson (TwoWindows in test_lesson_kill.py).

    GLASSBOX=build/glassbox tests/hazards/slow_kill.py [ROUNDS [training | windows]]
"""

import os
import random
import signal
import subprocess
import sys
import time

from program import PROGRAM, run, write
from test_lesson_kill import TwoWindows
from test_train_stop import RECIPE, TrainTest


ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 500


class KillTest(TrainTest):
    def kill_once(self, dice, *more):
        command = [PROGRAM, "train", self.recipe, "--set", "save_every=1", *more]
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while not process.stderr.readline().startswith("encoder-decoder"):
            assert process.poll() is None, process.stderr.read()
        time.sleep(dice.uniform(0, 0.06))
        process.send_signal(signal.SIGKILL)
        process.communicate()

    def saved_steps(self):
        """Return the step of the checkpoint."""
        with open(self.path("out/checkpoint.safetensors"), "rb") as file:
            header = file.read(4096)
        return int(header.split(b'"step":"')[1].split(b'"')[0])

    def half_files(self):
        return [name for name in os.listdir(self.path("out"))
                if name.count(".") == 2 and not name.startswith("decoder")]

    def check_saved(self):
        """A save can be continued, and partial files are removed."""
        steps = self.saved_steps() + 1
        found = self.train("--resume", "--set", f"steps={steps}")
        self.assertEqual(found.status, 0, found.err)
        self.assertEqual(self.half_files(), [])
        return steps

    def runTest(self):
        dice = random.Random(1)
        halves = 0
        self.assertEqual(self.train("--set", "steps=1").status, 0)
        for number in range(ROUNDS):
            # It reports its start only after it has read the last save.
            self.kill_once(dice, "--resume")
            halves += len(self.half_files())
            if number % 10 == 9:
                self.check_saved()
        steps = self.check_saved()
        resumed = self.losses()
        self.assertEqual(len(resumed), steps)
        whole = self.train("--force", "--set", f"steps={steps}")
        self.assertEqual(whole.status, 0, whole.err)
        self.assertEqual(self.losses(), resumed)
        print(f"{ROUNDS} kills, {steps} steps, {halves} half-written files removed")


if __name__ == "__main__":
    windows = TwoWindows("test_only_unsaved_work_is_lost")
    windows.rounds = ROUNDS // 2  # each kills two
    done = True
    for name, test in (("training", KillTest()), ("windows", windows)):
        if sys.argv[2:] in ([], [name]):
            outcome = test.run()
            for _, problem in outcome.failures + outcome.errors:
                print(problem)
            done = done and outcome.wasSuccessful()
    sys.exit(0 if done else 1)
