#!/usr/bin/env python3
"""A port in Python, written from the specs alone: copy it, and put your own systems in the place of these.

    assay port check 'python3 harness/examples/ports/port.py'
    assay verify --port 'python3 harness/examples/ports/port.py'

Needs Python 3.9 and nothing else. The protocol is `assay port protocol`.
"""

import base64
import json
import re
import struct
import sys
from fractions import Fraction

# --- The arithmetic of the engine: oracles/specs/math/compute_x87_chop.md -------------------------------------------


def chop(exact: Fraction) -> float:
    """The binary64 value nearest to `exact` that is not further from zero (step.1); finite, as every rational is."""
    if exact == 0:
        return 0.0
    try:
        near = float(exact)
    except OverflowError:
        near = float("inf") if exact > 0 else float("-inf")
    if near in (float("inf"), float("-inf")) or abs(Fraction(near)) > abs(exact):
        bits = struct.unpack("<q", struct.pack("<d", abs(near)))[0] - 1
        near = struct.unpack("<d", struct.pack("<q", bits))[0] * (1 if exact > 0 else -1)
    return near


def to_int(value: float) -> int:
    """Truncates to 64 bits and keeps the low 32, signed (convert.1); 0 where there are no 64 bits (convert.2)."""
    whole = int(value)
    return signed(whole) if -(2**63) <= whole < 2**63 else 0


def signed(value: int) -> int:
    """The low 32 bits as a signed number."""
    return (value + 2**31) % 2**32 - 2**31


def single(text: str) -> float:
    """The binary32 nearest to the number at the beginning of `text`."""
    number = re.match(r"\s*[+-]?(\d+\.?\d*|\.\d+)", text)
    if number is None:
        raise invalid("minutes", "no number")
    return struct.unpack("<f", struct.pack("<f", float(number.group())))[0]


# --- Arguments -------------------------------------------------------------------------------------------------------


class Refused(Exception):
    """The engine does not accept this input."""

    def __init__(self, errno: str, field: str, message: str):
        super().__init__(message)
        self.error = {"errno": errno, "field": field, "message": message}


def invalid(field: str, message: str) -> Refused:
    return Refused("EINVAL", field, message)


def taken(given: dict, **defaults):
    """The arguments, with the defaults of the spec for those left out; `...` has no default."""
    for name in given:
        if name not in defaults:
            raise invalid(name, "unknown argument")
    for name, default in defaults.items():
        if default is ... and name not in given:
            raise invalid(name, "missing argument")
    return [given.get(name, default) for name, default in defaults.items()]


def integer(field: str, value) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != int(value):
        raise invalid(field, "not an integer")
    return int(value)


# --- The systems -----------------------------------------------------------------------------------------------------


def compute_crc32(given: dict) -> dict:
    """oracles/specs/math/compute_crc32.md"""
    _, numbers, data = taken(given, game="YR", bytes=None, data=None)
    if data is not None and numbers is not None:
        raise invalid("data", "bytes are given twice")
    if data is None and numbers is None:
        raise invalid("bytes", "no bytes are given")
    raw, field = (bytes(numbers), "bytes") if data is None else (read(data), "data")
    if len(raw) > 4096:
        raise invalid(field, "more than 4096 bytes")
    tail = len(raw) % 4
    whole, rest = raw[: len(raw) - tail], raw[len(raw) - tail :]
    breakdown = {"length": len(raw), "words": crc(whole), "tail": tail}
    if tail:  # tail.1
        filled = bytes(rest) + bytes([tail]) + rest[:1] * (3 - tail)
        breakdown["filled"] = list(filled)
        whole += filled
    breakdown["crc"] = crc(whole)
    breakdown["signed"] = signed(breakdown["crc"])
    return breakdown


def crc(data: bytes) -> int:
    """crc.1: reflected, polynomial 0xEDB88320, complemented at both ends."""
    state = 0xFFFFFFFF
    for byte in data:
        state ^= byte
        for _ in range(8):
            state = state >> 1 ^ (0xEDB88320 if state & 1 else 0)
    return state ^ 0xFFFFFFFF


