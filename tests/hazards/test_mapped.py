"""Weights that are used in place in their file, while other programs change that
file."""

import json
import os
import struct
import subprocess
import unittest

import pexpect
from program import PATIENCE, PROGRAM, QUOTED, ProgramTest, prompt, with_model

WORDS, WIDTH, INNER = 12000, 320, 1280
CONFIG = {"model_type": "gpt2", "n_embd": WIDTH, "n_layer": 1, "n_head": 4, "n_positions": 32,
          "vocab_size": WORDS, "n_inner": INNER, "activation_function": "gelu_new",
          "layer_norm_epsilon": 1e-5, "eos_token_id": 1}
SHAPES = {"wte.weight": [WORDS, WIDTH], "wpe.weight": [32, WIDTH]}
for _part, _size in (("ln_1", [WIDTH]), ("attn.c_attn", [WIDTH, 3 * WIDTH]),
                     ("attn.c_proj", [WIDTH, WIDTH]), ("ln_2", [WIDTH]),
                     ("mlp.c_fc", [WIDTH, INNER]), ("mlp.c_proj", [INNER, WIDTH])):
    SHAPES[f"h.0.{_part}.weight"] = _size
    SHAPES[f"h.0.{_part}.bias"] = _size[-1:]
SHAPES |= {"ln_f.weight": [WIDTH], "ln_f.bias": [WIDTH]}
REWRITTEN = "changed after the model was opened"
LOST = "was cut short or became unreadable while its numbers were in use"


def count(shape):
    return shape[0] * (shape[1] if len(shape) > 1 else 1)


def numbers(kind, size, seed):
    """Numbers of both signs around 0.02, the same for each seed."""
    bits = bytes((seed * 31 + i * i * 7 + i * 13) % 256 for i in range(1021))
    width, top = {"F32": (4, 0x3C), "F16": (2, 0x24), "BF16": (2, 0x3C)}[kind]
    block = bytearray(bits * width)
    for i in range(width - 1, len(block), width):
        block[i] = top | (block[i] & 0x80)
    return (bytes(block) * (size * width // len(block) + 1))[:size * width]


def make(folder, kind="F32"):
    os.mkdir(folder)
    header, data = {}, []
    for seed, (name, shape) in enumerate(SHAPES.items()):
        begin = sum(map(len, data))
        data.append(numbers(kind, count(shape), seed))
        header[name] = {"dtype": kind, "shape": shape, "data_offsets": [begin, begin + len(data[-1])]}
    text = json.dumps(header)
    text += " " * (-len(text) % 8)
    with open(os.path.join(folder, "model.safetensors"), "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text.encode() + b"".join(data))
    with open(os.path.join(folder, "config.json"), "w") as file:
        json.dump(CONFIG, file)
    return os.path.join(folder, "model.safetensors")


def cut_unseen(path):
    """Truncate it under another name: under its own name this would be noticed before
    the next run."""
    os.rename(path, path + ".moved")
    os.truncate(path + ".moved", 4096)


class Mapped(ProgramTest):
    def test_a_file_cut_short_ends_the_program_in_a_sentence(self):
        path = make(self.path("model"))
        with subprocess.Popen([PROGRAM, "--model", self.path("model")], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0) as program:
            program.stdin.write(b":model\n")
            program.stdout.read(1)
            cut_unseen(path)
            program.stdin.write(b"5 7 9\n")
            _, said = program.communicate(timeout=PATIENCE)
        self.assertEqual(program.returncode, 1)
        self.assertEqual(said.decode().strip(), f"glassbox: {path} {LOST}; restore the whole file and open it again")

    def test_the_terminal_is_as_it_was_where_a_file_was_cut_short(self):
        path = make(self.path("model"))
        shell = pexpect.spawn("sh", encoding="utf-8", timeout=PATIENCE, env={
            **os.environ, "XDG_STATE_HOME": self.folder, "PS1": "$ ", "TERM": "xterm"})
        shell.sendline(f"stty -a > {self.path('before')}; {QUOTED} --model {self.path('model')}; "
                       f"echo status $?; stty -a > {self.path('after')}; echo over")
        shell.expect("echo over")
        shell.expect("the start of a text")
        cut_unseen(path)
        shell.send("5 7 9\r")
        shell.expect(LOST[:20])
        shell.expect("status 1")
        shell.expect("over")
        shell.close()
        with open(self.path("before")) as before, open(self.path("after")) as after:
            self.assertEqual(before.read(), after.read())

    def test_another_file_in_its_place_changes_nothing_until_it_is_opened(self):
        path = make(self.path("model"))
        lines = (f":model {self.path('model')}", "5 7 9", ":why logits[0, 2, 17]")
        wanted = prompt(*lines)
        self.assert_done(wanted)
        with subprocess.Popen([PROGRAM, *with_model("--depth", "numbers")], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0) as program:
            program.stdin.write((lines[0] + "\n").encode())
            opened = f"model {self.path('model')}\n".encode()
            self.assertIn(opened, iter(program.stdout.readline, b""))
            with open(path + ".new", "wb") as file:
                file.write(bytes(os.path.getsize(path)))
            os.rename(path + ".new", path)
            found, _ = program.communicate("\n".join(lines[1:]).encode() + b"\n", timeout=PATIENCE)
        self.assertEqual(program.returncode, 0)
        self.assertEqual(found.decode()[-200:], wanted.out[-200:])

    def test_nothing_is_computed_with_a_file_that_was_written_over_until_it_is_opened_again(self):
        path = make(self.path("model"))
        again = f":model {self.path('model')}"
        with subprocess.Popen([PROGRAM, *with_model()], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, bufsize=0) as program:
            def answer(line):
                """Return the program's output for the line."""
                program.stdin.write(f"{line}\n:define softmax\n".encode())
                said = b""
                while b"softmax" not in said:
                    said += os.read(program.stdout.fileno(), 65536)
                return said.decode()
            answer(again)
            answer("5 7 9")
            with open(path, "r+b") as file:
                file.seek(os.path.getsize(path) // 2)
                file.write(bytes([1, 2, 3, 0x3C]) * 4096)
            for line in ("5 7 9", ":why logits[0, 2, 17]", ":model", ":next"):
                said = answer(line)
                self.assertEqual(f"{path} {REWRITTEN}" in said, line != ":next", said)
                self.assertEqual(f"with {again}" in said, line != ":next", said)
            self.assertNotIn(REWRITTEN, answer(again) + answer("5 7 9") + answer(":why logits[0, 2, 17]"))
            program.stdin.close()

    def test_a_manually_changed_weight_is_not_saved(self):
        path = make(self.path("model"))
        with open(path, "rb") as file:
            before = file.read()
        found = prompt(f":model {self.path('model')}", "5 7 9",
                       ":edit model.decoder.embed_tokens.weight[5, 3] = 2", ":undo")
        self.assert_done(found)
        with open(path, "rb") as file:
            self.assertEqual(file.read(), before)


if __name__ == "__main__":
    unittest.main()
