"""Every call of every command fails, once and permanently: each disk call, or a sample
of them if there are many, and memory requests at points spread over the run. Trainings
are killed at every call of a save, and the resumed trainings then fail at others."""

import os
import random
import sys
import unittest

from faults import CALLS, LINES, FaultTest, TrainingTest, contents

POINTS = 20  # of the requests for memory of a command
FEW = 20  # calls of a kind of which each one fails; of more, a sample


class Disk(FaultTest):
    def test_each_call_leaves_the_old_file_or_the_new_one(self):
        faults = 0
        for line in LINES:
            after = self.new_contents(line)
            for call in CALLS + ("read", "unlink"):
                self.fresh()
                counted = self.run_line(line, call=call).calls
                # Pictures read some hundred font files, all in the same way.
                every = 1 + counted // FEW
                both = [(at, forever) for at in range(1, counted + 1)
                        for forever in (False, True) if (at + forever) % every == 0]
                for at, forever in both:
                    self.fresh()
                    outcome = self.run_line(line, call=call, at=at, error="EIO",
                                            forever=forever)
                    faults += 1
                    with self.subTest(line=line.name, call=call, at=at, forever=forever):
                        self.check(after, outcome)
        print(f"{faults} faults", file=sys.stderr)


class Memory(FaultTest):
    def test_each_request_ends_with_one_sentence(self):
        faults = 0
        for line in LINES:
            after = self.new_contents(line)
            self.fresh()
            counted = self.run_line(line, "memory").calls
            for point in range(POINTS):
                at = 1 + counted * point // POINTS
                self.fresh()
                outcome = self.run_line(line, "memory", at=at, forever=point % 2)
                faults += 1
                with self.subTest(line=line.name, at=at, forever=point % 2):
                    self.check(after, outcome)
                    # A thread of a library may be refused memory after the program is
                    # done.
                    is_late = point >= POINTS * 9 // 10 and outcome.status == 0
                    if is_late:
                        self.assertEqual(outcome.err, "")
                    else:
                        self.assert_says(outcome, "glassbox: out of memory: ")
        print(f"{faults} faults", file=sys.stderr)


class Training(TrainingTest):
    def setUp(self):
        super().setUp()
        self.write_recipe()
        self.assertEqual(self.train().status, 0)
        self.whole = self.made()

    def check_resumed(self):
        """Whatever was saved continues to the same model, and nothing else is left."""
        has_saved = os.path.exists(os.path.join(self.work, "deep/checkpoint.safetensors"))
        outcome = self.train("--resume" if has_saved else "--force")
        self.assertEqual(outcome.status, 0, outcome.err)
        self.assertEqual(self.made(), self.whole)

    def check_faults(self, error, modes):
        for call in CALLS + ("unlink",):
            self.write_recipe()
            for at in range(1, self.train(call=call).calls + 1):
                for forever in modes:
                    self.write_recipe()
                    outcome = self.train(call=call, at=at, error=error, forever=forever)
                    with self.subTest(call=call, at=at, forever=forever):
                        self.assertIn(outcome.status, (0, 1, -9), outcome.err)
                        yield call, at
                        self.check_resumed()

    def test_a_call_that_fails_costs_only_the_steps_since_the_last_save(self):
        count = 0
        for call, at in self.check_faults("EIO", (False, True)):
            left = [name for name in contents(self.work) if name.count(".") > 1
                    and "cross_attention" not in name and name.startswith("deep/")]
            self.assertEqual(left, [] if call != "unlink" else left)
            count += 1
        print(f"{count} faults", file=sys.stderr)

    def test_a_kill_at_any_call_and_a_fault_after_it_cost_no_more(self):
        dice = random.Random(1)
        count = 0
        for call, at in self.check_faults(None, (False,)):
            second = dice.choice(("write", "fsync", "close", "rename", "memory"))
            library = "memory" if second == "memory" else "disk"
            outcome = self.train(
                "--resume", library=library, call=None if second == "memory" else second,
                at=dice.randint(1, 2000 if second == "memory" else 15), error="ENOSPC",
                forever=dice.random() < 0.5)
            self.assertIn(outcome.status, (0, 1), outcome.err)
            count += 1
        print(f"{count} kills", file=sys.stderr)


if __name__ == "__main__":
    unittest.main()
