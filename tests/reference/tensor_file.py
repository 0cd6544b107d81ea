"""Safetensors files: eight bytes of header length, a header in JSON, then the numbers.

Only what the tests need: float32 (F32), float16 (F16), the upper halves of float32 as uint16
(BF16) and int32 (I32), without gaps, in the order of their offsets. Format:
https://huggingface.co/docs/safetensors
"""

import json
import struct

import numpy

KINDS = {"F32": numpy.dtype("<f4"), "F16": numpy.dtype("<f2"), "BF16": numpy.dtype("<u2"),
         "I32": numpy.dtype("<i4")}


def kind_of(array):
    if array.dtype in (numpy.float16, numpy.uint16):
        return "F16" if array.dtype == numpy.float16 else "BF16"
    return "I32" if numpy.issubdtype(array.dtype, numpy.integer) else "F32"


def write(path, tensors):
    """Write a dict of name -> numpy array, without gaps."""
    header = {}
    parts = []
    offset = 0
    for name, array in tensors.items():
        kind = kind_of(array)
        part = numpy.ascontiguousarray(array, dtype=KINDS[kind]).tobytes()
        header[name] = {
            "dtype": kind,
            "shape": list(array.shape),
            "data_offsets": [offset, offset + len(part)],
        }
        parts.append(part)
        offset += len(part)
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode("utf-8")
    text += b" " * (-len(text) % 8)  # the numbers start at a multiple of eight
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(parts))


def read(path):
    """Read a dict of name -> numpy array; a gap or a wrong size is a ValueError."""
    with open(path, "rb") as file:
        content = file.read()
    (length,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8 : 8 + length])
    header.pop("__metadata__", None)
    data = content[8 + length :]
    tensors = {}
    expected = 0
    for name, entry in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        begin, end = entry["data_offsets"]
        if begin != expected:
            raise ValueError(f"{path}: a hole before '{name}'")
        numbers = numpy.frombuffer(data[begin:end], KINDS[entry["dtype"]])
        tensors[name] = numbers.reshape(entry["shape"])
        expected = end
    if expected != len(data):
        raise ValueError(f"{path}: {len(data) - expected} bytes too many at the end")
    return tensors
