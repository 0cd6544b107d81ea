"""What tutorials show can be seen here: type the lines of tests/tutorials.md."""

import os
import re
import unittest

from program import ProgramTest, holds, prompt, read, sample

TABLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tutorials.md")
CODE = re.compile("`([^`]*)`")


def tutorials():
    """The title and the text of each tutorial."""
    return [part.split("\n", 1) for part in read(TABLES).decode().split("\n## ")[1:]]


def shown():
    """Each row: what a tutorial shows, the lines to type, and the expected output."""
    for title, text in tutorials():
        for line in text.splitlines():
            cells = [cell.replace("\\|", "|").strip() for cell in re.split(r"(?<!\\)\|", line)]
            if len(cells) == 5 and CODE.search(cells[2]):
                yield f"{title}: {cells[1]}", CODE.findall(cells[2]), CODE.findall(cells[3])


class Tutorials(ProgramTest):
    def test_each_line_shows_what_it_should(self):
        for name, lines, wanted in sample(shown(), 14):
            found = prompt(*lines, folder=self.folder)
            said = found.out.split(":quit\n", 1)[-1] + found.err
            for piece in wanted:
                with self.subTest(name):
                    self.assertTrue(holds(said, piece), f"{piece} in {said}")
                    self.assertFalse([line for line in lines if piece in line], "an echo")

    def test_the_tables_hold_all_that_was_counted(self):
        names = [name for name, _, wanted in shown() if wanted]
        self.assertEqual(len(set(names)), len(names))
        self.assertGreaterEqual(len(names), 150)
        self.assertEqual(len(tutorials()), 5)
        for title, text in tutorials():
            with self.subTest(title):
                self.assertRegex(text, r"\nNot shown:\n\n- ")


if __name__ == "__main__":
    unittest.main()
