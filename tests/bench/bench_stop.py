"""How soon Ctrl-C stops each computation that tests/terminal/test_interrupt.py stops:
from the key to the next prompt. Usage: bench_stop.py PROGRAM

A number above its goal is followed by *."""

import os
import pathlib
import sys
import unittest

if len(sys.argv) > 1:
    os.environ["GLASSBOX"] = sys.argv[1]
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "terminal"))

import test_interrupt

GOAL = 200  # ms


class Stop(test_interrupt.Interrupt):
    def stopped(self, line, seconds):
        mark = "*" if 1000 * seconds > GOAL else " "
        print(f"  {line[:50]:50} {1000 * seconds:7.1f}{mark}", flush=True)


print("stop: ms from Ctrl-C to the next prompt")
tests = map(Stop, ("test_a_run_stops", "test_a_figure_a_table_and_a_trace_stop",
                   "test_work_on_files_stops"))
found = unittest.TextTestRunner(verbosity=0).run(unittest.TestSuite(tests))
sys.exit(not found.wasSuccessful())
