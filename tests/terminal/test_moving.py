"""Animated pictures: split an .apng into chunks, and compare each frame with the still figure of
its step."""

import base64
import os
import struct
import unittest
import zlib

import browser
from program import SENTENCE, ProgramTest, in_test_all, read, run, write

RECIPE = """{"preset": "paper", "model": {"d_model": 16, "attention_heads": 1, "d_ff": 16,
 "encoder_layers": 1, "decoder_layers": 1, "max_length": 16, "dropout": 0}, "data": "pairs.tsv",
 "validation": "pairs.tsv", "header": "no", "batch": 2, "steps": 40, "snapshot_every": 10,
 "snapshots": ["decoder.0.cross_attention.weights", "encoder.0.self_attention.scores"],
 "threads": 1, "output": "out", "plot": "apng"}"""
PAIRS = "하나 둘\tone two\n둘 셋\ttwo three\n셋 하나 둘\tthree one two\n"


def chunks_of(data):
    """Name and content of each chunk; fail if a length or a checksum is wrong."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, at = [], 8
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at:at + 8])
        content = data[at + 8:at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0] == \
            zlib.crc32(name + content), name
        chunks.append((name.decode(), content))
        at += 12 + length
    return chunks


def pixels_of(packed, width, height):
    """The rows of a part without filters."""
    raw = zlib.decompress(packed)
    row = 1 + 3 * width
    assert len(raw) == row * height
    rows = [raw[row * y:row * (y + 1)] for y in range(height)]
    assert all(line[0] == 0 for line in rows)
    return [line[1:] for line in rows]


class Moving:
    """The parts of an .apng: the still picture, and each frame as it is displayed."""

    def __init__(self, path):
        self.chunks = chunks_of(read(path))
        names = [name for name, _ in self.chunks]
        of = lambda wanted: [content for name, content in self.chunks if name == wanted]
        self.width, self.height, *kind = struct.unpack(">IIBBBBB", of("IHDR")[0])
        assert kind == [8, 2, 0, 0, 0], kind
        assert names[0] == "IHDR" and names[-1] == "IEND"
        assert names.index("acTL") < names.index("IDAT") < names.index("fcTL")
        self.count, self.plays = struct.unpack(">II", of("acTL")[0])
        self.still = b"".join(pixels_of(b"".join(of("IDAT")), self.width, self.height))
        self.words = {content.partition(b"\0")[0].decode(): content.split(b"\0", 5)[-1].decode()
                      for content in of("iTXt")}
        self.read_frames(names)

    def read_frames(self, names):
        moving = [chunk for chunk in self.chunks if chunk[0] in ("fcTL", "fdAT")]
        assert [name for name, _ in moving] == ["fcTL", "fdAT"] * self.count
        numbers = [struct.unpack(">I", content[:4])[0] for _, content in moving]
        assert numbers == list(range(len(moving))), numbers
        seen = [bytearray(3 * self.width) for _ in range(self.height)]
        self.frames, self.seconds, self.parts = [], [], []
        for (_, control), (_, data) in zip(moving[::2], moving[1::2]):
            width, height, x, y, over, under, keep, blend = struct.unpack(">IIIIHHBB", control[4:])
            assert x + width <= self.width and y + height <= self.height and (keep, blend) == (0, 0)
            for row, line in enumerate(pixels_of(data[4:], width, height), y):
                seen[row][3 * x:3 * (x + width)] = line
            self.frames.append(b"".join(seen))
            self.seconds.append(over / under)
            self.parts.append((x, y, width, height))


class MovingPictures(ProgramTest):
    def draw(self, *words, name="a.apng"):
        self.assert_done(run("draw", *words, "-o", self.path(name), "--force"))
        return Moving(self.path(name))

    def png(self, *words):
        """A still figure with the name of the animation, because it is in the footer."""
        self.assert_done(run("draw", *words, "-o", self.path("a.png"), "--force"))
        chunks = chunks_of(read(self.path("a.png")))
        width, height = struct.unpack(">II", chunks[0][1][:8])
        data = b"".join(content for name, content in chunks if name == "IDAT")
        return width, height, pixels_of(data, width, height)

    def test_a_decoding_has_a_frame_for_each_step(self):
        moving = self.draw("decoding", "--source", SENTENCE)
        steps = run("decode", "--source", SENTENCE).out.count("step.")
        self.assertEqual((moving.count, moving.plays), (steps, 0))
        self.assertEqual(moving.parts[0], (0, 0, moving.width, moving.height))
        self.assertEqual(len(set(moving.frames)), steps, "no two are alike")
        self.assertEqual(moving.frames[-1], moving.still, "it ends with the whole figure")
        self.assertEqual(moving.words["sentence"], SENTENCE)
        self.assertIn("glassbox draw decoding", moving.words["command"])

    def test_a_frame_is_the_still_figure_of_its_step(self):
        moving = self.draw("decoding", "--source", SENTENCE)
        width, height, still = self.png("decoding", "--source", SENTENCE)
        self.assertEqual((moving.width, moving.height), (width, height))
        above = min(y for _, y, _, _ in moving.parts[1:])  # start of the second row
        row = moving.parts[2][1] - moving.parts[1][1]
        for step, frame in enumerate(moving.frames):
            lines = [frame[3 * width * y:3 * width * (y + 1)] for y in range(height)]
            told = above + step * row  # words so far
            self.assertEqual(lines[:told - 3], still[:told - 3], step)
            if step + 1 < moving.count:
                empty = lines[told + 4:above + (step + 1) * row - 4]
                self.assertLessEqual(len({line[360:900] for line in empty}), 1, "not yet said")

    def test_the_same_command_gives_the_same_bytes(self):
        moving = self.draw("decoding", "--source", SENTENCE, "--delay", "0.25", "--head", "1")
        first = read(self.path("a.apng"))
        self.assertIn("--delay 0.25", moving.words["command"])
        self.draw("decoding", "--source", SENTENCE, "--delay", "0.25", "--head", "1")
        self.assertEqual(read(self.path("a.apng")), first)

    def test_frames_last_as_long_as_requested_and_the_last_one_longer(self):
        moving = self.draw("decoding", "--source", SENTENCE, "--delay", "0.25")
        self.assertEqual(set(moving.seconds[:-1]), {0.25})
        self.assertEqual(moving.seconds[-1], 2.25)
        usual = self.draw("decoding", "--source", SENTENCE)
        self.assertTrue(all(0.1 <= seconds <= 0.8 for seconds in usual.seconds[:-1]))
        self.assertGreater(usual.seconds[-1], 2)

    def test_positions_come_one_by_one(self):
        for words in ([], ["--as", "curves"], ["--as", "curves", "--dimensions", "0,3"]):
            moving = self.draw("position", "--length", "12", *words)
            self.assertEqual(moving.count, 12)
            self.assertEqual(len(set(moving.frames)), 12)
            self.assertEqual(moving.frames[-1], moving.still)
        self.assertEqual(self.draw("position", "--length", "1").count, 1)
        self.assertLessEqual(self.draw("position", "--length", "250", "--d-model", "64").count, 121)

    def test_a_larger_scale_has_larger_frames(self):
        small = self.draw("position", "--length", "4")
        large = self.draw("position", "--length", "4", "--scale", "2")
        self.assertEqual((large.width, large.height), (2 * small.width, 2 * small.height))

    def test_a_training_moves_from_its_first_step_to_its_last(self):
        write(self.path("r.json"), RECIPE)
        write(self.path("pairs.tsv"), PAIRS)
        trained = run("train", "r.json", folder=self.folder)
        self.assertEqual(trained.status, 0, trained.err)
        for address in ("decoder.0.cross_attention.weights", "encoder.0.self_attention.scores"):
            moving = Moving(self.path(f"out/{address}.apng"))
            self.assertEqual(moving.count, 5)
            self.assertEqual(moving.frames[-1], moving.still)
            self.assertEqual(len(set(moving.frames)), 5)
            self.assertIn("step 40", moving.words["Title"])
        self.assertTrue(os.path.exists(self.path("out/loss.png")))

    def test_a_training_that_is_over_can_be_drawn_so(self):
        write(self.path("r.json"), RECIPE.replace('"apng"', '"png"'))
        write(self.path("pairs.tsv"), PAIRS)
        self.assertEqual(run("train", "r.json", folder=self.folder).status, 0)
        name = self.path("out/decoder.0.cross_attention.weights.apng")
        self.assertFalse(os.path.exists(name))
        again = run("train", "r.json", "--set", "plot=apng", "--resume", folder=self.folder)
        self.assertEqual(again.status, 0, again.err)
        self.assertEqual(Moving(name).count, 5)

    def test_what_does_not_move_says_so_and_writes_nothing(self):
        path = self.path("a.apng")
        for words in (["encoder.0.self_attention.weights", "--source", SENTENCE], ["schedule"],
                      ["map"], ["beam", "--source", SENTENCE]):
            self.assert_says(run("draw", *words, "-o", path), "draw decoding", ".png")
        decoding = ["draw", "decoding", "--source", SENTENCE]
        self.assert_says(run(*decoding, "--delay", "1", "-o", self.path("a.png")), ".apng", status=2)
        for wrong in ("0", "-1", "nan", "soon", "100"):
            outcome = run(*decoding, "--delay", wrong, "-o", path)
            self.assertNotEqual(outcome.status, 0)
            self.assertIn("--delay", outcome.err)
        self.assert_says(run(*decoding, "--scale", "8", "-o", path), "million", "--scale")
        self.assertEqual(os.listdir(self.folder), [])
        write(path, "kept")
        self.assert_says(run(*decoding, "-o", path), "exists")

    def test_a_page_of_a_lesson_holds_it(self):
        write(self.path("l.md"), "---\ntitle: t\nlanguage: en\nminutes: 1\nneeds: none\nmodel: ko-en\n"
              f"depth: steps\n---\n\n# t\n\n```glassbox\n> {SENTENCE}\n...\n```\n\n"
              "```figure d.apng\n:draw decoding\n```\n")
        outcome = run("lesson", "page", "l.md", "-o", "l.html", folder=self.folder)
        self.assertEqual((outcome.status, outcome.err), (0, ""))
        self.assertIn(b'src="data:image/apng;base64,iVBORw0K', read(self.path("l.html")))

    @in_test_all
    @unittest.skipUnless(browser.PROGRAM, "there is no chromium")
    def test_a_browser_plays_it(self):
        moving = self.draw("decoding", "--source", SENTENCE, "--delay", "0.25")
        data = base64.b64encode(read(self.path("a.apng"))).decode()
        write(self.path("a.html"), "<!DOCTYPE html><title>a</title>"
                                   f'<img src="data:image/png;base64,{data}">')
        with browser.Browser() as opened:
            opened.open(self.path("a.html"))
            size = opened.value("[document.images[0].naturalWidth, document.images[0].naturalHeight]")
            self.assertEqual(size, [moving.width, moving.height])
            frames = opened.value("""(async () => {
                const data = await (await fetch(document.images[0].src)).arrayBuffer();
                const decoder = new ImageDecoder({type: 'image/png', data});
                await decoder.tracks.ready;
                const durations = [];
                for (let i = 0; i < decoder.tracks.selectedTrack.frameCount; i++)
                    durations.push((await decoder.decode({frameIndex: i})).image.duration / 1e6);
                return durations;
                })()""")
            self.assertEqual(frames, moving.seconds)


if __name__ == "__main__":
    unittest.main()
