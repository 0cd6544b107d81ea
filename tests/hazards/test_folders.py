"""Folders of other families with an error, 200 of each (8 in `make test`): each is
opened or rejected with one sentence and status 1, and the folder does not change."""

import json
import os
import pathlib
import random
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/reference"))

import tokenizer_files  # noqa: E402
from program import CHECKS_ALL, ProgramTest, run  # noqa: E402

FAMILIES = ROOT / "tests/reference/families"
COUNT = 200 if CHECKS_ALL else 8
UNSAFE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]")
VALUES = (None, True, False, 0, 1, -1, 3, 7, 1 << 20, 1 << 40, 1e300, 0.5, "", "x", "relu", [], {},
          [1, 2], "\u202e\x1b[2J", "../../etc/passwd", "<unk>", {"String": ""}, {"Regex": "("})


WORDS = ["[PAD]", "a", "b", "[SEP]", "[MASK]", "[CLS]", "[UNK]", "##b",
         *(f"word{n}" for n in range(32))]


def places(value, path=()):
    """Yield the paths to everything in an object."""
    children = value.items() if isinstance(value, dict) else \
        enumerate(value) if isinstance(value, list) else ()
    for key, child in list(children)[:40]:
        yield (*path, key)
        yield from places(child, (*path, key))


def damaged_json(text, generator):
    value = json.loads(text)
    for _ in range(generator.choice((1, 1, 1, 3))):
        *way, last = generator.choice(list(places(value)))
        inside = value
        for key in way:
            inside = inside[key]
        deed = generator.random()
        if deed < 0.25:
            del inside[last]
        elif deed < 0.35 and isinstance(inside, dict):
            inside["x" + str(last)] = inside.pop(last)
        elif deed < 0.45 and isinstance(inside, list):
            inside.append(inside[last])
        else:
            inside[last] = generator.choice(VALUES)
        if not isinstance(value, (dict, list)) or not value:
            break
    return json.dumps(value).encode()


def damaged_bytes(content, generator):
    content = bytearray(content)
    deed = generator.random()
    if deed < 0.3:
        del content[generator.randrange(len(content)):]
    elif deed < 0.5:
        content += bytes(generator.randrange(1, 100))
    else:  # most often within the header
        for _ in range(generator.choice((1, 5))):
            content[generator.randrange(min(len(content), 3000))] = generator.randrange(256)
    return bytes(content)


class Folders(ProgramTest):
    def check_family(self, name, tokenizer=None):
        """Without a tokenizer.json the folder has vocab.txt and an encoder-only
        model."""
        generator = random.Random(name)
        refused = 0
        for number in range(COUNT):
            folder = pathlib.Path(self.path(f"model-{number}"))
            shutil.copytree(FAMILIES / name, folder)
            (folder / "expected.safetensors").unlink()
            if tokenizer:
                (folder / "tokenizer.json").write_text(tokenizer_files.small(tokenizer))
            else:
                (folder / "vocab.txt").write_text("\n".join(WORDS) + "\n")
                (folder / "tokenizer_config.json").write_text('{"do_lower_case": true}')
            file = folder / generator.choice(sorted(path.name for path in folder.iterdir()))
            if generator.random() < 0.05:
                file.unlink()
            elif file.suffix == ".json" and generator.random() < 0.8:
                file.write_bytes(damaged_json(file.read_text(), generator))
            else:
                file.write_bytes(damaged_bytes(file.read_bytes(), generator))
            before = {path.name: path.read_bytes() for path in folder.iterdir()}
            asks = ("generate", "--limit", "2") if tokenizer else ("show", "encoder.output")
            found = run(*asks, "--model", str(folder), "--source", "a [MASK] b")
            with self.subTest(family=name, number=number, file=file.name):
                self.assertIn(found.status, (0, 1), found.err)
                self.assertIsNone(UNSAFE.search(found.err), found.err)
                if found.status:
                    self.assertTrue(found.err.startswith("glassbox: "), found.err)
                    self.assertLess(found.err.count("\n"), 13, found.err)
                self.assertEqual({path.name: path.read_bytes() for path in folder.iterdir()},
                                 before)
            refused += found.status
            shutil.rmtree(folder)
        self.assertGreater(refused, COUNT // 3)

    def test_gpt2(self):
        self.check_family("gpt2", "gpt2")

    def test_gpt_neo(self):
        self.check_family("gpt-neo", "gpt2")

    def test_bert(self):
        self.check_family("bert")

    def test_roberta(self):
        self.check_family("roberta")

    def test_distilbert(self):
        self.check_family("distilbert-bf16")

    def test_llama_in_parts(self):
        self.check_family("llama-f16-in-parts", "stories")

    def test_qwen2(self):
        self.check_family("qwen2-bf16", "qwen2")


if __name__ == "__main__":
    import unittest
    os.chdir(ROOT)
    unittest.main()