def read(text: str) -> bytes:
    kind, _, rest = text.partition(":")
    if kind == "hex":
        return bytes.fromhex(rest)
    if kind == "base64":
        return base64.b64decode(rest)
    raise invalid("data", "neither hex: nor base64:")


def compute_minutes_to_frames(given: dict) -> dict:
    """oracles/specs/timing/compute_minutes_to_frames.md"""
    game, minutes = taken(given, game="YR", minutes=...)
    if isinstance(minutes, str) and minutes.startswith(("f64:", "f32:")):
        bits = bytes.fromhex(minutes[6:].replace("_", ""))
        held = struct.unpack(">d" if minutes[1] == "6" else ">f", bits)[0]
    elif isinstance(minutes, str):  # held.1
        held = single(minutes)
        if "%" in minutes:
            held = chop(Fraction(held) / 100 if game == "TS" else Fraction(held) * Fraction(0.01))
    else:
        held = float(minutes)
    if held != held or abs(held) == float("inf"):
        raise invalid("minutes", "not a finite number")
    product = chop(Fraction(held) * 900)  # factor.1, product.1
    # What rounding to nearest would make of it, for comparison.
    return {"minutes": held, "product": product, "nearest": to_int(held * 900.0), "frames": to_int(product)}


def compute_refinery_pile(given: dict) -> dict:
    """oracles/specs/economy/compute_refinery_pile.md"""
    _, stored, capacity = taken(given, game="YR", stored=..., capacity=...)
    stored, capacity = integer("stored", stored), integer("capacity", capacity)
    tier = 0  # tier.1
    if stored != 0:  # tier.2
        quarters = signed(stored << 2)
        if capacity == 0 or (quarters, capacity) == (-(2**31), -1):  # divide.1
            raise invalid("capacity", "the processor cannot divide by this")
        tier = abs(quarters) // abs(capacity) * (1 if (quarters < 0) == (capacity < 0) else -1)
    breakdown = {"tier": tier}
    if tier >= 0:  # slot.1, slot.2
        breakdown["slot"] = 3 + min(tier, 3)
    return breakdown


def compute_ammo_reload(given: dict) -> dict:
    """oracles/specs/combat/compute_ammo_reload.md"""
    names = dict(game="YR", ammo=..., max_ammo=..., reload=0, empty_reload=-1, reload_increment=0, pip_wrap=0)
    _, *values = taken(given, **names)
    fields = list(names)[1:]
    ammo, most, reload, empty, increment, wrap = [integer(f, v) for f, v in zip(fields, values)]
    if ammo >= most:  # full.1
        return {"timer": "none"}
    if ammo == 0 and empty != -1:  # empty.1
        return {"timer": "empty", "frames": empty}
    group = 1  # group.1
    if wrap != 0:
        group = signed(abs(ammo) // abs(wrap) * (1 if (ammo < 0) == (wrap < 0) else -1))
    added = signed(increment * group * group)  # delay.1
    return {"timer": "increment", "group": group, "added": added, "frames": signed(reload + added)}


# --- The protocol ----------------------------------------------------------------------------------------------------

SYSTEMS = {
    "compute_ammo_reload": (["YR"], compute_ammo_reload),
    "compute_crc32": (["TS", "YR"], compute_crc32),
    "compute_minutes_to_frames": (["TS", "YR"], compute_minutes_to_frames),
    "compute_refinery_pile": (["YR"], compute_refinery_pile),
}


def answer(question: dict) -> dict:
    name = question["capability"]
    if name not in SYSTEMS:
        return {"id": question["id"], "skip": f"{name} is not done"}
    try:
        return {"id": question["id"], "ok": SYSTEMS[name][1](question["input"])}
    except Refused as refused:
        return {"id": question["id"], "error": refused.error}


def main() -> None:
    for line in sys.stdin:
        message = json.loads(line)
        if "run" in message:
            reply = answer(message["run"])
        elif "hello" in message:
            offers = [{"name": name, "games": games} for name, (games, _) in SYSTEMS.items()]
            reply = {"hello": {"protocol": 1, "name": "example-python", "language": "Python", "version": "1",
                               "capabilities": offers}}
        else:
            return
        # Python buffers a pipe: without the flush the harness would wait for an answer that never leaves.
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
