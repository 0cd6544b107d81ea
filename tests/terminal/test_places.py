"""Things that are listed in two places are in both: no other test finds a forgotten row."""

import pathlib
import re
import sys
import unittest

sys.dont_write_bytecode = True
SOURCE = pathlib.Path(__file__).resolve().parents[2] / "src"


def read(*parts):
    return SOURCE.joinpath(*parts).read_text()


class Places(unittest.TestCase):
    def test_every_command_is_in_the_table(self):
        written = {name for path in SOURCE.glob("commands/*.c")
                   for name in re.findall(r"^const Command command_(\w+) = \{",
                                          path.read_text(), re.M)}
        listed = set(re.findall(r"\brow\((\w+)\)", read("commands", "commands.h")))
        self.assertGreater(len(written), 60)
        self.assertEqual(written, listed)

    def test_every_block_is_drawn_by_both_windows(self):
        kinds = re.findall(r"^    (BLOCK_\w+),", read("page", "page.h"), re.M)
        self.assertGreater(len(kinds), 20)
        passing = {"BLOCK_GAP", "BLOCK_PROGRESS", "BLOCK_COUNTING"}  # nothing on a page
        for window, left in (("text.c", set()), ("html.c", passing)):
            drawn = set(re.findall(r"BLOCK_\w+", read("window", window)))
            self.assertEqual(set(kinds) - drawn, left, window)


if __name__ == "__main__":
    unittest.main()
