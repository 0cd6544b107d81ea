"""tokenizer.json of each family: Hugging Face's library turns 10,000 lines into the
same ids, and these into the same text. Digests of its results are in
tests/reference/tokenizers.tsv, one row per thousand lines of each family. After a
change of the files or lines:
    python3 tests/reference/tokenizer_files.py F; node tests/reference/tokenizers.js F
    python3 tests/models/test_tokenizers.py F          writes the rows again
In `make test` each family checks one in three of these thousands, different ones for
neighboring families."""

import csv
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "tests" / "reference"
TABLE = REFERENCE / "tokenizers.tsv"
PROGRAM = ROOT / os.path.dirname(os.environ.get("GLASSBOX", "build/glassbox")) / \
    "tests/reference/token_ids"
BLOCK = 1000

sys.path.insert(0, str(REFERENCE))
import tokenizer_files  # noqa: E402
from program import sample  # noqa: E402


def digests(out):
    """Return one digest for each block of lines."""
    lines = out.split(b"\n")[:-1]
    return [hashlib.sha256(b"\n".join(lines[at:at + BLOCK])).hexdigest()[:24]
            for at in range(0, len(lines), BLOCK)]


def rows():
    with open(TABLE) as file:
        return {row[0]: row[1:] for row in csv.reader(file, delimiter="\t")}


class Tokenizers(unittest.TestCase):
    def test_lines_become_the_same_ids_and_text_as_in_the_library(self):
        expected = rows()
        with tempfile.TemporaryDirectory() as folder:
            tokenizer_files.write(folder)
            lines = pathlib.Path(folder, "lines.txt").read_bytes().splitlines(keepends=True)
            self.assertEqual(len(lines), 10000)
            self.assertEqual(sorted(expected), sorted(tokenizer_files.families()))
            for place, (family, wanted) in enumerate(expected.items()):
                with self.subTest(family=family):
                    self.check([f"{folder}/{family}.json"], lines, wanted, place)
            self.check_pairs(folder, lines, expected["gpt2"])

    def check(self, files, lines, wanted, place):
        """If sampled, check only every third block, starting at the place."""
        blocks = sample(range(len(wanted)), 3, place % 3)
        found = subprocess.run(
            [PROGRAM, *files], capture_output=True, check=False,
            input=b"".join(line for b in blocks for line in lines[b * BLOCK:(b + 1) * BLOCK]))
        self.assertEqual(found.stderr.decode(), "")
        self.assertEqual(digests(found.stdout), [wanted[b] for b in blocks])

    def check_pairs(self, folder, lines, wanted):
        """GPT-2 in its older format: the same words and merges in separate files."""
        whole = json.loads(pathlib.Path(folder, "gpt2.json").read_text())
        words = {**whole["model"]["vocab"],
                 **{token["content"]: token["id"] for token in whole["added_tokens"]}}
        pathlib.Path(folder, "vocab.json").write_text(json.dumps(words))
        pathlib.Path(folder, "merges.txt").write_text(
            "\n".join(["#version: 0.2", *whole["model"]["merges"]]) + "\n")
        self.check([f"{folder}/vocab.json", f"{folder}/merges.txt"], lines, wanted, 1)


if __name__ == "__main__":
    if len(sys.argv) > 1 and os.path.isdir(sys.argv[1]):
        with open(TABLE, "w") as table:
            for out in sorted(pathlib.Path(sys.argv[1]).glob("*.out")):
                table.write("\t".join([out.stem, *digests(out.read_bytes())]) + "\n")
    else:
        unittest.main()
