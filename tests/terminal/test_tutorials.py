"""What the tutorials show can be seen here: the lines of tests/tutorials.md, typed."""

import os
import re
import unittest

from program import ProgramTest, holds, prompt, read, sample

TABLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tutorials.md")
CODE = re.compile("`([^`]*)`")


def shown():
    """Of each row what is shown, the lines, and what must come."""
    for line in read(TABLES).decode().splitlines():
        cells = [cell.replace("\\|", "|").strip() for cell in re.split(r"(?<!\\)\|", line)]
        if len(cells) == 5 and CODE.search(cells[2]):
            yield cells[1], CODE.findall(cells[2]), CODE.findall(cells[3])


class Tutorials(ProgramTest):
    def test_each_line_shows_what_it_should(self):
        for name, lines, wanted in sample(shown(), 4):
            found = prompt(*lines, folder=self.folder)
            said = found.out.split(":quit\n", 1)[-1] + found.err
            for piece in wanted:
                with self.subTest(name):
                    self.assertTrue(holds(said, piece), f"{piece} in {said}")
                    self.assertFalse([line for line in lines if piece in line], "an echo")

    def test_the_tables_hold_all_that_was_counted(self):
        names = [name for name, _, wanted in shown() if wanted]
        left_out = re.findall(r"(?m)^- ", read(TABLES).decode())
        self.assertEqual(len(set(names)), len(names))
        self.assertEqual((len(names), len(left_out)), (70, 4))


if __name__ == "__main__":
    unittest.main()
